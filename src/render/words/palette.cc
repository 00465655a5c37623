#include "render/words/palette.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "render/words/palette_tokens.h"

namespace planex::render {
namespace {

static_assert(kLightHeat.size() == kHeatSteps && kDarkHeat.size() == kHeatSteps);

// Paper is white.
bool is_dark(Theme theme) { return theme == Theme::kDark; }

// sRGB transfer function, IEC 61966-2-1.
double to_linear(unsigned channel) {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

// WCAG 2.1, relative luminance of "#RRGGBB".
double luminance(std::string_view colour) {
  std::uint32_t value = 0;
  std::from_chars(colour.data() + 1, colour.data() + colour.size(), value, 16);
  return 0.2126 * to_linear(value >> 16 & 255) + 0.7152 * to_linear(value >> 8 & 255) +
         0.0722 * to_linear(value & 255);
}

double contrast(std::string_view a, std::string_view b) {
  const double la = luminance(a);
  const double lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

std::string_view ui_colour(const UiTokens& tokens, UiColour colour) {
  switch (colour) {
    case UiColour::kBackground:
      return tokens.bg;
    case UiColour::kSurface1:
      return tokens.s1;
    case UiColour::kSurface2:
      return tokens.s2;
    case UiColour::kLine:
      return tokens.line;
    case UiColour::kLine2:
      return tokens.line2;
    case UiColour::kInk:
      return tokens.ink;
    case UiColour::kInk2:
      return tokens.ink2;
    case UiColour::kInk3:
      return tokens.ink3;
    case UiColour::kSelection:
      return tokens.sel;
    case UiColour::kSelectionBorder:
      return tokens.selb;
    case UiColour::kLink:
      return tokens.link;
    case UiColour::kError:
      return tokens.error;
    case UiColour::kWarning:
      return tokens.warning;
    case UiColour::kInfo:
      return tokens.info;
    case UiColour::kFaster:
      return tokens.faster;
    case UiColour::kSlower:
      return tokens.slower;
  }
  return tokens.ink;
}

std::string_view family_colour(const FamilyTokens& tokens, model::Family family) {
  switch (family) {
    case model::Family::kConvolution:
      return tokens.convolution;
    case model::Family::kGemm:
      return tokens.gemm;
    case model::Family::kOpaque:
      return tokens.opaque;
    case model::Family::kPointwise:
      return tokens.pointwise;
    case model::Family::kNorm:
      return tokens.norm;
    case model::Family::kPool:
      return tokens.pool;
    case model::Family::kShuffle:
      return tokens.shuffle;
    case model::Family::kPlugin:
      return tokens.plugin;
    case model::Family::kReformat:
      return tokens.reformat;
    case model::Family::kOther:
    case model::Family::kNull:
      break;
  }
  return tokens.other;
}

std::string_view precision_colour(const PrecisionTokens& tokens, model::DType type) {
  switch (type) {
    case model::DType::kFp32:
      return tokens.fp32;
    case model::DType::kTf32:
      return tokens.tf32;
    case model::DType::kFp16:
      return tokens.fp16;
    case model::DType::kBf16:
      return tokens.bf16;
    case model::DType::kFp8:
      return tokens.fp8;
    case model::DType::kFp4:
      return tokens.fp4;
    case model::DType::kInt8:
    case model::DType::kUint8:
      return tokens.int8;
    case model::DType::kInt4:
      return tokens.int4;
    case model::DType::kInt64:
    case model::DType::kInt32:
    case model::DType::kBool:
      return tokens.index;
    // As rare as in web/src/base/tokens.ts, which has no colour for them either.
    case model::DType::kFp64:
    case model::DType::kInt16:
    case model::DType::kUint64:
    case model::DType::kUint32:
    case model::DType::kUint16:
    case model::DType::kNull:
      break;
  }
  return {};
}

std::string_view trex_colour(std::string_view type) {
  // "softmax (kgen)"
  if (type.ends_with("(kgen)")) type = "kgen";
  const auto found = std::ranges::find(kTrexTypes, type, &TypeToken::type);
  return found == std::ranges::end(kTrexTypes) ? kTrexFamily.other : found->colour;
}

}  // namespace

std::string_view Palette::ui(UiColour colour) const {
  return ui_colour(is_dark(theme_) ? kDarkUi : kLightUi, colour);
}

std::string_view Palette::layer(model::Family family, std::string_view type) const {
  if (name_ == PaletteName::kTrex) return trex_colour(type);
  return family_colour(is_dark(theme_) ? kDarkFamily : kLightFamily, family);
}

std::string_view Palette::precision(model::DType type) const {
  if (name_ == PaletteName::kTrex) return precision_colour(kTrexPrecision, type);
  return precision_colour(is_dark(theme_) ? kDarkPrecision : kLightPrecision, type);
}

std::string_view Palette::heat(std::size_t step) const {
  return (is_dark(theme_) ? kDarkHeat : kLightHeat)[std::min(step, kHeatSteps - 1)];
}

std::string_view Palette::ink_on(std::string_view fill) const {
  constexpr double kReadable = 4.5;
  const std::string_view ink = ui(UiColour::kInk);
  const std::string_view background = ui(UiColour::kBackground);
  const std::string_view best =
      contrast(fill, ink) >= contrast(fill, background) ? ink : background;
  return contrast(fill, best) >= kReadable ? best : std::string_view();
}

}  // namespace planex::render
