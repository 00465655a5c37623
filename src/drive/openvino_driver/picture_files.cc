#include "drive/openvino_driver/picture_files.h"

// jpeglib.h needs the declarations of this header and does not include it.
#include <cstdio>

#include <jerror.h>
#include <jpeglib.h>
#include <png.h>
#include <webp/decode.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "base/text.h"
#include "base/try.h"

namespace planex::drive {
namespace {

// A progressive file of a few bytes may have thousands of scans, each of which visits all pixels.
constexpr int kMaxScans = 500;

Failure bad_picture(std::string message) { return fail(ErrorCode::kBadInput, std::move(message)); }

Result<void> check_size(std::uint64_t width, std::uint64_t height) {
  if (width == 0 || height == 0) return bad_picture("has no pixels");
  if (width > kMaxPixels || height > kMaxPixels || width * height > kMaxPixels) {
    return bad_picture(
        base::format("has {} x {} pixels, more than the limit of {}", width, height, kMaxPixels));
  }
  return {};
}

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// --- JPEG

// State shared with the library's callbacks. They leave by longjmp, over C frames only: our one
// function in between, decode_jpeg_step(), has nothing to destroy.
struct JpegState {
  jpeg_decompress_struct file{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  std::jmp_buf out{};
  std::array<char, JMSG_LENGTH_MAX> message{};
  bool is_cut = false;
  bool has_too_many_scans = false;
  bool is_open = false;
};

JpegState& state_of(j_common_ptr file) { return *static_cast<JpegState*>(file->client_data); }

[[noreturn]] void leave(j_common_ptr file) {
  JpegState& state = state_of(file);
  state.errors.format_message(file, state.message.data());
  std::longjmp(state.out, 1);  // NOLINT(modernize-avoid-setjmp-longjmp,cert-err52-cpp)
}

// After a warning the library continues: with gray where data is missing, which counts as cut
// short. After other warnings the data is fine.
void take_message(j_common_ptr file, int level) {
  if (level >= 0) return;
  const int code = file->err->msg_code;
  if (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER) state_of(file).is_cut = true;
}

void watch_scans(j_common_ptr file) {
  const auto* decompress = reinterpret_cast<j_decompress_ptr>(file);
  if (decompress->input_scan_number <= kMaxScans) return;
  state_of(file).has_too_many_scans = true;
  leave(file);
}

enum class JpegStep : std::uint8_t { kHeader, kPixels };

// Returns whether it succeeded.
bool decode_jpeg_step(JpegState& state, std::string_view bytes, JpegStep step,
                      std::uint8_t* pixels) {
  // NOLINTNEXTLINE(modernize-avoid-setjmp-longjmp,cert-err52-cpp): the library's way out.
  if (setjmp(state.out) != 0) return false;
  if (step == JpegStep::kHeader) {
    jpeg_create_decompress(&state.file);
    state.is_open = true;
    state.file.client_data = &state;
    jpeg_mem_src(&state.file, bytes_of(bytes), bytes.size());
    jpeg_save_markers(&state.file, JPEG_APP0 + 1, 0xFFFF);
    jpeg_read_header(&state.file, TRUE);
    return true;
  }
  state.file.progress = &state.progress;
  jpeg_start_decompress(&state.file);
  const std::size_t row_bytes =
      std::size_t{state.file.output_width} * static_cast<std::size_t>(state.file.output_components);
  while (state.file.output_scanline < state.file.output_height) {
    JSAMPROW row = pixels + row_bytes * state.file.output_scanline;
    jpeg_read_scanlines(&state.file, &row, 1);
  }
  jpeg_finish_decompress(&state.file);
  return true;
}

// Inverted, as Adobe stores it; the arithmetic is Pillow's.
void rgb_of_cmyk(std::span<const std::uint8_t> cmyk, std::span<std::uint8_t> rgb) {
  for (std::size_t i = 0; i * 4 < cmyk.size(); ++i) {
    const int white = cmyk[i * 4 + 3];
    for (std::size_t c = 0; c < 3; ++c) {
      const int ink = 255 - cmyk[i * 4 + c];
      const int scaled = ink * white + 128;
      rgb[i * 3 + c] =
          static_cast<std::uint8_t>(std::clamp(white - (((scaled >> 8) + scaled) >> 8), 0, 255));
    }
  }
}

// Turns a picture upright: 1 to 8 as in Exif.
void turn(Picture& picture, int orientation) {
  if (orientation <= 1 || orientation > 8) return;
  const bool is_transposed = orientation >= 5;
  const bool flips_rows =
      orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
  const bool flips_columns =
      orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
  Picture turned;
  turned.channels = picture.channels;
  turned.height = is_transposed ? picture.width : picture.height;
  turned.width = is_transposed ? picture.height : picture.width;
  turned.pixels.resize(picture.pixels.size());
  for (std::size_t row = 0; row < turned.height; ++row) {
    for (std::size_t column = 0; column < turned.width; ++column) {
      const std::size_t y = flips_rows ? turned.height - 1 - row : row;
      const std::size_t x = flips_columns ? turned.width - 1 - column : column;
      const std::size_t from = is_transposed ? x * picture.width + y : y * picture.width + x;
      std::copy_n(&picture.pixels[from * picture.channels], picture.channels,
                  &turned.pixels[(row * turned.width + column) * picture.channels]);
    }
  }
  picture = std::move(turned);
}

class JpegReader {
 public:
  JpegReader() {
    state_.file.err = jpeg_std_error(&state_.errors);
    state_.errors.error_exit = leave;
    state_.errors.emit_message = take_message;
    state_.progress.progress_monitor = watch_scans;
    state_.file.client_data = &state_;
  }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;
  ~JpegReader() {
    if (state_.is_open) jpeg_destroy_decompress(&state_.file);
  }

