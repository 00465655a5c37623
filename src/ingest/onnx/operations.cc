#include "ingest/onnx/operations.h"

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/checked.h"
#include "base/utf8.h"
#include "ingest/onnx/parameters.h"

namespace planex::ingest::onnx {
namespace {

using base::Lifetime;
using base::StringId;
using model::Direction;
using model::OperationId;
using planex::onnx::Index;
using planex::onnx::kNoIndex;
using planex::onnx::Node;

class Operations {
 public:
  Operations(const planex::onnx::Model& source, const KnownTensors& tensors,
             const planex::onnx::NodeNames& names, model::ModelBuilder& builder)
      : source_(source),
        tensors_(tensors),
        names_(names),
        builder_(builder),
        operations_(builder.model().operations),
        ports_(builder.model().operation_ports) {}

  OperationCounts run() {
    const std::size_t known_count = operations_.row_count();
    index_known();
    for (Index index = 0; index < source_.nodes.size(); ++index) {
      const Node& node = source_.nodes[index];
      const OperationId known = find_known(node);
      if (known.is_null()) {
        add(index);
        ++counts_.added;
      } else {
        fill(known, node);
        ++counts_.merged;
      }
    }
    counts_.unmatched = known_count - counts_.merged;
    return counts_;
  }

 private:
  // Text in a file may be invalid UTF-8; then this is a repaired copy.
  StringId intern(std::string_view text) {
    return base::is_valid_utf8(text) ? builder_.strings().intern(text, Lifetime::kBorrow)
                                     : builder_.strings().intern(base::valid_utf8(text));
  }

  static void set_if_null(model::Text& column, std::size_t row, StringId value) {
    if (column.is_null(row)) column.set(row, value);
  }

  void index_known() {
    const std::size_t count = operations_.row_count();
    if (count == 0) return;
    // Ports of an operation need not be adjacent if several files described it.
    ports_of_.resize(count);
    for (std::size_t row = 0; row < ports_.row_count(); ++row) {
      ports_of_[ports_.operation_id[row].index()].push_back(row);
    }
    for (std::size_t row = count; row-- > 0;) {
      const std::string_view name = builder_.model().text(operations_.name[row]);
      if (!name.empty()) known_[name].push_back(OperationId(row));
    }
  }

  // Of several operations with one name, the one that writes the same tensor, otherwise the next.
  OperationId find_known(const Node& node) {
    if (known_.empty()) return {};
    const auto outputs = source_.outputs_of(node);
    const std::string_view output = outputs.empty() ? std::string_view{} : outputs.front();
    auto found = known_.find(node.name);
    if (node.name.empty()) found = known_.find(std::string("node_of_").append(output));
    if (found == known_.end()) return {};
    std::vector<OperationId>& waiting = found->second;
    const auto fits = [&](OperationId id) {
      const auto type = builder_.model().text(operations_.type[id.index()]);
      return type.empty() || type == node.op_type;
    };
    // Names are rarely shared by more; a hostile file must not make this quadratic.
    constexpr std::size_t kMaxLookedAt = 16;
    std::optional<std::size_t> best;
    for (std::size_t back = 0; back < std::min(waiting.size(), kMaxLookedAt); ++back) {
      const std::size_t at = waiting.size() - 1 - back;
      if (!fits(waiting[at])) continue;
      if (!best) best = at;
      if (first_output(waiting[at]) == output) {
        best = at;
        break;
      }
    }
    if (!best) return {};
    const OperationId id = waiting[*best];
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(*best));
    return id;
  }

  std::string_view first_output(OperationId id) const {
    for (const std::size_t row : ports_of_[id.index()]) {
      if (ports_.direction[row] == Direction::kOutput) {
        return builder_.model().text(ports_.tensor[row]);
      }
    }
    return {};
  }

  void add(Index index) {
    const Node& node = source_.nodes[index];
    const OperationId id = builder_.add_operation({});
    const std::string_view name = names_.name_of(index);
    operations_.name.set(id.index(), name.empty() ? StringId() : intern(name));
    operations_.type.set(id.index(), intern(node.op_type));
    fill_columns(id, node);
    for (const Direction direction : {Direction::kInput, Direction::kOutput}) {
      const auto names =
          direction == Direction::kInput ? source_.inputs_of(node) : source_.outputs_of(node);
      for (std::size_t i = 0; i < names.size(); ++i) {
        fill_port(ports_.row_count(), id, direction, i, node, names[i]);
      }
    }
  }

