// What a drawing of an engine shows, and how. See Session::draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace planex {

enum class DrawFormat : std::uint8_t { kSvg, kPng, kPdf, kDot, kOnnx, kJson };
// Layers; or also the memory between them; or the operations of the source model.
enum class DrawView : std::uint8_t { kExecution, kMemory, kSource };
enum class DrawColour : std::uint8_t { kType, kPrecision, kHeat, kMemory, kStream };
// kAuto: light, or dark where the reader's system is.
enum class DrawTheme : std::uint8_t { kAuto, kLight, kDark, kPrint };
// kTrex: the predecessor's colours.
enum class DrawPalette : std::uint8_t { kPlanex, kTrex };
enum class DrawTime : std::uint8_t { kMedian, kMean, kTotal };
// Which memory becomes a node of its own: what several layers write in turn; or also what several
// layers write or read; or all.
enum class DrawMemory : std::uint8_t { kNone, kForking, kAll };
enum class DrawNames : std::uint8_t { kShort, kOriginal, kNone };
enum class DrawEdgeWords : std::uint8_t { kNone, kShape, kNameAndShape };

struct DrawRequest {
  DrawFormat format = DrawFormat::kSvg;
  DrawView view = DrawView::kExecution;

  // What is drawn; conditions combine by "and", and without any it is everything.
  //
  // Nodes of which a name, type, tactic or attribute matches this regular expression, and so many
  // steps around them.
  std::optional<std::string> select = {};
  std::uint32_t neighbours = 1;
  // What is within so many steps of a node, by its name or #number.
  std::optional<std::string> around = {};
  std::uint32_t radius = 2;
  // What lies on a way between two nodes; both or neither.
  std::optional<std::string> between_from = {}, between_to = {};
  // The slowest layers and so many steps around each.
  std::optional<std::uint32_t> slowest = {};
  std::uint32_t context = 1;
  // One group alone, by its path.
  std::optional<std::string> group = {};
  // Nodes that stand out; nothing is left out for it.
  std::optional<std::string> highlight = {};

  // Groups are folded below this depth (0: none is); else so that about `max_boxes` are left.
  std::optional<std::uint32_t> depth = {};
  std::size_t max_boxes = 1500;
  // Groups that are open, or folded, all the same; by path.
  std::vector<std::string> open = {}, fold = {};

  DrawMemory memory = DrawMemory::kNone;
  // Constants as nodes.
  bool constants = false;
  // Signals, waits, jumps and computations of shapes as nodes.
  bool bookkeeping = false;
  // Leaves out layers that nothing is connected to.
  bool remove_disconnected = false;

  DrawColour colour = DrawColour::kType;
  DrawTheme theme = DrawTheme::kAuto;
  DrawPalette palette = DrawPalette::kPlanex;
  DrawTime time = DrawTime::kMedian;
  DrawNames names = DrawNames::kShort;
  DrawEdgeWords edge_words = DrawEdgeWords::kShape;
  // Names of memory nodes.
  bool memory_names = false;
  // Lines with what is fused into each layer; with its source operations.
  bool details = false;
  bool metadata = false;
  // Ends of edges in the order of inputs and outputs.
  bool ports_in_order = false;

  // Pixels of a PNG per unit of the drawing.
  double scale = 2;
};

}  // namespace planex
