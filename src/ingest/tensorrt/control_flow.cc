#include "ingest/tensorrt/control_flow.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"

namespace planex::ingest::tensorrt {
namespace {

using model::BlockId;
using model::LayerId;

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

struct Jump {
  std::size_t layer = 0;
  bool conditional = false;
  // For an unconditional jump, `then_target` is the target.
  std::size_t then_target = kNowhere;
  std::size_t else_target = kNowhere;
};

// Records [first, last].
struct Region {
  std::size_t first = 0;
  std::size_t last = 0;
  enum class Kind : std::uint8_t { kLoop, kConditional, kBranch } kind = Kind::kLoop;
  std::string_view name;
};

std::string_view word(Region::Kind kind) {
  switch (kind) {
    case Region::Kind::kLoop:
      return "loop";
    case Region::Kind::kConditional:
      return "conditional";
    default:
      return "branch";
  }
}

class ControlFlow {
 public:
  ControlFlow(const std::string& file, model::ModelBuilder& builder)
      : file_(file), builder_(builder), model_(builder.model()) {}

  void add(const std::vector<JumpRecord>& records) {
    find_targets(records);
    for (const JumpRecord& record : records) add_jump(record);
    find_loops();
    find_conditionals();
    add_blocks();
    report();
  }

 private:
  void find_targets(const std::vector<JumpRecord>& records) {
    for (const JumpRecord& record : records) {
      for (const std::string_view name : {record.target, record.then_target, record.else_target}) {
        if (!name.empty()) rows_of_.try_emplace(name);
      }
    }
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      const auto found = rows_of_.find(model_.text(model_.layers.name[row]));
      if (found != rows_of_.end()) found->second.push_back(row);
    }
  }

  // Names are not guaranteed to be unique: the first record after the jump is meant, otherwise the
  // first of all.
  std::size_t target_of(LayerId layer, std::string_view name) const {
    const std::vector<std::size_t>& rows = rows_of_.at(name);
    if (rows.empty()) return kNowhere;
    const auto after = std::ranges::upper_bound(rows, layer.index());
    return after == rows.end() ? rows.front() : *after;
  }

  std::size_t add_event(LayerId layer, std::string_view kind, std::string_view name) {
    const std::size_t row = target_of(layer, name);
    builder_.add_event(layer, kind, std::nullopt, row == kNowhere ? LayerId() : LayerId(row));
    if (row == kNowhere) {
      builder_.add_diagnostic(
          {.code = "jump-without-target",
           .message = base::format("{} jumps to {}, which is not a layer; the jump is ignored",
                                   base::quoted(model_.text(model_.layers.name[layer.index()])),
                                   base::quoted(name)),
           .file = file_});
    }
    return row;
  }

  void add_jump(const JumpRecord& record) {
    Jump jump{.layer = record.layer.index()};
    if (!record.target.empty()) {
      jump.then_target = add_event(record.layer, "jump", record.target);
    } else {
      jump.conditional = true;
      if (!record.then_target.empty()) {
        jump.then_target = add_event(record.layer, "jump-then", record.then_target);
      }
      if (!record.else_target.empty()) {
        jump.else_target = add_event(record.layer, "jump-else", record.else_target);
      }
      if (jump.then_target == kNowhere || jump.else_target == kNowhere) return;
    }
    if (jump.then_target != kNowhere) jumps_.push_back(jump);
  }

  // All jumps back to one record form one loop, up to the last of them.
  void find_loops() {
    std::unordered_map<std::size_t, std::size_t> last_of;
    for (const Jump& jump : jumps_) {
      for (const std::size_t target : {jump.then_target, jump.else_target}) {
        if (target <= jump.layer) {
          std::size_t& last = last_of[target];
          last = std::max(last, jump.layer);
        }
      }
    }
    for (const auto& [first, last] : last_of) {
      loop_exits_.emplace(last + 1, first);
      regions_.push_back({first, last, Region::Kind::kLoop, name_of(last)});
    }
  }

  // Whether the target is the record after a loop that contains the jump: an exit of the loop.
  bool leaves_loop(std::size_t from, std::size_t target) const {
    const auto [begin, end] = loop_exits_.equal_range(target);
    return std::any_of(begin, end, [&](const auto& exit) { return exit.second <= from; });
  }

  const Jump* jump_at(std::size_t row) const {
    const auto found = std::ranges::lower_bound(jumps_, row, {}, &Jump::layer);
    return found != jumps_.end() && found->layer == row ? &*found : nullptr;
  }

  void find_conditionals() {
    explained_.assign(jumps_.size(), false);
    for (std::size_t i = 0; i < jumps_.size(); ++i) {
      const Jump& jump = jumps_[i];
      const bool backward = jump.then_target <= jump.layer || jump.else_target <= jump.layer;
      const bool leaves = leaves_loop(jump.layer, jump.then_target) ||
                          (jump.conditional && leaves_loop(jump.layer, jump.else_target));
      if (backward || leaves || (!jump.conditional && jump.then_target == jump.layer + 1)) {
        explained_[i] = true;
      } else if (jump.conditional) {
        explained_[i] = add_conditional(jump);
      }
    }
  }

