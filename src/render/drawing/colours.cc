#include "render/drawing/colours.h"

#include <algorithm>

namespace planex::render {
namespace {

Theme second_theme(ThemeChoice choice) {
  return choice == ThemeChoice::kAuto ? Theme::kDark : first_theme(choice);
}

}  // namespace

Theme first_theme(ThemeChoice choice) {
  switch (choice) {
    case ThemeChoice::kDark:
      return Theme::kDark;
    case ThemeChoice::kPrint:
      return Theme::kPrint;
    case ThemeChoice::kLight:
    case ThemeChoice::kAuto:
      break;
  }
  return Theme::kLight;
}

Colours::Colours(const model::PlanModel& model, const graph::PlanGraph& graph,
                 const PictureOptions& options)
    : first_(model, graph, options.colour, Palette(first_theme(options.theme), options.palette)),
      second_(model, graph, options.colour, Palette(second_theme(options.theme), options.palette)) {
}

ColourId Colours::number(std::string_view first, std::string_view second) {
  if (first.empty()) return 0;
  const Colour colour{first, second.empty() ? first : second};
  const auto found = std::ranges::find(colours_, colour);
  if (found == colours_.end()) {
    colours_.push_back(colour);
    return static_cast<ColourId>(colours_.size() - 1);
  }
  return static_cast<ColourId>(found - colours_.begin());
}

ColourId Colours::node(const graph::Node& node) {
  return number(first_.fill(node), second_.fill(node));
}

ColourId Colours::precision(model::DType type) {
  return number(first_.palette().precision(type), second_.palette().precision(type));
}

ColourId Colours::heat(std::optional<double> value) {
  return number(first_.heat(value), second_.heat(value));
}

ColourId Colours::ink_on(ColourId fill) {
  if (fill == 0) return 0;
  const Colour colour = colours_[fill];
  return number(first_.palette().ink_on(colour.first), second_.palette().ink_on(colour.second));
}

ColourId Colours::ui(UiColour colour) {
  return number(first_.palette().ui(colour), second_.palette().ui(colour));
}

std::vector<LegendRow> Colours::legend() {
  std::vector<LegendRow> rows;
  const std::vector<LegendEntry> first = first_.legend(), second = second_.legend();
  for (std::size_t i = 0; i < first.size(); ++i) {
    rows.push_back({.sample = first[i].is_hatched ? Sample::kHatched : Sample::kFill,
                    .colour = number(first[i].fill, second[i].fill),
                    .label = first[i].label});
  }
  return rows;
}

}  // namespace planex::render
