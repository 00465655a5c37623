// What surrounds the graph: the title, the ruler at its left, the legend.
#pragma once

#include "render/drawing/colours.h"
#include "render/drawing/edges.h"
#include "render/drawing/picture.h"
#include "render/drawing/times.h"

namespace planex::render {

inline constexpr double kTitleSize = 15, kTitleStep = 18, kLegendStep = 16;
inline constexpr double kPageMargin = 20, kRulerWidth = 92;

// Engine, producer, device; what is drawn; how long it takes.
std::vector<Line> title_of(const PictureInput& input, const PictureOptions& options,
                           const Times& times);

// One mark per record, as far as they are one below the other; none if boxes have no times.
std::vector<RulerMark> ruler_of(const Picture& picture, const Times& times);

// The blocks of the legend, measured and not yet placed. Only what the picture contains is
// explained.
std::vector<LegendBlock> legend_of(const Picture& picture, Colours& colours, const Times& times);

// Places ruler, graph and legend on the page: the legend at the right of a narrow graph, above a
// wide one.
void arrange(Picture& picture);

}  // namespace planex::render
