#include "quantize/cast.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/try.h"
#include "onnx/attributes.h"
#include "onnx/small_floats.h"
#include "quantize/cast_operators.h"

namespace planex::quantize {
namespace {

using onnx::DataType;
using onnx::Index;
using onnx::kNoIndex;

class CastWriter {
 public:
  CastWriter(const onnx::Model& model, const onnx::Links& links, const onnx::Types& types,
             onnx::Values& values, const CastPlan& plan, const CastOptions& options,
             onnx::Edit& edit)
      : model_(model),
        links_(links),
        types_(types),
        values_(values),
        plan_(plan),
        options_(options),
        edit_(edit),
        names_(model, edit),
        nodes_(model.graphs.front().nodes),
        suffix_(options.type == DataType::kFloat16 ? "_half" : "_bfloat16") {
    const onnx::Range range = model.graphs.front().values;
    for (Index value = range.first; value < range.first + range.count; ++value) {
      told_[model.values[value].name].push_back(value);
    }
  }

  Result<CastCounts> run() {
    for (const onnx::Link& link : links_.all()) {
      if (types_.of(link.name) != DataType::kFloat) continue;
      PLANEX_TRY(write(link));
    }
    return counts_;
  }

 private:
  // Which nodes read a tensor, by the type they need it in. Nodes that accept any type are in
  // neither.
  struct Readers {
    std::vector<onnx::Reader> small, wide;
  };

  Readers readers_of(const onnx::Link& link) const {
    Readers readers;
    for (const onnx::Reader& reader : link.readers) {
      const onnx::Node& node = model_.nodes[reader.node];
      if (takes_any_type(node)) continue;
      const bool is_small = plan_.is_small[reader.node] && !stays_float(node, reader.input);
      (is_small ? readers.small : readers.wide).push_back(reader);
    }
    return readers;
  }

  Result<void> write(const onnx::Link& link) {
    const Readers readers = readers_of(link);
    if (link.initializer != kNoIndex && !link.is_input) {
      return write_constant(link, readers, link.initializer);
    }
    if (link.node == kNoIndex) {
      if (link.is_input) write_input(link, readers);
      return {};
    }
    const onnx::Node& node = model_.nodes[link.node];
    if (node.domain.empty() && node.op_type == "Constant") {
      const onnx::Attribute* value = onnx::find_attribute(model_, node, "value");
      if (value != nullptr && value->tensor != kNoIndex) {
        return write_constant(link, readers, value->tensor);
      }
    }
    if (plan_.is_small[link.node]) {
      write_small(link, readers);
    } else {
      write_wide(link, readers);
    }
    return {};
  }

  Result<void> write_constant(const onnx::Link& link, const Readers& readers, Index index) {
    if (readers.small.empty()) return {};
    const onnx::Tensor& tensor = model_.tensors[index];
    PLANEX_ASSIGN(const std::vector<float> elements, values_.floats(tensor));
    const auto dims = model_.dims_of(tensor);
    const bool is_replaced = readers.wide.empty() && !link.is_output && !link.is_captured;
    std::string name(link.name);
    if (!is_replaced) name = names_.take(name + suffix_);
    onnx::NewTensor small{
        .name = name, .type = options_.type, .dims = {dims.begin(), dims.end()}, .raw = {}};
    small.raw.reserve(elements.size() * 2);
    for (const float element : elements) {
      const std::uint16_t bits =
          options_.type == DataType::kFloat16 ? onnx::to_half(element) : onnx::to_bfloat16(element);
      small.raw += static_cast<char>(bits & 0xFF);
      small.raw += static_cast<char>(bits >> 8);
    }
    ++counts_.converted_tensors;
    if (!is_replaced) {
      edit_.add_initializer(std::move(small));
      connect(readers.small, name);
      return {};
    }
    counts_.saved_bytes += small.raw.size();
    retype(link.name);
    if (link.initializer != kNoIndex) {
      edit_.remove_initializer(link.initializer);
      edit_.add_initializer(std::move(small));
    } else {
      edit_.set_attribute(link.node, {"value", std::move(small)});
    }
    return {};
  }

  void write_input(const onnx::Link& link, const Readers& readers) {
    // A default value, and what a subgraph reads, are in float.
    const bool stays =
        options_.keeps_type_of(link.name) || link.is_captured || link.initializer != kNoIndex;
    if (stays) {
      cast_down(link, readers.small);
    } else {
      retype(link.name);
      cast_up(link, readers.wide);
    }
  }

  // Whether anything but nodes of the main graph needs the tensor by its name, in float.
  bool is_needed_wide(const onnx::Link& link) const {
    return link.is_captured || (link.is_output && options_.keeps_type_of(link.name));
  }

