#include "analyze/timing/measured_profile.h"

#include <charconv>
#include <set>
#include <string_view>

#include "trtexec/flags.h"

namespace planex::analyze {
namespace {

using model::PlanModel;

void add_number(std::string_view text, std::set<std::int64_t>& numbers) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec == std::errc() && parsed.ptr == end) numbers.insert(number);
}

// Options of the runs, and what they reported about themselves.
std::set<std::int64_t> profiles_of_runs(const PlanModel& model) {
  const model::MetadataTable& table = model.metadata;
  std::set<std::int64_t> profiles;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::string_view section = model.text(table.section[row]);
    const std::string_view key = model.text(table.key[row]);
    const std::string_view value = model.text(table.value[row]);
    if (section == "inference_options" && key == "Optimization Profile Index") {
      add_number(value, profiles);
    } else if (section == "command" && key == "trtexec") {
      if (const auto option = trtexec::option_value(trtexec::split_command(value), "useProfile")) {
        add_number(*option, profiles);
      }
    }
  }
  return profiles;
}

std::set<std::int64_t> profiles_of_timed_layers(const PlanModel& model) {
  const model::LayersTable& layers = model.layers;
  std::set<std::int64_t> profiles;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    if (layers.mean_ms.is_null(row) && layers.median_ms.is_null(row)) continue;
    if (const auto profile = layers.profile_index.get(row)) profiles.insert(*profile);
  }
  return profiles;
}

}  // namespace

MeasuredProfile measured_profile(const PlanModel& model) {
  if (model.engine.profile_count.get(0).value_or(1) < 2) return {};
  std::set<std::int64_t> profiles = profiles_of_runs(model);
  if (profiles.size() > 1) return {.is_shown = false};
  if (profiles.empty()) profiles = profiles_of_timed_layers(model);
  MeasuredProfile measured{.index = 0, .is_default = profiles.size() != 1};
  if (profiles.size() == 1) measured.index = *profiles.begin();
  measured.is_shown = measured.index == model.engine.profile_index.get(0).value_or(0);
  return measured;
}

}  // namespace planex::analyze
