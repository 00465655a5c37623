#include "drive/openvino_driver/pictures.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <openvino/op/constant.hpp>
#include <openvino/op/interpolate.hpp>
#include <openvino/op/parameter.hpp>
#include <openvino/openvino.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "arrays/sample_folder.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/inference_files.h"
#include "drive/openvino_driver/openvino_error.h"
#include "drive/openvino_driver/picture_files.h"

namespace planex::drive {
namespace {

constexpr std::int64_t kMaxSide = 65'535;

// Width and height that a picture is scaled to.
struct Size {
  std::size_t height = 0, width = 0;
  bool operator==(const Size&) const = default;
};

// Scales bytes like Pillow's Image.BILINEAR: shrinking averages everything that falls into a pixel.
// It uses float32, which stays within 1 of Pillow's bytes; OpenVINO's own byte path is sometimes 2
// away. One channel at a time, because a large picture in float32 needs much memory.
class Scaler {
 public:
  Scaler() {
    const auto pixels =
        std::make_shared<ov::op::v0::Parameter>(ov::element::f32, ov::PartialShape{1, 1, -1, -1});
    const auto sizes = std::make_shared<ov::op::v0::Parameter>(ov::element::i32, ov::Shape{2});
    const auto axes = ov::op::v0::Constant::create(ov::element::i32, ov::Shape{2}, {2, 3});
    using Interpolate = ov::op::v11::Interpolate;
    Interpolate::InterpolateAttrs how;
    how.mode = Interpolate::InterpolateMode::BILINEAR_PILLOW;
    how.shape_calculation_mode = Interpolate::ShapeCalcMode::SIZES;
    how.coordinate_transformation_mode = Interpolate::CoordinateTransformMode::HALF_PIXEL;
    how.pads_begin = {0, 0, 0, 0};
    how.pads_end = {0, 0, 0, 0};
    const auto scaled = std::make_shared<Interpolate>(pixels, sizes, axes, how);
    const auto model = std::make_shared<ov::Model>(ov::OutputVector{scaled->output(0)},
                                                   ov::ParameterVector{pixels, sizes});
    request_ = core_
                   .compile_model(model, "CPU",
                                  {ov::hint::inference_precision(ov::element::f32),
                                   ov::inference_num_threads(1), ov::num_streams(1),
                                   ov::hint::enable_cpu_pinning(false)})
                   .create_infer_request();
  }

  void scale(Picture& picture, Size size) {
    if (size == Size{picture.height, picture.width}) return;
    std::array<std::int32_t, 2> sizes = {static_cast<std::int32_t>(size.height),
                                         static_cast<std::int32_t>(size.width)};
    const std::size_t channels = picture.channels;
    std::vector<float> plane(picture.height * picture.width);
    std::vector<std::uint8_t> pixels(size.height * size.width * channels);
    request_.set_input_tensor(
        0, ov::Tensor(ov::element::f32, {1, 1, picture.height, picture.width}, plane.data()));
    request_.set_input_tensor(1, ov::Tensor(ov::element::i32, {2}, sizes.data()));
    for (std::size_t channel = 0; channel < channels; ++channel) {
      for (std::size_t i = 0; i < plane.size(); ++i) {
        plane[i] = picture.pixels[i * channels + channel];
      }
      request_.infer();
      const ov::Tensor scaled = request_.get_output_tensor(0);
      const auto* values = scaled.data<const float>();
      for (std::size_t i = 0; i < scaled.get_size(); ++i) {
        pixels[i * channels + channel] =
            static_cast<std::uint8_t>(std::clamp(std::round(values[i]), 0.F, 255.F));
      }
    }
    picture.pixels = std::move(pixels);
    picture.height = size.height;
    picture.width = size.width;
  }

 private:
  ov::Core core_;
  ov::InferRequest request_;
};

std::size_t rounded_side(double side) {
  return static_cast<std::size_t>(std::max(1.0, std::round(side)));
}

// Pictures in the form that a job requests.
class Preparer {
 public:
  explicit Preparer(const Preparation& how)
      : how_(how),
        height_(static_cast<std::size_t>(how.height)),
        width_(static_cast<std::size_t>(how.width)),
        channels_(how.color == Preparation::Color::kGray ? 1 : 3) {}

