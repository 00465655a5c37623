#include "quantize/placement.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "onnx/data_types.h"
#include "onnx/node_names.h"
#include "quantize/backbone.h"
#include "quantize/flow.h"
#include "quantize/layer_shapes.h"
#include "quantize/nothing_left.h"
#include "quantize/parting.h"
#include "quantize/passing.h"
#include "quantize/quantized_output.h"
#include "quantize/tensor_groups.h"

namespace planex::quantize {
namespace {

using base::format;
using onnx::Index;
using onnx::kNoIndex;
using onnx::Reader;

constexpr std::array<std::string_view, 4> kWeighted = {"Conv", "ConvTranspose", "Gemm", "MatMul"};
constexpr std::array<std::string_view, 2> kConvolutions = {"Conv", "ConvTranspose"};
constexpr std::array<std::string_view, 2> kResizes = {"Resize", "Upsample"};
constexpr std::array<std::string_view, 4> kNormalizations = {
    "LayerNormalization", "GroupNormalization", "InstanceNormalization", "RMSNormalization"};
constexpr std::array<std::string_view, 3> kControlFlow = {"If", "Loop", "Scan"};
// They only read the shape.
constexpr std::array<std::string_view, 2> kShapeReaders = {"Shape", "Size"};

// A chain of operations that run inside one layer is shorter than this.
constexpr int kChainSteps = 32;
// Limit for walking back from additions, in nodes per node of the model.
constexpr std::uint64_t kStepsPerNode = 16;

struct Demand {
  std::vector<Reader> readers;
  std::vector<std::string_view> rules;
  bool is_unsigned = false, takes_name = false;
};

class Planner {
 public:
  Planner(const Flow& flow, const PlacementOptions& options)
      : flow_(flow),
        model_(flow.model()),
        options_(options),
        is_layer_(flow.node_count()),
        is_kept_(flow.node_count()),
        partings_(flow, kStepsPerNode * flow.node_count()) {}

  Result<Placement> place() {
    PLANEX_TRY(resolve_names());
    for (Index node = 0; node < flow_.node_count(); ++node) consider(node);
    // For a model that has pairs it is a valid answer that the target wants none of them.
    const bool has_answer = options_.ignores_pairs && flow_.has_pairs();
    if (placement_.layers.empty() && !has_answer) return nothing_to_quantize(options_, placement_);
    if (options_.format != NumberFormat::kInt4) place_tensors();
    describe_layers();
    describe_tensors();
    finish();
    return std::move(placement_);
  }

 private:
  void place_tensors() {
    if (follows("quantized-output")) quantize_outputs();
    add_residuals();
    if (follows("pool-after-pair")) move_up();
    if (follows("average-pool-pair")) add_average_pools();
    if (follows("operation-between-pairs")) quantize_between();
    if (follows("concat-shared-scale")) share_scales();
    if (follows("unsigned-behind-resize")) choose_unsigned();
  }

  bool follows(std::string_view id) const {
    const PlacementRule& rule = *find_placement_rule(id);
    return stance(rule, options_.target) == Stance::kYes && is_for(rule.formats, options_.format);
  }

  void decide(std::string_view rule, Index node, TensorId tensor, bool is_applied,
              std::string why) {
    if (!is_for(find_placement_rule(rule)->formats, options_.format)) return;
    placement_.decisions.push_back(
        {.rule = find_placement_rule(rule)->id,
         .node = node,
         .tensor = tensor == kNoTensor ? std::string_view() : flow_.link(tensor).name,
         .is_applied = is_applied,
         .why = std::move(why)});
  }

  void demand(TensorId tensor, Reader reader, std::string_view rule) {
    Demand& at = demands_[tensor];
    const auto is_same = [&](const Reader& other) {
      return other.node == reader.node && other.input == reader.input;
    };
    if (std::ranges::none_of(at.readers, is_same)) at.readers.push_back(reader);
    const std::string_view id = find_placement_rule(rule)->id;
    if (std::ranges::find(at.rules, id) == at.rules.end()) at.rules.push_back(id);
  }

  bool is_demanded(TensorId tensor) const { return demands_.contains(tensor); }