  bool add_conditional(const Jump& jump) {
    const bool then_first = jump.then_target < jump.else_target;
    const std::size_t first = std::min(jump.then_target, jump.else_target);
    const std::size_t second = std::max(jump.then_target, jump.else_target);
    if (first != jump.layer + 1) return false;
    std::size_t join = second;
    if (const Jump* end = second > first ? jump_at(second - 1) : nullptr;
        end != nullptr && !end->conditional && end->then_target >= second &&
        !leaves_loop(end->layer, end->then_target)) {
      join = end->then_target;
      explained_[static_cast<std::size_t>(end - jumps_.data())] = true;
    }
    regions_.push_back({jump.layer, join - 1, Region::Kind::kConditional, name_of(jump.layer)});
    if (second > first) {
      regions_.push_back({first, second - 1, Region::Kind::kBranch, then_first ? "then" : "else"});
    }
    if (join > second) {
      regions_.push_back({second, join - 1, Region::Kind::kBranch, then_first ? "else" : "then"});
      // The second branch may jump to its own end anyway.
      if (const Jump* end = jump_at(join - 1);
          end != nullptr && !end->conditional && end->then_target == join) {
        explained_[static_cast<std::size_t>(end - jumps_.data())] = true;
      }
    }
    return true;
  }

  // The record's operation of the source model if it names one, as with ONNX's If.
  std::string_view name_of(std::size_t row) const {
    const auto found = std::ranges::lower_bound(model_.sources.layer_id.values(), LayerId(row));
    const auto source = static_cast<std::size_t>(found - model_.sources.layer_id.values().begin());
    if (source < model_.sources.row_count() && model_.sources.layer_id[source] == LayerId(row)) {
      return model_.text(model_.sources.op_name[source]);
    }
    return model_.text(model_.layers.name[row]);
  }

  // Outer regions first; a region that crosses another is not a block.
  void add_blocks() {
    std::ranges::sort(regions_, [](const Region& a, const Region& b) {
      if (a.first != b.first) return a.first < b.first;
      if (a.last != b.last) return a.last > b.last;
      return a.kind < b.kind;
    });
    struct Open {
      std::size_t last = 0;
      BlockId block;
    };
    std::vector<Open> open;
    std::size_t row = 0;
    const auto mark_until = [&](std::size_t end) {
      for (; row < end; ++row) {
        while (!open.empty() && open.back().last < row) open.pop_back();
        if (!open.empty()) model_.layers.block_id.set(row, open.back().block);
      }
      while (!open.empty() && open.back().last < row) open.pop_back();
    };
    for (const Region& region : regions_) {
      mark_until(region.first);
      if (!open.empty() && region.last > open.back().last) {
        ++crossing_count_;
        continue;
      }
      const BlockId parent = open.empty() ? BlockId() : open.back().block;
      open.push_back({region.last, builder_.add_block(region.name, word(region.kind), parent)});
    }
    mark_until(model_.layers.row_count());
  }

  void report() {
    const auto unexplained =
        static_cast<std::size_t>(std::ranges::count(explained_, false)) + crossing_count_;
    if (unexplained == 0) return;
    builder_.add_diagnostic(
        {.code = "unstructured-jump",
         .message = base::format("{} no conditional or loop that nests properly in the others; "
                                 "such records are shown without a block",
                                 unexplained == 1 ? std::string("1 jump forms")
                                                  : base::format("{} jumps form", unexplained)),
         .file = file_});
  }

  const std::string& file_;
  model::ModelBuilder& builder_;
  model::PlanModel& model_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> rows_of_;
  std::vector<Jump> jumps_;
  // Parallel to jumps_: whether a block or a loop explains the jump.
  std::vector<bool> explained_;
  // Record after a loop -> the loop's first record.
  std::unordered_multimap<std::size_t, std::size_t> loop_exits_;
  std::vector<Region> regions_;
  std::size_t crossing_count_ = 0;
};

}  // namespace

void set_jump_target(JumpRecord& jump, std::string_view key, std::string_view name) {
  if (key == "JumpTarget") jump.target = name;
  if (key == "JumpTargetThen") jump.then_target = name;
  if (key == "JumpTargetElse") jump.else_target = name;
}

void add_stream_event(LayerId layer, std::optional<std::int64_t> event_id,
                      model::ModelBuilder& builder) {
  const model::Role role = builder.model().layers.role[layer.index()];
  if (role == model::Role::kSignal) builder.add_event(layer, "signal", event_id);
  if (role == model::Role::kWait) builder.add_event(layer, "wait", event_id);
}

void add_control_flow(const std::vector<JumpRecord>& jumps, const std::string& file,
                      model::ModelBuilder& builder) {
  if (!jumps.empty()) ControlFlow(file, builder).add(jumps);
}

}  // namespace planex::ingest::tensorrt
