#include "onnx/upgrade.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "onnx/attributes.h"
#include "onnx/ranks.h"
#include "onnx/small_floats.h"

namespace planex::onnx {
namespace {

using base::format;

constexpr std::int64_t kFirst = 10, kLast = 22;
constexpr std::string_view kWayOut =
    "convert it with onnx.version_converter.convert_version, or export it at a newer opset";

constexpr std::int64_t kMaxScaleBytes = 64 * 4;

class Upgrader {
 public:
  Upgrader(const Model& model, const Links& links, Values& values, std::int64_t to, Edit& edit)
      : model_(model),
        links_(links),
        values_(values),
        from_(model.graphs.front().opset),
        to_(to),
        edit_(edit),
        names_(model, edit),
        ranks_(model, links, values) {}

  Result<void> run();

 private:
  using Rule = Result<void> (Upgrader::*)(Index node);
  struct Row {
    std::string_view op_type;
    std::int64_t version = 0;  // that changed what the operator means
    Rule rule = nullptr;
  };
  // What changed between 10 and 22, in versions of the operators as onnx 1.23 lists them. All other
  // changes in that time added element types, attributes and inputs whose defaults keep the old
  // behavior, or clarified the wording.
  static const std::array<Row, 29> kRows;

  Failure refused(Index node, std::string_view why) const {
    const Node& refused_node = model_.nodes[node];
    const auto outputs = model_.outputs_of(refused_node);
    const std::string name =
        refused_node.name.empty()
            ? format("that makes {}",
                     base::quoted(outputs.empty() ? std::string_view{} : outputs.front()))
            : base::quoted(refused_node.name);
    return fail({.code = ErrorCode::kUnsupported,
                 .message = format("node {} ({}) can't be raised from opset {} to {}: {}", name,
                                   refused_node.op_type, from_, to_, why),
                 .byte_offset = refused_node.byte_offset,
                 .hint = std::string(kWayOut)});
  }

  const Attribute* attribute(Index node, std::string_view name) const {
    return find_attribute(model_, model_.nodes[node], name);
  }
  std::int64_t int_attribute(Index node, std::string_view name, std::int64_t fallback) const {
    const Attribute* found = attribute(node, name);
    return found == nullptr ? fallback : int_of(*found).value_or(fallback);
  }
  std::string_view text_attribute(Index node, std::string_view name,
                                  std::string_view fallback) const {
    const Attribute* found = attribute(node, name);
    return found == nullptr ? fallback : string_of(*found).value_or(fallback);
  }
  std::string_view input(Index node, std::size_t place) const {
    const auto inputs = model_.inputs_of(model_.nodes[node]);
    return place < inputs.size() ? inputs[place] : std::string_view{};
  }
  std::string_view output(Index node, std::size_t place) const {
    const auto outputs = model_.outputs_of(model_.nodes[node]);
    return place < outputs.size() ? outputs[place] : std::string_view{};
  }

  // The declared type of a tensor, wherever it is declared.
  const Value* value_of(std::string_view name) const {
    const auto found = types_.find(name);
    return found == types_.end() ? nullptr : &model_.values[found->second];
  }
  DataType float_type_of(Index node) const {
    for (const std::string_view name : {input(node, 0), output(node, 0)}) {
      const Value* value = value_of(name);
      if (value != nullptr && value->type != DataType::kUndefined) return value->type;
    }
    return usual_type_;
  }

  std::string constant(Index node, std::string_view what, std::vector<std::int64_t> values,
                       bool is_scalar = false) {
    std::string name = names_.take(format("{}_{}", output(node, 0), what));
    const auto count = static_cast<std::int64_t>(values.size());
    edit_.add_initializer({.name = name,
                           .type = DataType::kInt64,
                           .dims = is_scalar ? std::vector<std::int64_t>{} : std::vector{count},
                           .raw = raw_of(values)});
    return name;
  }
  Result<std::string> scalar(Index node, std::string_view what, float value) {
    std::string name = names_.take(format("{}_{}", output(node, 0), what));
    const DataType type = float_type_of(node);
    std::string raw;
    if (type == DataType::kFloat) {
      raw = raw_of(std::vector{value});
    } else if (type == DataType::kDouble) {
      raw = raw_of(std::vector{static_cast<double>(value)});
    } else if (type == DataType::kFloat16) {
      raw = raw_of(std::vector{to_half(value)});
    } else {
      return refused(node, format("it works on {}", to_string(type)));
    }
    edit_.add_initializer({.name = name, .type = type, .dims = {}, .raw = std::move(raw)});
    return name;
  }