  std::string name_of(TensorId tensor) const { return base::quoted(flow_.link(tensor).name); }

  // --- Names of the options ---

  Result<void> resolve_names() {
    if (options_.kept.empty() && options_.only.empty()) return {};
    const onnx::NodeNames names(model_);
    for (const std::string& name : options_.kept) {
      PLANEX_ASSIGN(const Index node, named_node(model_, names, name));
      is_kept_[node] = true;
    }
    if (options_.only.empty()) return {};
    std::vector<bool> is_named(flow_.node_count());
    for (const std::string& name : options_.only) {
      PLANEX_ASSIGN(const Index node, named_node(model_, names, name));
      is_named[node] = true;
    }
    for (Index node = 0; node < flow_.node_count(); ++node) {
      if (!is_named[node]) is_kept_[node] = true;
    }
    return {};
  }

  // --- Layers ---

  bool is_wanted(Index node) const {
    if (is_kept_[node]) return false;
    if (!options_.op_types.empty()) {
      return std::ranges::find(options_.op_types, flow_.op(node)) != options_.op_types.end();
    }
    return flow_.is_op(node, default_operators(options_));
  }

  // Adds a node as a layer if it is one.
  void consider(Index node) {
    if (!flow_.is_op(node, kWeighted)) return;
    const TensorId data = flow_.input(node, 0), second = flow_.input(node, 1);
    if (data == kNoTensor || second == kNoTensor) return;
    const bool is_product = flow_.op(node) == "MatMul";
    if (flow_.constant(data) == kNoIndex && flow_.constant(second) == kNoIndex) {
      if (is_product) {
        decide("attention-in-float", node, data, true,
               format("{} multiplies two activations", flow_.name_of(node)));
      }
      return;
    }
    // The weight may be on the left of a MatMul.
    const std::uint32_t place = flow_.constant(second) != kNoIndex ? 1 : 0;
    if (place == 0 && !is_product) return;
    const TensorId weight = place == 1 ? second : data;
    const TensorId activation = place == 1 ? data : second;
    const Index tensor = flow_.constant(weight);
    if (!can_be_made(activation)) return;
    if (!is_wanted(node)) {
      decide_unwanted(node, activation);
      return;
    }
    const auto dims = model_.dims_of(model_.tensors[tensor]);
    if (is_not_float(node, tensor, activation)) return;
    const std::optional<int> axis = channel_axis(flow_, node, place, dims);
    if (!axis) {
      decide("vector-product", node, activation, true,
             format("the weight of {} has no channels: it has {}", flow_.name_of(node),
                    base::counted(dims.size(), "dimension")));
      return;
    }
    if (options_.format == NumberFormat::kInt4) {
      take_blocks(node, place, weight, tensor, *axis);
      return;
    }
    if (flow_.op(node) == "Conv" && follows("narrow-convolution") && is_small_in_fp8(dims)) {
      decide("narrow-convolution", node, activation, true,
             format("{} reads {} channels per group and writes {}, with {} in its kernel",
                    flow_.name_of(node), dims[1], dims[0],
                    base::counted(static_cast<std::size_t>(kernel_size(dims)), "element")));
      return;
    }
    if (flow_.op(node) == "Conv" && follows("small-convolution") &&
        is_small_convolution(flow_, node, dims)) {
      decide("small-convolution", node, activation, true,
             format("{} reads {} channels per group and writes {}", flow_.name_of(node), dims[1],
                    dims[0]));
      return;
    }
    if (is_product && follows("vector-product") && is_vector_product(flow_, node, place, dims)) {
      decide("vector-product", node, activation, true,
             format("{} produces one row or one column", flow_.name_of(node)));
      return;
    }
    if (!take_weight(node, place, weight, tensor, *axis)) return;
    is_layer_[node] = true;
    placement_.layers.push_back(node);
    demand(activation, {node, 1 - place}, "weighted-inputs");
    decide("weighted-inputs", node, activation, true,
           format("{} is a {} with a constant weight", flow_.name_of(node), flow_.op(node)));
  }

