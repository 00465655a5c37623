#include "tune/preparation.h"

#include <array>
#include <charconv>
#include <functional>
#include <optional>
#include <utility>

#include "base/text.h"
#include "base/try.h"

namespace planex::tune {
namespace {

using drive::Preparation;
using Fit = Preparation::Fit;
using Color = Preparation::Color;
using Layout = Preparation::Layout;

template <typename T>
using WordsOf = std::array<std::pair<std::string_view, T>, 3>;

constexpr WordsOf<Fit> kFits = {
    {{"stretch", Fit::kStretch}, {"pad", Fit::kPad}, {"crop", Fit::kCrop}}};
constexpr WordsOf<Color> kColors = {
    {{"rgb", Color::kRgb}, {"bgr", Color::kBgr}, {"gray", Color::kGray}}};
constexpr std::array<std::pair<std::string_view, Layout>, 2> kLayouts = {
    {{"nchw", Layout::kNchw}, {"nhwc", Layout::kNhwc}}};

struct Preset {
  std::string_view name;
  std::string_view text;
};
// imagenet: torchvision's mean and deviation of each channel, times 255.
constexpr std::array kPresets = {
    Preset{"imagenet", "mean=123.675:116.28:103.53,std=58.395:57.12:57.375"},
    Preset{"unit", "mean=0,scale=0.00392156862745098"},
    Preset{"signed", "mean=127.5,std=127.5"},
    Preset{"raw", "mean=0,scale=1"},
};

constexpr std::array<std::string_view, 8> kKeys = {"resize", "fit",  "fill", "color",
                                                   "layout", "mean", "std",  "scale"};

Failure no_such(std::string_view what, std::string_view word,
                std::span<const std::string_view> known) {
  const auto near = base::nearest(word, known);
  return fail(ErrorCode::kUsage, base::format("--prep: no {} {}", what, base::quoted(word)),
              near ? base::format("Did you mean {}?", *near)
                   : base::format("There are {}.", base::join_words(known)));
}

template <typename Rows>
auto named(std::string_view key, std::string_view word, const Rows& rows)
    -> Result<typename Rows::value_type::second_type> {
  std::vector<std::string_view> known;
  for (const auto& [name, value] : rows) {
    if (name == word) return value;
    known.push_back(name);
  }
  return no_such(key, word, known);
}

template <typename Rows, typename T>
std::string_view name_of(const Rows& rows, T wanted) {
  for (const auto& [name, value] : rows) {
    if (value == wanted) return name;
  }
  return {};
}

Result<double> number(std::string_view key, std::string_view text) {
  double value = 0;
  const auto parse = [&](std::string_view part, double& into) {
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), into);
    return error == std::errc() && end == part.data() + part.size();
  };
  std::string_view rest = text;
  const std::string_view first = base::take_part(rest, '/');
  bool is_good = parse(first, value);
  // 1/255, as people write it.
  if (double below = 1; is_good && !rest.empty()) {
    is_good = parse(rest, below) && below != 0;
    value /= below;
  }
  if (is_good) return value;
  return fail(ErrorCode::kUsage,
              base::format("--prep: {}={} is not a number", key, base::quoted(text)),
              "numbers look like 127.5 or 1/255, one per channel, separated by colons");
}

Result<std::vector<double>> numbers(std::string_view key, std::string_view text) {
  std::vector<double> values;
  while (!text.empty()) {
    PLANEX_ASSIGN(const double value, number(key, base::take_part(text, ':')));
    values.push_back(value);
  }
  if (values.size() == 1 || values.size() == 3) return values;
  return fail(ErrorCode::kUsage, base::format("--prep: {} has {}, expected 1 or 3", key,
                                              base::counted(values.size(), "value")));
}

Result<void> read_size(std::string_view text, Preparation& result) {
  const std::string_view whole = text;
  const auto dim = [](std::string_view part) -> std::int64_t {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    constexpr std::int64_t kLargest = 1 << 16;
    return error == std::errc() && end == part.data() + part.size() && value <= kLargest ? value
                                                                                         : 0;
  };
  result.height = dim(base::take_part(text, 'x'));
  result.width = text.empty() ? result.height : dim(text);
  if (result.height > 0 && result.width > 0) return {};
  return fail(ErrorCode::kUsage,
              base::format("--prep: resize={} is not a size", base::quoted(whole)),
              "use resize=HEIGHTxWIDTH, such as resize=48x320");
}

