// The colours of drawings: the same tokens as the page's (web/src/base/palette.json), for the
// themes light, dark and print.
#pragma once

#include <cstddef>
#include <string_view>

#include "model/types.h"

namespace planex::render {

enum class Theme : unsigned char { kLight, kDark, kPrint };
enum class PaletteName : unsigned char { kPlanex, kTrex };

enum class UiColour : unsigned char {
  kBackground,
  kSurface1,
  kSurface2,
  kLine,
  kLine2,
  kInk,
  kInk2,
  kInk3,
  kSelection,
  kSelectionBorder,
  kLink,
  kError,
  kWarning,
  kInfo,
  kFaster,
  kSlower,
};

inline constexpr std::size_t kHeatSteps = 6;

// Every colour is "#RRGGBB", of static storage.
class Palette {
 public:
  Palette(Theme theme, PaletteName name) : theme_(theme), name_(name) {}

  Theme theme() const { return theme_; }
  PaletteName name() const { return name_; }

  std::string_view ui(UiColour colour) const;
  // By family; with the predecessor's palette by the layer's own type, where it knew that.
  std::string_view layer(model::Family family, std::string_view type) const;
  // Empty where the type is not known: drawn as a dashed outline.
  std::string_view precision(model::DType type) const;
  // 0 is the coldest. Print is light.
  std::string_view heat(std::size_t step) const;
  // The ink for text in a fill, or empty where neither has a contrast of 4.5 : 1.
  std::string_view ink_on(std::string_view fill) const;

 private:
  Theme theme_;
  PaletteName name_;
};

}  // namespace planex::render
