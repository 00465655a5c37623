#include "ingest/tensorrt/optimization_profiles.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <unordered_map>
#include <vector>

#include "base/text.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;
using model::PlanModel;
using model::TensorId;

constexpr std::string_view kProfileMark = " [profile ";
constexpr std::int64_t kNoProfile = -1;
constexpr std::int64_t kNoBlock = -1;

struct Mark {
  std::size_t first = 0, end = 0;  // of the mark in the name
  std::int64_t profile = 0;
};

std::optional<Mark> find_mark(std::string_view name) {
  // Few names contain a bracket, and searching for one byte is much faster than for many.
  for (std::size_t at = name.find('['); at != name.npos; at = name.find('[', at + 1)) {
    if (at == 0 || !name.substr(at - 1).starts_with(kProfileMark)) continue;
    const char* digits = name.data() + at - 1 + kProfileMark.size();
    const char* end = name.data() + name.size();
    std::int64_t profile = 0;
    const auto parsed = std::from_chars(digits, end, profile);
    if (parsed.ec != std::errc() || profile < 0 || parsed.ptr == end || *parsed.ptr != ']')
      continue;
    return Mark{at - 1, static_cast<std::size_t>(parsed.ptr - name.data()) + 1, profile};
  }
  return std::nullopt;
}

// A marked name of any tensor that the engine reads or writes: every profile uses the inputs and
// outputs, each under its own name.
bool binding_has_mark(const PlanModel& model) {
  return std::ranges::any_of(model.bindings.name.values(), [&](base::StringId name) {
    return !model.strings.find(format("{}{}1]", model.text(name), kProfileMark)).is_null();
  });
}

// The profile of each layer, if a mark in its own name or in one of its tensors' names shows it.
std::vector<std::int64_t> marked_profiles(const PlanModel& model) {
  std::vector<std::int64_t> tensor_profiles;
  tensor_profiles.reserve(model.tensors.row_count());
  for (const base::StringId name : model.tensors.name.values()) {
    tensor_profiles.push_back(profile_mark(model.text(name)).value_or(kNoProfile));
  }
  std::vector<std::int64_t> profiles(model.layers.row_count(), kNoProfile);
  for (std::size_t port = 0; port < model.ports.row_count(); ++port) {
    const std::int64_t profile = tensor_profiles[model.ports.tensor_id[port].index()];
    if (profile != kNoProfile) profiles[model.ports.layer_id[port].index()] = profile;
  }
  for (std::size_t row = 0; row < profiles.size(); ++row) {
    if (const auto mark = profile_mark(model.text(model.layers.name[row]))) profiles[row] = *mark;
  }
  return profiles;
}

// The Myelin block of each layer, kNoBlock if it is in none.
std::vector<std::int64_t> blocks_of(const PlanModel& model) {
  std::vector<std::int64_t> blocks;
  blocks.reserve(model.layers.row_count());
  for (const base::StringId name : model.layers.name.values()) {
    blocks.push_back(myelin_block(model.text(name)).value_or(kNoBlock));
  }
  return blocks;
}

// Layers without a mark get the profile of their Myelin block; if that has none, the profile of the
// marked layer before them, because profiles come one after another.
void fill_gaps(const std::vector<std::int64_t>& blocks, std::vector<std::int64_t>& profiles) {
  std::unordered_map<std::int64_t, std::int64_t> profile_of_block;
  for (std::size_t row = 0; row < profiles.size(); ++row) {
    if (blocks[row] != kNoBlock && profiles[row] != kNoProfile) {
      profile_of_block.emplace(blocks[row], profiles[row]);
    }
  }
  std::int64_t current = 0;
  for (std::size_t row = 0; row < profiles.size(); ++row) {
    if (profiles[row] == kNoProfile && blocks[row] != kNoBlock) {
      const auto found = profile_of_block.find(blocks[row]);
      if (found != profile_of_block.end()) profiles[row] = found->second;
    }
    if (profiles[row] == kNoProfile) profiles[row] = current;
    current = profiles[row];
  }
}

// If no name has a mark and there are as many blocks as profiles, the first block belongs to the
// first profile, and so on. Returns whether this was the case; layers outside blocks get the
// profile of the layer before them.
bool take_blocks_as_profiles(const std::vector<std::int64_t>& blocks, std::int64_t profile_count,
                             std::vector<std::int64_t>& profiles) {
  std::unordered_map<std::int64_t, std::int64_t> profile_of_block;
  for (const std::int64_t block : blocks) {
    if (block == kNoBlock) continue;
    profile_of_block.emplace(block, static_cast<std::int64_t>(profile_of_block.size()));
  }
  if (static_cast<std::int64_t>(profile_of_block.size()) != profile_count) return false;
  for (std::size_t row = 0; row < profiles.size(); ++row) {
    if (blocks[row] != kNoBlock) profiles[row] = profile_of_block[blocks[row]];
  }
  fill_gaps(blocks, profiles);
  return true;
}

