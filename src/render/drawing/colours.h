// The colours of one picture, numbered: a drawing names them by class, so that one file can be
// light and dark.
#pragma once

#include <string_view>
#include <vector>

#include "render/drawing/picture.h"

namespace planex::render {

// The theme that colours are given for; for kAuto the light one, next to the dark one.
Theme first_theme(ThemeChoice choice);

class Colours {
 public:
  Colours(const model::PlanModel& model, const graph::PlanGraph& graph,
          const PictureOptions& options);

  const Paint& paint() const { return first_; }

  ColourId node(const graph::Node& node);
  ColourId precision(model::DType type);
  // 0 where the picture is not coloured by time.
  ColourId heat(std::optional<double> value);
  // The ink on a fill; 0: that of all text.
  ColourId ink_on(ColourId fill);
  ColourId ui(UiColour colour);
  // The legend's rows as the paint provides them.
  std::vector<LegendRow> legend();

  std::vector<Colour> take() { return std::move(colours_); }

 private:
  ColourId number(std::string_view first, std::string_view second);

  Paint first_, second_;
  std::vector<Colour> colours_ = {{}};
};

}  // namespace planex::render
