// Puts times of layers, from a profile or from samples, into the model: joined to the layers by
// name, or, if no layers are known, as layers with only names and times.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ingest/join_report.h"
#include "ingest/json_input.h"
#include "ingest/layer_join.h"
#include "model/builder.h"

namespace planex::ingest::tensorrt {

struct LayerTime {
  std::optional<std::int64_t> count;
  std::optional<double> total_ms, mean_ms, median_ms, min_ms, max_ms;
};

class LayerTimes {
 public:
  LayerTimes(const Artefact& artefact, model::ModelBuilder& builder);

  // The next row of the file. A borrowed name must stay valid until finish().
  void add(const JsonText& name, const LayerTime& time);

  // Call after the last row: joins the waiting rows, adds the diagnostics and the counts of the
  // file.
  void finish();

 private:
  struct Row {
    std::string_view name;
    LayerTime time;
  };
  void set(model::LayerId layer, const LayerTime& time);
  void join(LayerJoin& join, std::string_view name, const LayerTime& time);
  std::int64_t profile_of_rows() const;
  void finish_join(const LayerJoin& join);
  void finish_new_layers();

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  // No layers were read before: the rows become layers.
  bool makes_layers_ = false;
  LayerJoin join_;
  JoinReport report_;
  std::size_t row_count_ = 0;
  // For an engine with several optimization profiles: only all rows together show which of them
  // ran.
  bool has_profiles_ = false;
  std::vector<Row> rows_;
};

}  // namespace planex::ingest::tensorrt
