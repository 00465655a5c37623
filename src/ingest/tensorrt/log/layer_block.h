// Finds where a log lists the layers of an engine, and what follows them: the engine's inputs and
// outputs and its own facts. It only finds the positions; nothing is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ingest/tensorrt/log/log_lines.h"

namespace planex::ingest::tensorrt {

// Headings of lists of layers, and what a layer begins with in each.
inline constexpr std::string_view kLayers = "Layers:";
inline constexpr std::string_view kRecordHead = "Name: ";
inline constexpr std::string_view kEngineLayers = "Engine Layer Information:";
inline constexpr std::string_view kOpaqueHead = "Layer(";

struct LayerBlock {
  // Ordered by how much they contain.
  enum class Detail : std::uint8_t { kNames, kOpaque, kRecords };
  Detail detail = Detail::kNames;
  // The lines of the layers, of "Bindings:", "I/O Tensors:" and "Engine Metadata:".
  std::string_view layers, bindings, io_tensors, engine_metadata;
  // The log continues after the layers.
  bool complete = false;
  std::uint64_t byte_offset = 0;
  std::size_t end = 0;
};

// The block whose heading is `line`: "Layers:" or "Engine Layer Information:". False if no layers
// follow. O(size of the block).
bool find_layer_block(std::string_view log, const LogLine& line, LayerBlock& block);

// Lines that start with `head`, each with the following lines that don't: names can contain line
// breaks.
std::vector<std::string_view> split_records(std::string_view text, std::string_view head);

// All lines of a text except empty ones.
std::vector<std::string_view> split_lines(std::string_view text);

}  // namespace planex::ingest::tensorrt
