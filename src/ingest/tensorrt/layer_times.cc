#include "ingest/tensorrt/layer_times.h"

#include <map>
#include <unordered_map>

#include "base/text.h"
#include "ingest/tensorrt/dla_rows.h"
#include "ingest/tensorrt/source_names.h"

namespace planex::ingest::tensorrt {

using base::format;
using model::LayerId;

LayerTimes::LayerTimes(const Artefact& artefact, model::ModelBuilder& builder)
    : artefact_(artefact), builder_(builder), join_(builder.model()) {
  const model::PlanModel& model = builder.model();
  makes_layers_ = model.layers.row_count() == 0 && model.engine.detail.is_null(0);
  has_profiles_ = model.engine.profile_count.get(0).value_or(1) > 1;
}

void LayerTimes::add(const JsonText& name, const LayerTime& time) {
  ++row_count_;
  if (makes_layers_) {
    const base::StringId kept = builder_.strings().add(name.view, name.lifetime);
    const LayerId layer = builder_.add_layer(kept);
    add_sources_of_name(layer, builder_.strings().view(kept), builder_);
    set(layer, time);
  } else if (has_profiles_) {
    rows_.push_back({name.view, time});
  } else {
    join(join_, name.view, time);
  }
}

void LayerTimes::set(LayerId layer, const LayerTime& time) {
  model::LayersTable& layers = builder_.model().layers;
  const std::size_t row = layer.index();
  if (time.count) layers.count.set(row, *time.count);
  layers.total_ms.set(row, time.total_ms);
  layers.mean_ms.set(row, time.mean_ms);
  layers.median_ms.set(row, time.median_ms);
  if (time.min_ms) layers.min_ms.set(row, *time.min_ms);
  if (time.max_ms) layers.max_ms.set(row, *time.max_ms);
}

void LayerTimes::join(LayerJoin& join, std::string_view name, const LayerTime& time) {
  const LayerId layer = join.next(name);
  if (layer.is_null()) {
    report_.missed(name);
  } else {
    set(layer, time);
  }
}

void LayerTimes::finish() {
  builder_.model().files.record_count.set(artefact_.file_row,
                                          static_cast<std::int64_t>(row_count_));
  if (makes_layers_) return finish_new_layers();
  if (!has_profiles_) return finish_join(join_);
  const std::int64_t profile = profile_of_rows();
  LayerJoin of_profile(builder_.model(), profile);
  for (const Row& row : rows_) join(of_profile, row.name, row.time);
  finish_join(of_profile);
  const std::int64_t shown = builder_.model().engine.profile_index.get(0).value_or(0);
  if (profile != shown && of_profile.joined_count() > 0) {
    builder_.add_diagnostic(
        {.code = "times-of-other-profile",
         .message = format("the times were measured with optimization profile {0}, but profile {1} "
                           "is shown, whose layers have no times; show them with `--profile {0}`",
                           profile, shown),
         .file = artefact_.path});
  }
}

// The profile of most rows. Only one profile runs at a time, so all should agree; names that layers
// of several profiles share are ignored.
std::int64_t LayerTimes::profile_of_rows() const {
  const model::PlanModel& model = builder_.model();
  constexpr std::int64_t kSeveral = -1;
  std::unordered_map<std::string_view, std::int64_t> profile_of_name;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    const auto profile = model.layers.profile_index.get(row).value_or(kSeveral);
    const auto [found, is_new] =
        profile_of_name.try_emplace(model.text(model.layers.name[row]), profile);
    if (!is_new && found->second != profile) found->second = kSeveral;
  }
  std::map<std::int64_t, std::size_t> votes;
  for (const Row& row : rows_) {
    const auto found = profile_of_name.find(row.name);
    if (found != profile_of_name.end() && found->second != kSeveral) ++votes[found->second];
  }
  std::int64_t best = model.engine.profile_index.get(0).value_or(0);
  std::size_t most = 0;
  for (const auto& [profile, count] : votes) {
    if (count > most || (count == most && profile == model.engine.profile_index.get(0))) {
      best = profile;
      most = count;
    }
  }
  return best;
}

void LayerTimes::finish_join(const LayerJoin& join) {
  report_.finish(artefact_, join.joined_count(), join.candidate_count(), builder_);
  const std::string_view name = join.ambiguous_name();
  if (name.empty()) return;
  builder_.add_diagnostic(
      {.code = "ambiguous-layer-name",
       .message = format("several layers are called {}, but the profile has fewer rows with that "
                         "name; the first of them got the times",
                         base::quoted(name)),
       .file = artefact_.path});
}

void LayerTimes::finish_new_layers() {
  model::PlanModel& model = builder_.model();
  base::StringPool& strings = builder_.strings();
  model.files.joined_count.set(artefact_.file_row, static_cast<std::int64_t>(row_count_));
  if (model.engine.producer.is_null(0)) model.engine.producer.set(0, strings.intern("tensorrt"));
  model.engine.detail.set(0, strings.intern("names-only"));
  type_dla_rows(builder_);
  builder_.add_diagnostic(
      {.code = "only-times",
       .message = "there are layer times but no layer file: only names and times are known; create "
                  "the layer file with `trtexec --exportLayerInfo=FILE`",
       .file = artefact_.path});
}

}  // namespace planex::ingest::tensorrt