  Result<Picture> read(std::string_view bytes) {
    jpeg_decompress_struct& file = state_.file;
    if (!decode_jpeg_step(state_, bytes, JpegStep::kHeader, nullptr)) return failure();
    PLANEX_TRY(check_size(file.image_width, file.image_height));
    const bool is_cmyk = file.jpeg_color_space == JCS_CMYK || file.jpeg_color_space == JCS_YCCK;
    Picture picture;
    picture.width = file.image_width;
    picture.height = file.image_height;
    picture.channels = file.jpeg_color_space == JCS_GRAYSCALE ? 1 : 3;
    file.out_color_space = picture.channels == 1 ? JCS_GRAYSCALE : is_cmyk ? JCS_CMYK : JCS_RGB;
    const std::size_t decoded_channels = is_cmyk ? 4 : picture.channels;
    // The library drops its markers at the end.
    const int upright = orientation();
    std::vector<std::uint8_t> decoded(picture.width * picture.height * decoded_channels);
    if (!decode_jpeg_step(state_, bytes, JpegStep::kPixels, decoded.data())) return failure();
    if (state_.is_cut) return bad_picture("is cut short or damaged");
    if (is_cmyk) {
      picture.pixels.resize(picture.width * picture.height * 3);
      rgb_of_cmyk(decoded, picture.pixels);
    } else {
      picture.pixels = std::move(decoded);
    }
    turn(picture, upright);
    return picture;
  }

 private:
  int orientation() const {
    for (jpeg_saved_marker_ptr marker = state_.file.marker_list; marker != nullptr;
         marker = marker->next) {
      const std::string_view data(reinterpret_cast<const char*>(marker->data), marker->data_length);
      if (data.starts_with("Exif")) return exif_orientation(data);
    }
    return 1;
  }

  Failure failure() const {
    if (state_.has_too_many_scans) {
      return bad_picture(base::format("has more than {} scans", kMaxScans));
    }
    if (state_.is_cut) return bad_picture("is cut short or damaged");
    return bad_picture(
        base::format("is not a valid JPEG: {}", base::quoted(state_.message.data())));
  }

