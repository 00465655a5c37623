#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "onnx/small_floats.h"
#include "quantize/cast.h"
#include "quantize/cast_operators.h"

namespace planex::quantize {
namespace {

using base::format;
using onnx::DataType;
using onnx::Index;
using onnx::kNoIndex;

constexpr double kGreatestBfloat16 = 0x1.FEp127;
// A constant whose largest value loses more than this is no longer the same constant: 1e-5 loses
// 0.1 % as float16, 1e-6 1.3 %, 1e-8 all.
constexpr double kLostRatio = 0.01;

// What the decision needs to know about a constant.
struct Extent {
  double greatest = 0;          // |x|, of those that are finite
  std::optional<double> least;  // |x|, except 0
};

// Matches "a*b" against a name; every other character is literal.
bool fits(std::string_view pattern, std::string_view name) {
  const std::size_t first = pattern.find('*');
  if (first == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, first))) return false;
  name.remove_prefix(first);
  pattern.remove_prefix(first + 1);
  for (;;) {
    const std::size_t next = pattern.find('*');
    if (next == std::string_view::npos) return name.ends_with(pattern);
    const std::size_t found = name.find(pattern.substr(0, next));
    if (found == std::string_view::npos) return false;
    name.remove_prefix(found + next);
    pattern.remove_prefix(next + 1);
  }
}

class CastPlanner {
 public:
  CastPlanner(const onnx::Model& model, const onnx::Links& links, const onnx::Types& types,
              onnx::Values& values, const CastOptions& options)
      : model_(model),
        links_(links),
        types_(types),
        values_(values),
        options_(options),
        nodes_(model.graphs.front().nodes) {
    const bool is_half = options.type == DataType::kFloat16;
    limit_ =
        (is_half ? static_cast<double>(onnx::kGreatestHalf) : kGreatestBfloat16) * options.margin;
    plan_.is_small.assign(model.nodes.size(), false);
    for (const onnx::Graph& graph : model.graphs) {
      if (graph.kind == onnx::GraphKind::kSubgraph) holders_.insert(graph.node);
    }
  }

  Result<CastPlan> run() {
    PLANEX_TRY(check());
    PLANEX_TRY(check_io());
    PLANEX_TRY(find_asked());
    find_sizes();
    for (Index node = nodes_.first; node < nodes_.first + nodes_.count; ++node) {
      PLANEX_TRY(judge(node));
    }
    remove_islands();
    for (Index node = nodes_.first; node < nodes_.first + nodes_.count; ++node) {
      const auto found = kept_.find(node);
      if (found != kept_.end()) plan_.kept.push_back(std::move(found->second));
      if (plan_.is_small[node]) ++plan_.small_nodes;
    }
    return std::move(plan_);
  }

 private:
  Result<void> check() const {
    const bool is_known =
        options_.type == DataType::kFloat16 || options_.type == DataType::kBfloat16;
    if (!is_known) {
      return fail(
          ErrorCode::kUnsupported,
          format("models can be cast to FLOAT16 or BFLOAT16, not to {}", to_string(options_.type)));
    }
    const std::int64_t opset = model_.graphs.front().opset;
    if (opset >= opset_of_casts(options_.type)) return {};
    return fail(ErrorCode::kUnsupported,
                format("the model has opset {}, and {} needs {} or later", opset,
                       to_string(options_.type), opset_of_casts(options_.type)));
  }

  bool is_float(std::string_view tensor) const {
    return !tensor.empty() && types_.of(tensor) == DataType::kFloat;
  }

  void keep(Index node, std::string_view rule, std::string why) {
    plan_.is_small[node] = false;
    kept_.insert_or_assign(node, KeptNode{node, rule, std::move(why)});
  }

  // Checks that each named input and output exists.
  Result<void> check_io() const {
    std::vector<std::string_view> names;
    for (const onnx::Value& value : model_.values_of(model_.graphs.front())) {
      if (value.role != onnx::ValueRole::kInfo) names.push_back(value.name);
    }
    for (const std::string& name : options_.small_io) {
      if (std::ranges::find(names, name) != names.end()) continue;
      const auto nearest = base::nearest(name, names);
      return fail(ErrorCode::kBadInput,
                  format("the model has no input or output {}", base::quoted(name)),
                  nearest ? format("did you mean {}?", base::quoted(*nearest)) : std::string());
    }
    return {};
  }

  // Nodes that the user named.
  Result<void> find_asked() {
    PLANEX_TRY(find_named(options_.kept, asked_));
    PLANEX_TRY(find_named(options_.only, only_));
    for (const std::string& op_type : options_.kept_op_types) {
      for (Index i = 0; i < nodes_.count; ++i) {
        if (model_.nodes[nodes_.first + i].op_type == op_type) asked_.insert(nodes_.first + i);
      }
    }
    return {};
  }

