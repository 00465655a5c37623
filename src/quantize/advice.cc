#include "quantize/advice.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "onnx/node_names.h"
#include "quantize/flow.h"
#include "quantize/quantized_output.h"
#include "quantize/symmetric.h"

namespace planex::quantize {
namespace {

using base::format;
using onnx::Index;
using onnx::kNoIndex;
using onnx::Reader;

using Key = std::pair<Index, std::uint32_t>;

constexpr std::array<std::string_view, 9> kActions = {"add",          "move",        "merge",
                                                      "remove",       "share-scale", "unsigned",
                                                      "scalar-scale", "symmetric",   "float-bias"};
constexpr std::array<std::string_view, 3> kScaleSources = {"none", "kept", "data"};
constexpr std::array<std::string_view, 4> kInsideLayer = {"BatchNormalization", "Relu", "Clip",
                                                          "LeakyRelu"};
constexpr std::array<std::string_view, 3> kGates = {"Sigmoid", "HardSigmoid", "HardSwish"};
constexpr std::array<std::string_view, 4> kWithWeights = {"Conv", "ConvTranspose", "Gemm",
                                                          "MatMul"};
constexpr std::array<std::string_view, 4> kNorms = {"LayerNormalization", "GroupNormalization",
                                                    "InstanceNormalization", "RMSNormalization"};
// Rules that keep a layer in float.
constexpr std::array<std::string_view, 2> kFloatLayers = {"small-convolution", "vector-product"};

class Adviser {
 public:
  Adviser(const Flow& flow, const Existing& existing, const Placement& wanted, Target target)
      : flow_(flow), existing_(existing), wanted_(wanted), target_(target) {
    for (std::size_t pair = 0; pair < existing.pairs.size(); ++pair) {
      const ExistingPair& one = existing.pairs[pair];
      if (const TensorId tensor = flow.find(one.tensor); tensor != kNoTensor) {
        pairs_of_[flow.resolve(tensor)].push_back(pair);
      }
      for (const Reader& reader : one.readers) pair_of_[key(reader)] = pair;
    }
    for (const PlacedTensor& tensor : wanted.tensors) {
      is_placed_.insert(flow.resolve(flow.find(tensor.name)));
      for (const Reader& reader : tensor.readers) wants_.insert(key(reader));
    }
  }

  std::vector<Advice> advise() {
    for (const PlacedTensor& tensor : wanted_.tensors) {
      look_at(tensor);
      make_unsigned(tensor);
    }
    share_scales();
    const bool wants_scalars =
        stance(*find_placement_rule("scalar-scale"), target_) == Stance::kYes;
    const bool wants_unsigned =
        stance(*find_placement_rule("unsigned-throughout"), target_) == Stance::kYes;
    for (std::size_t pair = 0; pair < existing_.pairs.size(); ++pair) {
      remove_from(pair);
      if (wants_scalars) make_scalar(pair);
      if (wants_unsigned) make_rest_unsigned(pair);
      if (wants_symmetric()) make_symmetric(pair);
    }
    for (std::size_t weight = 0; weight < existing_.weights.size() && wants_symmetric(); ++weight) {
      look_at_weight(weight);
    }
    return std::move(advice_);
  }

 private:
  static Key key(const Reader& reader) { return {reader.node, reader.input}; }

  std::string names_of(const std::vector<Reader>& readers) const {
    std::string text = flow_.name_of(readers.front().node);
    if (readers.size() > 1) text += format(" and {} more", readers.size() - 1);
    return text;
  }

  // The parsers of TensorRT and TensorRT-RTX reject other zero points, and integer biases.
  bool wants_symmetric() const {
    return stance(*find_placement_rule("zero-point-zero"), target_) == Stance::kYes;
  }

  void add(Advice advice) {
    advice.is_symmetric = wants_symmetric();
    advice.node = advice.readers.empty() ? kNoIndex : advice.readers.front().node;
    advice.rule = find_placement_rule(advice.rule)->id;
    advice_.push_back(std::move(advice));
  }

  std::optional<std::size_t> pair_at(const Reader& reader) const {
    const auto found = pair_of_.find(key(reader));
    return found == pair_of_.end() ? std::nullopt : std::optional(found->second);
  }

  const std::vector<std::size_t>& pairs_at(TensorId tensor) const {
    static const std::vector<std::size_t> kNone;
    const auto found = pairs_of_.find(tensor);
    return found == pairs_of_.end() ? kNone : found->second;
  }

