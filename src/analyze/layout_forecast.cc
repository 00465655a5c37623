#include "analyze/layout_forecast.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "graph/data_flow.h"

namespace planex::analyze {
namespace {

using graph::DataFlow;
using graph::PortRow;
using model::LayerId;
using model::TensorId;

// They compute in the layout of their input. Observed in engines that were built
// (tests/drivers/test_layout_forecast.py).
constexpr std::array<std::string_view, 31> kFollowers = {"Relu",
                                                         "Clip",
                                                         "Sigmoid",
                                                         "HardSigmoid",
                                                         "HardSwish",
                                                         "LeakyRelu",
                                                         "PRelu",
                                                         "Elu",
                                                         "Tanh",
                                                         "Mul",
                                                         "Add",
                                                         "Sub",
                                                         "Div",
                                                         "Identity",
                                                         "Dropout",
                                                         "Cast",
                                                         "MaxPool",
                                                         "AveragePool",
                                                         "GlobalAveragePool",
                                                         "GlobalMaxPool",
                                                         "Concat",
                                                         "Split",
                                                         "Resize",
                                                         "DepthToSpace",
                                                         "QuantizeLinear",
                                                         "DequantizeLinear",
                                                         "BatchNormalization",
                                                         "InstanceNormalization",
                                                         "Softplus",
                                                         "Mish",
                                                         "Swish"};
// They need the model's own order of elements.
constexpr std::array<std::string_view, 3> kModelOrder = {"Reshape", "Flatten", "Softmax"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view type) {
  return std::ranges::find(words, type) != words.end();
}

bool is_convolution(std::string_view type) { return type == "Conv" || type == "ConvTranspose"; }

// Where each position holds one pixel, both layouts are the same bytes.
bool has_pixels(std::span<const std::int64_t> dims) {
  constexpr std::size_t kFirstPixelAxis = 2;
  return dims.size() > kFirstPixelAxis &&
         std::ranges::any_of(dims.subspan(kFirstPixelAxis), [](auto size) { return size != 1; });
}

// It has convolutions, and nothing in which an engine could hide others or its own conversions:
// branches, operators in integers.
bool is_plain_network(const DataFlow& flow) {
  bool has_convolution = false;
  for (std::size_t row = 0; row < flow.layer_count(); ++row) {
    const LayerId layer(row);
    const std::string_view type = flow.type(layer);
    if (is_convolution(type)) {
      has_convolution = true;
    } else if (flow.family(layer) == model::Family::kConvolution || type.contains("Integer") ||
               type.starts_with("QLinear") || type == "DynamicQuantizeLinear" || type == "If" ||
               type == "Loop" || type == "Scan") {
      return false;
    }
  }
  return has_convolution;
}

enum class State : std::uint8_t { kUnknown, kPlain, kPacked };

class OpenvinoForecast {
 public:
  explicit OpenvinoForecast(const model::PlanModel& model)
      : model_(model),
        flow_(model),
        states_(model.tensors.row_count(), State::kUnknown),
        is_copied_(model.tensors.row_count()) {}

  std::optional<LayoutCopies> run() {
    if (!is_plain_network(flow_)) return std::nullopt;
    for (std::size_t row = 0; row < states_.size(); ++row) {
      if (flow_.is_engine_input(TensorId(row))) states_[row] = State::kPlain;
    }
    for (std::size_t row = 0; row < flow_.layer_count(); ++row) {
      if (!visit(LayerId(row))) return std::nullopt;
    }
    for (std::size_t row = 0; row < states_.size(); ++row) {
      const TensorId tensor(row);
      if (!flow_.is_engine_output(tensor) || states_[row] != State::kPacked) continue;
      const auto writers = flow_.writers(tensor);
      if (writers.size() != 1) return std::nullopt;
      if (has_pixels(flow_.dims_of(writers[0])) && !is_copied_[row]) ++copies_.at_outputs;
    }
    return copies_;
  }

 private:
  // A tensor that is read in the other layout: one copy, however many read it.
  void copy(PortRow port) {
    const TensorId tensor = flow_.tensor_of(port);
    if (!has_pixels(flow_.dims_of(port)) || is_copied_[tensor.index()]) return;
    is_copied_[tensor.index()] = true;
    ++(comes_from_input(tensor) ? copies_.at_inputs : copies_.inside);
  }