  // It has a maker or is an input, and differs from run to run.
  bool can_be_made(TensorId tensor) const {
    return !flow_.is_fixed(tensor) &&
           (flow_.maker(tensor) != kNoIndex || flow_.link(tensor).is_input);
  }

  void decide_unwanted(Index node, TensorId activation) {
    if (!is_kept_[node] && options_.op_types.empty()) {
      decide(options_.format == NumberFormat::kInt4    ? "products-only"
             : options_.target == Target::kTensorrtRtx ? "convolutions-in-half"
             : options_.target == Target::kOnnxruntime ? "transposed-convolution-in-float"
                                                       : "transposed-convolution",
             node, activation, true, format("{} is a {}", flow_.name_of(node), flow_.op(node)));
      return;
    }
    decide("by-request", node, activation, true,
           is_kept_[node] ? format("{} was named to stay in float", flow_.name_of(node))
                          : format("{} is a {}, which was not requested", flow_.name_of(node),
                                   flow_.op(node)));
  }

  bool is_not_float(Index node, Index weight, TensorId activation) {
    const onnx::DataType type = model_.tensors[weight].type;
    const bool is_behind_pair = options_.ignores_pairs && type != onnx::DataType::kFloat16 &&
                                type != onnx::DataType::kBfloat16 &&
                                type != onnx::DataType::kDouble;
    if (type != onnx::DataType::kFloat && !is_behind_pair) {
      decide("floats-only", node, activation, true,
             format("the weight of {} is not float32", flow_.name_of(node)));
      return true;
    }
    if (!flow_.is_declared_otherwise(activation)) return false;
    decide("floats-only", node, activation, true,
           format("{} is not declared as float32", name_of(activation)));
    return true;
  }

  // A layer of which only the weight is quantized.
  void take_blocks(Index node, std::uint32_t place, TensorId weight, Index tensor, int axis) {
    const auto dims = model_.dims_of(model_.tensors[tensor]);
    if (dims.size() != 2) {
      decide("weights-in-blocks", node, weight, false,
             format("the weight of {} has {}", flow_.name_of(node),
                    base::counted(dims.size(), "dimension")));
      return;
    }
    const std::int64_t depth = dims[axis == 0 ? 1 : 0];
    if (options_.block_size > 0 && depth % options_.block_size != 0) {
      decide("whole-blocks", node, weight, true,
             format("{} sums {}, which is not a multiple of {}", flow_.name_of(node),
                    base::counted(static_cast<std::size_t>(depth), "value"), options_.block_size));
      return;
    }
    if (const Index clamp = clamp_behind(flow_, node);
        options_.target == Target::kOnnxruntime && clamp != kNoIndex) {
      decide("weights-in-blocks", node, weight, false,
             format("{} reads the output of {}, so ONNX Runtime would convert the weights to float "
                    "on every inference",
                    flow_.name_of(clamp), flow_.name_of(node)));
      return;
    }
    if (!take_weight(node, place, weight, tensor, axis, options_.block_size)) return;
    is_layer_[node] = true;
    placement_.layers.push_back(node);
    decide("weights-in-blocks", node, weight, true,
           format("{} is a {} with a constant weight", flow_.name_of(node), flow_.op(node)));
  }

  bool take_weight(Index node, std::uint32_t place, TensorId weight, Index tensor, int axis,
                   int block = 0) {
    const auto [found, is_new] = weights_.try_emplace(tensor, placement_.weights.size());
    // ONNX Runtime reads stored weights directly only through a DQ that has one reader.
    const bool is_apart =
        options_.target == Target::kOnnxruntime && options_.format == NumberFormat::kInt4;
    if (is_new || is_apart) {
      placement_.weights.push_back({.name = model_.inputs_of(model_.nodes[node])[place],
                                    .tensor = tensor,
                                    .readers = {{node, place}},
                                    .axis = axis,
                                    .layer = node,
                                    .block_size = block});
      return true;
    }
    PlacedWeight& shared = placement_.weights[found->second];
    if (shared.axis == axis) {
      shared.readers.push_back({node, place});
      return true;
    }
    decide(options_.format == NumberFormat::kInt4 ? "weights-in-blocks" : "weighted-inputs", node,
           weight, false,
           format("{} shares its weight with {}, which has its channels along another axis",
                  flow_.name_of(node), flow_.name_of(shared.layer)));
    return false;
  }

