// Pictures from files: JPEG, PNG and WebP.
//
// Values match Pillow's convert("RGB") and convert("L"): alpha is dropped, the high byte of 16 bits
// is kept, gamma and color profiles are ignored. The orientation in a JPEG's Exif data is applied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"

namespace planex::drive {

// The limit on pixels. A small file can require any amount of memory: 490 kB with 13 000 × 13 000
// pixels took 8.2 GB and two minutes. 8192 × 8192 is more than cameras have.
inline constexpr std::size_t kMaxPixels = std::size_t{1} << 26U;

struct Picture {
  std::size_t height = 0, width = 0;
  std::size_t channels = 3;          // 3: red, green, blue; 1: gray
  std::vector<std::uint8_t> pixels;  // Row by row, height * width * channels.
};

// A gray file has one channel, others have three. Cost: O(pixels) memory, twice that for rotation.
// Errors: kBadInput (truncated, damaged, too large), kUnsupported (another format, an animation);
// the message continues the file's name: "is cut short".
Result<Picture> read_picture(std::string_view bytes);

// One channel, the ITU-R 601-2 luma; or three.
void make_gray(Picture& picture);
void make_rgb(Picture& picture);

// Of one or three channels. Errors: kExternalTool.
Result<std::string> png_of(const Picture& picture);

// 1 to 8; 1 if the data (of an Exif segment, from "Exif\0\0" on) does not say.
int exif_orientation(std::string_view segment);

}  // namespace planex::drive