  // An attribute of integers becomes an input.
  Result<void> move_ints(Index node, std::string_view name, std::uint32_t place) {
    const Attribute* found = attribute(node, name);
    if (found == nullptr) return {};
    std::vector<std::int64_t> values = ints_of(*found, count_of(*found));
    edit_.remove_attribute(node, std::string(name));
    edit_.set_input(node, place, constant(node, name, std::move(values)));
    return {};
  }

  Result<void> axes_to_input(Index node) { return move_ints(node, "axes", 1); }
  Result<void> split_to_input(Index node) { return move_ints(node, "split", 1); }

  // Version 18 needs the sizes or the number of parts.
  Result<void> split_by_number(Index node) {
    if (attribute(node, "split") != nullptr || !input(node, 1).empty()) return {};
    edit_.set_attribute(
        node, {"num_outputs", static_cast<std::int64_t>(model_.nodes[node].outputs.count)});
    return {};
  }

  Result<void> clip(Index node) {
    std::uint32_t place = 1;
    for (const std::string_view name : {"min", "max"}) {
      if (const Attribute* found = attribute(node, name)) {
        PLANEX_ASSIGN(std::string constant, scalar(node, name, float_of(*found).value_or(0)));
        edit_.remove_attribute(node, std::string(name));
        edit_.set_input(node, place, std::move(constant));
      }
      ++place;
    }
    return {};
  }

  Result<void> pad(Index node) {
    PLANEX_TRY(move_ints(node, "pads", 1));
    const Attribute* value = attribute(node, "value");
    if (value == nullptr) return {};
    edit_.remove_attribute(node, "value");
    const float number = float_of(*value).value_or(0);
    if (number == 0) return {};
    PLANEX_ASSIGN(std::string constant, scalar(node, "value", number));
    edit_.set_input(node, 2, std::move(constant));
    return {};
  }

  // Before version 11 there was only one way to map positions.
  Result<void> resize_11(Index node) {
    const Link* scales = links_.find(input(node, 1));
    const Index tensor = scales == nullptr                 ? kNoIndex
                         : scales->initializer != kNoIndex ? scales->initializer
                                                           : links_.constant(scales->name);
    if (text_attribute(node, "mode", "nearest") == "nearest") {
      if (tensor == kNoIndex) return refused(node, "its scales are not constant");
      if (bytes_of(model_, model_.tensors[tensor]).value_or(0) > kMaxScaleBytes) {
        return refused(node, "it has more scales than a tensor has dimensions");
      }
      PLANEX_ASSIGN(const std::vector<float> factors, values_.floats(model_.tensors[tensor]));
      for (const float factor : factors) {
        if (factor < 1) return refused(node, "it shrinks its input by nearest neighbor");
      }
      edit_.set_attribute(node, {"nearest_mode", std::string("floor")});
    }
    edit_.set_attribute(node, {"coordinate_transformation_mode", std::string("asymmetric")});
    edit_.set_input(node, 1, "");
    edit_.set_input(node, 2, std::string(input(node, 1)));
    return {};
  }

  Result<void> resize_13(Index node) {
    if (text_attribute(node, "coordinate_transformation_mode", "half_pixel") ==
        "tf_half_pixel_for_nn") {
      return refused(node, "coordinate_transformation_mode is \"tf_half_pixel_for_nn\"");
    }
    // An empty tensor meant that sizes count; now only one of the two may exist.
    if (input(node, 3).empty() || input(node, 2).empty()) return {};
    const Index tensor = links_.constant(input(node, 2));
    const bool is_empty =
        tensor != kNoIndex && std::ranges::find(model_.dims_of(model_.tensors[tensor]), 0) !=
                                  model_.dims_of(model_.tensors[tensor]).end();
    if (is_empty) edit_.set_input(node, 2, "");
    return {};
  }