  // --- What is written ---

  // Everything that reads a tensor reads its pair, so that nothing reads the float.
  void demand_whole(TensorId tensor, std::string_view rule) {
    for (const Reader& reader : flow_.readers(tensor)) demand(tensor, reader, rule);
    Demand& at = demands_[tensor];
    if (at.rules.empty()) at.rules.push_back(find_placement_rule(rule)->id);
    at.takes_name = flow_.link(tensor).is_output || flow_.link(tensor).is_captured;
  }

  // A BatchNormalization after it is folded into its weight, which must be float and not shared.
  bool can_fold(Index layer) const {
    const auto found = weights_.find(flow_.constant(flow_.input(layer, 1)));
    return !options_.ignores_pairs && found != weights_.end() &&
           placement_.weights[found->second].readers.size() == 1;
  }

  void quantize_outputs() {
    for (const Index layer : placement_.layers) {
      const TensorId made = quantized_output(flow_, layer, can_fold(layer));
      if (made == kNoTensor || !can_be_placed(made)) {
        decide("quantized-output", layer, flow_.output(layer), false,
               made == kNoTensor
                   ? format("{} has no bias, so it can write floats", flow_.name_of(layer))
                   : format("{} is not float32", name_of(made)));
        continue;
      }
      demand_whole(made, "quantized-output");
      decide("quantized-output", layer, made, true,
             format("{} is the output of {}", name_of(made), flow_.name_of(layer)));
    }
  }

  // It has a pair, or the operation that writes it reads one: the gate of x * Sigmoid(x).
  bool is_demanded_near(TensorId tensor) const {
    if (is_demanded(tensor)) return true;
    const Index node = operation_before(flow_, tensor);
    return node != kNoIndex && std::ranges::any_of(flow_.inputs(node), [&](TensorId input) {
             return is_demanded(input);
           });
  }

  void quantize_between() {
    std::map<Index, TensorId> open;
    const auto look = [&](TensorId tensor, Index before) {
      const Index node = operation_before(flow_, tensor);
      if (node != kNoIndex && node < before) open[node] = tensor;
    };
    for (const auto& [tensor, wanted] : demands_) look(tensor, kNoIndex);
    while (!open.empty()) {
      const auto last = std::prev(open.end());
      const auto [node, tensor] = *last;
      open.erase(last);
      const auto inputs = flow_.inputs(node);
      const auto can_be = [&](TensorId input) { return can_be_placed(input); };
      const auto is_near = [&](TensorId input) { return is_demanded_near(input); };
      if (is_kept_by_name(node) || !std::ranges::all_of(inputs, can_be)) continue;
      if (std::ranges::none_of(inputs, is_near)) continue;
      for (std::uint32_t place = 0; place < inputs.size(); ++place) {
        demand(inputs[place], {node, place}, "operation-between-pairs");
        look(inputs[place], node);
      }
      if (!flow_.link(tensor).is_output && !flow_.link(tensor).is_captured) {
        demand_whole(tensor, "operation-between-pairs");
      }
      decide("operation-between-pairs", node, tensor, true,
             format("{} reads and writes quantized tensors", flow_.name_of(node)));
    }
    move_up();
  }

  // --- Additions ---

  void add_residuals() {
    const bool takes_skip = follows("residual-skip"), takes_both = follows("residual-both");
    if (!takes_skip && !takes_both) return;
    for (Index node = 0; node < flow_.node_count(); ++node) {
      if (flow_.op(node) != "Add" || is_kept_by_name(node)) continue;
      const TensorId first = flow_.input(node, 0), second = flow_.input(node, 1);
      if (first == kNoTensor || second == kNoTensor || first == second) continue;
      if (!can_be_placed(first) || !can_be_placed(second)) continue;
      const auto left = find_backbone(flow_, is_layer_, first);
      const auto right = find_backbone(flow_, is_layer_, second);
      if (!left && !right) continue;
      if (!gains(node, left) && !gains(node, right)) continue;
      if (takes_both) {
        add_both(node, left, right);
      } else {
        add_skip(node, left, right);
      }
    }
  }