  // The pair is already further up, before nodes that only move values.
  bool is_quantized_above(TensorId tensor) const {
    for (Index maker = flow_.maker(tensor); maker != kNoIndex && keeps_values(flow_.op(maker));) {
      if (pair_at({maker, 0})) return true;
      const Index next = flow_.maker(flow_.input(maker, 0));
      if (next == kNoIndex || next >= maker) return false;
      maker = next;
    }
    return false;
  }

  // Pairs after nodes that only move values, the first of which reads the tensor. A pair that also
  // has to stay where it is cannot be moved.
  std::vector<std::size_t> pairs_below(const Reader& reader) const {
    Index node = reader.node;
    while (keeps_values(flow_.op(node))) {
      const TensorId made = flow_.output(node);
      if (made == kNoTensor) break;
      if (!pairs_at(made).empty()) {
        if (is_placed_.contains(made)) break;
        return pairs_at(made);
      }
      const auto readers = flow_.readers(made);
      if (readers.size() != 1 || readers.front().node <= node) break;
      node = readers.front().node;
    }
    return {};
  }

  // Pairs of other tensors with the same scale.
  std::vector<std::size_t> pairs_of_group(const PlacedTensor& tensor) const {
    std::vector<std::size_t> found;
    for (const PlacedTensor& other : wanted_.tensors) {
      if (other.scale_group != tensor.scale_group || other.name == tensor.name) continue;
      const auto& pairs = pairs_at(flow_.find(other.name));
      found.insert(found.end(), pairs.begin(), pairs.end());
    }
    return found;
  }

  std::string_view rule_of(const PlacedTensor& tensor, const Reader& reader) const {
    const std::string_view op = flow_.op(reader.node);
    const auto has = [&](std::string_view rule) {
      return std::ranges::find(tensor.rules, rule) != tensor.rules.end();
    };
    for (const auto& [of, rule] :
         {std::pair<std::string_view, std::string_view>{"Add", "residual-both"},
          {"Add", "residual-skip"},
          {"Add", "operation-between-pairs"},
          {"Mul", "operation-between-pairs"},
          {"Concat", "operation-between-pairs"},
          {"Sigmoid", "operation-between-pairs"},
          {"LeakyRelu", "operation-between-pairs"},
          {"Concat", "concat-shared-scale"},
          {"GlobalAveragePool", "average-pool-pair"},
          {"AveragePool", "average-pool-pair"}}) {
      if (op == of && has(rule)) return rule;
    }
    if (keeps_values(flow_.op(reader.node)) && has("pool-after-pair")) return "pool-after-pair";
    const bool is_for_maker = !flow_.is_op(reader.node, kWithWeights) && has("quantized-output");
    return is_for_maker ? "quantized-output" : "weighted-inputs";
  }