  Result<void> find_named(const std::vector<std::string>& texts,
                          std::unordered_set<Index>& nodes) const {
    for (const std::string& text : texts) {
      bool is_found = false;
      Index number = kNoIndex;
      if (text.starts_with('#')) {
        const char* end = text.data() + text.size();
        const auto parsed = std::from_chars(text.data() + 1, end, number);
        if (parsed.ec != std::errc() || parsed.ptr != end) number = kNoIndex;
      }
      for (Index i = 0; i < nodes_.count; ++i) {
        const Index node = nodes_.first + i;
        const std::string_view name = model_.nodes[node].name;
        if (i != number && (name.empty() || !fits(text, name))) continue;
        nodes.insert(node);
        is_found = true;
      }
      if (!is_found) return not_there(text);
    }
    return {};
  }

  Failure not_there(std::string_view text) const {
    std::vector<std::string_view> names;
    for (const onnx::Node& node : model_.nodes_of(model_.graphs.front())) {
      if (!node.name.empty()) names.push_back(node.name);
    }
    const auto nearest = base::nearest(text, names);
    return fail(ErrorCode::kBadInput, format("the model has no node {}", base::quoted(text)),
                nearest ? format("did you mean {}?", base::quoted(*nearest))
                        : format("you can also name nodes by number, #0 to #{}", nodes_.count - 1));
  }

  // Tensors that are computed from shapes and constants alone: sizes, which are whole numbers, and
  // scales of a Resize.
  void find_sizes() {
    for (Index i = 0; i < nodes_.count; ++i) {
      const onnx::Node& node = model_.nodes[nodes_.first + i];
      if (!node.domain.empty()) continue;
      bool is_size = node.op_type == "Shape" || node.op_type == "Size";
      if (!is_size) {
        bool has_size = false, has_other = false;
        for (const std::string_view input : model_.inputs_of(node)) {
          if (input.empty()) continue;
          if (sizes_.contains(input)) {
            has_size = true;
          } else {
            has_other |= links_.constant(input) == kNoIndex;
          }
        }
        is_size = has_size && !has_other;
      }
      if (!is_size) continue;
      for (const std::string_view output : model_.outputs_of(node)) sizes_.insert(output);
    }
  }

  bool works_on_floats(const onnx::Node& node) const {
    const auto is_one = [&](std::string_view name) { return is_float(name); };
    return std::ranges::any_of(model_.inputs_of(node), is_one) ||
           std::ranges::any_of(model_.outputs_of(node), is_one);
  }

  Result<void> judge(Index index) {
    const onnx::Node& node = model_.nodes[index];
    const bool is_constant = node.domain.empty() && node.op_type == "Constant";
    if (is_constant || takes_any_type(node) || !works_on_floats(node)) return {};
    plan_.is_small[index] = true;
    if (asked_.contains(index)) {
      keep(index, "asked", "you named it to stay in float");
    } else if (!options_.casts_rest && !only_.contains(index)) {
      keep(index, "not-asked", "you named other nodes to cast");
    } else if (holders_.contains(index)) {
      keep(index, "subgraph", format("{} has subgraphs, which stay in float", node.op_type));
    } else if (!has_small_form(node, options_.type, model_.graphs.front().opset)) {
      keep(index, "no-small-form",
           format("{} does not support {} at opset {}", node.op_type, to_string(options_.type),
                  model_.graphs.front().opset));
    } else if (makes_sizes(node)) {
      keep(index, "sizes", "it computes sizes from shapes");
    } else {
      return judge_values(index);
    }
    return {};
  }

  bool makes_sizes(const onnx::Node& node) const {
    const auto outputs = model_.outputs_of(node);
    return !outputs.empty() && sizes_.contains(outputs.front());
  }

  Result<void> judge_values(Index index) {
    const onnx::Node& node = model_.nodes[index];
    const auto inputs = model_.inputs_of(node);
    const bool has_scales = node.op_type == "QuantizeLinear" || node.op_type == "DequantizeLinear";
    for (std::uint32_t place = 0; place < inputs.size(); ++place) {
      if (!is_float(inputs[place]) || stays_float(node, place)) continue;
      const Index tensor = links_.constant(inputs[place]);
      if (tensor == kNoIndex) {
        if (exceeds(index, inputs[place])) return {};
        continue;
      }
      PLANEX_ASSIGN(const Extent extent, extent_of(tensor));
      if (extent.greatest > limit_) {
        keep(index, "weight-range",
             format("its constant {} contains {:.4g}; the limit is {:.4g}",
                    base::quoted(inputs[place]), extent.greatest, limit_));
        return {};
      }
      const double judged = has_scales ? extent.least.value_or(0) : extent.greatest;
      if (lost(judged) > kLostRatio) {
        keep(index, "weight-precision",
             format("its constant {} contains {:.4g}, which {} rounds to {:.4g}",
                    base::quoted(inputs[place]), judged, to_string(options_.type), held(judged)));
        return {};
      }
    }
    for (const std::string_view output : model_.outputs_of(node)) {
      if (is_float(output) && exceeds(index, output)) return {};
    }
    return {};
  }

