#include "analyze/work/bodies.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyze/work/remark.h"
#include "base/checked.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using base::CheckedInt;
using model::DType;
using model::PlanModel;

using Count = std::optional<std::int64_t>;

// What is known about one branch, or about a loop's body.
struct Branch {
  Count flops = 0, macs = 0;
};

struct Body {
  Count weight_bytes = 0;
  std::map<std::string_view, Branch> branches;  // by the subgraph's path
  DType precision = DType::kNull;
};

Count plus(const Count& sum, const Count& value) {
  return sum && value ? (CheckedInt(*sum) + *value).value() : std::nullopt;
}

// Operations by the node that contains them, at any depth: subgraphs are named like the node, or
// "name (attribute) | node (Type) | ...".
class Insides {
 public:
  explicit Insides(const PlanModel& model) {
    const model::OperationsTable& operations = model.operations;
    std::unordered_map<std::string_view, std::vector<std::string_view>> nodes_of;  // by path
    for (std::size_t row = 0; row < operations.row_count(); ++row) {
      if (operations.subgraph.is_null(row)) continue;
      const std::string_view path = model.text(operations.subgraph[row]);
      const auto [found, is_new] = nodes_of.try_emplace(path);
      if (is_new) found->second = nodes_in(path);
      for (const std::string_view node : found->second) rows_of_[node].push_back(row);
    }
  }

  // Ascending.
  std::span<const std::size_t> of(std::string_view node) const {
    const auto found = rows_of_.find(node);
    if (found == rows_of_.end()) return {};
    return found->second;
  }

 private:
  static std::vector<std::string_view> nodes_in(std::string_view path) {
    constexpr std::string_view kSeparator = " | ";
    std::vector<std::string_view> nodes = {path};
    for (std::size_t at = path.find(kSeparator); at != path.npos;) {
      const std::size_t begin = at + kSeparator.size();
      at = path.find(kSeparator, begin);
      const std::string_view part = path.substr(begin, at == path.npos ? at : at - begin);
      const std::size_t type = part.rfind(" (");
      if (type != part.npos) nodes.push_back(part.substr(0, type));
    }
    std::ranges::sort(nodes);
    const auto repeated = std::ranges::unique(nodes);
    nodes.erase(repeated.begin(), repeated.end());
    return nodes;
  }

  std::unordered_map<std::string_view, std::vector<std::size_t>> rows_of_;
};

// The type of the first input that contains numbers. Ports are in the order of their operations.
DType input_type(const PlanModel& model, std::size_t operation) {
  const model::OperationPortsTable& ports = model.operation_ports;
  const auto ids = ports.operation_id.values();
  const auto port = static_cast<std::size_t>(
      std::ranges::lower_bound(ids, model::OperationId(operation)) - ids.begin());
  for (std::size_t row = port;
       row < ports.row_count() && ports.operation_id[row].index() == operation; ++row) {
    const DType type = ports.dtype[row];
    if (ports.direction[row] != model::Direction::kInput) continue;
    if (model::is_float(type) || model::is_quantized(type)) return type;
  }
  return DType::kNull;
}

// Operations by their outputs: a layer refers to one by its name or, in OpenVINO, by its output.
std::unordered_map<std::string_view, std::string_view> operations_by_output(
    const PlanModel& model) {
  std::unordered_map<std::string_view, std::string_view> names;
  const model::OperationPortsTable& ports = model.operation_ports;
  for (std::size_t row = 0; row < ports.row_count(); ++row) {
    if (ports.direction[row] != model::Direction::kOutput || ports.tensor.is_null(row)) continue;
    names.try_emplace(model.text(ports.tensor[row]),
                      model.text(model.operations.name[ports.operation_id[row].index()]));
  }
  return names;
}

// Nothing where the model contains no operations in it.
std::optional<Body> body_of(const PlanModel& model, const Insides& insides, std::string_view node) {
  const model::OperationsTable& operations = model.operations;
  Body body;
  std::int64_t max_macs = -1;
  for (const std::size_t row : insides.of(node)) {
    const std::string_view path = model.text(operations.subgraph[row]);
    body.weight_bytes = plus(body.weight_bytes, operations.weight_bytes.get(row));
    Branch& branch = body.branches[path];
    branch.flops = plus(branch.flops, operations.flops.get(row));
    if (const Count macs = operations.macs.get(row)) branch.macs = plus(branch.macs, macs);
    const std::int64_t macs = operations.macs.get(row).value_or(0);
    const DType type = input_type(model, row);
    if (type != DType::kNull && macs > max_macs) {
      body.precision = type;
      max_macs = macs;
    }
  }
  return body.branches.empty() ? std::nullopt : std::optional(std::move(body));
}

}  // namespace

bool is_body(const PlanModel& model, std::size_t layer) {
  constexpr std::array<std::string_view, 4> kBodies = {"if", "loop", "scan", "tensoriterator"};
  if (model.layers.role[layer] != model::Role::kWork) return false;
  const std::string type = base::lower(model.text(model.layers.raw_type[layer]));
  return std::ranges::find(kBodies, type) != kBodies.end();
}

void complete_bodies(PlanModel& model) {
  model::LayersTable& layers = model.layers;
  std::size_t hidden = 0, example = 0;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    if (is_body(model, row)) rows.push_back(row);
  }
  if (rows.empty()) return;
  const Insides insides(model);
  const auto by_output = operations_by_output(model);
  for (const std::size_t row : rows) {
    const model::RowRange sources = model.sources_of(model::LayerId(row));
    std::optional<Body> body = body_of(model, insides, model.text(layers.name[row]));
    for (std::size_t source = sources.first; source < sources.end() && !body; ++source) {
      const std::string_view name = model.text(model.sources.op_name[source]);
      body = body_of(model, insides, name);
      const auto written = by_output.find(name);
      if (!body && written != by_output.end()) body = body_of(model, insides, written->second);
    }
    if (!model.is_uncompiled()) {
      layers.precision.set(row, body ? body->precision : DType::kNull);
    }
    layers.compute_precision.set(row, DType::kNull);
    layers.weight_bytes.set(row, body ? body->weight_bytes : std::nullopt);
    const Count weights = layers.weight_bytes.get(row), traffic = layers.io_bytes.get(row);
    layers.footprint_bytes.set(row, plus(weights, traffic));
    layers.macs.set(row, std::nullopt);
    layers.flops.set(row, std::nullopt);
    layers.work_evidence.set(row, base::StringId());
    const bool is_conditional = base::lower(model.text(layers.raw_type[row])) == "if";
    if (body && is_conditional) {
      const Branch& first = body->branches.begin()->second;
      const bool are_equal = std::ranges::all_of(body->branches, [&](const auto& entry) {
        return entry.second.flops == first.flops && entry.second.macs == first.macs;
      });
      if (are_equal && first.flops && body->branches.size() > 1) {
        layers.flops.set(row, first.flops);
        layers.macs.set(row, first.macs);
        layers.work_evidence.set(row, model.strings.intern("operations"));
      }
    }
    if (!body && hidden++ == 0) example = row;
  }
  if (hidden == 0) return;
  remark_once(
      model, "opaque-bodies",
      base::format(
          "{}, for instance {}, {} whole subgraphs of the model: the types, weights and work "
          "inside are not in the engine's files; pass the model with --model to see more",
          base::counted(hidden, "layer"), base::quoted(model.text(layers.name[example])),
          hidden == 1 ? "holds" : "hold"));
}

}  // namespace planex::analyze
