// The measured picture of a graph: the content of each box and the words at each edge, in which
// colours, and where. Everything a drawing shows except its hover text (drawing/hover.h); svg/ and
// json/layout_json.h write it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/summary/summary.h"
#include "graph/collapse.h"
#include "graph/hierarchy.h"
#include "graph/layout/layout.h"
#include "graph/plan_graph.h"
#include "model/plan_model.h"
#include "render/drawing/paint.h"
#include "render/drawing/times.h"

namespace planex::render {

// kAuto: light, or dark where the reader's system is.
enum class ThemeChoice : std::uint8_t { kLight, kDark, kPrint, kAuto };
enum class NameChoice : std::uint8_t { kShort, kOriginal, kNone };
enum class EdgeWords : std::uint8_t { kNone, kShape, kNameAndShape };

struct PictureOptions {
  ColourMode colour = ColourMode::kType;
  ThemeChoice theme = ThemeChoice::kAuto;
  PaletteName palette = PaletteName::kPlanex;
  TimeChoice time = TimeChoice::kMedian;
  NameChoice names = NameChoice::kShort;
  EdgeWords edges = EdgeWords::kShape;
  // Names of memory nodes that are not bindings.
  bool memory_names = false;
  // Lines for what is fused into a layer: operations, residual input, activation.
  bool details = false;
  // Lines with the source operations.
  bool metadata = false;
  // Ends of edges are in the order of the layer's inputs and outputs.
  bool ports_in_order = false;
};

// What a picture is made from; all of it must outlive the picture.
struct PictureInput {
  const model::PlanModel* model = nullptr;
  const analyze::Summary* summary = nullptr;
  const graph::PlanGraph* graph = nullptr;
  const graph::GroupTree* tree = nullptr;
  const graph::BoxGraph* boxes = nullptr;
  // Nodes that are highlighted on request. Empty: none.
  std::vector<bool> is_marked;
  // Which part of the whole this is, in words; empty: it is the whole.
  std::string part;
};

// Index into Picture::colours, from 1; 0: unknown, or none.
using ColourId = std::uint16_t;

struct Colour {
  std::string_view first;   // of the theme, or of the light one where the theme is auto
  std::string_view second;  // of the dark theme where the theme is auto; else the same
  friend bool operator==(const Colour&, const Colour&) = default;
};

enum class TextInk : std::uint8_t { kPlain, kSoft, kBold, kWarning };

// Words in one ink. A colour is that of a square before them.
struct Run {
  std::string text;
  TextInk ink = TextInk::kPlain;
  ColourId square = 0;
};
using Line = std::vector<Run>;

enum class BoxShape : std::uint8_t {
  kLayer,
  kReformat,
  kGroup,
  kBinding,
  kMemory,
  kConstant,
  kOperation
};

// A part of the time of a folded group.
struct Part {
  ColourId fill = 0;
  double ratio = 0;
  bool is_hatched = false;
};

struct PictureBox {
  BoxShape shape = BoxShape::kLayer;
  // Unique in the drawing, and stable: layer-6, binding-0, group-layer1.
  std::string id;
  // As the producer wrote it; a view into the model or the tree.
  std::string_view name;
  bool is_shortened = false;
  // The first line is the name.
  std::vector<Line> lines;
  std::string time;
  // Part of the slowest layer's time, 0 to 1; below 0: no bar.
  double bar = -1;
  ColourId fill = 0;     // of the strip, or of the whole box where is_filled
  ColourId text = 0;     // ink on that fill; 0: as everywhere
  ColourId outline = 0;  // bindings and memory: their precision
  bool is_filled = false;
  bool is_dashed = false;
  bool is_marked = false;
  bool has_findings = false;
  std::vector<Part> parts;  // kGroup
};

struct PictureEdge {
  graph::EdgeKind kind = graph::EdgeKind::kData;
  ColourId colour = 0;
  // The reader's, if it sees another type than the writer; else 0.
  ColourId reader_colour = 0;
  double stroke = 1.4;
  std::vector<Line> words;
};

struct PictureFrame {
  Line title;  // turned by a quarter, at the frame's left
  double title_width = 0;
};

// A row of the ruler: which record, and the time up to its end.
struct RulerMark {
  double y = 0;
  std::string number, time;
};

enum class Sample : std::uint8_t {
  kFill,
  kHatched,
  kLine,
  kDashes,
  kTwoColours,
  kFinding,
  kMark,
  kBar
};

struct LegendRow {
  Sample sample = Sample::kFill;
  ColourId colour = 0, other = 0;
  double stroke = 0;
  graph::EdgeKind kind = graph::EdgeKind::kData;
  std::string label;
};

struct LegendBlock {
  std::string title;
  std::vector<LegendRow> rows;
  double width = 0, height = 0;
  double x = 0, y = 0;  // on the page
};

struct Picture {
  PictureInput input;
  PictureOptions options;
  std::optional<Times> times;   // of every picture that make_picture() returns
  std::vector<Colour> colours;  // [0] is empty
  std::vector<PictureBox> boxes;
  std::vector<PictureEdge> edges;
  std::vector<PictureFrame> frames;
  graph::layout::Layout layout;
  std::vector<Line> title;
  std::vector<RulerMark> ruler;
  std::vector<LegendBlock> legend;
  // Where the layout's origin is on the page, and the page's size.
  double graph_x = 0, graph_y = 0;
  double width = 0, height = 0;
};

// Cost: that of the layout, and O(text shown).
Picture make_picture(PictureInput input, const PictureOptions& options);

}  // namespace planex::render