  JpegState state_;
};

// --- PNG

struct PngState {
  std::string_view rest;
  png_structp file = nullptr;
  png_infop info = nullptr;
  std::array<char, 128> message{};
  bool is_cut = false;
};

[[noreturn]] void leave_png(png_structp file, png_const_charp message) {
  auto* state = static_cast<PngState*>(png_get_error_ptr(file));
  std::snprintf(state->message.data(), state->message.size(), "%s", message);
  png_longjmp(file, 1);
}

void ignore_warning(png_structp /*file*/, png_const_charp /*message*/) {}

void give_bytes(png_structp file, png_bytep data, std::size_t size) {
  auto* state = static_cast<PngState*>(png_get_io_ptr(file));
  if (size > state->rest.size()) {
    state->is_cut = true;
    png_error(file, "cut short");
  }
  std::memcpy(data, state->rest.data(), size);
  state->rest.remove_prefix(size);
}

// Returns whether it succeeded; the rows stay in `info`.
bool decode_png(PngState& state) {
  // NOLINTNEXTLINE(modernize-avoid-setjmp-longjmp,cert-err52-cpp): the library's way out.
  if (setjmp(png_jmpbuf(state.file)) != 0) return false;
  png_set_read_fn(state.file, &state, give_bytes);
  png_set_user_limits(state.file, kMaxPixels, kMaxPixels);
  png_read_png(state.file, state.info,
               PNG_TRANSFORM_STRIP_16 | PNG_TRANSFORM_EXPAND | PNG_TRANSFORM_STRIP_ALPHA |
                   PNG_TRANSFORM_PACKING,
               nullptr);
  return true;
}

class PngReader {
 public:
  explicit PngReader(std::string_view bytes) {
    state_.rest = bytes;
    state_.file = png_create_read_struct(PNG_LIBPNG_VER_STRING, &state_, leave_png, ignore_warning);
    if (state_.file != nullptr) state_.info = png_create_info_struct(state_.file);
  }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;
  ~PngReader() { png_destroy_read_struct(&state_.file, &state_.info, nullptr); }

  Result<Picture> read() {
    if (state_.info == nullptr) return fail(ErrorCode::kExternalTool, "libpng can't be started");
    // The size is at the same place in every file, and is known before anything is allocated.
    constexpr std::size_t kWidthAt = 16, kHeaderBytes = 24;
    if (state_.rest.size() < kHeaderBytes) return bad_picture("is cut short");
    const unsigned char* sizes = bytes_of(state_.rest) + kWidthAt;
    PLANEX_TRY(check_size(png_get_uint_32(sizes), png_get_uint_32(sizes + 4)));
    if (!decode_png(state_)) {
      if (state_.is_cut) return bad_picture("is cut short");
      return bad_picture(
          base::format("is not a valid PNG: {}", base::quoted(state_.message.data())));
    }
    Picture picture;
    picture.width = png_get_image_width(state_.file, state_.info);
    picture.height = png_get_image_height(state_.file, state_.info);
    picture.channels = png_get_channels(state_.file, state_.info);
    if (picture.channels != 1 && picture.channels != 3) {
      return fail(ErrorCode::kUnsupported,
                  base::format("has {} channels", static_cast<int>(picture.channels)));
    }
    const std::size_t row_bytes = picture.width * picture.channels;
    picture.pixels.resize(row_bytes * picture.height);
    const png_bytepp rows = png_get_rows(state_.file, state_.info);
    for (std::size_t row = 0; row < picture.height; ++row) {
      std::memcpy(&picture.pixels[row * row_bytes], rows[row], row_bytes);
    }
    return picture;
  }

