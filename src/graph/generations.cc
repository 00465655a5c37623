#include "graph/generations.h"

#include <algorithm>

namespace planex::graph {
namespace {

using model::Direction;
using model::LayerId;
using model::PlanModel;
using model::Role;
using model::TensorId;

// A no-op that joins at most this many tensors is folded for any readers; a larger one if it joins
// tensors that others wrote, for one reader.
constexpr std::size_t kMaxJoined = 32;

// Replacements for a tensor that no-ops write: the tensors that they pass on.
class NoOpFolding {
 public:
  NoOpFolding(const PlanModel& model, const GraphOptions& options)
      : model_(model), kept_(model.layers.row_count(), false) {
    folds_ = options.fold_no_ops;
    first_root_.assign(model.tensors.row_count(), 0);
    root_count_.assign(model.tensors.row_count(), 0);
    was_read_.assign(model.tensors.row_count(), false);
    count_ports();
  }

  bool is_no_op(LayerId layer) const { return model_.layers.role[layer.index()] == Role::kNoOp; }

  // The tensors whose writers provide the data for a reader of this one; itself where nothing was
  // folded.
  std::span<const TensorId> roots(const TensorId& tensor) const {
    const std::size_t count = root_count_[tensor.index()];
    if (count == 0) return {&tensor, 1};
    return std::span(roots_).subspan(first_root_[tensor.index()], count);
  }

  // Call for each read of a record that stays, and before its writes. A write after a read starts
  // another use of the memory.
  void read(TensorId tensor) { was_read_[tensor.index()] = true; }
  void start_writing(TensorId tensor) {
    if (was_read_[tensor.index()]) root_count_[tensor.index()] = 0;
    was_read_[tensor.index()] = false;
  }

  // Whether folded no-ops write it, or parts of it.
  bool is_folded(TensorId tensor) const { return root_count_[tensor.index()] != 0; }

  // Call in execution order. Returns whether the no-op is left out.
  bool fold(LayerId layer) {
    const model::RowRange ports = model_.ports_of(layer);
    std::vector<TensorId> joined;
    std::size_t input_count = 0, reader_count = 0, passed_on = 0;
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      const TensorId tensor = model_.ports.tensor_id[port];
      if (model_.ports.direction[port] == Direction::kInput) {
        ++input_count;
        const auto more = roots(tensor);
        read(tensor);
        joined.insert(joined.end(), more.begin(), more.end());
        if (joined.size() > kMaxJoined && joined.size() > input_count) break;
      } else if (model_.ports.direction[port] == Direction::kOutput) {
        reader_count = std::max<std::size_t>(reader_count, readers_[tensor.index()]);
        passed_on = std::max<std::size_t>(passed_on, root_count_[tensor.index()]);
      }
    }
    std::ranges::sort(joined);
    const auto repeated = std::ranges::unique(joined);
    joined.erase(repeated.begin(), repeated.end());
    const bool is_small =
        joined.size() <= kMaxJoined || (joined.size() <= input_count && reader_count <= 1);
    if (!is_small || passed_on > kMaxJoined) {
      keep(layer);
      return false;
    }
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      if (model_.ports.direction[port] == Direction::kOutput) {
        set_roots(model_.ports.tensor_id[port], joined);
      }
    }
    return true;
  }

  bool folds() const { return folds_; }
  std::vector<bool> take_kept() { return std::move(kept_); }

 private:
  void count_ports() {
    readers_.assign(model_.tensors.row_count(), 0);
    working_writers_.assign(model_.tensors.row_count(), 0);
    for (std::size_t port = 0; port < model_.ports.row_count(); ++port) {
      const LayerId layer = model_.ports.layer_id[port];
      if (!model_.is_shown(layer)) continue;
      const std::size_t tensor = model_.ports.tensor_id[port].index();
      if (model_.ports.direction[port] == Direction::kInput) ++readers_[tensor];
      if (model_.ports.direction[port] == Direction::kOutput && !is_no_op(layer)) {
        ++working_writers_[tensor];
      }
    }
  }

  // It counts like a layer among those that write its outputs.
  void keep(LayerId layer) {
    kept_[layer.index()] = true;
    const model::RowRange ports = model_.ports_of(layer);
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      if (model_.ports.direction[port] != Direction::kOutput) continue;
      const TensorId tensor = model_.ports.tensor_id[port];
      ++working_writers_[tensor.index()];
      if (is_folded(tensor) && std::ranges::find(roots(tensor), tensor) == roots(tensor).end()) {
        set_roots(tensor, {});
      }
    }
  }

  // Several no-ops can write parts of one tensor, in addition to layers that write other parts.
  void set_roots(TensorId tensor, std::span<const TensorId> joined) {
    start_writing(tensor);
    const auto before = roots(tensor);
    std::vector<TensorId> all;
    if (is_folded(tensor)) all.assign(before.begin(), before.end());
    // Neither the previous nor the new ones contain duplicates.
    const std::size_t count = all.size();
    const auto add = [&](TensorId root) {
      const auto known = std::span(all).first(count);
      if (std::ranges::find(known, root) == known.end()) all.push_back(root);
    };
    for (const TensorId root : joined) {
      if (root != tensor) add(root);
    }
    if (working_writers_[tensor.index()] > 0) add(tensor);
    first_root_[tensor.index()] = roots_.size();
    root_count_[tensor.index()] = static_cast<std::uint32_t>(all.size());
    roots_.insert(roots_.end(), all.begin(), all.end());
  }

  const PlanModel& model_;
  bool folds_ = true;
  std::vector<bool> kept_, was_read_;
  std::vector<TensorId> roots_;
  std::vector<std::size_t> first_root_;
  std::vector<std::uint32_t> root_count_, readers_, working_writers_;
};