  std::size_t channels() const { return channels_; }

  // Bytes with the model's height and width, channels as requested.
  Result<Picture> fit(Picture picture) {
    if (channels_ == 1) {
      make_gray(picture);
    } else {
      make_rgb(picture);
    }
    const double to_height = static_cast<double>(height_) / static_cast<double>(picture.height);
    const double to_width = static_cast<double>(width_) / static_cast<double>(picture.width);
    Size size{height_, width_};
    if (how_.fit != Preparation::Fit::kStretch) {
      const bool is_pad = how_.fit == Preparation::Fit::kPad;
      const double scale = is_pad ? std::min(to_height, to_width) : std::max(to_height, to_width);
      size = {rounded_side(static_cast<double>(picture.height) * scale),
              rounded_side(static_cast<double>(picture.width) * scale)};
      size.height = is_pad ? std::min(size.height, height_) : std::max(size.height, height_);
      size.width = is_pad ? std::min(size.width, width_) : std::max(size.width, width_);
    }
    if (size.width * size.height > kMaxPixels) {
      return fail(ErrorCode::kBadInput,
                  base::format("is too long and thin: {} x {} pixels would become {} x {}",
                               picture.width, picture.height, size.width, size.height));
    }
    // One scaler for all pictures, because creating it compiles a model.
    if (!scaler_) scaler_ = std::make_unique<Scaler>();
    scaler_->scale(picture, size);
    return placed(picture);
  }

  // (x - mean) * scale in the layout of the model.
  void values_of(const Picture& picture, std::vector<float>& values) const {
    values.resize(picture.pixels.size());
    for_each([&](std::size_t pixel, std::size_t value, double mean, double scale) {
      values[value] =
          static_cast<float>((static_cast<double>(picture.pixels[pixel]) - mean) * scale);
    });
    if (how_.fit != Preparation::Fit::kPad || is_whole_fill()) return;
    fill_padding(values);
  }

  // Inverts values_of(): the picture as the model sees it.
  Picture seen(std::span<const float> values) const {
    Picture picture{height_, width_, channels_, std::vector<std::uint8_t>(values.size())};
    for_each([&](std::size_t pixel, std::size_t value, double mean, double scale) {
      const double byte = static_cast<double>(values[value]) / scale + mean;
      picture.pixels[pixel] = static_cast<std::uint8_t>(std::clamp(std::round(byte), 0.0, 255.0));
    });
    return picture;
  }

 private:
  bool is_whole_fill() const { return how_.fill == std::floor(how_.fill); }

  // Positions of a pixel's byte and of its value in the sample, with mean and scale of its channel.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    const std::size_t plane = height_ * width_;
    const bool is_nchw = how_.layout == Preparation::Layout::kNchw;
    for (std::size_t channel = 0; channel < channels_; ++channel) {
      // Bytes are in the order red, green, blue.
      const std::size_t byte = how_.color == Preparation::Color::kBgr ? 2 - channel : channel;
      const double mean = how_.mean[how_.mean.size() == 1 ? 0 : channel];
      const double scale = how_.scale[how_.scale.size() == 1 ? 0 : channel];
      for (std::size_t i = 0; i < plane; ++i) {
        visit(i * channels_ + byte, is_nchw ? channel * plane + i : i * channels_ + channel, mean,
              scale);
      }
    }
  }

  // A fill between two bytes.
  void fill_padding(std::vector<float>& values) const {
    for_each([&](std::size_t pixel, std::size_t value, double mean, double scale) {
      const std::size_t row = pixel / channels_ / width_, column = pixel / channels_ % width_;
      if (row < content_.height && column < content_.width) return;
      values[value] = static_cast<float>((how_.fill - mean) * scale);
    });
  }

  // At the top left of the model's picture, or in its middle.
  Picture placed(const Picture& picture) {
    content_ = {picture.height, picture.width};
    if (content_ == Size{height_, width_}) return picture;
    Picture result{height_, width_, channels_, {}};
    result.pixels.assign(height_ * width_ * channels_,
                         static_cast<std::uint8_t>(std::round(how_.fill)));
    const std::size_t rows = std::min(height_, picture.height);
    const std::size_t columns = std::min(width_, picture.width);
    const std::size_t top = (picture.height - rows) / 2, left = (picture.width - columns) / 2;
    for (std::size_t row = 0; row < rows; ++row) {
      std::copy_n(&picture.pixels[((top + row) * picture.width + left) * channels_],
                  columns * channels_, &result.pixels[row * width_ * channels_]);
    }
    return result;
  }

