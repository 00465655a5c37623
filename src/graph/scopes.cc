#include "graph/scopes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "base/text.h"
#include "graph/selection.h"

namespace planex::graph {
namespace {

using model::BlockId;
using model::PlanModel;

constexpr std::size_t kMaxText = 400;
// Deeper scopes and blocks are treated as the outer one.
constexpr std::uint32_t kMaxDepth = 24;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || base::is_digit(c) || c == '-'; }
bool is_path(char c) { return is_word(c) || c == '.'; }

template <typename Is>
std::size_t end_of(std::string_view text, std::size_t at, Is is) {
  while (at < text.size() && is(text[at])) ++at;
  return at;
}

// "/model/layer1/conv": a slash and at least two steps.
std::string_view rooted_path(std::string_view text) {
  for (std::size_t at = text.find('/'); at != std::string_view::npos; at = text.find('/', at + 1)) {
    // "bert/encoder/layer_0" begins before its first slash.
    if (at > 0 && is_path(text[at - 1])) continue;
    std::size_t end = at, steps = 0;
    while (end < text.size() && text[end] == '/') {
      const std::size_t next = end_of(text, end + 1, is_path);
      if (next == end + 1) break;
      end = next;
      ++steps;
    }
    if (steps >= 2) return text.substr(at, end - at);
    if (end > at) at = end - 1;
  }
  return {};
}

// "layer1.0.conv1.weight" or "bert/encoder/layer_0": a word and at least one more step. A name of a
// C++ kind ("onnx::Conv_12") is not a scope.
std::string_view dotted_path(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (!is_letter(text[at])) {
      // The rest of a word that began with a digit is not a word.
      at = is_word(text[at]) ? end_of(text, at, is_word) : at + 1;
      continue;
    }
    std::size_t end = end_of(text, at, is_word);
    if (text.substr(end).starts_with("::")) {
      at = end_of(text, end, [](char c) { return c != ' '; });
      continue;
    }
    std::size_t steps = 1;
    while (end < text.size() && (text[end] == '.' || text[end] == '/')) {
      const std::size_t next = end_of(text, end + 1, is_word);
      if (next == end + 1) break;
      end = next;
      ++steps;
    }
    if (steps >= 2) return text.substr(at, end - at);
    at = end;
  }
  return {};
}

// "/a/a.0/a.0.1/Conv" is a, 0, 1, Conv: nested exporters repeat their parents.
std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  std::string_view before;
  while (!path.empty()) {
    const std::size_t cut = std::min(path.find('/'), path.size());
    std::string_view step = path.substr(0, cut);
    path.remove_prefix(std::min(cut + 1, path.size()));
    if (step.empty()) continue;
    std::string_view fresh = step;
    if (!before.empty() && step == before) {
      fresh = {};
    } else if (!before.empty() && step.size() > before.size() && step.starts_with(before) &&
               step[before.size()] == '.') {
      fresh.remove_prefix(before.size() + 1);
    }
    before = step;
    while (!fresh.empty()) {
      const std::size_t dot = std::min(fresh.find('.'), fresh.size());
      if (dot > 0) parts.push_back(fresh.substr(0, dot));
      fresh.remove_prefix(std::min(dot + 1, fresh.size()));
    }
  }
  return parts;
}

// Where a sequence of layers without scopes begins; these are not scopes of a model.
bool is_no_scope(std::string_view part) {
  constexpr std::array<std::string_view, 4> kNoScopes = {"onnx", "unnamed", "torch", "aten"};
  return std::ranges::find(kNoScopes, base::lower(part)) != kNoScopes.end();
}

std::optional<GroupKind> kind_of_block(std::string_view kind) {
  if (kind == "conditional") return GroupKind::kConditional;
  if (kind == "branch") return GroupKind::kBranch;
  if (kind == "loop") return GroupKind::kLoop;
  if (kind == "opaque") return GroupKind::kOpaque;
  if (kind == "repeated") return GroupKind::kRepeat;
  return std::nullopt;
}

}  // namespace

std::vector<std::string_view> scope_of(std::string_view name) {
  const std::string_view text = name.substr(0, kMaxText);
  std::string_view path = rooted_path(text);
  if (path.empty()) path = dotted_path(text);
  std::vector<std::string_view> parts = parts_of(path);
  if (!parts.empty()) parts.pop_back();  // the operation itself
  if (!parts.empty() && is_no_scope(parts.front())) parts.clear();
  return parts;
}

