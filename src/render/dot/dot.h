// The graph as a DOT document: for graphviz and other tools that read it. planex itself does not
// read it. Format: https://graphviz.org/doc/info/lang.html
#pragma once

#include <cstdint>

#include "graph/hierarchy.h"
#include "graph/plan_graph.h"
#include "model/plan_model.h"
#include "planex/error.h"
#include "render/drawing/paint.h"
#include "render/words/document_sink.h"

namespace planex::render {

enum class NameStyle : std::uint8_t { kShort, kOriginal };

struct DotOptions {
  ColourMode colour = ColourMode::kType;
  Palette palette = Palette(Theme::kLight, PaletteName::kPlanex);
  NameStyle names = NameStyle::kShort;
};

// Nodes are n0, n1, … as in the graph; groups are clusters, if a tree of the graph is given. A
// node's tooltip contains all that is known about a layer. Any names work: they are made visible
// and quoted, and no string is longer than graphviz can read. Errors: those of `sink`. Cost:
// O(nodes, edges, groups and their texts) time, O(nodes) memory.
Result<void> write_dot(const model::PlanModel& model, const graph::PlanGraph& graph,
                       const graph::GroupTree* groups, const DotOptions& options,
                       const DocumentSink& sink);

}  // namespace planex::render
