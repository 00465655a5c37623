#include "ingest/tensorrt/source_names.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "ingest/tensorrt/name_kinds.h"
#include "ingest/tensorrt/optimization_profiles.h"

namespace planex::ingest::tensorrt {
namespace {

using base::Lifetime;
using model::Evidence;

bool is_separator(char c) { return c == '\x1e' || c == '\x1f'; }

// "a | then (then_branch) | myif (If)" -> "a": a node of a subgraph, with the graphs around it.
std::string_view without_subgraphs(std::string_view name) {
  while (name.ends_with(')')) {
    const std::size_t bar = name.rfind(" | ");
    if (bar == name.npos || bar == 0 || name.find(" (", bar) == name.npos) break;
    name = name.substr(0, bar);
  }
  return name;
}

// "[ONNX Layer: name]" -> "name". The name itself may contain brackets, so only the ends are cut.
std::string_view without_mark(std::string_view entry) {
  constexpr std::string_view kMark = "[ONNX Layer: ";
  if (entry.starts_with(kMark) && entry.ends_with(']')) {
    return without_subgraphs(entry.substr(kMark.size(), entry.size() - kMark.size() - 1));
  }
  return entry;
}

// "[CONVOLUTION]-[aten_ops.convolution.default]-[/features/0/convolution]", Torch-TensorRT's name
// for a layer: kind, operation, node. Nothing if the name has another form.
struct TorchName {
  std::string_view node, operation;
};
std::optional<TorchName> torch_name(std::string_view name) {
  constexpr std::string_view kBetween = "]-[";
  if (!name.starts_with('[') || !name.ends_with(']')) return std::nullopt;
  const std::size_t first = name.find(kBetween);
  if (first == name.npos) return std::nullopt;
  const std::size_t operation = first + kBetween.size();
  const std::size_t second = name.find(kBetween, operation);
  if (second == name.npos) return std::nullopt;
  const std::size_t node = second + kBetween.size();
  if (node + 1 >= name.size()) return std::nullopt;
  return TorchName{name.substr(node, name.size() - node - 1),
                   name.substr(operation, second - operation)};
}

// "conv1 [profile 1]" -> "conv1": the operation is the same in every optimization profile.
std::string_view without_mark_at_end(std::string_view name) {
  constexpr std::string_view kMark = " [profile ";
  const std::size_t at = name.ends_with(']') ? name.rfind(kMark) : name.npos;
  return at != name.npos && profile_mark(name.substr(at)) ? name.substr(0, at) : name;
}

// Calls `take` with each member of a fused name: parts between " + ", "
// " and ", " of PWN(...). Parts in brackets are not split: "{ForeignNode[a...b]}" and
// "[trainStation1]" stay whole.
template <typename Take>
void split_name(std::string_view name, Take take) {
  const bool pointwise = name.find("PWN(") != std::string_view::npos;
  std::size_t first = 0;
  int depth = 0;
  const auto cut = [&](std::size_t end, std::size_t next) {
    std::string_view part = base::trimmed(name.substr(first, end - first));
    while (part.starts_with("PWN(")) part.remove_prefix(4);
    // Only closing brackets that belong to PWN(.
    while (part.ends_with(')') && part.find('(') == std::string_view::npos) part.remove_suffix(1);
    if (!part.empty()) take(part);
    first = next;
  };
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char c = name[at];
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > 0) continue;
    std::size_t separator = 0;
    if (name.substr(at, 3) == " + ") separator = 3;
    if (name.substr(at, 4) == " || ") separator = 4;
    if (pointwise && name.substr(at, 2) == ", ") separator = 2;
    if (separator == 0) continue;
    cut(at, at + separator);
    at += separator - 1;
  }
  cut(name.size(), name.size());
}

}  // namespace

std::vector<std::string_view> parts_of_name(std::string_view name) {
  std::vector<std::string_view> parts;
  split_name(name, [&](std::string_view part) { parts.push_back(without_mark_at_end(part)); });
  return parts;
}

std::optional<std::string_view> torch_operation(std::string_view part) {
  const auto torch = torch_name(part);
  return torch ? std::optional(torch->operation) : std::nullopt;
}

void add_sources_of_metadata(model::LayerId layer, std::string_view metadata,
                             model::ModelBuilder& builder) {
  const char* first = metadata.data();
  const char* const metadata_end = first + metadata.size();
  while (true) {
    const char* const end = std::find_if(first, metadata_end, is_separator);
    const std::string_view entry = base::trimmed({first, end});
    if (!entry.empty()) {
      builder.add_source(layer, without_mark(entry), {}, Evidence::kMetadata, Lifetime::kBorrow);
    }
    if (end == metadata_end) return;
    first = end + 1;
  }
}

void add_sources_of_name(model::LayerId layer, std::string_view name,
                         model::ModelBuilder& builder) {
  if (is_copy_name(name) || name.find("_myl") != std::string_view::npos) return;
  const auto add = [&](std::string_view part) {
    if (const auto torch = torch_name(part)) {
      builder.add_source(layer, torch->node, torch->operation, Evidence::kName, Lifetime::kBorrow);
    } else {
      builder.add_source(layer, part, {}, Evidence::kName, Lifetime::kBorrow);
    }
  };
  const auto for_each_source = [](std::string_view text, auto take) {
    split_name(text, [&](std::string_view part) {
      part = without_mark_at_end(part);
      if (!part.empty() && !part.starts_with("(Unnamed Layer*")) take(part);
    });
  };
  for_each_source(name, [&](std::string_view part) {
    const auto ends = foreign_ends(part);
    if (!ends) return add(part);
    // One each: the operations between them are only known with the model.
    std::string_view first, last;
    for_each_source(ends->first, [&](std::string_view of_end) { first = of_end; });
    for_each_source(ends->second, [&](std::string_view of_end) { last = of_end; });
    if (!first.empty()) add(first);
    if (!last.empty() && last != first) add(last);
  });
}

void add_sources(model::LayerId layer, std::string_view metadata, model::ModelBuilder& builder) {
  const model::PlanModel& model = builder.model();
  const std::size_t row = layer.index();
  if (!metadata.empty()) {
    add_sources_of_metadata(layer, metadata, builder);
  } else if (model.layers.family[row] != model::Family::kReformat &&
             model.layers.role[row] == model::Role::kWork) {
    add_sources_of_name(layer, model.text(model.layers.name[row]), builder);
  }
}

}  // namespace planex::ingest::tensorrt
