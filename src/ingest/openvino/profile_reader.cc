#include "ingest/openvino/profile_reader.h"

#include <algorithm>
#include <optional>

#include "base/checked.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/join_report.h"
#include "ingest/layer_join.h"
#include "ingest/openvino/schemas.h"

namespace planex::ingest::openvino {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using base::StringId;
using model::LayerId;

class ProfileReader {
 public:
  ProfileReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact),
        builder_(builder),
        layers_(builder.model().layers),
        json_(artefact, kProfileSchema),
        join_(builder.model()),
        is_timed_(layers_.row_count(), false) {}

  Result<void> read() {
    PLANEX_TRY(json_.read_document(
        [this](std::string_view key, ondemand::value& value, const JsonPlace& place) {
          return read_root_field(key, value, place);
        }));
    if (!has_layers_) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = format("not {}: it has no list \"layers\"", kProfileSchema.what),
                   .file = artefact_.path,
                   .json_pointer = "/layers"});
    }
    finish();
    return {};
  }

 private:
  Result<void> read_root_field(std::string_view key, ondemand::value& value,
                               const JsonPlace& place) {
    if (key == "layers") {
      has_layers_ = true;
      return json_.each_item(
          value, place, "a list of layers",
          [this](ondemand::value& row, const JsonPlace& at) { return read_row(row, at); });
    }
    if (key == "profiled_latency") {
      return json_.each_field(
          value, place, "an object of statistics",
          [this](std::string_view name, ondemand::value& item, const JsonPlace& at) {
            return keep(format("profiled_latency.{}", name), item, at);
          });
    }
    if (key == "rounds" || key == "iterations_per_round") {
      PLANEX_ASSIGN(const auto number, json_.integer(value, place));
      (key == "rounds" ? rounds_ : iterations_) = number;
      if (number) {
        builder_.add_metadata("profile", key, format("{}", *number), artefact_.path);
      }
      return {};
    }
    return keep(key, value, place);
  }

  Result<void> keep(std::string_view key, ondemand::value& value, const JsonPlace& place) {
    if (JsonRecords::is_null(value)) return {};
    PLANEX_ASSIGN(const JsonText text, json_.written(value, place));
    builder_.add_metadata("profile", key, text.view, artefact_.path);
    return {};
  }

  Result<void> read_row(ondemand::value& value, const JsonPlace& place) {
    JsonText name;
    bool has_name = false;
    std::optional<double> mean, median, min, max;
    PLANEX_TRY(json_.each_field(
        value, place, "a layer's times",
        [&](std::string_view key, ondemand::value& item, const JsonPlace& at) -> Result<void> {
          std::optional<double>* target = key == "mean_ms"     ? &mean
                                          : key == "median_ms" ? &median
                                          : key == "min_ms"    ? &min
                                          : key == "max_ms"    ? &max
                                                               : nullptr;
          if (key == "name") {
            PLANEX_ASSIGN(name, json_.text(item, at));
            has_name = true;
          } else if (target != nullptr) {
            PLANEX_ASSIGN(*target, json_.number(item, at));
          }
          return {};
        }));
    ++row_count_;
    if (!has_name) {
      builder_.add_diagnostic({.code = "profile-row-without-name",
                               .message = "the row has no name; its times belong to no layer",
                               .file = artefact_.path,
                               .json_pointer = place.pointer()});
      return {};
    }
    const LayerId layer = join_.next(name.view);
    if (layer.is_null()) {
      report_.missed(name.view);
      return {};
    }
    const std::size_t at = layer.index();
    is_timed_[at] = true;
    layers_.mean_ms.set(at, mean);
    layers_.median_ms.set(at, median);
    layers_.min_ms.set(at, min);
    layers_.max_ms.set(at, max);
    return {};
  }

  void finish() {
    set_counts();
    builder_.model().files.record_count.set(artefact_.file_row,
                                            static_cast<std::int64_t>(row_count_));
    // Constants don't run, so they have no rows.
    std::size_t expected = 0;
    for (std::size_t row = 0; row < layers_.row_count(); ++row) {
      if (is_timed_[row] || layers_.role[row] != model::Role::kConstant) ++expected;
    }
    report_.finish(artefact_, join_.joined_count(), expected, builder_);
  }

  // A sample is the mean of a round, and the mean of all rounds is the mean of all their
  // inferences. The median is one of rounds, though, so it implies nothing about inferences.
  void set_counts() {
    if (!rounds_ || !iterations_ || *rounds_ <= 0 || *iterations_ <= 0) return;
    const auto count = (base::CheckedInt(*rounds_) * *iterations_).value();
    if (!count) return;
    for (std::size_t row = 0; row < layers_.row_count(); ++row) {
      if (!is_timed_[row]) continue;
      layers_.count.set(row, *count);
      if (const auto mean = layers_.mean_ms.get(row)) {
        layers_.total_ms.set(row, *mean * static_cast<double>(*count));
      }
    }
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  model::LayersTable& layers_;
  JsonRecords json_;
  LayerJoin join_;
  JoinReport report_;

  bool has_layers_ = false;
  std::size_t row_count_ = 0;
  std::optional<std::int64_t> rounds_, iterations_;
  // By layer.
  std::vector<bool> is_timed_;
};

}  // namespace

Confidence sniff_profile(std::string_view head) { return sniff_schema(head, kProfileSchema); }

Result<void> read_profile(const Artefact& artefact, model::ModelBuilder& builder) {
  return ProfileReader(artefact, builder).read();
}

}  // namespace planex::ingest::openvino