  // Only for nodes that were named to be kept: with `only`, additions follow their layers.
  bool is_kept_by_name(Index node) const { return options_.only.empty() && is_kept_[node]; }

  bool gains(Index node, const std::optional<Backbone>& of) const {
    if (!of) return false;
    return flow_.is_op(of->layer, kConvolutions) || is_sum_demanded(node);
  }

  bool is_sum_demanded(Index node) const {
    for (int steps = 0; steps < kChainSteps; ++steps) {
      const TensorId made = flow_.output(node);
      if (made == kNoTensor) return false;
      if (is_demanded(made)) return true;
      const auto readers = flow_.readers(made);
      if (readers.size() != 1 || !is_fused(flow_, readers.front().node)) return false;
      node = readers.front().node;
    }
    return false;
  }

  // A sum can't run inside the layer that both of its inputs come from: explains why there is
  // nothing to do.
  std::optional<std::string> common_layer(Index node, const std::optional<Backbone>& left,
                                          const std::optional<Backbone>& right,
                                          const std::optional<Parting>& parting) const {
    const Backbone& one = left ? *left : *right;
    const bool is_common = left && right
                               ? left->layer == right->layer
                               : parting && parting->node != kNoIndex &&
                                     std::ranges::find(one.chain, parting->node) != one.chain.end();
    if (!is_common) return std::nullopt;
    return format("both inputs of {} come from {}", flow_.name_of(node), flow_.name_of(one.layer));
  }

  void add_both(Index node, const std::optional<Backbone>& left,
                const std::optional<Backbone>& right) {
    const TensorId first = flow_.input(node, 0), second = flow_.input(node, 1);
    if (auto why = common_layer(node, left, right, partings_.find(first, second))) {
      decide("residual-both", node, first, false, *std::move(why));
      return;
    }
    demand(first, {node, 0}, "residual-both");
    demand(second, {node, 1}, "residual-both");
    decide("residual-both", node, first, true,
           format("{} adds the output of {}", flow_.name_of(node),
                  flow_.name_of((left ? left : right)->layer)));
  }

  void add_skip(Index node, const std::optional<Backbone>& left,
                const std::optional<Backbone>& right) {
    const TensorId first = flow_.input(node, 0), second = flow_.input(node, 1);
    const auto parting = partings_.find(first, second);
    if (auto why = common_layer(node, left, right, parting)) {
      decide("skip-choice", node, first, false, *std::move(why));
      return;
    }
    std::uint32_t skip = left ? 1 : 0;
    std::string why =
        format("only the other input of {} ends in a quantized layer", flow_.name_of(node));
    if (left && right) {
      if (!parting) {
        decide("skip-choice", node, first, false,
               format("the inputs of {} have no common origin, or part too far back",
                      flow_.name_of(node)));
        return;
      }
      skip = parting->first_steps < parting->second_steps ? 0 : 1;
      why = format("from where the inputs of {} part, {} lead to this one and {} to the other",
                   flow_.name_of(node),
                   base::counted(skip == 0 ? parting->first_steps : parting->second_steps, "node"),
                   skip == 0 ? parting->second_steps : parting->first_steps);
    }
    const TensorId tensor = skip == 0 ? first : second;
    decide("skip-choice", node, tensor, true, std::move(why));
    demand(tensor, {node, skip}, "residual-skip");
    decide("residual-skip", node, tensor, true,
           format("{} is the skip path of {}", name_of(tensor), flow_.name_of(node)));
  }

  // --- Tensors ---