  void look_at(const PlacedTensor& tensor) {
    const TensorId id = flow_.find(tensor.name);
    std::vector<std::size_t> used;
    std::vector<Reader> lacking;
    for (const Reader& reader : tensor.readers) {
      if (const auto pair = pair_at(reader)) {
        if (std::ranges::find(used, *pair) == used.end()) used.push_back(*pair);
      } else {
        lacking.push_back(reader);
      }
    }
    const std::string name = base::quoted(tensor.name);
    if (used.size() > 1) {
      is_merged_.insert(used.begin() + 1, used.end());
      add({.action = Action::kMerge,
           .rule = "one-pair-per-tensor",
           .tensor = tensor.name,
           .readers = tensor.readers,
           .pairs = used,
           .scale = ScaleSource::kKept,
           .is_unsigned = tensor.is_unsigned,
           .is_from_zero = tensor.is_from_zero,
           .sentence = format("{} has {} pairs; one is enough for {}", name, used.size(),
                              names_of(tensor.readers))});
      return;
    }
    if (tensor.takes_name && pairs_at(id).empty()) {
      add({.action = Action::kAdd,
           .rule = "quantized-output",
           .tensor = tensor.name,
           .readers = tensor.readers,
           .pairs = {},
           .scale = ScaleSource::kFromData,
           .is_unsigned = tensor.is_unsigned,
           .is_from_zero = tensor.is_from_zero,
           .takes_name = true,
           .sentence = format("{} is a model output in float, so the layer that writes it runs in "
                              "float; its scale has to be calibrated",
                              name)});
      return;
    }
    if (lacking.empty() || is_quantized_above(id)) return;
    const std::string_view rule = rule_of(tensor, lacking.front());
    if (!pairs_at(id).empty()) {
      add({.action = Action::kAdd,
           .rule = rule,
           .tensor = tensor.name,
           .readers = lacking,
           .pairs = {pairs_at(id).front()},
           .scale = ScaleSource::kKept,
           .is_unsigned = tensor.is_unsigned,
           .is_from_zero = tensor.is_from_zero,
           .sentence =
               format("{} can read the pair that {} already has", names_of(lacking), name)});
      return;
    }
    std::vector<std::size_t> moved;
    for (const Reader& reader : lacking) {
      const auto below = pairs_below(reader);
      moved.insert(moved.end(), below.begin(), below.end());
    }
    if (!moved.empty()) {
      is_moved_.insert(moved.begin(), moved.end());
      add({.action = Action::kMove,
           .rule = "pool-after-pair",
           .tensor = tensor.name,
           .readers = lacking,
           .pairs = moved,
           .scale = ScaleSource::kKept,
           .is_unsigned = tensor.is_unsigned,
           .is_from_zero = tensor.is_from_zero,
           .sentence = format("the pair after {} belongs before it", names_of(lacking))});
      return;
    }
    const auto group = pairs_of_group(tensor);
    add({.action = Action::kAdd,
         .rule = rule,
         .tensor = tensor.name,
         .readers = lacking,
         .pairs = group,
         .scale = group.empty() ? ScaleSource::kFromData : ScaleSource::kKept,
         .is_unsigned = tensor.is_unsigned,
         .is_from_zero = tensor.is_from_zero,
         .sentence = format("{} reads {} in float{}", names_of(lacking), name,
                            group.empty() ? "; its scale has to be calibrated" : "")});
  }

  void make_unsigned(const PlacedTensor& tensor) {
    if (!tensor.is_unsigned) return;
    const bool is_everywhere =
        stance(*find_placement_rule("unsigned-throughout"), target_) == Stance::kYes;
    const bool is_from_zero = is_everywhere && tensor.is_from_zero;
    std::vector<std::size_t> is_other;
    bool is_signed = false;
    for (const std::size_t pair : pairs_at(flow_.find(tensor.name))) {
      const ExistingScale& scale = existing_.pairs[pair].scale;
      if (is_int8(scale)) {
        is_signed = true;
        is_other.push_back(pair);
      } else if (is_from_zero && is_above_zero(scale)) {
        is_other.push_back(pair);
      }
    }
    if (is_other.empty()) return;
    const std::string name = base::quoted(tensor.name);
    std::string sentence =
        is_from_zero && !is_signed
            ? format(
                  "the zero point of {} is not 0, and a Relu is only dropped before a zero point "
                  "of 0; no value here is below 0",
                  name)
        : is_from_zero ? format(
                             "{} is int8, and a Relu is only dropped before uint8 with zero point "
                             "0; no value here is below 0",
                             name)
        : is_everywhere
            ? format(
                  "{} is int8, and types must not mix; uint8 with zero point 128 represents the "
                  "same values",
                  name)
            : format(
                  "{} is int8 after a Concat that reads a Resize; uint8 with zero point 128 "
                  "represents the same values",
                  name);
    add({.action = Action::kUnsigned,
         .rule = is_everywhere ? "unsigned-throughout" : "unsigned-behind-resize",
         .tensor = tensor.name,
         .readers = tensor.readers,
         .pairs = is_other,
         .scale = ScaleSource::kKept,
         .is_unsigned = true,
         .is_from_zero = is_from_zero,
         .sentence = std::move(sentence)});
  }

  // A pair that no rule asks for and none forbids: it must not have another type either.
  void make_rest_unsigned(std::size_t pair) {
    const ExistingPair& one = existing_.pairs[pair];
    const TensorId tensor = flow_.find(one.tensor);
    if (is_moved_.contains(pair) || tensor == kNoTensor || flow_.is_fixed(tensor)) return;
    if (!is_int8(one.scale)) return;
    if (one.readers.empty() || is_placed_.contains(flow_.resolve(tensor))) return;
    add({.action = Action::kUnsigned,
         .rule = "unsigned-throughout",
         .tensor = one.tensor,
         .readers = one.readers,
         .pairs = {pair},
         .scale = ScaleSource::kKept,
         .is_unsigned = true,
         .is_from_zero = is_never_negative(flow_, tensor),
         .sentence = format("{} is int8, and types must not mix", base::quoted(one.tensor))});
  }

