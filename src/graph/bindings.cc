#include "graph/bindings.h"

#include <string_view>
#include <unordered_map>

namespace planex::graph {
namespace {

using model::Direction;
using model::LayerId;
using model::PlanModel;
using model::Role;
using model::TensorId;
using model::TensorRole;

// OpenVINO's records of outputs are named "y/sink_port_0".
std::string_view record_name(std::string_view name) {
  return name.substr(0, name.find("/sink_port_"));
}

class Matching {
 public:
  explicit Matching(const PlanModel& model)
      : model_(model),
        tensors_(model.bindings.row_count()),
        is_taken_(model.tensors.row_count(), false) {}

  std::vector<TensorId> run() {
    by_name();
    by_record();
    by_order(Direction::kInput, TensorRole::kInput);
    by_order(Direction::kOutput, TensorRole::kOutput);
    return std::move(tensors_);
  }

 private:
  void take(std::size_t binding, TensorId tensor) {
    tensors_[binding] = tensor;
    is_taken_[tensor.index()] = true;
  }

  bool is_end(TensorId tensor) const {
    const TensorRole role = model_.tensors.role[tensor.index()];
    return role == TensorRole::kInput || role == TensorRole::kOutput;
  }

  void by_name() {
    std::unordered_map<std::string_view, TensorId> named;
    for (std::size_t tensor = 0; tensor < model_.tensors.row_count(); ++tensor) {
      if (!is_end(TensorId(tensor))) continue;
      named.emplace(model_.text(model_.tensors.name[tensor]), TensorId(tensor));
    }
    for (std::size_t row = 0; row < tensors_.size(); ++row) {
      const auto found = named.find(model_.text(model_.bindings.name[row]));
      if (found != named.end()) take(row, found->second);
    }
  }

  void by_record() {
    std::unordered_map<std::string_view, std::size_t> open;
    for (std::size_t row = tensors_.size(); row-- > 0;) {
      if (tensors_[row].is_null()) open[model_.text(model_.bindings.name[row])] = row;
    }
    if (open.empty()) return;
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      const Role role = model_.layers.role[row];
      if (role != Role::kInput && role != Role::kOutput) continue;
      const auto found = open.find(record_name(model_.text(model_.layers.name[row])));
      if (found == open.end() || !tensors_[found->second].is_null()) continue;
      const model::RowRange ports = model_.ports_of(LayerId(row));
      if (ports.count == 0) continue;
      const TensorId tensor = model_.ports.tensor_id[ports.first];
      if (!is_taken_[tensor.index()]) take(found->second, tensor);
    }
  }

  void by_order(Direction direction, TensorRole role) {
    std::vector<std::size_t> bindings;
    for (std::size_t row = 0; row < tensors_.size(); ++row) {
      if (tensors_[row].is_null() && model_.bindings.direction[row] == direction) {
        bindings.push_back(row);
      }
    }
    std::vector<TensorId> tensors;
    for (std::size_t tensor = 0; tensor < is_taken_.size(); ++tensor) {
      if (!is_taken_[tensor] && model_.tensors.role[tensor] == role) tensors.emplace_back(tensor);
    }
    if (bindings.size() != tensors.size()) return;
    for (std::size_t i = 0; i < bindings.size(); ++i) take(bindings[i], tensors[i]);
  }

  const PlanModel& model_;
  std::vector<TensorId> tensors_;
  std::vector<bool> is_taken_;
};

}  // namespace

std::vector<TensorId> tensors_of_bindings(const PlanModel& model) { return Matching(model).run(); }

}  // namespace planex::graph