  // Made by a node that computes in the small type.
  void write_small(const onnx::Link& link, const Readers& readers) {
    if (!is_needed_wide(link)) {
      retype(link.name);
      cast_up(link, readers.wide);
      return;
    }
    const std::string name(link.name);
    std::string small = names_.take(name + suffix_);
    rename(link, small);
    connect(readers.small, small);
    insert_cast(after(link.node), small, name, DataType::kFloat);
  }

  // Made by a node that computes in float.
  void write_wide(const onnx::Link& link, const Readers& readers) {
    const bool becomes_small =
        link.is_output && !options_.keeps_type_of(link.name) && !link.is_captured;
    if (!becomes_small) {
      cast_down(link, readers.small);
      return;
    }
    const std::string name(link.name);
    std::string wide = names_.take(name + "_float");
    rename(link, wide);
    retype(link.name);
    connect(readers.wide, wide);
    insert_cast(after(link.node), wide, name, options_.type);
  }

  void cast_down(const onnx::Link& link, const std::vector<onnx::Reader>& readers) {
    if (readers.empty()) return;
    if (const auto source = small_source(link)) {
      connect(readers, *source);
      if (readers.size() == link.readers.size() && !link.is_output && !link.is_captured) {
        edit_.remove_node(link.node);
        edit_.remove_value_info(link.name);
      }
      return;
    }
    std::string small = names_.take(std::string(link.name) + suffix_);
    connect(readers, small);
    insert_cast(first_of(readers), std::string(link.name), std::move(small), options_.type);
  }

  void cast_up(const onnx::Link& link, const std::vector<onnx::Reader>& readers) {
    if (readers.empty()) return;
    std::string wide = names_.take(std::string(link.name) + "_float");
    connect(readers, wide);
    insert_cast(first_of(readers), std::string(link.name), std::move(wide), DataType::kFloat);
  }

  // The tensor that a Cast of the model converted to float, if that tensor has the small type
  // already.
  std::optional<std::string> small_source(const onnx::Link& link) const {
    if (link.node == kNoIndex) return std::nullopt;
    const onnx::Node& node = model_.nodes[link.node];
    if (!node.domain.empty() || node.op_type != "Cast" || node.inputs.count != 1) {
      return std::nullopt;
    }
    const std::string_view source = model_.inputs_of(node).front();
    if (types_.of(source) != options_.type) return std::nullopt;
    return std::string(source);
  }

  static Index first_of(const std::vector<onnx::Reader>& readers) {
    return std::ranges::min(readers, {}, &onnx::Reader::node).node;
  }
  // Nodes are inserted in front of others.
  Index after(Index node) const {
    return node + 1 < nodes_.first + nodes_.count ? node + 1 : kNoIndex;
  }

  void connect(const std::vector<onnx::Reader>& readers, const std::string& name) {
    for (const onnx::Reader& reader : readers) edit_.set_input(reader.node, reader.input, name);
  }

  void rename(const onnx::Link& link, const std::string& name) {
    const auto outputs = model_.outputs_of(model_.nodes[link.node]);
    const auto place = std::ranges::find(outputs, link.name) - outputs.begin();
    edit_.set_output(link.node, static_cast<std::uint32_t>(place), name);
  }

  // The declared type in the model.
  void retype(std::string_view name) {
    const auto found = told_.find(name);
    if (found == told_.end()) return;
    for (const Index value : found->second) {
      if (model_.values[value].type == DataType::kFloat) {
        edit_.set_value_type(value, options_.type);
      }
    }
  }

  void insert_cast(Index before, std::string from, std::string to, DataType type) {
    ++counts_.added_casts;
    onnx::NewNode node{.op_type = "Cast",
                       .name = names_.take(to + "_Cast"),
                       .inputs = {std::move(from)},
                       .outputs = {std::move(to)}};
    node.attributes.push_back({"to", std::int64_t{static_cast<std::int32_t>(type)}});
    edit_.insert_node(before, std::move(node));
  }

  const onnx::Model& model_;
  const onnx::Links& links_;
  const onnx::Types& types_;
  onnx::Values& values_;
  const CastPlan& plan_;
  const CastOptions& options_;
  onnx::Edit& edit_;
  onnx::FreshNames names_;
  onnx::Range nodes_;
  std::string suffix_;
  std::unordered_map<std::string_view, std::vector<Index>> told_;  // Model::values
  CastCounts counts_;
};

}  // namespace

Result<CastCounts> write_casts(const onnx::Model& model, const onnx::Links& links,
                               const onnx::Types& types, onnx::Values& values, const CastPlan& plan,
                               const CastOptions& options, onnx::Edit& edit) {
  return CastWriter(model, links, types, values, plan, options, edit).run();
}

}  // namespace planex::quantize