Result<void> set(std::string_view key, std::string_view value, Preparation& result) {
  if (key == "resize") return read_size(value, result);
  if (key == "fit") {
    PLANEX_ASSIGN(result.fit, named(key, value, kFits));
  } else if (key == "color") {
    PLANEX_ASSIGN(result.color, named(key, value, kColors));
  } else if (key == "layout") {
    PLANEX_ASSIGN(result.layout, named(key, value, kLayouts));
  } else if (key == "fill") {
    PLANEX_ASSIGN(result.fill, number(key, value));
  } else if (key == "mean") {
    PLANEX_ASSIGN(result.mean, numbers(key, value));
  } else if (key == "scale") {
    PLANEX_ASSIGN(result.scale, numbers(key, value));
  } else if (key == "std") {
    PLANEX_ASSIGN(result.scale, numbers(key, value));
    for (double& one : result.scale) {
      if (one == 0) return fail(ErrorCode::kUsage, "--prep: std is 0");
      one = 1 / one;
    }
  } else {
    return no_such("key", key, kKeys);
  }
  return {};
}

Result<void> read_words(std::string_view text, Preparation& result) {
  while (!text.empty()) {
    std::string_view word = base::trimmed(base::take_part(text, ','));
    if (word.empty()) continue;
    const std::string_view whole = word;
    const std::string_view key = base::take_part(word, '=');
    if (key.size() < whole.size()) {
      PLANEX_TRY(set(key, word, result));
      continue;
    }
    bool is_known = false;
    std::vector<std::string_view> known;
    for (const Preset& preset : kPresets) {
      known.push_back(preset.name);
      if (preset.name != key) continue;
      is_known = true;
      PLANEX_TRY(read_words(preset.text, result));
    }
    if (!is_known) return no_such("preset", key, known);
  }
  return {};
}

// Which axes are channels, height and width.
struct Places {
  std::size_t channels = 1, height = 2, width = 3;
};
Places places_of(Layout layout) {
  return layout == Layout::kNchw ? Places{} : Places{.channels = 3, .height = 1, .width = 2};
}

std::string joined(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) {
    text += base::format("{}{}", text.empty() ? "" : ":", value);
  }
  return text;
}

}  // namespace

Result<Preparation> parse_preparation(std::string_view text, const ModelInput& input) {
  constexpr std::size_t kPictureRank = 4;
  const auto is_channels = [](std::int64_t dim) { return dim == 1 || dim == 3; };
  if (input.has_shape && input.dims.size() != kPictureRank) {
    return fail(ErrorCode::kBadInput,
                base::format("input {} is {}: pictures need four dimensions",
                             base::quoted(input.name), shape_text(input)),
                "provide the samples as arrays: --data FILE.npz, or a folder of .npy files");
  }
  Preparation result;
  if (input.has_shape && !is_channels(input.dims[1]) && is_channels(input.dims[3])) {
    result.layout = Layout::kNhwc;
  }
  if (input.has_shape && input.dims[places_of(result.layout).channels] == 1) {
    result.color = Color::kGray;
  }
  PLANEX_TRY(read_words(text, result));
  const Places places = places_of(result.layout);
  if (result.height == 0 && input.has_shape && input.dims[places.height] > 0 &&
      input.dims[places.width] > 0) {
    result.height = input.dims[places.height];
    result.width = input.dims[places.width];
  }
  if (result.height == 0) {
    return fail(ErrorCode::kBadInput,
                base::format("input {} is {}: the size of the pictures is not specified",
                             base::quoted(input.name), shape_text(input)),
                "--prep resize=HEIGHTxWIDTH");
  }
  return result;
}

bool says_values(std::string_view text) {
  while (!text.empty()) {
    std::string_view word = base::trimmed(base::take_part(text, ','));
    const std::string_view key = base::take_part(word, '=');
    if (key == "mean" || key == "scale" || key == "std") return true;
    for (const Preset& preset : kPresets) {
      if (preset.name == key) return true;
    }
  }
  return false;
}

std::vector<std::string> describe(const Preparation& preparation) {
  return {base::format("resize={}x{}", preparation.height, preparation.width),
          base::format("fit={}", name_of(kFits, preparation.fit)),
          base::format("fill={}", preparation.fill),
          base::format("color={}", name_of(kColors, preparation.color)),
          base::format("layout={}", name_of(kLayouts, preparation.layout)),
          base::format("mean={}", joined(preparation.mean)),
          base::format("scale={}", joined(preparation.scale))};
}

Result<std::vector<std::int64_t>> sample_shape(const Preparation& preparation,
                                               const ModelInput& input) {
  const Places places = places_of(preparation.layout);
  std::vector<std::int64_t> shape(4, 1);
  shape[places.channels] = preparation.color == Color::kGray ? 1 : 3;
  shape[places.height] = preparation.height;
  shape[places.width] = preparation.width;
  for (std::size_t place = 0; input.has_shape && place < shape.size(); ++place) {
    // A batch above 1 would repeat the same picture: samples are single.
    if (place == 0 || input.dims[place] < 0 || input.dims[place] == shape[place]) continue;
    return fail(
        ErrorCode::kBadInput,
        base::format("input {} is {}, but prepared pictures are 1x{}x{}x{}",
                     base::quoted(input.name), shape_text(input), shape[1], shape[2], shape[3]),
        "change --prep: resize=HEIGHTxWIDTH, layout=nchw or nhwc, color=gray");
  }
  return shape;
}

}  // namespace planex::tune
