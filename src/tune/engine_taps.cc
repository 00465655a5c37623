#include "tune/engine_taps.h"

#include <algorithm>
#include <array>
#include <deque>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "base/try.h"

namespace planex::tune {
namespace {

using drive::Arithmetic;
using drive::ComparedTensor;
using drive::InferencePass;
using quantize::LayerAccuracy;
using quantize::Tap;

constexpr int kMaxMoves = 3;

// Operators computed value by value, so that engines fuse them into the layer before.
bool is_activation(std::string_view op_type) {
  constexpr std::array<std::string_view, 20> kOps = {"Relu",
                                                     "Clip",
                                                     "LeakyRelu",
                                                     "PRelu",
                                                     "Elu",
                                                     "Selu",
                                                     "Sigmoid",
                                                     "HardSigmoid",
                                                     "HardSwish",
                                                     "Swish",
                                                     "Tanh",
                                                     "Gelu",
                                                     "Softplus",
                                                     "Mish",
                                                     "Add",
                                                     "Sub",
                                                     "Mul",
                                                     "Div",
                                                     "BatchNormalization",
                                                     "Identity"};
  return std::ranges::find(kOps, op_type) != kOps.end();
}

// What is tapped for a layer.
struct Looked {
  std::size_t layer = 0;
  std::string reference, subject;  // tensors of the two models
  int moves = 0;
};
using Group = std::vector<Looked>;

class Taps {
 public:
  explicit Taps(Comparison& comparison) : comparison_(comparison), result_(comparison.result()) {}

  Result<void> run() {
    PLANEX_TRY(look_at_outputs());
    std::deque<Group> groups = spread();
    while (!groups.empty()) {
      const std::vector<Group> round(groups.begin(), groups.end());
      groups.clear();
      PLANEX_TRY(look_at(round, groups));
    }
    return {};
  }

 private:
  Result<void> look_at_outputs() {
    const LayerAccuracyRequest& request = comparison_.request();
    InferencePass plain;
    add_model(plain, "engine", request.subject, Arithmetic::kEngine, {});
    InferencePass ends;
    ends.has_classes = true;
    const TensorNames outputs = comparison_.output_names();
    add_model(ends, "float", request.reference, Arithmetic::kFloat, outputs);
    add_model(ends, "simulated", request.subject, Arithmetic::kSimulated, outputs);
    add_model(ends, "engine", request.subject, Arithmetic::kEngine, outputs);
    add_comparison(ends, "float", "engine", outputs);
    add_comparison(ends, "simulated", "engine", outputs);
    PLANEX_ASSIGN(const drive::InferenceResult first, comparison_.infer({plain, ends}, "engine"));
    result_.compile_count += 2;
    untapped_ = first.passes.front().models.front().output_digest;
    result_.engine = comparison_.judged(first.passes.back(), "float", "engine");
    result_.engine_to_simulated = comparison_.judged(first.passes.back(), "simulated", "engine");
    if (first.passes.back().models.back().output_digest != untapped_) {
      result_.notes.emplace_back(
          "tapping the input of the last Softmax or Sigmoid changed the engine: the results of its "
          "outputs are those of the changed engine");
    }
    return {};
  }

  // Tensors of one group are far apart, so that no fusion is split twice.
  std::deque<Group> spread() const {
    const std::size_t count = result_.layers.size();
    const std::size_t at_once = comparison_.request().taps_at_once;
    std::deque<Group> groups((count + at_once - 1) / at_once);
    for (std::size_t layer = 0; layer < count; ++layer) {
      const std::string& tensor = result_.layers[layer].tensor;
      groups[layer % groups.size()].push_back(
          {.layer = layer, .reference = tensor, .subject = tensor});
    }
    return groups;
  }