  void fill(OperationId id, const Node& node) {
    fill_columns(id, node);
    set_if_null(operations_.type, id.index(), intern(node.op_type));
    for (const Direction direction : {Direction::kInput, Direction::kOutput}) {
      const auto names =
          direction == Direction::kInput ? source_.inputs_of(node) : source_.outputs_of(node);
      std::vector<std::optional<std::size_t>> rows(names.size());
      for (const std::size_t row : ports_of_[id.index()]) {
        const auto at = static_cast<std::size_t>(ports_.index.get(row).value_or(-1));
        if (ports_.direction[row] == direction && at < rows.size()) rows[at] = row;
      }
      for (std::size_t i = 0; i < names.size(); ++i) {
        fill_port(rows[i].value_or(ports_.row_count()), id, direction, i, node, names[i]);
      }
    }
  }

  void fill_columns(OperationId id, const Node& node) {
    const std::size_t row = id.index();
    if (!node.domain.empty()) set_if_null(operations_.domain, row, intern(node.domain));
    if (const std::string_view path = names_.path_of(node.graph); !path.empty()) {
      // The paths are not stored in the file.
      set_if_null(operations_.subgraph, row, builder_.strings().intern(base::valid_utf8(path)));
    }
    if (operations_.parameters.is_null(row)) {
      const std::string json = parameters_json(source_, node);
      if (!json.empty()) operations_.parameters.set(row, builder_.strings().add(json));
    }
    if (operations_.weight_bytes.is_null(row)) {
      operations_.weight_bytes.set(row, weight_bytes(node));
    }
  }

  // Null if the size of one of them is unknown.
  std::optional<std::int64_t> weight_bytes(const Node& node) const {
    base::CheckedInt sum = 0;
    for (const std::string_view name : source_.inputs_of(node)) {
      const TensorFacts* facts = name.empty() ? nullptr : tensors_.find(node.graph, name);
      if (facts == nullptr || !facts->is_weight) continue;
      if (!facts->stored_bytes) return std::nullopt;
      sum += *facts->stored_bytes;
    }
    return sum.value();
  }

  // A row beyond the end is a new row.
  void fill_port(std::size_t row, OperationId id, Direction direction, std::size_t index,
                 const Node& node, std::string_view name) {
    if (row == ports_.row_count()) {
      ports_.add_row();
      ports_.operation_id.set(row, id);
      ports_.direction.set(row, direction);
      ports_.index.set(row, static_cast<std::int64_t>(index));
    }
    if (name.empty()) return;  // omitted optional input or output
    set_if_null(ports_.tensor, row, intern(name));
    const TensorFacts* facts = tensors_.find(node.graph, name);
    if (facts == nullptr) return;
    if (facts->dims_known && ports_.dims.is_null(row)) {
      ports_.dims.set(row, tensors_.dims_of(*facts));
    }
    if (ports_.dtype.is_null(row)) ports_.dtype.set(row, facts->dtype);
    if (facts->is_weight && ports_.stored_bytes.is_null(row)) {
      ports_.stored_bytes.set(row, facts->stored_bytes);
    }
  }

  const planex::onnx::Model& source_;
  const KnownTensors& tensors_;
  const planex::onnx::NodeNames& names_;
  model::ModelBuilder& builder_;
  model::OperationsTable& operations_;
  model::OperationPortsTable& ports_;
  OperationCounts counts_;
  // Operations that existed before, by name, the first one last; and their ports.
  std::unordered_map<std::string_view, std::vector<OperationId>> known_;
  std::vector<std::vector<std::size_t>> ports_of_;
};

}  // namespace

OperationCounts add_operations(const planex::onnx::Model& source, const KnownTensors& tensors,
                               const planex::onnx::NodeNames& names, model::ModelBuilder& builder) {
  return Operations(source, tensors, names, builder).run();
}

}  // namespace planex::ingest::onnx