  // Whether the measured values of a tensor keep the node in float.
  bool exceeds(Index index, std::string_view tensor) {
    const auto found = options_.ranges.find(tensor);
    if (found == options_.ranges.end()) return false;
    if (lost(found->second) > kLostRatio && found->second <= limit_) {
      keep(index, "value-precision",
           format("tensor {} reaches {:.4g}, which {} rounds to {:.4g}", base::quoted(tensor),
                  found->second, to_string(options_.type), held(found->second)));
      return true;
    }
    if (found->second <= limit_) return false;
    keep(index, "value-range",
         format("tensor {} reaches {:.4g}; the limit is {:.4g}", base::quoted(tensor),
                found->second, limit_));
    return true;
  }

  double held(double value) const {
    const auto single = static_cast<float>(value);
    return static_cast<double>(options_.type == DataType::kFloat16
                                   ? onnx::from_half(onnx::to_half(single))
                                   : onnx::from_bfloat16(onnx::to_bfloat16(single)));
  }
  // Share of a value that is lost.
  double lost(double value) const {
    return value == 0 ? 0 : std::fabs(held(value) - value) / value;
  }

  Result<Extent> extent_of(Index tensor) {
    const auto found = extents_.find(tensor);
    if (found != extents_.end()) return found->second;
    PLANEX_ASSIGN(const std::vector<float> elements, values_.floats(model_.tensors[tensor]));
    Extent extent;
    for (const float element : elements) {
      if (!std::isfinite(element) || element == 0) continue;
      const double size = std::fabs(static_cast<double>(element));
      extent.greatest = std::max(extent.greatest, size);
      extent.least = std::min(extent.least.value_or(size), size);
    }
    extents_.emplace(tensor, extent);
    return extent;
  }

  // A light node between nodes that stay in float would only add a Cast on each side.
  void remove_islands() {
    constexpr int kRounds = 4;
    for (int round = 0; round < kRounds; ++round) {
      bool has_changed = false;
      for (Index i = 0; i < nodes_.count; ++i) {
        const Index node = nodes_.first + i;
        if (!plan_.is_small[node] || is_heavy(model_.nodes[node]) || !is_island(node)) continue;
        keep(node, "island", "all nodes around it stay in float");
        has_changed = true;
      }
      if (!has_changed) return;
    }
  }

  bool is_island(Index index) const {
    const onnx::Node& node = model_.nodes[index];
    bool has_any = false;
    for (const std::string_view input : model_.inputs_of(node)) {
      if (!is_float(input) || links_.constant(input) != kNoIndex) continue;
      const onnx::Link* link = links_.find(input);
      if (link == nullptr) continue;
      const bool is_small_there =
          link->node == kNoIndex ? !options_.keeps_type_of(link->name) : plan_.is_small[link->node];
      if (is_small_there) return false;
      has_any = true;
    }
    for (const std::string_view output : model_.outputs_of(node)) {
      const onnx::Link* link = is_float(output) ? links_.find(output) : nullptr;
      if (link == nullptr) continue;
      if (link->is_output && !options_.keeps_type_of(link->name)) return false;
      for (const onnx::Reader& reader : link->readers) {
        if (plan_.is_small[reader.node] && !stays_float(model_.nodes[reader.node], reader.input)) {
          return false;
        }
      }
    }
    return has_any;
  }

  const onnx::Model& model_;
  const onnx::Links& links_;
  const onnx::Types& types_;
  onnx::Values& values_;
  const CastOptions& options_;
  onnx::Range nodes_;
  double limit_ = 0;
  std::unordered_set<Index> asked_, only_;
  std::unordered_set<std::string_view> sizes_;
  std::unordered_set<Index> holders_;  // nodes that contain subgraphs
  std::unordered_map<Index, Extent> extents_;
  std::unordered_map<Index, KeptNode> kept_;
  CastPlan plan_;
};

}  // namespace

std::int64_t opset_of_casts(DataType type) { return type == DataType::kBfloat16 ? 22 : 10; }

Result<CastPlan> plan_casts(const onnx::Model& model, const onnx::Links& links,
                            const onnx::Types& types, onnx::Values& values,
                            const CastOptions& options) {
  return CastPlanner(model, links, types, values, options).run();
}

}  // namespace planex::quantize