  void share_scales() {
    std::map<std::uint32_t, std::vector<std::size_t>> groups;
    std::map<std::uint32_t, std::vector<Reader>> readers;
    for (const PlacedTensor& tensor : wanted_.tensors) {
      const auto& pairs = pairs_at(flow_.find(tensor.name));
      auto& group = groups[tensor.scale_group];
      group.insert(group.end(), pairs.begin(), pairs.end());
      auto& all = readers[tensor.scale_group];
      all.insert(all.end(), tensor.readers.begin(), tensor.readers.end());
    }
    for (const auto& [group, pairs] : groups) {
      const PlacedTensor& first = wanted_.tensors[group];
      if (std::ranges::find(first.rules, "concat-shared-scale") == first.rules.end()) continue;
      const auto differs = [&](std::size_t pair) {
        return existing_.pairs[pair].scale.bits != existing_.pairs[pairs.front()].scale.bits;
      };
      if (pairs.empty() || std::ranges::none_of(pairs, differs)) continue;
      add({.action = Action::kShareScale,
           .rule = "concat-shared-scale",
           .tensor = first.name,
           .readers = readers.at(group),
           .pairs = pairs,
           .scale = ScaleSource::kKept,
           .sentence = format("{} pairs around a Concat have different scales; the largest one can "
                              "serve all of them",
                              pairs.size())});
    }
  }

  void remove_from(std::size_t pair) {
    if (is_moved_.contains(pair)) return;
    const ExistingPair& one = existing_.pairs[pair];
    std::map<std::string_view, std::vector<Reader>> readers;
    for (const Reader& reader : one.readers) {
      if (wants_.contains(key(reader))) continue;
      const std::string_view rule = removing_rule(one, reader);
      if (rule.empty()) continue;
      // A rule that needs measuring, or gains the target nothing, asks for nothing.
      if (stance(*find_placement_rule(rule), target_) == Stance::kYes) {
        readers[rule].push_back(reader);
      }
    }
    for (auto& [rule, of] : readers) {
      std::string sentence =
          format("{} should read {} in float", names_of(of), base::quoted(one.tensor));
      add({.action = Action::kRemove,
           .rule = rule,
           .tensor = one.tensor,
           .readers = std::move(of),
           .pairs = {pair},
           .scale = ScaleSource::kNone,
           .sentence = std::move(sentence)});
    }
  }

  // A new pair that other advice adds already has a scalar.
  void make_scalar(std::size_t pair) {
    const ExistingPair& one = existing_.pairs[pair];
    if (is_moved_.contains(pair) || is_merged_.contains(pair)) return;
    if (!has_one_value_list(one.scale)) return;
    // For any reader: an addition that reads a list also keeps the convolution after it in float.
    const TensorId tensor = flow_.find(one.tensor);
    if (one.readers.empty() || tensor == kNoTensor || flow_.is_fixed(tensor)) return;
    std::string sentence = format(
        "the scale of {} is a list of one value, which makes convolutions that it reaches compute "
        "in float",
        base::quoted(one.tensor));
    add({.action = Action::kScalarScale,
         .rule = "scalar-scale",
         .tensor = one.tensor,
         .readers = one.readers,
         .pairs = {pair},
         .scale = ScaleSource::kKept,
         .sentence = std::move(sentence)});
  }

  // A pair that another pair replaces is changed there.
  void make_symmetric(std::size_t pair) {
    const ExistingPair& one = existing_.pairs[pair];
    if (is_moved_.contains(pair) || is_merged_.contains(pair) || one.readers.empty()) return;
    if (is_symmetric(one.scale) || one.scale.bits.empty()) return;
    add({.action = Action::kSymmetric,
         .rule = "zero-point-zero",
         .tensor = one.tensor,
         .readers = one.readers,
         .pairs = {pair},
         .scale = ScaleSource::kKept,
         .sentence = asymmetry_text(one.tensor, one.scale)});
  }