  // Past anything that may precede the first convolution.
  bool comes_from_input(TensorId tensor) const {
    constexpr int kMaxHops = 16;
    for (int hop = 0; hop < kMaxHops; ++hop) {
      if (flow_.is_engine_input(tensor)) return true;
      const auto writers = flow_.writers(tensor);
      if (writers.size() != 1) return false;
      const LayerId layer = flow_.layer_of(writers[0]);
      const auto in = flow_.inputs(layer);
      if (in.size() != 1 || !is_one_of(kFollowers, flow_.type(layer))) return false;
      tensor = flow_.tensor_of(in[0]);
    }
    return false;
  }

  State state_of(PortRow port) const { return states_[flow_.tensor_of(port).index()]; }

  void write(LayerId layer, State state) {
    for (const PortRow port : flow_.outputs(layer)) {
      states_[flow_.tensor_of(port).index()] = state;
    }
  }

  // False where OpenVINO's behaviour is not known.
  bool visit(LayerId layer) {
    const std::string_view type = flow_.type(layer);
    const auto in = flow_.inputs(layer);
    if (is_convolution(type)) {
      // Weights after a DequantizeLinear are inputs, too; the first input is the one that is
      // convolved.
      if (in.empty() || model_.ports.index.get(in[0]) != 0 || flow_.dims_of(in[0]).empty()) {
        return false;
      }
      if (state_of(in[0]) == State::kUnknown) return false;
      if (state_of(in[0]) == State::kPlain) copy(in[0]);
      write(layer, State::kPacked);
      return true;
    }
    const bool reads_packed =
        std::ranges::any_of(in, [this](PortRow port) { return state_of(port) == State::kPacked; });
    if (!reads_packed) {
      // The memory order of a Transpose that a convolution reads is not known.
      write(layer, type == "Transpose" ? State::kUnknown : State::kPlain);
      return true;
    }
    if (std::ranges::any_of(in, [this](PortRow port) { return flow_.dims_of(port).empty(); })) {
      return false;
    }
    if (is_one_of(kModelOrder, type)) {
      for (const PortRow port : in) {
        if (state_of(port) == State::kPacked) copy(port);
      }
      write(layer, State::kPlain);
      return true;
    }
    // Sums over pixels read any layout; sizes are known before anything runs.
    if (type == "ReduceMean" || type == "Shape") {
      write(layer, State::kPlain);
      return true;
    }
    if (!is_one_of(kFollowers, type)) return false;
    for (const PortRow port : in) {
      if (state_of(port) == State::kPacked || !has_pixels(flow_.dims_of(port))) continue;
      if (type != "Concat") return false;
      copy(port);
    }
    write(layer, State::kPacked);
    return true;
  }

  const model::PlanModel& model_;
  DataFlow flow_;
  std::vector<State> states_;
  std::vector<bool> is_copied_;
  LayoutCopies copies_;
};

}  // namespace

std::optional<LayoutCopies> forecast_openvino_copies(const model::PlanModel& model) {
  if (!model.is_uncompiled()) return std::nullopt;
  return OpenvinoForecast(model).run();
}

EdgeCopies forecast_tensorrt_rtx_copies(const model::PlanModel& model) {
  if (!model.is_uncompiled()) return {};
  const DataFlow flow(model);
  if (!is_plain_network(flow)) return {};
  EdgeCopies copies{0, 0};
  const auto count = [&flow](std::optional<std::int64_t>& side,
                             std::span<const std::uint32_t> ends) {
    if (ends.empty() ||
        std::ranges::any_of(ends, [&flow](PortRow port) { return flow.dims_of(port).empty(); })) {
      side = {};
      return;
    }
    if (!has_pixels(flow.dims_of(ends[0]))) return;
    const bool are_convolutions = std::ranges::all_of(
        ends, [&flow](PortRow port) { return is_convolution(flow.type(flow.layer_of(port))); });
    side = side && are_convolutions ? std::optional(*side + 1) : std::nullopt;
  };
  for (std::size_t row = 0; row < model.tensors.row_count(); ++row) {
    const TensorId tensor(row);
    if (flow.is_engine_input(tensor)) count(copies.at_inputs, flow.readers(tensor));
    if (flow.is_engine_output(tensor)) count(copies.at_outputs, flow.writers(tensor));
  }
  return copies;
}

}  // namespace planex::analyze
