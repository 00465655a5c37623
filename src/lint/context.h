// What rules ask of a model: who writes and reads a tensor, what a layer really does, its time.
//
// Built once per run in O(layers + ports); holds indices only. Everything allows for several
// producers of one tensor, for inputs that repeat, and for ports without a type.
#ifndef PLANEX_LINT_CONTEXT_H_
#define PLANEX_LINT_CONTEXT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lint/rule.h"
#include "model/plan_model.h"

namespace planex::lint {

using model::DType;
using model::Family;
using model::TensorId;

// A row of `ports`.
using PortRow = std::size_t;

// How far a walk along the graph goes before it stops at a layer.
enum class Through : std::uint8_t {
  kConversions,          // passes no-ops and layers that only change type, layout or shape
  kConversionsAndPools,  // and pooling, which a quantizer may as well stand before
};

// Where a walk ended.
struct Reach {
  LayerId layer;
  PortRow port = 0;  // at that layer; its type is what the layer reads or writes
  // Conversion layers on the way, from the start on.
  std::vector<LayerId> conversions;
  // Pooling layers on the way.
  std::vector<LayerId> pools;
};

struct Walk {
  std::vector<Reach> reaches;        // in order of discovery, one per port
  bool ends_at_engine_edge = false;  // an input or output of the engine was met
};

class Context {
 public:
  explicit Context(const model::PlanModel& model);

  const model::PlanModel& model() const { return model_; }
  std::size_t layer_count() const { return model_.layers.row_count(); }

  // Ports that write and that read a tensor, in execution order.
  std::span<const std::uint32_t> writers(TensorId tensor) const {
    return rows_of(writer_ports_, first_writer_, tensor);
  }
  std::span<const std::uint32_t> readers(TensorId tensor) const {
    return rows_of(reader_ports_, first_reader_, tensor);
  }

  // Ports of a layer that carry activations: no constants, no shapes. Rows of `ports`.
  std::vector<PortRow> inputs(LayerId layer) const;
  std::vector<PortRow> outputs(LayerId layer) const;

  LayerId layer_of(PortRow port) const { return model_.ports.layer_id[port]; }
  TensorId tensor_of(PortRow port) const { return model_.ports.tensor_id[port]; }
  DType type_of(PortRow port) const { return model_.ports.dtype[port]; }
  std::span<const std::int64_t> dims_of(PortRow port) const { return model_.ports.dims[port]; }
  Family family(LayerId layer) const { return model_.layers.family[layer.index()]; }
  bool works(LayerId layer) const { return model_.does_work(layer); }
  std::string_view type(LayerId layer) const {
    return model_.text(model_.layers.type[layer.index()]);
  }

  // Computed from constants alone: done when the engine is built, whatever the record says.
  bool is_constant(TensorId tensor) const { return is_constant_[tensor.index()]; }
  bool is_engine_input(TensorId tensor) const {
    return model_.tensors.role[tensor.index()] == model::TensorRole::kInput;
  }
  bool is_engine_output(TensorId tensor) const {
    return model_.tensors.role[tensor.index()] == model::TensorRole::kOutput;
  }
  // Nobody inside reads what the layer writes: it is a head of the network.
  bool is_head(LayerId layer) const;

  // A layer that computes nothing new: Reformat, Reorder, Convert, a lone quantizer (also as a
  // Scale, as TensorRT 8.2 writes it, or as a Subgraph of OpenVINO with one input and one output of
  // other type and equal dims).
  bool is_conversion(LayerId layer) const { return is_conversion_[layer.index()]; }
  // Convolutions and matrix products.
  bool is_matrix_layer(LayerId layer) const {
    return family(layer) == Family::kConvolution || family(layer) == Family::kGemm;
  }

  // Median, else mean. Null when not measured.
  std::optional<double> time_ms(LayerId layer) const;
  // Of all layers; null when none has a time.
  std::optional<double> total_ms() const { return total_ms_; }

  // Who really reads, or wrote, a tensor. A walk is cut after some hundred layers: engines have
  // no such chains, files might.
  Walk real_readers(TensorId tensor, Through through = Through::kConversions) const;
  Walk real_writers(TensorId tensor) const;

  // The tensor of the model that a reformat's own tensor stands for: TensorRT's "Reformatted Output
  // Tensor 0 to MaxPool_12" for what the model's readers see. Others stand for themselves.
  TensorId model_tensor(TensorId tensor) const;

  // Texts for messages, quoted and made safe.
  // Name, and the source operations that the name does not tell.
  std::string name(LayerId layer) const;
  // Of model_tensor(), and the operation of the model whose result it is where the name is not the
  // model's own: what the user can find there.
  std::string name(TensorId tensor) const;
  // As the engine has it: "fc.weight [1,512,7,7] FP16".
  std::string port_text(PortRow port) const;
  // The addition that is fused into the layer, or the layer itself: "Add_36".
  std::string addition_name(LayerId layer) const;

 private:
  static std::span<const std::uint32_t> rows_of(const std::vector<std::uint32_t>& rows,
                                                const std::vector<std::uint32_t>& firsts,
                                                TensorId tensor) {
    return std::span(rows).subspan(firsts[tensor.index()],
                                   firsts[tensor.index() + 1] - firsts[tensor.index()]);
  }
  void index_ports();
  void find_constants();
  void find_conversions();
  bool only_converts(LayerId layer) const;
  // Sources of the layers that lead to the input. OpenVINO merges its notes on where a layer is
  // from, so a quantizer may be said to stem from the pooling before it as well.
  std::vector<base::StringId> sources_before(PortRow input) const;
  bool passes(LayerId layer, Through through) const;
  bool only_reshapes(LayerId layer) const;

  enum class Way : std::uint8_t { kDown, kUp };
  Walk walk(TensorId start, Way way, Through through) const;

  const model::PlanModel& model_;
  std::vector<std::uint32_t> writer_ports_, first_writer_;
  std::vector<std::uint32_t> reader_ports_, first_reader_;
  std::vector<bool> is_constant_;    // by tensor
  std::vector<bool> is_conversion_;  // by layer
  std::optional<double> total_ms_;
  // OpenVINO calls a tensor as the layer that writes it, which need not be a name of the model.
  bool names_are_layers_ = false;
};

// Inputs and outputs of a layer, neither empty.
struct Ends {
  std::vector<PortRow> in, out;
};
// The ends of a layer whose first input and output have known types; the sink then counts it as
// looked at. Nothing where it has no input or no output, or, told to the sink, a type is not known.
std::optional<Ends> typed_ends(const Context& context, LayerId layer, FindingSink& sink);

// "36.9 µs": three significant digits.
std::string microseconds(double ms);
// "24.8 µs" of a layer, or "not measured".
std::string time_text(const Context& context, LayerId layer);
// "FP16 -> INT8".
std::string conversion_text(DType from, DType to);
// "one", "one and two", "one, two and 3 more".
std::string listed(std::span<const std::string> items, std::size_t limit = 3);
// Bytes of a port, as an amount to compare: null where unknown.
std::optional<double> port_bytes(const Context& context, PortRow port);

}  // namespace planex::lint

#endif  // PLANEX_LINT_CONTEXT_H_