  std::string asymmetry_text(std::string_view tensor, const ExistingScale& scale) const {
    const auto& zeros = scale.zero_points;
    const auto other = std::ranges::find_if(zeros, [](std::int64_t zero) { return zero != 0; });
    if (other != zeros.end()) {
      return format("{} has zero point {}, and the builder accepts only 0", base::quoted(tensor),
                    *other);
    }
    return format(
        "{} is uint8, which the builder reads as int8: values above 127 steps are "
        "clipped",
        base::quoted(tensor));
  }

  void look_at_weight(std::size_t weight) {
    const ExistingWeight& one = existing_.weights[weight];
    if (one.readers.empty() || one.scale.bits.empty()) return;
    const onnx::DataType type = flow_.model().tensors[one.tensor].type;
    if (type == onnx::DataType::kInt32) {
      add({.action = Action::kFloatBias,
           .rule = "float-bias",
           .tensor = one.name,
           .readers = one.readers,
           .weights = {weight},
           .scale = ScaleSource::kNone,
           .sentence = format("{} is INT32 and goes into a DequantizeLinear, which the builder "
                              "rejects",
                              base::quoted(one.name))});
    } else if (!is_symmetric(one.scale)) {
      add({.action = Action::kSymmetric,
           .rule = "zero-point-zero",
           .tensor = one.name,
           .readers = one.readers,
           .weights = {weight},
           .scale = ScaleSource::kKept,
           .sentence = asymmetry_text(one.name, one.scale)});
    }
  }

  bool is_int8(const ExistingScale& scale) const {
    return scale.zero_point != kNoIndex &&
           flow_.model().tensors[scale.zero_point].type == onnx::DataType::kInt8;
  }
  static bool is_above_zero(const ExistingScale& scale) {
    return scale.is_unsigned &&
           std::ranges::any_of(scale.zero_points, [](std::int64_t zero) { return zero != 0; });
  }

  bool has_one_value_list(const ExistingScale& scale) const {
    return scale.scale != kNoIndex && scale.bits.size() == 1 &&
           !flow_.model().dims_of(flow_.model().tensors[scale.scale]).empty();
  }

  // x of x · Sigmoid(x): with a pair here and none before the gate, the activation would be split,
  // one half in float.
  bool multiplies_gate(const Reader& reader, TensorId tensor) const {
    if (flow_.op(reader.node) != "Mul" || reader.input > 1) return false;
    const Index gate = flow_.maker(flow_.input(reader.node, 1 - reader.input));
    return flow_.is_op(gate, kGates) && flow_.input(gate, 0) == tensor;
  }

  // The rule that forbids a pair at a reader; empty: none does.
  std::string_view removing_rule(const ExistingPair& pair, const Reader& reader) const {
    const Index node = reader.node;
    const auto is_two_activations = [&] {
      const TensorId first = flow_.input(node, 0), second = flow_.input(node, 1);
      return first != kNoTensor && second != kNoTensor && !flow_.is_fixed(first) &&
             !flow_.is_fixed(second);
    };
    if (flow_.op(node) == "Add" && is_two_activations()) {
      const bool takes_skip = wants_.contains({node, 1 - std::min(reader.input, 1U)});
      return target_ == Target::kTensorrt && takes_skip ? "residual-skip" : std::string_view();
    }
    if (flow_.op(node) == "MatMul" && is_two_activations()) return "attention-in-float";
    if (flow_.is_op(node, kNorms) && reader.input == 0) return "normalization-in-float";
    if (flow_.is_op(node, kWithWeights)) {
      const auto found = std::ranges::find_if(wanted_.decisions, [&](const auto& decision) {
        return decision.node == node && decision.is_applied &&
               std::ranges::find(kFloatLayers, decision.rule) != kFloatLayers.end();
      });
      return found == wanted_.decisions.end() ? std::string_view() : found->rule;
    }
    const Index maker = flow_.maker(flow_.resolve(flow_.find(pair.tensor)));
    if (!flow_.is_op(maker, kWithWeights)) return {};
    if (flow_.is_op(node, kInsideLayer)) {
      // Where a pair has to follow the layer, this is the one until there is another.
      const bool needs_one =
          stance(*find_placement_rule("quantized-output"), target_) == Stance::kYes &&
          pairs_at(flow_.output(node)).empty();
      return needs_one ? std::string_view() : "no-pair-inside-convolution";
    }
    if (flow_.is_op(node, kGates) ||
        multiplies_gate(reader, flow_.resolve(flow_.find(pair.tensor)))) {
      return "pair-after-product";
    }
    return flow_.op(node) == "Softmax" ? "no-output-pair" : std::string_view();
  }

