// The XML of an execution graph as plain lists: which outputs are connected to which inputs, and
// every text unchanged. exec_graph_reader.cc interprets it.
//
//   <net name="…" version="11">
//     <layers>
//       <layer id="7" name="conv1" type="Convolution">
//         <data execOrder="7" execTimeMcs="6659" outputLayouts="acdb" … />
//         <input><port id="0" precision="FP32"><dim>8</dim>…</port>…</input>
//         <output><port id="3" precision="FP32"><dim>8</dim>…</port></output>
//       </layer>…
//     </layers>
//     <edges><edge from-layer="6" from-port="2" to-layer="7" to-port="0"/>…</edges>
//     <rt_info/>
//   </net>
//
// This is what ov::serialize writes for CompiledModel::get_runtime_model(): the form of the IR, but
// each layer's type is the device's own and its data say how it runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/reader.h"

namespace planex::ingest::openvino {

// A graph with 100 000 layers has 57 MB; the tree of a file takes about ten times its size.
inline constexpr std::size_t kMaxGraphBytes = std::size_t{512} << 20;

// Views point into bytes that the model keeps. Indices are positions in the lists below.
struct ExecGraph {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct Attribute {
    std::string_view key, value;
  };
  struct Port {
    std::int64_t id = 0;
    std::string_view precision;
    std::size_t first_dim = 0, dim_count = 0;
    bool has_dims = true;
    // For an input: the output that it reads, and that output's layer. kNone: nothing is connected.
    std::uint32_t source_port = kNone, source_layer = kNone;
    // For an output.
    std::uint32_t reader_count = 0;
  };
  struct Layer {
    std::int64_t id = 0;
    std::string_view name, type;
    std::size_t first_attribute = 0, attribute_count = 0;
    // Inputs, then outputs.
    std::size_t first_port = 0, input_count = 0, output_count = 0;
    std::uint64_t byte_offset = 0;
  };

  std::string_view name;
  std::vector<Layer> layers;
  std::vector<Port> ports;
  std::vector<std::int64_t> dims;
  std::vector<Attribute> attributes;
  // Facts about the whole graph, nested keys joined by dots.
  std::vector<std::pair<std::string, std::string_view>> info;

  std::span<const Port> inputs_of(const Layer& layer) const {
    return std::span(ports).subspan(layer.first_port, layer.input_count);
  }
  std::span<const Port> outputs_of(const Layer& layer) const {
    return std::span(ports).subspan(layer.first_port + layer.input_count, layer.output_count);
  }
  std::span<const std::int64_t> dims_of(const Port& port) const {
    return std::span(dims).subspan(port.first_dim, port.dim_count);
  }
  // Empty if the layer has none of this name.
  std::string_view attribute(const Layer& layer, std::string_view key) const;
};

// Errors: kBadInput (not XML, truncated, not a graph, a model instead of an execution graph, ids
// that are invalid or not unique), kUnsupported (too large). Oddities are diagnostics of `builder`,
// which keeps the bytes.
Result<ExecGraph> parse_exec_graph(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::openvino