  const Preparation& how_;
  std::size_t height_, width_, channels_;
  Size content_;
  std::unique_ptr<Scaler> scaler_;
};

Failure bad_picture_job(std::string message) {
  return fail(ErrorCode::kBadInput, std::move(message));
}

Result<arrays::ElementType> check_picture_job(const PictureJob& job) {
  const Preparation& how = job.preparation;
  if (how.height < 1 || how.width < 1 || how.height > kMaxSide || how.width > kMaxSide ||
      static_cast<std::size_t>(how.height * how.width) > kMaxPixels) {
    return bad_picture_job(
        base::format("{} x {} is not a valid picture size for a model, expected 1 to {}", how.width,
                     how.height, kMaxSide));
  }
  if (!(how.fill >= 0 && how.fill <= 255)) {
    return bad_picture_job(base::format("fill is {}, expected 0 to 255", how.fill));
  }
  const std::size_t channels = how.color == Preparation::Color::kGray ? 1 : 3;
  const auto has_wrong_size = [&](const std::vector<double>& values) {
    return values.size() != 1 && values.size() != channels;
  };
  if (has_wrong_size(how.mean) || has_wrong_size(how.scale)) {
    return bad_picture_job(
        base::format("{} of mean and {} of scale, expected one each, or one for each of {}",
                     base::counted(how.mean.size(), "value"), how.scale.size(),
                     base::counted(channels, "channel")));
  }
  if (std::ranges::find(how.scale, 0.0) != how.scale.end()) {
    return bad_picture_job("a scale is 0, which would make all pictures identical");
  }
  if (!job.labels.empty() && job.labels.size() != job.pictures.size()) {
    return bad_picture_job(base::format("{} of {}", base::counted(job.labels.size(), "label"),
                                        base::counted(job.pictures.size(), "picture")));
  }
  if (job.pictures.empty()) return bad_picture_job("there are no pictures to prepare");
  const auto type = arrays::element_type(job.input_type);
  if (type != arrays::ElementType::kFloat32 && type != arrays::ElementType::kFloat16 &&
      type != arrays::ElementType::kUint8) {
    return fail(ErrorCode::kUnsupported,
                base::format("the model's input is of type {}; pictures become float32, float16 or "
                             "uint8",
                             base::quoted(job.input_type)));
  }
  return *type;
}

// With the names and layout of the model's input.
void encode(std::span<const float> values, arrays::ElementType type, std::string& bytes) {
  const auto put = [&]<typename T>(T /*of the type*/) {
    bytes.resize(values.size() * sizeof(T));
    ov::Tensor tensor(ov::element::from<T>(), {values.size()}, bytes.data());
    std::ranges::transform(values, tensor.data<T>(), [](float value) {
      if constexpr (std::is_integral_v<T>)
        return static_cast<T>(std::clamp(std::round(value), 0.F, 255.F));
      return static_cast<T>(value);
    });
  };
  if (type == arrays::ElementType::kUint8) return put(std::uint8_t{});
  if (type == arrays::ElementType::kFloat16) return put(ov::float16{});
  put(float{});
}

std::string numbers(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += base::format("{}{}", text.empty() ? "" : ",", value);
  return text;
}

std::vector<std::string> steps_of(const Preparation& how) {
  constexpr std::array<std::string_view, 3> kFit = {"stretch", "pad", "crop"};
  constexpr std::array<std::string_view, 3> kColor = {"rgb", "bgr", "gray"};
  std::vector<std::string> steps = {
      base::format("height={}", how.height),
      base::format("width={}", how.width),
      base::format("fit={}", kFit[static_cast<std::size_t>(how.fit)]),
      base::format("color={}", kColor[static_cast<std::size_t>(how.color)]),
      base::format("layout={}", how.layout == Preparation::Layout::kNchw ? "nchw" : "nhwc"),
      base::format("mean={}", numbers(how.mean)),
      base::format("scale={}", numbers(how.scale))};
  if (how.fit == Preparation::Fit::kPad) steps.push_back(base::format("fill={}", how.fill));
  return steps;
}

Result<Picture> picture_of(const std::string& path) {
  PLANEX_ASSIGN(const auto bytes, base::disk().read(path));
  auto picture = read_picture(bytes->view());
  if (!bytes->is_intact()) return fail(base::changed_error(path));
  return picture;
}

class PictureRun {
 public:
  PictureRun(const PictureJob& job, const Report& report) : job_(job), report_(report) {}

