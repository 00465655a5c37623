#include "rtx/operation_graph.h"

#include <utility>

namespace planex::test {

using model::Direction;
using model::PlanModel;

OperationGraph::OperationGraph(const PlanModel& model) : after_(model.operations.row_count()) {
  const model::OperationPortsTable& ports = model.operation_ports;
  for (std::size_t port = 0; port < ports.row_count(); ++port) {
    const std::string_view tensor = model.text(ports.tensor[port]);
    const std::size_t operation = ports.operation_id[port].index();
    if (tensor.empty()) continue;
    if (ports.direction[port] == Direction::kOutput) {
      writers_.emplace(tensor, operation);
    } else {
      readers_[tensor].insert(operation);
    }
  }
  for (const auto& [tensor, readers] : readers_) {
    if (const std::size_t* writer = writer_of(tensor)) {
      after_[*writer].insert(readers.begin(), readers.end());
    }
  }
  add_subgraphs(model);
  find_twins(model);
}

std::set<std::size_t> OperationGraph::readers_of(std::string_view tensor) const {
  const auto found = readers_.find(tensor);
  return found == readers_.end() ? std::set<std::size_t>() : found->second;
}

const std::size_t* OperationGraph::writer_of(std::string_view tensor) const {
  const auto found = writers_.find(tensor);
  return found == writers_.end() ? nullptr : &found->second;
}

std::vector<bool> OperationGraph::reached_from(const std::set<std::size_t>& starts) const {
  std::vector<bool> reached(after_.size(), false);
  std::vector<std::size_t> open(starts.begin(), starts.end());
  for (const std::size_t operation : open) reached[operation] = true;
  while (!open.empty()) {
    const std::size_t operation = open.back();
    open.pop_back();
    for (const std::size_t next : after_[operation]) {
      if (reached[next]) continue;
      reached[next] = true;
      open.push_back(next);
    }
  }
  return reached;
}

void OperationGraph::add_subgraphs(const PlanModel& model) {
  std::map<std::string_view, std::size_t> by_name;
  for (std::size_t row = 0; row < after_.size(); ++row) {
    by_name.emplace(model.text(model.operations.name[row]), row);
  }
  const auto outputs_of = [&](std::size_t operation) {
    std::vector<std::string_view> tensors;
    for (const auto& [tensor, writer] : writers_) {
      if (writer == operation) tensors.push_back(tensor);
    }
    return tensors;
  };
  for (std::size_t row = 0; row < after_.size(); ++row) {
    const auto outer = by_name.find(model.text(model.operations.subgraph[row]));
    if (model.operations.subgraph.is_null(row) || outer == by_name.end()) continue;
    after_[outer->second].insert(row);
    for (const std::string_view tensor : outputs_of(row)) {
      if (!readers_of(tensor).empty()) continue;
      for (const std::string_view result : outputs_of(outer->second)) {
        after_[row].merge(readers_of(result));
      }
    }
  }
}

void OperationGraph::find_twins(const PlanModel& model) {
  const model::OperationPortsTable& ports = model.operation_ports;
  std::vector<std::string_view> first_input(after_.size());
  for (std::size_t port = 0; port < ports.row_count(); ++port) {
    if (ports.direction[port] != Direction::kInput || ports.index[port] != 0) continue;
    first_input[ports.operation_id[port].index()] = model.text(ports.tensor[port]);
  }
  // By type and what is read: a tensor, or the result of another's twin.
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> by_tensor;
  std::map<std::pair<std::string_view, std::size_t>, std::size_t> by_writer;
  for (std::size_t row = 0; row < after_.size(); ++row) {
    twin_.push_back(row);
    const std::string_view type = model.text(model.operations.type[row]);
    if (type != "QuantizeLinear" && type != "DequantizeLinear") continue;
    const std::size_t* writer = writer_of(first_input[row]);
    // Operations come after those whose results they read.
    twin_[row] = writer != nullptr && *writer < row
                     ? by_writer.emplace(std::pair(type, twin_[*writer]), row).first->second
                     : by_tensor.emplace(std::pair(type, first_input[row]), row).first->second;
  }
}

}  // namespace planex::test