  // Pairs go before operations that only move values, if everything that reads those wants them
  // quantized.
  void move_up() {
    // By the node that makes them, last first, so that a pair moves over several.
    std::map<Index, TensorId> open;
    for (const auto& [tensor, wanted] : demands_) {
      const Index maker = flow_.maker(tensor);
      if (flow_.is_op(maker, passable(options_.target))) open[maker] = tensor;
    }
    while (!open.empty()) {
      const auto last = std::prev(open.end());
      const auto [node, tensor] = *last;
      open.erase(last);
      const TensorId source = flow_.input(node, 0);
      if (!is_movable(node, tensor, source)) continue;
      if (!needs_both_sides(options_.target, flow_.op(node))) {
        demands_.erase(tensor);
      } else if (groups_.of(source) == groups_.of(tensor)) {
        continue;
      } else {
        groups_.join(source, tensor);
      }
      demand(source, {node, 0}, "pool-after-pair");
      demand_reason(source, "weighted-inputs");
      decide("pool-after-pair", node, source, true,
             format("{} only passes its values on", flow_.name_of(node)));
      const Index maker = flow_.maker(source);
      if (flow_.is_op(maker, passable(options_.target)) && maker < node) open[maker] = source;
    }
  }

  void add_average_pools() {
    std::set<Index> open;
    const auto look = [&](TensorId tensor) {
      if (flow_.is_op(flow_.maker(tensor), averages(options_.target)))
        open.insert(flow_.maker(tensor));
    };
    for (const auto& [tensor, wanted] : demands_) look(tensor);
    while (!open.empty()) {
      const Index node = *open.rbegin();
      open.erase(node);
      const TensorId source = flow_.input(node, 0);
      if (!is_pooled_alone(node) || is_kept_by_name(node) || is_demanded(source)) continue;
      demand(source, {node, 0}, "average-pool-pair");
      decide("average-pool-pair", node, source, true,
             format("{} is the only reader of {}", flow_.name_of(node), name_of(source)));
      look(source);
    }
    if (follows("pool-after-pair")) move_up();
  }

  // Nothing else reads the input of the pooling, and it can have a pair.
  bool is_pooled_alone(Index node) const {
    const TensorId source = flow_.input(node, 0);
    if (!can_be_placed(source) || flow_.link(source).is_output || flow_.link(source).is_captured) {
      return false;
    }
    return flow_.readers(source).size() == 1;
  }

  void demand_reason(TensorId tensor, std::string_view rule) {
    auto& rules = demands_[tensor].rules;
    const std::string_view id = find_placement_rule(rule)->id;
    if (std::ranges::find(rules, id) == rules.end()) rules.insert(rules.begin(), id);
  }

  bool is_movable(Index node, TensorId tensor, TensorId source) const {
    const onnx::Link& link = flow_.link(tensor);
    if (link.is_output || link.is_captured || is_kept_by_name(node)) return false;
    if (!can_be_placed(source)) return false;
    if (flow_.output(node) != tensor) return false;
    // A MaxPool that also gives indices does not run in INT8.
    if (model_.outputs_of(model_.nodes[node]).size() > 1) return false;
    const auto& wanted = demands_.at(tensor).readers;
    std::size_t others = 0;
    for (const Reader& reader : flow_.readers(tensor)) {
      if (!flow_.is_op(reader.node, kShapeReaders)) ++others;
    }
    return others == wanted.size();
  }

  void share_scales() {
    std::map<Index, TensorId> open;
    const auto look = [&](TensorId tensor, Index before) {
      const Index maker = flow_.maker(tensor);
      if (maker != kNoIndex && maker < before && flow_.op(maker) == "Concat") open[maker] = tensor;
    };
    for (const auto& [tensor, wanted] : demands_) look(tensor, kNoIndex);
    while (!open.empty()) {
      const auto last = std::prev(open.end());
      const auto [node, tensor] = *last;
      open.erase(last);
      const auto inputs = flow_.inputs(node);
      if (!std::ranges::all_of(inputs, [&](TensorId input) { return can_be_placed(input); })) {
        decide("concat-shared-scale", node, tensor, false,
               format("an input of {} is constant or not float", flow_.name_of(node)));
        continue;
      }
      demand_reason(tensor, "concat-shared-scale");
      for (std::uint32_t place = 0; place < inputs.size(); ++place) {
        demand(inputs[place], {node, place}, "concat-shared-scale");
        groups_.join(inputs[place], tensor);
        look(inputs[place], node);
      }
      decide("concat-shared-scale", node, tensor, true,
             format("{} joins {} tensors, and a quantized layer reads the result",
                    flow_.name_of(node), inputs.size()));
    }
  }