  Result<PictureResult> run() {
    PLANEX_ASSIGN(type_, check_picture_job(job_));
    Preparer preparer(job_.preparation);
    const auto channels = static_cast<std::int64_t>(preparer.channels());
    const std::int64_t height = job_.preparation.height, width = job_.preparation.width;
    std::vector<std::int64_t> shape = {1, channels, height, width};
    if (job_.preparation.layout == Preparation::Layout::kNhwc) {
      shape = {1, height, width, channels};
    }
    PLANEX_ASSIGN(writer_,
                  arrays::SampleWriter::create(job_.output_dir, {{job_.input_name, type_, shape}}));
    PictureResult result;
    auto told = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < job_.pictures.size(); ++i) {
      PLANEX_TRY(add(i, preparer, result));
      if (std::chrono::steady_clock::now() - told > std::chrono::milliseconds(100)) {
        told = std::chrono::steady_clock::now();
        report_("prepare", static_cast<double>(i + 1) / static_cast<double>(job_.pictures.size()));
      }
    }
    if (result.sample_count == 0) {
      Error error;
      error.code = ErrorCode::kBadInput;
      error.message =
          base::format("none of {} could be read: the first {}",
                       base::counted(job_.pictures.size(), "picture"), result.refused.front().why);
      error.file = job_.pictures.front();
      return fail(std::move(error));
    }
    PLANEX_TRY(writer_->finish(steps_of(job_.preparation)));
    return result;
  }

 private:
  Result<void> add(std::size_t number, Preparer& preparer, PictureResult& result) {
    const std::string& path = job_.pictures[number];
    auto picture = picture_of(path);
    if (picture) picture = preparer.fit(std::move(*picture));
    if (!picture) {
      result.refused.push_back({path, picture.error().message});
      return {};
    }
    preparer.values_of(*picture, values_);
    encode(values_, type_, bytes_);
    const std::string_view data = bytes_;
    const std::string label = job_.labels.empty() ? std::string() : job_.labels[number];
    PLANEX_TRY(writer_->add({.name = path, .label = label}, std::span(&data, 1)));
    if (!job_.preview_dir.empty() && result.sample_count < job_.preview_count) {
      PLANEX_ASSIGN(const std::string png, png_of(preparer.seen(values_)));
      const std::string name = base::format("{}.png", result.sample_count);
      PLANEX_TRY(base::write_file_atomically(base::join_path(job_.preview_dir, name), png));
    }
    ++result.sample_count;
    return {};
  }

  const PictureJob& job_;
  const Report& report_;
  arrays::ElementType type_ = arrays::ElementType::kFloat32;
  std::unique_ptr<arrays::SampleWriter> writer_;
  std::vector<float> values_;
  std::string bytes_;
};

}  // namespace

Result<void> run_picture_job(const std::string& job_file, const Report& report,
                             std::string& phase) {
  phase = "read";
  PLANEX_ASSIGN(const auto bytes, base::disk().read(job_file));
  PLANEX_ASSIGN(const PictureJob job, read_picture_job(*bytes, job_file));
  phase = "prepare";
  report(phase, 0);
  if (!job.preview_dir.empty()) {
    std::error_code code;
    std::filesystem::create_directories(job.preview_dir, code);
    if (code) {
      Error error;
      error.code = ErrorCode::kIo;
      error.message = base::format("can't make the folder: {}", code.message());
      error.file = job.preview_dir;
      return fail(std::move(error));
    }
  }
  PLANEX_ASSIGN(PictureResult result, caught({}, [&] { return PictureRun(job, report).run(); }));
  phase = "write";
  return base::write_file_atomically(result_file_of(job_file), result_json(std::move(result)));
}

}  // namespace planex::drive
