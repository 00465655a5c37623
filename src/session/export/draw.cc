#include "session/export/draw.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "graph/collapse.h"
#include "graph/hierarchy.h"
#include "graph/plan_graph.h"
#include "graph/selection.h"
#include "render/dot/dot.h"
#include "render/drawing/picture.h"
#include "render/json/layout_json.h"
#include "render/onnx/onnx_graph.h"
#include "render/raster/raster.h"
#include "render/svg/svg_drawing.h"

namespace planex::session {
namespace {

using base::format;
using graph::GroupId;
using graph::NodeId;

// Enumerators of the public header and of the modules have the same order.
template <typename To, typename From>
To same(From value) {
  return static_cast<To>(static_cast<std::uint8_t>(value));
}

static_assert(static_cast<int>(DrawView::kSource) == static_cast<int>(graph::View::kSource));
static_assert(static_cast<int>(DrawMemory::kAll) == static_cast<int>(graph::MemoryNodes::kAll));
static_assert(static_cast<int>(DrawColour::kStream) ==
              static_cast<int>(render::ColourMode::kStream));
static_assert(static_cast<int>(DrawPalette::kTrex) == static_cast<int>(render::PaletteName::kTrex));
static_assert(static_cast<int>(DrawTime::kTotal) == static_cast<int>(render::TimeChoice::kTotal));
static_assert(static_cast<int>(DrawNames::kNone) == static_cast<int>(render::NameChoice::kNone));
static_assert(static_cast<int>(DrawEdgeWords::kNameAndShape) ==
              static_cast<int>(render::EdgeWords::kNameAndShape));

render::ThemeChoice theme_of(const DrawRequest& request) {
  switch (request.theme) {
    case DrawTheme::kDark:
      return render::ThemeChoice::kDark;
    case DrawTheme::kPrint:
      return render::ThemeChoice::kPrint;
    case DrawTheme::kLight:
      return render::ThemeChoice::kLight;
    case DrawTheme::kAuto:
      break;
  }
  // Only a browser knows the setting of the reader's system.
  const bool is_svg = request.format == DrawFormat::kSvg;
  return is_svg ? render::ThemeChoice::kAuto : render::ThemeChoice::kLight;
}

render::PictureOptions picture_options(const DrawRequest& request) {
  return {.colour = same<render::ColourMode>(request.colour),
          .theme = theme_of(request),
          .palette = same<render::PaletteName>(request.palette),
          .time = same<render::TimeChoice>(request.time),
          .names = same<render::NameChoice>(request.names),
          .edges = same<render::EdgeWords>(request.edge_words),
          .memory_names = request.memory_names,
          .details = request.details,
          .metadata = request.metadata,
          .ports_in_order = request.ports_in_order};
}

graph::SelectionRequest selection_request(const DrawRequest& request) {
  return {.select = request.select,
          .neighbours = request.neighbours,
          .around = request.around,
          .radius = request.radius,
          .between_from = request.between_from,
          .between_to = request.between_to,
          .slowest = request.slowest,
          .context = request.context,
          .remove_disconnected = request.remove_disconnected};
}

// A group by its path, or an error that names the nearest ones.
Result<GroupId> group_at(const graph::GroupTree& tree, const std::string& path) {
  const GroupId group = graph::find_group(tree, path);
  if (!group.is_null()) return group;
  if (tree.groups.empty()) {
    return fail(ErrorCode::kUsage, format("there is no group {}", base::quoted(path)),
                "the layer names of this engine form no groups");
  }
  std::vector<std::string_view> names;
  constexpr std::size_t kMaxCompared = 5000;
  for (const graph::Group& known : tree.groups) {
    if (names.size() >= kMaxCompared) break;
    names.push_back(known.path);
    names.push_back(known.name);
  }
  if (const auto near = base::nearest(path, names)) {
    return fail(ErrorCode::kUsage, format("there is no group {}", base::quoted(path)),
                format("did you mean {}?", base::quoted(*near)));
  }
  std::string some;
  constexpr std::size_t kSome = 5;
  for (std::size_t i = 0; i < std::min(kSome, tree.roots.size()); ++i) {
    some += (i == 0 ? "" : ", ") + tree.groups[tree.roots[i].index()].path;
  }
  return fail(ErrorCode::kUsage, format("there is no group {}", base::quoted(path)),
              format("the outermost groups are {}", some));
}

Result<std::vector<GroupId>> groups_at(const graph::GroupTree& tree,
                                       const std::vector<std::string>& paths) {
  std::vector<GroupId> groups;
  for (const std::string& path : paths) {
    PLANEX_ASSIGN(const GroupId group, group_at(tree, path));
    groups.push_back(group);
  }
  return groups;
}

bool is_in_group(const graph::GroupTree& tree, NodeId node, GroupId wanted) {
  GroupId group = tree.group_of_node[node.index()];
  while (!group.is_null() && group != wanted) group = tree.groups[group.index()].parent;
  return !group.is_null();
}

// The remaining graph, and the nodes in it that the request matched.
struct Shown {
  graph::PlanGraph graph;
  std::vector<bool> is_marked;
  std::vector<NodeId> hits;
  std::string part;
};

std::string part_words(const DrawRequest& request, std::size_t shown, std::size_t all) {
  std::string words;
  const auto add = [&words](const std::string& condition) {
    words += words.empty() ? "" : ", ";
    words += condition;
  };
  const auto name = [](const std::string& text) { return base::quoted(text, 60); };
  if (request.group) add(format("group {}", name(*request.group)));
  if (request.select)
    add(format("matching {}, plus {} around", name(*request.select), request.neighbours));
  if (request.around) add(format("within {} of {}", request.radius, name(*request.around)));
  if (request.between_from && request.between_to) {
    add(format("between {} and {}", name(*request.between_from), name(*request.between_to)));
  }
  if (request.slowest)
    add(format("the {} slowest, plus {} around", *request.slowest, request.context));
  if (words.empty()) return {};
  return format("{} of {} nodes: {}", shown, all, words);
}

Result<Shown> shown_part(const model::PlanModel& model, graph::PlanGraph whole,
                         const DrawRequest& request) {
  Shown shown;
  const graph::SelectionRequest wanted = selection_request(request);
  std::vector<bool> kept(whole.nodes.size(), true);
  std::vector<NodeId> hits;
  if (!wanted.is_everything()) {
    PLANEX_ASSIGN(graph::Selection selection, graph::select(model, whole, wanted));
    kept = std::move(selection.kept);
    hits = std::move(selection.hits);
  }
  if (request.group) {
    const graph::GroupTree tree = graph::build_groups(model, whole);
    PLANEX_ASSIGN(const GroupId group, group_at(tree, *request.group));
    for (std::size_t i = 0; i < kept.size(); ++i) {
      kept[i] = kept[i] && is_in_group(tree, NodeId(i), group);
    }
  }
  const auto count = static_cast<std::size_t>(std::ranges::count(kept, true));
  if (count == 0) {
    return fail(
        ErrorCode::kUsage,
        format("no part of the group {} is selected", base::quoted(request.group.value_or(""))),
        "leave out --group, or one of the other conditions");
  }
  const std::size_t all = whole.nodes.size();
  if (count == all) {
    shown.graph = std::move(whole);
  } else {
    shown.graph = graph::subgraph(whole, kept, graph::Contract::kYes);
  }
  shown.part = part_words(request, count, all);
  // Nodes keep their order, so the new number is the count of kept ones before it.
  std::vector<std::size_t> before(kept.size() + 1, 0);
  for (std::size_t i = 0; i < kept.size(); ++i) before[i + 1] = before[i] + (kept[i] ? 1 : 0);
  for (const NodeId hit : hits) {
    if (kept[hit.index()]) shown.hits.emplace_back(before[hit.index()]);
  }
  if (request.highlight) {
    PLANEX_ASSIGN(const std::vector<NodeId> found,
                  graph::matching(model, shown.graph, *request.highlight));
    if (found.empty()) {
      return fail(
          ErrorCode::kUsage,
          format("nothing that is drawn matches --highlight {}", base::quoted(*request.highlight)),
          "it is a regular expression over names, types, tactics and attributes");
    }
    shown.hits.insert(shown.hits.end(), found.begin(), found.end());
  }
  if (!shown.hits.empty()) shown.is_marked.assign(shown.graph.nodes.size(), false);
  for (const NodeId hit : shown.hits) shown.is_marked[hit.index()] = true;
  return shown;
}

Result<std::vector<bool>> folded(const graph::GroupTree& tree, const Shown& shown,
                                 const DrawRequest& request) {
  PLANEX_ASSIGN(std::vector<GroupId> open, groups_at(tree, request.open));
  PLANEX_ASSIGN(std::vector<GroupId> fold, groups_at(tree, request.fold));
  return graph::folded_groups(tree, shown.graph,
                              {.depth = request.depth,
                               .max_boxes = request.max_boxes,
                               .open = std::move(open),
                               .folded = std::move(fold),
                               .shown = shown.hits});
}

Result<void> write_pixels(const render::Picture& picture, const DrawRequest& request,
                          const DocumentSink& sink) {
  std::string svg;
  PLANEX_TRY(render::write_svg(picture, [&svg](std::string_view piece) -> Result<void> {
    svg += piece;
    return {};
  }));
  const bool is_png = request.format == DrawFormat::kPng;
  PLANEX_ASSIGN(
      const std::string pixels,
      render::rasterise(svg, is_png ? render::RasterFormat::kPng : render::RasterFormat::kPdf,
                        is_png ? request.scale : 1));
  return sink(pixels);
}

Result<void> written(const render::Picture& picture, const DrawRequest& request,
                     const DocumentSink& sink) {
  switch (request.format) {
    case DrawFormat::kJson:
      return render::write_layout(picture, sink);
    case DrawFormat::kPng:
    case DrawFormat::kPdf:
      return write_pixels(picture, request, sink);
    default:
      return render::write_svg(picture, sink);
  }
}

render::DotOptions dot_options(const DrawRequest& request) {
  const render::PictureOptions options = picture_options(request);
  const render::Theme theme = request.theme == DrawTheme::kDark    ? render::Theme::kDark
                              : request.theme == DrawTheme::kPrint ? render::Theme::kPrint
                                                                   : render::Theme::kLight;
  const bool is_original = request.names == DrawNames::kOriginal;
  return {.colour = options.colour,
          .palette = render::Palette(theme, options.palette),
          .names = is_original ? render::NameStyle::kOriginal : render::NameStyle::kShort};
}

}  // namespace

Result<void> draw(const model::PlanModel& model, const analyze::Summary& summary,
                  const DrawRequest& request, const DocumentSink& sink) {
  if (request.between_from.has_value() != request.between_to.has_value()) {
    return fail(ErrorCode::kUsage, "--between needs two different nodes");
  }
  graph::PlanGraph whole =
      graph::build_plan_graph(model, {.view = same<graph::View>(request.view),
                                      .memory = same<graph::MemoryNodes>(request.memory),
                                      .constants = request.constants,
                                      .bookkeeping = request.bookkeeping});
  if (whole.nodes.empty()) {
    return request.view == DrawView::kSource
               ? fail(ErrorCode::kUsage, "the source model is not known, so it can't be drawn",
                      "planex draw PLAN --view source --model model.onnx")
               : fail(ErrorCode::kUsage, "nothing to draw: no layers are known");
  }
  PLANEX_ASSIGN(const Shown shown, shown_part(model, std::move(whole), request));
  const graph::GroupTree tree = graph::build_groups(model, shown.graph);
  // Other tools do their own layout and folding.
  if (request.format == DrawFormat::kOnnx) return render::write_onnx(model, shown.graph, sink);
  if (request.format == DrawFormat::kDot) {
    return render::write_dot(model, shown.graph, &tree, dot_options(request), sink);
  }
  PLANEX_ASSIGN(const std::vector<bool> is_folded, folded(tree, shown, request));
  const graph::BoxGraph boxes = graph::collapse(shown.graph, tree, is_folded);
  const render::Picture picture = render::make_picture({.model = &model,
                                                        .summary = &summary,
                                                        .graph = &shown.graph,
                                                        .tree = &tree,
                                                        .boxes = &boxes,
                                                        .is_marked = shown.is_marked,
                                                        .part = shown.part},
                                                       picture_options(request));
  return written(picture, request, sink);
}

}  // namespace planex::session
