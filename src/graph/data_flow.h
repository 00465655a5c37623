// Who writes and reads a tensor, and which layers only convert: the basis of rules and
// explanations.
//
// Built once per use in O(layers + ports); stores only indices. Everything allows for several
// producers of one tensor, for inputs that repeat, and for ports without a type.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/plan_model.h"

namespace planex::graph {

// A row of `ports`.
using PortRow = std::size_t;

// How far a walk along the graph goes before it stops at a layer.
enum class Through : std::uint8_t {
  kConversions,          // passes no-ops and layers that only change type, layout or shape
  kConversionsAndPools,  // and pooling, which a quantizer can equally well precede
};

// Where a walk ended.
struct Reach {
  model::LayerId layer;
  PortRow port = 0;  // at that layer; its type is what the layer reads or writes
  // Conversion layers on the way, in order from the start.
  std::vector<model::LayerId> conversions;
  // Pooling layers on the way.
  std::vector<model::LayerId> pools;
};

struct Walk {
  std::vector<Reach> reaches;        // in order of discovery, one per port
  bool ends_at_engine_edge = false;  // the walk reached an input or output of the engine
  // Conversion layers on the ways to such an edge, each once.
  std::vector<model::LayerId> edge_conversions = {};
};

// Whether kernels that a compiler generated (Myelin's) can be conversions, by the operations in
// their names.
enum class GeneratedKernels : std::uint8_t { kNeverConvert, kMayConvert };

// Limit for queries about each reader or writer in turn: a file can contain a tensor that all
// layers write and read, and then querying all would take forever. Tensors of engines have a few.
inline std::span<const std::uint32_t> first_few(std::span<const std::uint32_t> ports) {
  constexpr std::size_t kFew = 64;
  return ports.first(std::min(ports.size(), kFew));
}

class DataFlow {
 public:
  explicit DataFlow(const model::PlanModel& model,
                    GeneratedKernels generated = GeneratedKernels::kNeverConvert);

  const model::PlanModel& model() const { return model_; }
  std::size_t layer_count() const { return model_.layers.row_count(); }

  // Ports that write and that read a tensor, in execution order.
  std::span<const std::uint32_t> writers(model::TensorId tensor) const {
    return rows_of(writer_ports_, first_writer_, tensor);
  }
  std::span<const std::uint32_t> readers(model::TensorId tensor) const {
    return rows_of(reader_ports_, first_reader_, tensor);
  }

  // Ports of a layer that carry activations: no constants, no shapes. Rows of `ports`.
  std::vector<PortRow> inputs(model::LayerId layer) const;
  std::vector<PortRow> outputs(model::LayerId layer) const;

  model::LayerId layer_of(PortRow port) const { return model_.ports.layer_id[port]; }
  model::TensorId tensor_of(PortRow port) const { return model_.ports.tensor_id[port]; }
  model::DType type_of(PortRow port) const { return model_.ports.dtype[port]; }
  std::span<const std::int64_t> dims_of(PortRow port) const { return model_.ports.dims[port]; }
  model::Family family(model::LayerId layer) const { return model_.layers.family[layer.index()]; }
  bool works(model::LayerId layer) const { return model_.does_work(layer); }
  std::string_view type(model::LayerId layer) const {
    return model_.text(model_.layers.type[layer.index()]);
  }

  // Computed from constants only: done when the engine is built, whatever the record says.
  bool is_constant(model::TensorId tensor) const { return is_constant_[tensor.index()]; }
  bool is_engine_input(model::TensorId tensor) const {
    return model_.tensors.role[tensor.index()] == model::TensorRole::kInput;
  }
  bool is_engine_output(model::TensorId tensor) const {
    return model_.tensors.role[tensor.index()] == model::TensorRole::kOutput;
  }

  // A layer that computes nothing new: Reformat, Reorder, Convert, a lone quantizer (also as a
  // Scale, as TensorRT 8.2 writes it, or as a Subgraph of OpenVINO with one input and one output of
  // other type and equal dims).
  bool is_conversion(model::LayerId layer) const { return is_conversion_[layer.index()]; }
  // Convolutions and matrix products.
  bool is_matrix_layer(model::LayerId layer) const {
    return family(layer) == model::Family::kConvolution || family(layer) == model::Family::kGemm;
  }

  // Who really reads, or wrote, a tensor. A walk is cut off after some hundred layers: engines have
  // no such chains, but files can.
  Walk real_readers(model::TensorId tensor, Through through = Through::kConversions) const;
  Walk real_writers(model::TensorId tensor) const;

  // The type of the first data input; for a layer that converts only constants, theirs: the
  // quantized one where there are several. kNull where there is none.
  model::DType first_data_type(model::LayerId layer) const;

  // The tensor of the model that a reformat's own tensor represents: TensorRT's "Reformatted Output
  // Tensor 0 to MaxPool_12" for the tensor that the model's readers see. Others represent
  // themselves.
  model::TensorId model_tensor(model::TensorId tensor) const;

 private:
  static std::span<const std::uint32_t> rows_of(const std::vector<std::uint32_t>& rows,
                                                const std::vector<std::uint32_t>& firsts,
                                                model::TensorId tensor) {
    return std::span(rows).subspan(firsts[tensor.index()],
                                   firsts[tensor.index() + 1] - firsts[tensor.index()]);
  }
  void index_ports();
  void find_constants();
  void find_conversions(GeneratedKernels generated);
  bool only_converts(model::LayerId layer) const;
  bool is_generated_conversion(model::LayerId layer) const;
  // Sources of the layers that lead to the input. OpenVINO merges its records of a layer's origin,
  // so a quantizer may also list the pooling before it.
  std::vector<base::StringId> sources_before(PortRow input) const;
  bool passes(model::LayerId layer, Through through) const;
  bool only_reshapes(model::LayerId layer) const;
  // For a conversion: whether it is the value and not a scale or a zero point, which
  // DynamicQuantizeLinear writes and others read besides their data.
  bool carries_value(PortRow port) const;

  enum class Way : std::uint8_t { kDown, kUp };
  Walk walk(model::TensorId start, Way way, Through through) const;

  const model::PlanModel& model_;
  std::vector<std::uint32_t> writer_ports_, first_writer_;
  std::vector<std::uint32_t> reader_ports_, first_reader_;
  std::vector<bool> is_constant_;    // by tensor
  std::vector<bool> is_conversion_;  // by layer
};

// A source operation that only changes type, by its type or, where that is not known, its name.
bool is_type_change(std::string_view op_type, std::string_view op_name);

// What a kernel that Myelin generated does, from the operations in its name
// ("__myl_MulMinMaxRounCast_myl0_8") and the types at its ends.
enum class GeneratedConversion : std::uint8_t {
  kNone,   // it computes something, or its name does not show it
  kMoves,  // only casts, transposes or copies
  kQuantizes,
  kDequantizes,
  kRoundTrip,  // quantizes and dequantizes: float in, float out
};
GeneratedConversion generated_conversion(std::string_view name, model::DType from, model::DType to);

}  // namespace planex::graph