struct TensorAccess {
  TensorId tensor;
  bool is_write = false;
  Access access;
};

// Records whose ports count. The engine's own input and output records repeat the bindings.
bool takes_part(Role role, const GraphOptions& options) {
  switch (role) {
    case Role::kInput:
    case Role::kOutput:
      return false;
    case Role::kSignal:
    case Role::kWait:
    case Role::kShape:
      return options.bookkeeping;
    default:
      return true;
  }
}

class GenerationWalk {
 public:
  GenerationWalk(const PlanModel& model, std::vector<TensorId>& tensors_of_bindings,
                 const GraphOptions& options)
      : model_(model),
        options_(options),
        tensors_of_bindings_(tensors_of_bindings),
        folding_(model, options) {
    output_of_tensor_.assign(model.tensors.row_count(), kNoRow);
    is_binding_.assign(model.tensors.row_count(), false);
    for (std::size_t row = model.bindings.row_count(); row-- > 0;) {
      const TensorId tensor = tensors_of_bindings[row];
      if (tensor.is_null()) continue;
      is_binding_[tensor.index()] = true;
      if (model.bindings.direction[row] != Direction::kOutput) continue;
      output_of_tensor_[tensor.index()] = static_cast<std::uint32_t>(row);
    }
  }

  Generations run() {
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      const LayerId layer(row);
      if (!model_.is_shown(layer) || !takes_part(model_.layers.role[row], options_)) continue;
      if (folding_.folds() && folding_.is_no_op(layer) && folding_.fold(layer)) {
        fill_bindings(layer);
      } else {
        add_ports(layer);
      }
    }
    return collect();
  }

 private:
  // What a folded no-op wrote into a binding comes from the tensors that it passed on. If that is
  // one tensor, it is the binding.
  void fill_bindings(LayerId layer) {
    const model::RowRange ports = model_.ports_of(layer);
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      if (model_.ports.direction[port] != Direction::kOutput) continue;
      const TensorId tensor = model_.ports.tensor_id[port];
      const std::uint32_t binding = output_of_tensor_[tensor.index()];
      if (binding == kNoRow || !folding_.is_folded(tensor)) continue;
      output_of_tensor_[tensor.index()] = kNoRow;
      const auto roots = folding_.roots(tensor);
      if (roots.size() == 1 && roots.front() != tensor && !is_binding_[roots.front().index()]) {
        is_binding_[roots.front().index()] = true;
        tensors_of_bindings_[binding] = roots.front();
        continue;
      }
      for (const TensorId root : roots) {
        if (root != tensor) found_.push_back({root, false, {LayerId(), kNoRow, binding}});
      }
    }
  }

  void add_ports(LayerId layer) {
    const model::RowRange ports = model_.ports_of(layer);
    for (std::size_t port = ports.first; port < ports.end(); ++port) {
      const TensorId tensor = model_.ports.tensor_id[port];
      const Access access{layer, static_cast<std::uint32_t>(port), kNoRow};
      const Direction direction = model_.ports.direction[port];
      if (direction == Direction::kOutput) {
        folding_.start_writing(tensor);
        found_.push_back({tensor, true, access});
      } else if (direction == Direction::kInput) {
        for (const TensorId root : folding_.roots(tensor)) found_.push_back({root, false, access});
        folding_.read(tensor);
      } else if (direction == Direction::kConstant && options_.constants) {
        found_.push_back({tensor, false, access});
      }
    }
  }

  Generations collect() {
    const std::size_t tensor_count = model_.tensors.row_count();
    std::vector<std::uint32_t> first(tensor_count + 1, 0);
    for (const TensorAccess& found : found_) ++first[found.tensor.index() + 1];
    for (std::size_t i = 0; i < tensor_count; ++i) first[i + 1] += first[i];
    Generations result;
    result.kept_no_op = folding_.take_kept();
    result.accesses.resize(found_.size());
    std::vector<bool> is_write(found_.size());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (const TensorAccess& found : found_) {
      const std::uint32_t at = next[found.tensor.index()]++;
      result.accesses[at] = found.access;
      is_write[at] = found.is_write;
    }
    for (std::size_t tensor = 0; tensor < tensor_count; ++tensor) {
      add_generations(TensorId(tensor), first[tensor], first[tensor + 1], is_write, result.list);
    }
    return result;
  }

  static void add_generations(TensorId tensor, std::uint32_t at, std::uint32_t end,
                              const std::vector<bool>& is_write, std::vector<Generation>& list) {
    const std::size_t before = list.size();
    while (at < end) {
      Generation generation{.tensor = tensor,
                            .index = static_cast<std::uint32_t>(list.size() - before),
                            .first_write = at};
      while (at < end && is_write[at]) ++at;
      generation.first_read = at;
      while (at < end && !is_write[at]) ++at;
      generation.end = at;
      list.push_back(generation);
    }
    for (Generation& generation : std::span(list).subspan(before)) {
      generation.count = static_cast<std::uint32_t>(list.size() - before);
    }
  }

  const PlanModel& model_;
  const GraphOptions& options_;
  std::vector<TensorId>& tensors_of_bindings_;
  NoOpFolding folding_;
  std::vector<std::uint32_t> output_of_tensor_;
  std::vector<bool> is_binding_;
  std::vector<TensorAccess> found_;
};

}  // namespace

Generations find_generations(const PlanModel& model, const GraphOptions& options,
                             std::vector<TensorId>& tensors_of_bindings) {
  return GenerationWalk(model, tensors_of_bindings, options).run();
}

}  // namespace planex::graph