std::size_t Scopes::PlaceHash::operator()(const Place& place) const {
  // Fibonacci hashing of the numbers: they are consecutive, and std::hash leaves them unchanged.
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  const std::uint64_t numbers = (std::uint64_t{place.parent} << 32 | place.key) * kGolden;
  return std::hash<std::string_view>()(place.part) ^ (numbers >> 16);
}

Scopes::Scopes(const PlanModel& model, const PlanGraph& graph,
               std::span<const model::LayerId> layers) {
  block_scopes_.assign(model.blocks.row_count(), kNone);
  for (std::size_t block = 0; block < block_scopes_.size(); ++block) {
    block_scopes_[block] = block_scope(model, BlockId(block));
  }
  first_.reserve(graph.nodes.size() + 1);
  around_.reserve(graph.nodes.size());
  id_of_.reserve(graph.nodes.size());
  std::vector<Id> scopes;
  scopes.reserve(graph.nodes.size());
  for (const Node& node : graph.nodes) scopes.push_back(scope_of_node(model, node));
  for (std::size_t first = 0, end = 0; first < scopes.size(); first = end) {
    Id shared = scopes[first];
    end = first + 1;
    for (; end < scopes.size() && !layers[first].is_null() && layers[end] == layers[first]; ++end) {
      if (shared == kNone) shared = scopes[end];
    }
    for (std::size_t i = first; i < end; ++i) add_node(shared);
  }
  first_.push_back(static_cast<std::uint32_t>(around_.size()));
}

Scopes::Id Scopes::enter(Id parent, GroupKind kind, std::string_view part, std::uint32_t key) {
  const std::uint32_t depth = parent == kNone ? 0 : scopes_[parent].depth + 1;
  if (depth >= kMaxDepth) return parent;
  const auto [found, is_new] =
      id_of_.try_emplace(Place{parent, key, part}, static_cast<Id>(scopes_.size()));
  if (is_new) scopes_.push_back({parent, depth, kind, std::string(part)});
  return found->second;
}

// Blocks are listed after those that enclose them.
Scopes::Id Scopes::block_scope(const PlanModel& model, BlockId block) {
  const BlockId parent = model.blocks.parent_id[block.index()];
  const Id around = parent.is_null() || parent >= block ? kNone : block_scopes_[parent.index()];
  const std::string_view word = model.text(model.blocks.kind[block.index()]);
  const auto kind = kind_of_block(word);
  if (!kind) return around;
  const std::string_view name = model.text(model.blocks.name[block.index()]).substr(0, kMaxText);
  return enter(around, *kind, name.empty() ? word : name,
               static_cast<std::uint32_t>(block.index()));
}

Scopes::Id Scopes::scope_of_node(const PlanModel& model, const Node& node) {
  constexpr std::uint32_t kNoBlock = kNoRow;
  Id scope = kNone;
  if (!node.layer.is_null()) {
    const BlockId block = model.layers.block_id[node.layer.index()];
    if (!block.is_null()) scope = block_scopes_[block.index()];
  }
  if (node.kind == NodeKind::kBinding || node.kind == NodeKind::kMemory) return kNone;
  std::vector<std::string_view> parts = scope_of(node_name(model, node));
  if (parts.empty() && node.kind != NodeKind::kOperation) {
    const model::RowRange sources = model.sources_of(node.layer);
    for (std::size_t row = sources.first; row < sources.end() && parts.empty(); ++row) {
      parts = scope_of(model.text(model.sources.op_name[row]));
    }
  }
  for (const std::string_view part : parts) scope = enter(scope, GroupKind::kScope, part, kNoBlock);
  return scope;
}

void Scopes::add_node(Id scope) {
  first_.push_back(static_cast<std::uint32_t>(around_.size()));
  if (scope == kNone) return;
  const std::size_t count = scopes_[scope].depth + 1;
  around_.resize(around_.size() + count);
  for (auto at = around_.rbegin(); scope != kNone; scope = scopes_[scope].parent) *at++ = scope;
}

}  // namespace planex::graph
