// A model from the text of a log, for tests: all of it, or just what the lines of layers and of the
// parser give, without the readers of the rest of a log.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/reader.h"
#include "ingest/tensorrt/graph_reader.h"
#include "ingest/tensorrt/log/layer_lines.h"
#include "ingest/tensorrt/log/log_runs.h"
#include "ingest/tensorrt/log/parser_lines.h"
#include "model/plan_model.h"
#include "support/test_data.h"

namespace planex::ingest::tensorrt {

inline std::string_view detail_of(const model::PlanModel& model) {
  return model.text(model.engine.detail[0]);
}
inline std::string_view version_of(const model::PlanModel& model) {
  return model.text(model.engine.producer_version[0]);
}

// A log in its own folder; `run`: the user's choice among its runs.
inline model::PlanModel load_log(std::string_view log,
                                 std::optional<std::int64_t> run = std::nullopt) {
  const base::MemoryFiles files = test::memory_files({{"engine/x.log", log}});
  return test::must(test::load_completed({.path = "engine", .run = run}, files));
}

struct LogRequest {
  // A layer file that is read before the log, unless empty.
  std::string_view graph = {};
  // The user's choice of an optimization profile.
  std::optional<std::int64_t> profile_index = std::nullopt;
};

inline Result<void> read_layers_and_operations(const Artefact& artefact,
                                               model::ModelBuilder& builder) {
  builder.keep(artefact.bytes);
  LayerLines layers(artefact, builder);
  ParserLines parser(artefact, builder);
  const std::string_view text = artefact.bytes->view();
  const std::vector<LogRun> runs = find_runs(text);
  const std::vector<RunChoice> choices = run_choices(runs);
  const LogRun& run = runs[choices[default_choice(runs, choices)].main];
  LogLines lines(text, run.begin, run.end, run.first_line);
  LogLine line;
  while (lines.next(line)) {
    if (!layers.take(line)) parser.take(line);
  }
  const Result<void> parsed = parser.finish();
  return parsed ? layers.finish() : parsed;
}

inline model::PlanModel read_log_text(std::string_view log, const LogRequest& request = {}) {
  model::ModelBuilder builder;
  builder.model().engine.profile_index.set(0, request.profile_index);
  const auto read = [&](std::string path, std::string_view text, auto reader) {
    Artefact artefact{.path = path, .bytes = base::make_bytes(text)};
    artefact.file_row = builder.add_file(path, "test", "test", text.size());
    const Result<void> result = reader(artefact, builder);
    if (!result) ADD_FAILURE() << test::to_text(result.error());
  };
  if (!request.graph.empty()) read("x.graph.json", request.graph, read_graph);
  read("x.build.log", log, read_layers_and_operations);
  return builder.finish();
}

}  // namespace planex::ingest::tensorrt