  Result<void> look_at(const std::vector<Group>& groups, std::deque<Group>& again) {
    std::vector<InferencePass> passes;
    // One float model for all passes: a model that is compiled once is not compiled again.
    TensorNames float_taps;
    for (const Group& group : groups) {
      for (const Looked& one : group) {
        if (std::ranges::find(float_taps, one.reference) == float_taps.end()) {
          float_taps.push_back(one.reference);
        }
      }
    }
    for (const Group& group : groups) {
      TensorNames engine_taps;
      InferencePass pass;
      for (const Looked& one : group) {
        engine_taps.push_back(one.subject);
        pass.compared.push_back({{"float", one.reference}, {"engine", one.subject}});
      }
      add_model(pass, "float", comparison_.request().reference, Arithmetic::kFloat, float_taps);
      add_model(pass, "engine", comparison_.request().subject, Arithmetic::kEngine, engine_taps);
      passes.push_back(std::move(pass));
    }
    PLANEX_ASSIGN(
        const drive::InferenceResult seen,
        comparison_.infer(std::move(passes), base::format("tap the engine, round {}", ++round_)));
    result_.compile_count += groups.size();
    Group moved;
    for (std::size_t place = 0; place < groups.size(); ++place) {
      const Group& group = groups[place];
      if (seen.passes[place].models.back().output_digest == untapped_) {
        take(group, seen.passes[place], Tap::kVerified);
      } else if (group.size() > 1) {
        const auto middle = group.begin() + static_cast<std::ptrdiff_t>(group.size() / 2);
        again.emplace_back(group.begin(), middle);
        again.emplace_back(middle, group.end());
      } else {
        // The result of the tensor itself stays where nothing after it can be seen either.
        if (group.front().moves == 0) take(group, seen.passes[place], Tap::kDisturbed);
        if (Looked next = group.front(); move_on(next)) moved.push_back(std::move(next));
      }
    }
    // Group them again: they are different tensors now.
    constexpr std::size_t kMovedAtOnce = 4;
    const std::size_t count = (moved.size() + kMovedAtOnce - 1) / kMovedAtOnce;
    std::vector<Group> spread(count);
    for (std::size_t i = 0; i < moved.size(); ++i) spread[i % count].push_back(std::move(moved[i]));
    again.insert(again.end(), spread.begin(), spread.end());
    return {};
  }

  // Goes to the next tensor of the layer's chain. False where there is none.
  bool move_on(Looked& looked) const {
    if (++looked.moves > kMaxMoves) return false;
    const onnx::Model& model = comparison_.subject().model();
    const onnx::Links& links = comparison_.subject().links();
    const onnx::Link* link = links.find(looked.subject);
    if (link == nullptr || link->readers.empty()) return false;
    // A pair that all readers read: its output is the tensor on the integers that the engine passes
    // on.
    for (const onnx::Reader& reader : link->readers) {
      if (model.nodes[reader.node].op_type != "QuantizeLinear") continue;
      const onnx::Link* integers = links.find(model.outputs_of(model.nodes[reader.node]).front());
      if (integers == nullptr) continue;
      for (const onnx::Reader& next : integers->readers) {
        if (model.nodes[next.node].op_type != "DequantizeLinear" || next.input != 0) continue;
        looked.subject = model.outputs_of(model.nodes[next.node]).front();
        return true;
      }
    }
    // The last of them, as x + 3 and its product with x are both steps of one hard-swish.
    const bool is_chain = std::ranges::all_of(link->readers, [&](const onnx::Reader& reader) {
      return is_activation(model.nodes[reader.node].op_type);
    });
    if (!is_chain || link->is_output) return false;
    const onnx::Node& node =
        model.nodes[std::ranges::max(link->readers, {}, &onnx::Reader::node).node];
    if (node.outputs.count == 0) return false;
    const std::string_view output = model.outputs_of(node).front();
    if (comparison_.reference().links().find(output) == nullptr) return false;
    looked.reference = looked.subject = output;
    return true;
  }

  void take(const Group& group, const drive::PassResult& pass, Tap tap) {
    for (const Looked& one : group) {
      LayerAccuracy& layer = result_.layers[one.layer];
      if (layer.tap == Tap::kNone) layer.tap = Tap::kMissing;
      for (const ComparedTensor& compared : pass.compared) {
        if (compared.subject.tensor != one.subject || compared.reference.tensor != one.reference) {
          continue;
        }
        layer.engine = compared.difference;
        layer.tap = tap;
        layer.seen_tensor = one.moves == 0 ? std::string() : one.subject;
        break;
      }
    }
  }

  Comparison& comparison_;
  quantize::LayerAccuracies& result_;
  std::string untapped_;
  int round_ = 0;
};

}  // namespace

Result<void> look_into_engine(Comparison& comparison) { return Taps(comparison).run(); }

}  // namespace planex::tune
