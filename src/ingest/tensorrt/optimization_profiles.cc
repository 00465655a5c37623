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
using model::LayerId;
using model::PlanModel;

constexpr std::string_view kMark = " [profile ";
constexpr std::int64_t kNoProfile = -1;

struct Mark {
  std::size_t first = 0, end = 0;  // of the mark in the name
  std::int64_t profile = 0;
};

std::optional<Mark> find_mark(std::string_view name) {
  // Few names have a bracket, and looking for one byte is much faster than for many.
  for (std::size_t at = name.find('['); at != name.npos; at = name.find('[', at + 1)) {
    if (at == 0 || !name.substr(at - 1).starts_with(kMark)) continue;
    const char* digits = name.data() + at - 1 + kMark.size();
    const char* end = name.data() + name.size();
    std::int64_t profile = 0;
    const auto parsed = std::from_chars(digits, end, profile);
    if (parsed.ec != std::errc() || profile < 0 || parsed.ptr == end || *parsed.ptr != ']')
      continue;
    return Mark{at - 1, static_cast<std::size_t>(parsed.ptr - name.data()) + 1, profile};
  }
  return std::nullopt;
}

// A marked name of any tensor that the engine reads or writes: inputs and outputs are used by every
// profile, under a name of its own.
bool binding_has_mark(const PlanModel& model) {
  return std::ranges::any_of(model.bindings.name.values(), [&](base::StringId name) {
    return !model.strings.find(format("{}{}1]", model.text(name), kMark)).is_null();
  });
}

// The profile of each layer, as far as a mark in its own name or in one of its tensors' says.
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

// Layers without a mark take the profile of their Myelin block; where that has none, the profile of
// the marked layer before them, since profiles come one after the other.
void fill_gaps(const PlanModel& model, std::vector<std::int64_t>& profiles) {
  std::vector<std::int64_t> blocks(profiles.size(), kNoProfile);
  std::unordered_map<std::int64_t, std::int64_t> profile_of_block;
  for (std::size_t row = 0; row < profiles.size(); ++row) {
    const auto block = myelin_block(model.text(model.layers.name[row]));
    if (!block) continue;
    blocks[row] = *block;
    if (profiles[row] != kNoProfile) profile_of_block.emplace(*block, profiles[row]);
  }
  std::int64_t current = 0;
  for (std::size_t row = 0; row < profiles.size(); ++row) {
    if (profiles[row] == kNoProfile && blocks[row] != kNoProfile) {
      const auto found = profile_of_block.find(blocks[row]);
      if (found != profile_of_block.end()) profiles[row] = found->second;
    }
    if (profiles[row] == kNoProfile) profiles[row] = current;
    current = profiles[row];
  }
}

// "0 and 1", "0 to 7": the first few where there are gaps.
std::string list_of(const std::set<std::int64_t>& profiles) {
  const auto count = static_cast<std::int64_t>(profiles.size());
  if (count > 2 && *profiles.rbegin() - *profiles.begin() == count - 1) {
    return format("{} to {}", *profiles.begin(), *profiles.rbegin());
  }
  constexpr std::size_t kMost = 10;
  std::vector<std::string> texts;
  for (const std::int64_t profile : profiles) {
    if (texts.size() == kMost) {
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

std::string without_profile_mark(std::string_view name) {
  const auto mark = find_mark(name);
  if (!mark) return std::string(name);
  return std::string(name.substr(0, mark->first)) + std::string(name.substr(mark->end));
}

std::optional<std::int64_t> myelin_block(std::string_view name) {
  constexpr std::string_view kBlock = "_myl";
  // The last one counts: "__myl_Move_myl12_0" begins with another.
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
    const bool marked =
        std::ranges::any_of(profiles, [](std::int64_t profile) { return profile != kNoProfile; });
    if (marked) {
      fill_gaps(model, profiles);
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
          {.code = "profiles-not-told",
           .message = format("the engine has {} optimisation profiles and no layer says which one "
                             "it belongs to; all layers are shown as one profile",
                             present.size()),
           .file = file});
    }
  }
  model::EngineTable& engine = model.engine;
  const auto wanted = engine.profile_index.get(0);
  if (!present.empty()) {
    const std::int64_t greatest = *present.rbegin();
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    engine.profile_count.set(0, greatest < kMost ? greatest + 1 : greatest);
    if (!wanted) engine.profile_index.set(0, first_shown);
  } else {
    present.insert(0);  // every engine has one
  }
  if (wanted && !present.contains(*wanted)) {
    return fail({.code = ErrorCode::kUsage,
                 .message = format("there is no optimisation profile {}: the engine has {}",
                                   *wanted, list_of(present)),
                 .file = file,
                 .hint = "profiles are counted from 0"});
  }
  return {};
}

}  // namespace planex::ingest::tensorrt