  bool can_be_placed(TensorId tensor) const {
    return tensor != kNoTensor && !flow_.is_declared_otherwise(tensor) && can_be_made(tensor);
  }

  void choose_unsigned() {
    for (auto& [tensor, wanted] : demands_) {
      // Also through operations that move values.
      TensorId source = tensor;
      Index maker = flow_.maker(source);
      for (int steps = 0; steps < kChainSteps && flow_.is_op(maker, moving_operators()); ++steps) {
        source = flow_.input(maker, 0);
        maker = source == kNoTensor ? kNoIndex : flow_.maker(source);
      }
      if (maker == kNoIndex || flow_.op(maker) != "Concat") continue;
      const auto inputs = flow_.inputs(maker);
      const auto resized = std::ranges::find_if(inputs, [&](TensorId input) {
        return input != kNoTensor && flow_.is_op(flow_.maker(input), kResizes);
      });
      if (resized == inputs.end()) continue;
      wanted.is_unsigned = true;
      demand_reason(tensor, "unsigned-behind-resize");
      decide("unsigned-behind-resize", maker, tensor, true,
             format("{} reads {}, which {} writes", flow_.name_of(maker), name_of(*resized),
                    flow_.name_of(flow_.maker(*resized))));
    }
  }

  // --- Decisions without an effect of their own ---

  void describe_layers() {
    for (const Index layer : placement_.layers) {
      const std::uint32_t bias_at = 2;
      if (const TensorId bias = flow_.input(layer, bias_at); bias != kNoTensor) {
        decide("float-bias", layer, bias, true,
               format("{} is the bias of {}", name_of(bias), flow_.name_of(layer)));
      }
      describe_end(layer);
      describe_output(layer);
    }
    for (Index node = 0; node < flow_.node_count(); ++node) {
      if (flow_.is_op(node, kControlFlow)) {
        decide("control-flow-in-float", node, kNoTensor, true,
               format("{} runs its body separately", flow_.name_of(node)));
      }
    }
  }

  // From the layer on, through everything that runs inside it.
  void describe_output(Index layer) {
    Index node = layer;
    for (int steps = 0; steps < kChainSteps; ++steps) {
      const TensorId made = flow_.output(node);
      if (made == kNoTensor || is_demanded(made)) return;
      Index next = kNoIndex;
      const auto readers = flow_.readers(made);
      for (const Reader& reader : readers) {
        if (reader.node <= node || fused_input(flow_, reader.node) != made) continue;
        // Of x and its gate, the product is the later one.
        next = next == kNoIndex ? reader.node : std::max(next, reader.node);
      }
      if (next == kNoIndex) {
        if (!follows("no-output-pair")) return;
        decide("no-output-pair", layer, made, true,
               flow_.link(made).is_output
                   ? format("{} is an output of the model", name_of(made))
                   : format("the readers of {} run in float", name_of(made)));
        return;
      }
      if (flow_.op(next) == "BatchNormalization") {
        decide("no-pair-inside-convolution", next, made, true,
               format("{} follows {}", flow_.name_of(next), flow_.name_of(layer)));
      } else if (flow_.op(next) == "Mul" && readers.size() > 1 && follows("pair-after-product")) {
        decide("pair-after-product", next, made, true,
               format("{} multiplies the output of {} by a function of it", flow_.name_of(next),
                      flow_.name_of(layer)));
      }
      node = next;
    }
  }

  void describe_end(Index layer) {
    const std::uint32_t place = flow_.constant(flow_.input(layer, 1)) != kNoIndex ? 0 : 1;
    const TensorId data = flow_.input(layer, place);
    if (flow_.maker(data) == kNoIndex && flow_.link(data).is_input) {
      decide("ends-in-float", layer, data, false,
             format("{} reads an input of the model", flow_.name_of(layer)));
    }
    const TensorId made = flow_.output(layer);
    if (made != kNoTensor && flow_.link(made).is_output) {
      decide("ends-in-float", layer, made, false,
             format("{} writes an output of the model", flow_.name_of(layer)));
    }
  }

