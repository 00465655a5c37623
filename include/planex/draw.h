// What a drawing of an engine shows, and how. See Session::draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planex/options.h"

namespace planex {

enum class DrawFormat : std::uint8_t { kSvg, kPng, kPdf, kDot, kOnnx, kJson };
// Layers; or also the memory between them; or the operations of the source model.
enum class DrawView : std::uint8_t { kExecution, kMemory, kSource };
enum class DrawColour : std::uint8_t { kType, kPrecision, kHeat, kMemory, kStream };
// kAuto: light or dark, like the reader's system.
enum class DrawTheme : std::uint8_t { kAuto, kLight, kDark, kPrint };
// kTrex: the predecessor's colours.
enum class DrawPalette : std::uint8_t { kPlanex, kTrex };
enum class DrawTime : std::uint8_t { kMedian, kMean, kTotal };
// Which memory becomes a node of its own: only what several layers write in turn (kNone); also what
// several layers write or read (kForking); everything (kAll).
enum class DrawMemory : std::uint8_t { kNone, kForking, kAll };
enum class DrawNames : std::uint8_t { kShort, kOriginal, kNone };
enum class DrawEdgeWords : std::uint8_t { kNone, kShape, kNameAndShape };

// What is drawn: conditions combine by "and"; without any it is everything.
// clang-format off
#define PLANEX_DRAW_OPTIONS(OPTION)                                                               \
  OPTION(DrawFormat, format, DrawFormat::kSvg, "format", "FORMAT",                                \
         "The format, if the file extension does not select it", .for_programs = true)            \
  OPTION(double, scale, 2, "scale", "N",                                                          \
         "Pixels of a PNG per unit of the drawing", .from = 0.05, .to = 16)                       \
  OPTION(DrawView, view, DrawView::kExecution, "view", "VIEW",                                    \
         "execution: layers; memory: with the tensors between them; source: operations of "       \
         "the model")                                                                             \
  OPTION(std::optional<std::string>, select, {}, "select", "REGEX",                               \
         "Only layers whose name, type, tactic or attribute matches, and their neighbours")       \
  OPTION(std::uint32_t, neighbours, 1, "neighbours", "N",                                         \
         "Steps around what --select finds", .needs = "--select")                                 \
  OPTION(std::optional<std::string>, around, {}, "around", "NODE",                                \
         "Only layers near this one: a name, or #6")                                              \
  OPTION(std::uint32_t, radius, 2, "radius", "N",                                                 \
         "Steps up- and downstream of --around", .needs = "--around")                             \
  OPTION(std::optional<std::string>, between_from, {}, "between-from", "NODE",                    \
         "Only what lies on a path from this layer to the one of between-to",                     \
         .for_programs = true)                                                                    \
  OPTION(std::optional<std::string>, between_to, {}, "between-to", "NODE",                        \
         "The end of that path", .for_programs = true)                                            \
  OPTION(std::optional<std::uint32_t>, slowest, {}, "slowest", "N",                               \
         "Only the N slowest layers and --context", .from = 1)                                    \
  OPTION(std::uint32_t, context, 1, "context", "N",                                               \
         "Steps around each of the --slowest", .needs = "--slowest")                              \
  OPTION(std::optional<std::string>, group, {}, "group", "PATH",                                  \
         "Only this group, such as layer1 or layers.3/attn")                                      \
  OPTION(std::optional<std::string>, highlight, {}, "highlight", "REGEX",                         \
         "Highlight layers that match; everything else stays")                                    \
  OPTION(std::optional<std::uint32_t>, depth, {}, "depth", "N",                                   \
         "Fold groups below this depth; 0: fold none")                                            \
  OPTION(std::size_t, max_boxes, 1500, "boxes", "N",                                              \
         "Without --depth: fold until about N boxes are left", .from = 1)                         \
  OPTION(std::vector<std::string>, open, {}, "unfold", "PATH", "Groups to keep open",             \
         .several_words = true, .old = "open")                                                    \
  OPTION(std::vector<std::string>, fold, {}, "fold", "PATH", "Groups to fold",                    \
         .several_words = true)                                                                   \
  OPTION(DrawMemory, memory, DrawMemory::kNone, "memory", "WHICH",                                \
         "Tensors as nodes in the execution view: those with several writers or readers, or "     \
         "all")                                                                                   \
  OPTION(bool, constants, false, "constants", "", "Constants as nodes")                           \
  OPTION(bool, bookkeeping, false, "bookkeeping", "",                                             \
         "Signals, waits, jumps and shapes as nodes")                                             \
  OPTION(bool, remove_disconnected, false, "connected", "",                                       \
         "Leave out layers without connections")                                                  \
  OPTION(DrawColour, colour, DrawColour::kType, "by", "WHAT", "What a box's color shows")         \
  OPTION(DrawTheme, theme, DrawTheme::kAuto, "theme", "THEME",                                    \
         "auto: light or dark, like the viewer's system")                                         \
  OPTION(DrawPalette, palette, DrawPalette::kPlanex, "palette", "PALETTE",                        \
         "trex: the colors of TensorRT Engine Explorer")                                          \
  OPTION(DrawTime, time, DrawTime::kMedian, "basis", "TIME", "Which layer time is shown")         \
  OPTION(DrawNames, names, DrawNames::kShort, "names", "NAMES",                                   \
         "Names of layers: short, as the engine has them, or types instead",                      \
         .for_programs = true)                                                                    \
  OPTION(DrawEdgeWords, edge_words, DrawEdgeWords::kShape, "edges", "WORDS", "Text on edges")     \
  OPTION(bool, details, false, "details", "", "List what is fused into each layer")               \
  OPTION(bool, metadata, false, "sources", "", "List the source operations of each layer")        \
  OPTION(bool, memory_names, false, "memory-names", "", "Show the names of tensor nodes")         \
  OPTION(bool, ports_in_order, false, "ports", "",                                                \
         "Draw edges in the order of inputs and outputs")
// clang-format on

struct DrawRequest {
  PLANEX_DRAW_OPTIONS(PLANEX_MEMBER)
};

}  // namespace planex