 private:
  PngState state_;
};

// --- WebP

Result<Picture> read_webp(std::string_view bytes) {
  WebPBitstreamFeatures features;
  const VP8StatusCode code = WebPGetFeatures(bytes_of(bytes), bytes.size(), &features);
  if (code == VP8_STATUS_NOT_ENOUGH_DATA) return bad_picture("is cut short");
  if (code != VP8_STATUS_OK) return bad_picture("is not a valid WebP");
  if (features.has_animation != 0) {
    return fail(ErrorCode::kUnsupported, "is an animation, which planex does not read");
  }
  PLANEX_TRY(check_size(static_cast<std::uint64_t>(features.width),
                        static_cast<std::uint64_t>(features.height)));
  Picture picture;
  picture.width = static_cast<std::size_t>(features.width);
  picture.height = static_cast<std::size_t>(features.height);
  picture.pixels.resize(picture.width * picture.height * picture.channels);
  if (WebPDecodeRGBInto(bytes_of(bytes), bytes.size(), picture.pixels.data(), picture.pixels.size(),
                        static_cast<int>(picture.width * 3)) == nullptr) {
    return bad_picture("is cut short or damaged");
  }
  return picture;
}

}  // namespace

int exif_orientation(std::string_view segment) {
  constexpr std::string_view kStart("Exif\0\0", 6);
  constexpr unsigned kTag = 0x0112, kShort = 3;
  if (!segment.starts_with(kStart)) return 1;
  const std::string_view tiff = segment.substr(kStart.size());
  const bool is_little = tiff.starts_with("II");
  if (!is_little && !tiff.starts_with("MM")) return 1;
  // Null past the end.
  const auto number = [&](std::size_t at, std::size_t size) -> std::optional<std::size_t> {
    if (at > tiff.size() || size > tiff.size() - at) return std::nullopt;
    std::size_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
      value = value << 8U | static_cast<unsigned char>(tiff[at + (is_little ? size - 1 - i : i)]);
    }
    return value;
  };
  const auto directory = number(4, 4);
  if (!directory) return 1;
  const auto entries = number(*directory, 2);
  constexpr std::size_t kEntryBytes = 12;
  for (std::size_t i = 0; entries && i < *entries; ++i) {
    const std::size_t at = *directory + 2 + i * kEntryBytes;
    const auto tag = number(at, 2);
    if (!tag) return 1;
    if (tag != kTag) continue;
    const auto value = number(at + 8, 2);
    const bool is_valid = number(at + 2, 2) == kShort && value && *value >= 1 && *value <= 8;
    return is_valid ? static_cast<int>(*value) : 1;
  }
  return 1;
}

Result<Picture> read_picture(std::string_view bytes) {
  if (bytes.empty()) return bad_picture("is empty");
  if (bytes.starts_with("\xFF\xD8\xFF")) return JpegReader().read(bytes);
  if (bytes.starts_with("\x89PNG\r\n\x1A\n")) return PngReader(bytes).read();
  constexpr std::size_t kFormatAt = 8;
  if (bytes.starts_with("RIFF") && bytes.size() > kFormatAt &&
      bytes.substr(kFormatAt).starts_with("WEBP")) {
    return read_webp(bytes);
  }
  return fail(ErrorCode::kUnsupported, "is not a JPEG, PNG or WebP");
}

void make_gray(Picture& picture) {
  if (picture.channels == 1) return;
  const std::size_t count = picture.height * picture.width;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* rgb = &picture.pixels[i * 3];
    picture.pixels[i] =
        static_cast<std::uint8_t>((rgb[0] * 19595 + rgb[1] * 38470 + rgb[2] * 7471 + 0x8000) >> 16);
  }
  picture.pixels.resize(count);
  picture.channels = 1;
}

void make_rgb(Picture& picture) {
  if (picture.channels == 3) return;
  const std::size_t count = picture.height * picture.width;
  std::vector<std::uint8_t> pixels(count * 3);
  for (std::size_t i = 0; i < count; ++i) std::fill_n(&pixels[i * 3], 3, picture.pixels[i]);
  picture.pixels = std::move(pixels);
  picture.channels = 3;
}

Result<std::string> png_of(const Picture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = picture.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  const auto refuse = [&] {
    return fail(ErrorCode::kExternalTool,
                base::format("libpng can't write a picture: {}", base::quoted(image.message)));
  };
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string text(size, '\0');
  if (png_image_write_to_memory(&image, text.data(), &size, 0, picture.pixels.data(), 0, nullptr) ==
      0) {
    return refuse();
  }
  text.resize(size);
  return text;
}

}  // namespace planex::drive