  // Whether all dimensions after the axis have one element.
  bool is_last(Index node, std::int64_t axis, std::int64_t rank) const {
    const std::int64_t first = axis < 0 ? axis + rank : axis;
    if (first < 0 || first >= rank) return false;
    if (first == rank - 1) return true;
    const Value* value = value_of(input(node, 0));
    if (value == nullptr || !value->has_shape || std::cmp_not_equal(value->dims.count, rank)) {
      return false;
    }
    const auto behind = model_.dims_of(*value).subspan(static_cast<std::size_t>(first) + 1);
    return std::ranges::all_of(behind, [](const Dim& dim) { return dim.value == 1; });
  }

  // Before version 13 the dimensions from the axis on were treated as one.
  Result<void> softmax(Index node) {
    const std::int64_t axis = int_attribute(node, "axis", 1);
    const auto of_input = ranks_.of(input(node, 0));
    const auto rank = of_input ? of_input : ranks_.of(output(node, 0));
    if (axis == -1 || (rank && is_last(node, axis, *rank))) {
      if (attribute(node, "axis") == nullptr) edit_.set_attribute(node, {"axis", axis});
      return {};
    }
    const std::string made(output(node, 0)), taken(input(node, 0));
    const Node& old = model_.nodes[node];
    std::string shape = names_.take(made + "_shape"), flat = names_.take(made + "_flat"),
                done = names_.take(made + "_flat_result");
    edit_.insert_node(node, {.op_type = "Shape",
                             .name = names_.take(made + "_Shape"),
                             .inputs = {taken},
                             .outputs = {shape}});
    edit_.insert_node(node, {.op_type = "Flatten",
                             .name = names_.take(made + "_Flatten"),
                             .inputs = {taken},
                             .outputs = {flat},
                             .attributes = {{"axis", axis}}});
    edit_.insert_node(node, {.op_type = std::string(old.op_type),
                             .name = std::string(old.name),
                             .inputs = {std::move(flat)},
                             .outputs = {done},
                             .attributes = {{"axis", std::int64_t{-1}}}});
    edit_.insert_node(node, {.op_type = "Reshape",
                             .name = names_.take(made + "_Reshape"),
                             .inputs = {std::move(done), std::move(shape)},
                             .outputs = {made}});
    edit_.remove_node(node);
    return {};
  }

  // Outside training it passes its input on, whatever the ratio.
  Result<void> dropout(Index node) {
    if (!output(node, 1).empty()) return refused(node, "its mask is an output");
    edit_.remove_attribute(node, "ratio");
    return {};
  }

  Result<void> batch_normalization(Index node) {
    for (std::size_t i = 1; i < model_.nodes[node].outputs.count; ++i) {
      if (!output(node, i).empty() || i > 2) return refused(node, "it is in training mode");
    }
    return {};
  }

  Result<void> scatter(Index node) {
    const Node& old = model_.nodes[node];
    const auto inputs = model_.inputs_of(old), outputs = model_.outputs_of(old);
    edit_.insert_node(node, {.op_type = "ScatterElements",
                             .name = std::string(old.name),
                             .inputs = {inputs.begin(), inputs.end()},
                             .outputs = {outputs.begin(), outputs.end()},
                             .attributes = {{"axis", int_attribute(node, "axis", 0)}}});
    edit_.remove_node(node);
    return {};
  }

  Result<void> roi_align(Index node) {
    edit_.set_attribute(node, {"coordinate_transformation_mode", std::string("output_half_pixel")});
    return {};
  }

  Result<void> grid_sample(Index node) {
    const std::string_view mode = text_attribute(node, "mode", "bilinear");
    if (mode == "bilinear") edit_.set_attribute(node, {"mode", std::string("linear")});
    if (mode == "bicubic") edit_.set_attribute(node, {"mode", std::string("cubic")});
    return {};
  }

  Result<void> dft(Index node) {
    const std::int64_t axis = int_attribute(node, "axis", 1);
    edit_.remove_attribute(node, "axis");
    edit_.set_input(node, 2, constant(node, "axis", {axis}, true));
    return {};
  }

  Result<void> group_normalization(Index node) {
    return refused(node, "its scale and bias are per group, but became per channel");
  }
  Result<void> upsample(Index node) {
    return refused(node, "the operator was removed from ONNX at opset 10");
  }