  const Flow& flow_;
  const Existing& existing_;
  const Placement& wanted_;
  Target target_;
  std::map<TensorId, std::vector<std::size_t>> pairs_of_;
  std::map<Key, std::size_t> pair_of_;
  std::set<Key> wants_;
  std::set<TensorId> is_placed_;                // those that get a pair
  std::set<std::size_t> is_moved_, is_merged_;  // pairs that another pair replaces
  std::vector<Advice> advice_;
};

}  // namespace

std::string_view to_string(Action action) {
  const auto place = static_cast<std::size_t>(action);
  return place < kActions.size() ? kActions[place] : std::string_view();
}

std::string_view to_string(ScaleSource source) {
  const auto place = static_cast<std::size_t>(source);
  return place < kScaleSources.size() ? kScaleSources[place] : std::string_view();
}

namespace {

// The cost of keeping the same range.
std::string grown_text(const ExistingScale& scale) {
  const std::vector<double> factors = symmetric_factors(scale);
  const double most = factors.empty() ? 1 : std::ranges::max(factors);
  return most > 1 ? format(", with a scale {:.3g} times as large", most) : std::string();
}

}  // namespace

std::string edit_text(const onnx::Model& model, const Existing& existing, const Advice& advice) {
  const onnx::NodeNames names(model);
  // "a" and "b", each once.
  const auto listed = [](const std::vector<std::string_view>& of) {
    std::vector<std::string> quoted;
    for (const std::string_view name : of) {
      std::string one = base::quoted(name);
      if (std::ranges::find(quoted, one) == quoted.end()) quoted.push_back(std::move(one));
    }
    return base::join_words(std::vector<std::string_view>(quoted.begin(), quoted.end()));
  };
  std::vector<std::string_view> readers, paired;
  for (const Reader& reader : advice.readers) readers.push_back(names.name_of(reader.node));
  for (const std::size_t pair : advice.pairs) paired.push_back(existing.pairs[pair].tensor);
  const std::string tensor = base::quoted(advice.tensor);
  const std::string all = listed(readers);
  switch (advice.action) {
    case Action::kAdd:
      if (advice.takes_name) return format("add a pair on {}, and make it the output", tensor);
      if (!advice.pairs.empty() && existing.pairs[advice.pairs.front()].tensor == advice.tensor) {
        return format("let {} read the pair of {}", all, tensor);
      }
      return format("add a pair on {}, for {}", tensor, all);
    case Action::kMove:
      return format("move the pair from {} to {}, before {}", listed(paired), tensor, all);
    case Action::kMerge:
      return format("merge the {} pairs of {} into one, for {}", advice.pairs.size(), tensor, all);
    case Action::kRemove:
      return format("remove the pair of {} before {}", tensor, all);
    case Action::kShareScale:
      return format("use one scale, the largest, for the pairs of {}", listed(paired));
    case Action::kUnsigned:
      return format("change the pair of {} to uint8 with zero point {}", tensor,
                    advice.is_from_zero ? 0 : 128);
    case Action::kScalarScale:
      return format("make the scale of {} a scalar, for {}", tensor, all);
    case Action::kSymmetric:
      if (!advice.weights.empty()) return format("change {} to int8 with zero point 0", tensor);
      return format("change the pair of {} to int8 with zero point 0{}", tensor,
                    grown_text(existing.pairs[advice.pairs.front()].scale));
    case Action::kFloatBias:
      return format("make the bias {} of {} float, without its DequantizeLinear", tensor, all);
  }
  return {};
}

std::vector<Advice> advise(const onnx::Model& model, const onnx::Links& links,
                           const Existing& existing, const Placement& wanted, Target target) {
  const Flow flow(model, links);
  std::vector<Advice> advice = Adviser(flow, existing, wanted, target).advise();
  const auto order = [&](const Advice& one) {
    const TensorId tensor = flow.find(one.tensor);
    const Index maker = tensor == kNoTensor ? kNoIndex : flow.maker(tensor);
    return std::tuple(maker == kNoIndex ? std::uint64_t{0} : std::uint64_t{maker} + 1, tensor,
                      one.action);
  };
  std::ranges::stable_sort(advice, {}, order);
  return advice;
}

}  // namespace planex::quantize
