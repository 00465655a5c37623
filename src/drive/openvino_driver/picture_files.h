// Pictures from files: JPEG, PNG and WebP.
//
// Values are those that Pillow's convert("RGB") and convert("L") give: alpha is dropped, of 16 bits
// the high byte is kept, gamma and color profiles are left alone. The orientation of a JPEG's Exif
// data is applied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"

namespace planex::drive {

// A small file may ask for any memory: 490 kB of 13 000 × 13 000 pixels took 8.2 GB and two
// minutes. 8192 × 8192, more than cameras have.
inline constexpr std::size_t kMaxPixels = std::size_t{1} << 26U;

struct Picture {
  std::size_t height = 0, width = 0;
  std::size_t channels = 3;          // 3: red, green, blue; 1: gray
  std::vector<std::uint8_t> pixels;  // Row by row, height * width * channels.
};

// A gray file has one channel, others have three. Cost: O(pixels) memory, twice that to turn one.
// Errors: kBadInput (cut short, damaged, too large), kUnsupported (another format, an animation);
// the message goes on from the file's name: "is cut short".
Result<Picture> read_picture(std::string_view bytes);

// One channel, as the ITU-R 601-2 luma; or three.
void make_gray(Picture& picture);
void make_rgb(Picture& picture);

// Of one or three channels. Errors: kExternalTool.
Result<std::string> png_of(const Picture& picture);

// 1 to 8; 1 where the data (of an Exif segment, from "Exif\0\0" on) does not say.
int exif_orientation(std::string_view segment);

}  // namespace planex::drive