// An input or output is a different tensor in each profile: all of them are inputs or outputs, and
// the binding refers to that of the profile that is shown.
void bind_tensors(model::ModelBuilder& builder) {
  PlanModel& model = builder.model();
  const std::int64_t shown = model.engine.profile_index.get(0).value_or(0);
  std::unordered_map<std::string_view, std::size_t> binding_of;
  for (std::size_t row = 0; row < model.bindings.row_count(); ++row) {
    binding_of.emplace(model.text(model.bindings.name[row]), row);
  }
  const auto set_role = [&](TensorId tensor, std::size_t binding) {
    const bool is_input = model.bindings.direction.is_null(binding)
                              ? model.tensors.producers[tensor.index()] == 0
                              : model.bindings.direction[binding] == model::Direction::kInput;
    model.tensors.role.set(tensor.index(),
                           is_input ? model::TensorRole::kInput : model::TensorRole::kOutput);
  };
  for (std::size_t row = 0; row < model.tensors.row_count(); ++row) {
    const std::string_view name = model.text(model.tensors.name[row]);
    const auto mark = find_mark(name);
    if (!mark || mark->end != name.size()) continue;
    const std::string_view unmarked = name.substr(0, mark->first);
    const auto binding = binding_of.find(unmarked);
    if (binding == binding_of.end()) continue;
    set_role(TensorId(row), binding->second);
    if (mark->profile != shown) continue;
    builder.set_binding_tensor(binding->second, TensorId(row));
    const TensorId first = builder.find_tensor(unmarked);
    if (!first.is_null()) set_role(first, binding->second);
  }
}

// "0 and 1", "0 to 7": only the first few if there are gaps.
std::string list_of(const std::set<std::int64_t>& profiles) {
  const auto count = static_cast<std::int64_t>(profiles.size());
  if (count > 2 && *profiles.rbegin() - *profiles.begin() == count - 1) {
    return format("{} to {}", *profiles.begin(), *profiles.rbegin());
  }
  constexpr std::size_t kMax = 10;
  std::vector<std::string> texts;
  for (const std::int64_t profile : profiles) {
    if (texts.size() == kMax) {
      texts.emplace_back("others");
      break;
    }
    texts.push_back(format("{}", profile));
  }
  const std::vector<std::string_view> words(texts.begin(), texts.end());
  return base::join_words(words);
}

}  // namespace

std::optional<std::int64_t> profile_mark(std::string_view name) {
  const auto mark = find_mark(name);
  return mark ? std::optional(mark->profile) : std::nullopt;
}

std::optional<std::int64_t> myelin_block(std::string_view name) {
  constexpr std::string_view kBlock = "_myl";
  // The last one counts: "__myl_Move_myl12_0" begins with another one.
  for (std::size_t at = name.rfind(kBlock); at != name.npos && at > 0;
       at = name.rfind(kBlock, at - 1)) {
    std::int64_t block = 0;
    const char* digits = name.data() + at + kBlock.size();
    const auto parsed = std::from_chars(digits, name.data() + name.size(), block);
    if (parsed.ec == std::errc() && block >= 0) return block;
  }
  return std::nullopt;
}

Result<void> assign_profiles(const ProfileHints& hints, const std::string& file,
                             model::ModelBuilder& builder) {
  model::PlanModel& model = builder.model();
  std::set<std::int64_t> present;
  for (std::int64_t profile = 0; profile < hints.listed_count; ++profile) present.insert(profile);
  std::int64_t first_shown = 0;
  if (hints.saw_mark || hints.listed_count > 1 || binding_has_mark(model)) {
    std::vector<std::int64_t> profiles = marked_profiles(model);
    const std::vector<std::int64_t> blocks = blocks_of(model);
    bool marked =
        std::ranges::any_of(profiles, [](std::int64_t profile) { return profile != kNoProfile; });
    if (marked) {
      fill_gaps(blocks, profiles);
    } else {
      marked =
          hints.listed_count > 1 && take_blocks_as_profiles(blocks, hints.listed_count, profiles);
    }
    if (marked) {
      present.insert(profiles.begin(), profiles.end());
      first_shown = *std::ranges::min_element(profiles);
      present.insert(0);  // the one whose names have no mark
    }
    if (marked && present.size() > 1) {
      for (std::size_t row = 0; row < profiles.size(); ++row) {
        model.layers.profile_index.set(row, profiles[row]);
      }
    } else if (present.size() > 1 && model.layers.row_count() > 0) {
      builder.add_diagnostic(
          {.code = "profiles-unknown",
           .message = format("the engine has {} optimization profiles, but no layer shows which "
                             "one it belongs to; all layers are shown as one profile",
                             present.size()),
           .file = file});
    }
  }
  model::EngineTable& engine = model.engine;
  const auto wanted = engine.profile_index.get(0);
  if (present.empty()) {
    present.insert(0);  // every engine has one
  } else {
    const std::int64_t greatest = *present.rbegin();
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    engine.profile_count.set(0, greatest < kMax ? greatest + 1 : greatest);
    if (!wanted) engine.profile_index.set(0, first_shown);
  }
  if (wanted && !present.contains(*wanted)) {
    return fail({.code = ErrorCode::kUsage,
                 .message = format("there is no optimization profile {}: the engine has {}",
                                   *wanted, list_of(present)),
                 .file = file,
                 .hint = "profiles are counted from 0"});
  }
  if (present.size() > 1) bind_tensors(builder);
  return {};
}

}  // namespace planex::ingest::tensorrt
