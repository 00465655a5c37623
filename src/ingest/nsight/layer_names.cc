#include "ingest/nsight/layer_names.h"

#include <algorithm>
#include <ranges>

#include "base/text.h"

namespace planex::ingest::nsight {
namespace {

using model::LayerId;
using model::PlanModel;

// "ExecutionContext::enqueue", and its names in other versions.
constexpr std::string_view kContext = "ExecutionContext::";

// Where a name ends and facts about the layer begin: a line break, the separator of TensorRT's
// metadata, or a JSON object. Names themselves can contain blanks, commas and brackets.
constexpr std::string_view kNameEnds[] = {"\n", "\x1e", " {\""};
// The inspector's one-line form: "Name: conv1, LayerType: CaskConvolution, Inputs: [...".
constexpr std::string_view kNameKey = "Name: ", kNextKey = ", LayerType: ";

}  // namespace

LayerNames::LayerNames(const PlanModel& model) {
  const std::size_t count = model.layers.row_count();
  std::vector<Meaning> name_of(count);
  names_.reserve(count);
  for (std::size_t row = 0; row < count; ++row) {
    const auto next = static_cast<Meaning>(names_.size());
    name_of[row] = names_.try_emplace(model.text(model.layers.name[row]), next).first->second;
  }
  // How well a layer fits its name: only the best ones of a name are kept.
  const auto rank = [&](std::size_t row) {
    return (model.is_shown(LayerId(row)) ? 2 : 0) +
           (model.layers.role[row] == model::Role::kWork ? 1 : 0);
  };
  std::vector<int> best(names_.size(), 0);
  for (std::size_t row = 0; row < count; ++row) {
    best[name_of[row]] = std::max(best[name_of[row]], rank(row));
  }
  firsts_.assign(names_.size() + 1, 0);
  const auto is_kept = [&](std::size_t row) { return rank(row) == best[name_of[row]]; };
  for (const std::size_t row : std::views::iota(std::size_t{0}, count)) {
    if (is_kept(row)) ++firsts_[name_of[row] + 1];
  }
  for (std::size_t name = 0; name < names_.size(); ++name) firsts_[name + 1] += firsts_[name];
  layers_.resize(firsts_.back());
  std::vector<std::uint32_t> next(firsts_.begin(), firsts_.end() - 1);
  for (std::size_t row = 0; row < count; ++row) {
    if (is_kept(row)) layers_[next[name_of[row]]++] = LayerId(row);
  }
}

Meaning LayerNames::find(std::string_view name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? kOther : found->second;
}

Meaning LayerNames::meaning_of(std::string_view text) const {
  if (const Meaning exact = find(text); exact != kOther) return exact;
  if (text.starts_with(kContext)) return kExecution;
  std::string_view name = text;
  if (name.starts_with(kNameKey)) {
    name.remove_prefix(kNameKey.size());
    name = name.substr(0, name.find(kNextKey));
  }
  for (const std::string_view end : kNameEnds) name = name.substr(0, name.find(end));
  name = base::trimmed(name);
  return name.size() == text.size() ? kOther : find(name);
}

}  // namespace planex::ingest::nsight