  const Model& model_;
  const Links& links_;
  Values& values_;
  std::int64_t from_ = 0, to_ = 0;
  Edit& edit_;
  FreshNames names_;
  Ranks ranks_;
  std::unordered_map<std::string_view, Index> types_;  // Model::values
  DataType usual_type_ = DataType::kFloat;
};

const std::array<Upgrader::Row, 29> Upgrader::kRows = {{
    {"BatchNormalization", 14, &Upgrader::batch_normalization},
    {"Clip", 11, &Upgrader::clip},
    {"DFT", 20, &Upgrader::dft},
    {"Dropout", 12, &Upgrader::dropout},
    {"GridSample", 20, &Upgrader::grid_sample},
    {"GroupNormalization", 21, &Upgrader::group_normalization},
    {"Hardmax", 13, &Upgrader::softmax},
    {"LogSoftmax", 13, &Upgrader::softmax},
    {"Pad", 11, &Upgrader::pad},
    {"ReduceL1", 18, &Upgrader::axes_to_input},
    {"ReduceL2", 18, &Upgrader::axes_to_input},
    {"ReduceLogSum", 18, &Upgrader::axes_to_input},
    {"ReduceLogSumExp", 18, &Upgrader::axes_to_input},
    {"ReduceMax", 18, &Upgrader::axes_to_input},
    {"ReduceMean", 18, &Upgrader::axes_to_input},
    {"ReduceMin", 18, &Upgrader::axes_to_input},
    {"ReduceProd", 18, &Upgrader::axes_to_input},
    {"ReduceSum", 13, &Upgrader::axes_to_input},
    {"ReduceSumSquare", 18, &Upgrader::axes_to_input},
    {"Resize", 11, &Upgrader::resize_11},
    {"Resize", 13, &Upgrader::resize_13},
    {"RoiAlign", 16, &Upgrader::roi_align},
    {"Scatter", 11, &Upgrader::scatter},
    {"Softmax", 13, &Upgrader::softmax},
    {"Split", 13, &Upgrader::split_to_input},
    {"Split", 18, &Upgrader::split_by_number},
    {"Squeeze", 13, &Upgrader::axes_to_input},
    {"Unsqueeze", 13, &Upgrader::axes_to_input},
    {"Upsample", 10, &Upgrader::upsample},
}};

Result<void> Upgrader::run() {
  if (to_ <= from_) return {};
  if (from_ < kFirst || to_ > kLast) {
    return fail(ErrorCode::kUnsupported,
                format("the model has opset {}, but opset {} is needed; planex can raise opsets "
                       "from {} up to {}",
                       from_, to_, kFirst, kLast),
                std::string(kWayOut));
  }
  for (Index value = 0; value < model_.values.size(); ++value) {
    if (model_.values[value].kind == ValueKind::kTensor) {
      types_.try_emplace(model_.values[value].name, value);
    }
  }
  const auto has = [&](DataType type) {
    return std::ranges::find(model_.tensors, type, &Tensor::type) != model_.tensors.end();
  };
  if (has(DataType::kFloat16) && !has(DataType::kFloat)) usual_type_ = DataType::kFloat16;
  for (Index node = 0; node < model_.nodes.size(); ++node) {
    const Node& changed = model_.nodes[node];
    if (!changed.domain.empty() || changed.function != kNoIndex) continue;
    for (const Row& row : kRows) {
      if (row.op_type != changed.op_type || row.version > to_) continue;
      // No valid model of these opsets contains Upsample.
      if (row.version <= from_ && row.version > kFirst) continue;
      PLANEX_TRY((this->*row.rule)(node));
    }
  }
  for (const Function& function : model_.functions) {
    for (const Node& node : model_.nodes_of(model_.graphs[function.graph])) {
      if (!node.domain.empty()) continue;
      return fail(ErrorCode::kUnsupported,
                  format("the model has functions of its own ({}), whose opset planex does not "
                         "raise",
                         base::quoted(function.name)),
                  "inline them with onnx.inliner.inline_local_functions");
    }
  }
  edit_.set_opset(to_);
  return {};
}

}  // namespace

Result<void> upgrade(const Model& model, const Links& links, Values& values, std::int64_t to,
                     Edit& edit) {
  return Upgrader(model, links, values, to, edit).run();
}

}  // namespace planex::onnx
