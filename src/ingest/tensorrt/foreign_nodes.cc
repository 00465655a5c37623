#include "ingest/tensorrt/foreign_nodes.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/text.h"
#include "ingest/tensorrt/name_kinds.h"
#include "ingest/tensorrt/source_names.h"

namespace planex::ingest::tensorrt {
namespace {

using base::Lifetime;
using model::Direction;
using model::LayerId;

using Index = std::uint32_t;
constexpr Index kNone = static_cast<Index>(-1);

// The main graph of the source model: which operation reads what another one writes.
class OperationGraph {
 public:
  explicit OperationGraph(const model::PlanModel& model) : model_(model) {
    const std::size_t count = model.operations.row_count();
    const model::OperationPortsTable& ports = model.operation_ports;
    std::unordered_map<std::string_view, Index> writers;
    const auto is_outside = [&](std::size_t operation) {
      return operation >= count || !model.operations.subgraph.is_null(operation);
    };
    for (std::size_t row = 0; row < ports.row_count(); ++row) {
      const std::size_t operation = ports.operation_id[row].index();
      const std::string_view tensor = model.text(ports.tensor[row]);
      if (tensor.empty() || is_outside(operation)) continue;
      if (ports.direction[row] == Direction::kOutput) {
        writers.try_emplace(tensor, static_cast<Index>(operation));
      }
    }
    readers_.resize(count);
    writers_.resize(count);
    for (std::size_t row = 0; row < ports.row_count(); ++row) {
      const std::size_t operation = ports.operation_id[row].index();
      if (ports.direction[row] == Direction::kOutput || is_outside(operation)) continue;
      const auto writer = writers.find(model.text(ports.tensor[row]));
      if (writer == writers.end() || writer->second == operation) continue;
      readers_[writer->second].push_back(static_cast<Index>(operation));
      writers_[operation].push_back(writer->second);
    }
    for (std::size_t row = 0; row < count; ++row) {
      if (is_outside(row)) continue;
      const std::string_view name = model.text(model.operations.name[row]);
      if (name.empty()) continue;
      const auto [found, is_new] = by_name_.try_emplace(name, static_cast<Index>(row));
      if (!is_new) found->second = kNone;
    }
    set_places();
  }

  // Null if no operation has the name, or several do.
  std::optional<Index> find(std::string_view name) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end() || found->second == kNone) return std::nullopt;
    return found->second;
  }

  // The operations on the paths from one to the other, including both; nothing if no path leads
  // there. In the order of the table.
  std::vector<Index> between(Index first, Index last) {
    std::vector<Index> found;
    if (place_[first] == kNone || place_[last] == kNone || place_[first] > place_[last]) {
      return found;
    }
    ++round_;
    const std::vector<Index> behind =
        reach(first, readers_, behind_, [&](Index next) { return place_[next] <= place_[last]; });
    if (behind_[last] != round_) return found;
    found = reach(last, writers_, before_, [&](Index next) {
      return place_[next] >= place_[first] && behind_[next] == round_;
    });
    std::ranges::sort(found);
    return found;
  }

 private:
  using Lists = std::vector<std::vector<Index>>;

  // Positions in a topological order. Operations in a cycle have none.
  void set_places() {
    const std::size_t count = readers_.size();
    place_.assign(count, kNone);
    behind_.assign(count, 0);
    before_.assign(count, 0);
    std::vector<std::size_t> waiting_for(count);
    std::vector<Index> ready;
    for (std::size_t row = 0; row < count; ++row) {
      waiting_for[row] = writers_[row].size();
      if (waiting_for[row] == 0) ready.push_back(static_cast<Index>(row));
    }
    for (std::size_t place = 0; place < ready.size(); ++place) {
      const Index operation = ready[place];
      place_[operation] = static_cast<Index>(place);
      for (const Index reader : readers_[operation]) {
        if (--waiting_for[reader] == 0) ready.push_back(reader);
      }
    }
  }