  void describe_tensors() {
    for (const auto& [tensor, wanted] : demands_) {
      if (wanted.readers.size() > 1) {
        decide("one-pair-per-tensor", wanted.readers.front().node, tensor, true,
               format("{} quantized readers of {}", wanted.readers.size(), name_of(tensor)));
      }
      if (flow_.link(tensor).is_captured && !wanted.takes_name) {
        decide("control-flow-in-float", wanted.readers.front().node, tensor, true,
               format("{} is also read in a body", name_of(tensor)));
      }
      for (const Reader& reader : flow_.readers(tensor)) {
        if (flow_.is_op(reader.node, kNormalizations) && reader.input == 0) {
          decide("normalization-in-float", reader.node, tensor, true,
                 format("{} is a {}", flow_.name_of(reader.node), flow_.op(reader.node)));
        }
      }
      const Index maker = flow_.maker(tensor);
      if (!flow_.is_op(maker, averages(options_.target))) continue;
      const TensorId source = flow_.input(maker, 0);
      if (is_pooled_alone(maker) && !is_demanded(source)) {
        decide("average-pool-pair", maker, source, false,
               format("the readers of {} are quantized", flow_.name_of(maker)));
      }
    }
  }

  void finish() {
    std::vector<TensorId> order;
    for (const auto& [tensor, wanted] : demands_) order.push_back(tensor);
    // Inputs first; a node's outputs in their order.
    const auto key = [&](TensorId tensor) {
      const Index maker = flow_.maker(tensor);
      std::uint32_t place = 0;
      if (maker != kNoIndex) {
        const auto made = model_.outputs_of(model_.nodes[maker]);
        while (place < made.size() && made[place] != flow_.link(tensor).name) ++place;
      }
      return std::tuple(maker == kNoIndex ? 0 : std::uint64_t{maker} + 1, place, tensor);
    };
    std::ranges::sort(order, {}, key);
    std::map<TensorId, std::uint32_t> numbers;
    for (const TensorId tensor : order) {
      Demand& wanted = demands_.at(tensor);
      std::ranges::sort(wanted.readers, [](const Reader& a, const Reader& b) {
        return std::tuple(a.node, a.input) < std::tuple(b.node, b.input);
      });
      const auto place = static_cast<std::uint32_t>(placement_.tensors.size());
      placement_.tensors.push_back(
          {.name = flow_.link(tensor).name,
           .readers = std::move(wanted.readers),
           .scale_group = numbers.try_emplace(groups_.of(tensor), place).first->second,
           .is_unsigned = wanted.is_unsigned || follows("unsigned-throughout"),
           .is_from_zero = is_never_negative(flow_, tensor),
           .takes_name = wanted.takes_name,
           .rules = std::move(wanted.rules)});
    }
    std::map<const char*, std::size_t> places;
    for (const PlacementRule& rule : placement_rules()) places[rule.id.data()] = places.size();
    const auto rule_place = [&](const PlacementDecision& decision) {
      return std::pair(places.at(decision.rule.data()), decision.node);
    };
    std::ranges::stable_sort(placement_.decisions, {}, rule_place);
  }

  const Flow& flow_;
  const onnx::Model& model_;
  const PlacementOptions& options_;
  std::vector<bool> is_layer_, is_kept_;
  Partings partings_;
  std::map<TensorId, Demand> demands_;
  TensorGroups groups_;
  std::map<Index, std::size_t> weights_;  // Model::tensors -> place in the placement
  Placement placement_;
};

}  // namespace

Result<Placement> place(const onnx::Model& model, const onnx::Links& links,
                        const PlacementOptions& options) {
  PLANEX_TRY(check_format(options));
  const Flow flow(model, links);
  if (flow.has_pairs() && !options.ignores_pairs) {
    return fail(ErrorCode::kUnsupported, "the model already has QuantizeLinear or DequantizeLinear",
                "quantize the float model; planex advise judges the Q/DQ that a model has");
  }
  return Planner(flow, options).place();
}

}  // namespace planex::quantize