  template <typename May>
  std::vector<Index> reach(Index from, const Lists& lists, std::vector<std::size_t>& marks,
                           May may) const {
    std::vector<Index> reached = {from};
    marks[from] = round_;
    for (std::size_t at = 0; at < reached.size(); ++at) {
      for (const Index next : lists[reached[at]]) {
        if (marks[next] == round_ || place_[next] == kNone || !may(next)) continue;
        marks[next] = round_;
        reached.push_back(next);
      }
    }
    return reached;
  }

  const model::PlanModel& model_;
  std::unordered_map<std::string_view, Index> by_name_;
  Lists readers_, writers_;
  std::vector<Index> place_;
  std::vector<std::size_t> behind_, before_;  // the round that last reached the operation
  std::size_t round_ = 0;
};

// The operation that one end of the name refers to; for a fused name, the first one in the model.
std::optional<Index> operation_of(const OperationGraph& graph, std::string_view end) {
  for (const std::string_view part : parts_of_name(end)) {
    if (const auto found = graph.find(part)) return found;
  }
  return std::nullopt;
}

// By layer. The ranges of PlanModel are not known until the builder has finished.
std::vector<bool> have_recorded_sources(const model::PlanModel& model) {
  std::vector<bool> recorded(model.layers.row_count());
  for (std::size_t row = 0; row < model.sources.row_count(); ++row) {
    const std::size_t layer = model.sources.layer_id[row].index();
    if (layer < recorded.size() && model.sources.evidence[row] != model::Evidence::kName) {
      recorded[layer] = true;
    }
  }
  return recorded;
}

// The rows of a layer are contiguous, so the table is rebuilt.
void add_sources_of(const std::vector<std::vector<Index>>& operations_of,
                    model::ModelBuilder& builder) {
  model::PlanModel& model = builder.model();
  const model::SourcesTable old = std::exchange(model.sources, {});
  std::size_t next = 0;
  for (std::size_t row = 0; row < operations_of.size(); ++row) {
    std::unordered_set<std::string_view> known;
    for (; next < old.row_count() && old.layer_id[next].index() == row; ++next) {
      const std::string_view name = model.text(old.op_name[next]);
      const std::string_view type = model.text(old.op_type[next]);
      if (!operations_of[row].empty()) known.insert(name);
      builder.add_source(LayerId(row), name, type, old.evidence[next], Lifetime::kBorrow);
    }
    for (const Index operation : operations_of[row]) {
      const std::string_view name = model.text(model.operations.name[operation]);
      if (name.empty() || known.contains(name)) continue;
      builder.add_source(LayerId(row), name, model.text(model.operations.type[operation]),
                         model::Evidence::kName, Lifetime::kBorrow);
    }
  }
}

}  // namespace

void add_operations_between(model::ModelBuilder& builder) {
  const model::PlanModel& model = builder.model();
  if (model.operations.row_count() == 0 || model.operation_ports.row_count() == 0) return;
  const std::vector<bool> recorded = have_recorded_sources(model);
  std::optional<OperationGraph> graph;
  std::vector<std::vector<Index>> operations_of(model.layers.row_count());
  // Layers whose ends are far apart may share what is between them: the search stops at this number
  // of operations over all layers.
  constexpr std::size_t kMaxOperations = 4'000'000;
  std::size_t layer_count = 0, operation_count = 0;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const auto ends = foreign_ends(model.text(model.layers.name[row]));
    if (!ends || recorded[row]) continue;
    if (!graph) graph.emplace(model);
    const auto first = operation_of(*graph, ends->first);
    const auto last = operation_of(*graph, ends->second);
    if (!first || !last || operation_count > kMaxOperations) continue;
    operations_of[row] = graph->between(*first, *last);
    if (operations_of[row].empty()) continue;
    ++layer_count;
    operation_count += operations_of[row].size();
  }
  if (layer_count == 0) return;
  add_sources_of(operations_of, builder);
  builder.add_diagnostic(
      {.code = "foreign-nodes-by-ends",
       .severity = model::Severity::kInfo,
       .message = base::format(
           "{} {} only the first and the last operation in the name; the {} on the paths between "
           "them in the model are assumed to be what {}",
           base::counted(layer_count, "ForeignNode"), layer_count == 1 ? "has" : "have",
           base::counted(operation_count, "operation"),
           layer_count == 1 ? "it computes" : "they compute")});
}

}  // namespace planex::ingest::tensorrt
