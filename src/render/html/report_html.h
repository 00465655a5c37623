// The report: one self-contained page. The template is built from web/; this fills in the data
// (docs/reference/report-data.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyze/explain/accuracy.h"
#include "analyze/explain/blocks.h"
#include "analyze/explain/memory_timeline.h"
#include "analyze/explain/pointwise.h"
#include "analyze/explain/precision.h"
#include "analyze/explain/speed.h"
#include "analyze/explain/tactics.h"
#include "analyze/explain/timing.h"
#include "analyze/explain/windows.h"
#include "analyze/reformats/reformats.h"
#include "analyze/reproduce/repeat_commands.h"
#include "analyze/summary/summary.h"
#include "analyze/sweep.h"
#include "lint/run.h"
#include "model/plan_model.h"
#include "planex/error.h"
#include "render/html/compare_data.h"
#include "render/html/graph_data.h"
#include "render/json/json_writer.h"
#include "render/words/document_sink.h"

namespace planex::render {

// What the views show besides the tables: the figures of `planex explain`, and the graphs.
struct EngineAnalyses {
  // Whether there is more than `timing`.
  bool is_complete = true;
  analyze::TimingExplanation timing;
  analyze::MemoryTimeline memory;
  analyze::PrecisionExplanation precision;
  analyze::ReformatExplanation reformats;
  analyze::SpeedOfLight speed;
  analyze::Blocks blocks;
  analyze::PointwiseExplanation pointwise;
  std::vector<analyze::ConvolutionWindow> windows;
  // If a log of the build records them.
  std::optional<analyze::TacticExplanation> tactics = {};
  // If records of quantizing were read.
  std::optional<analyze::AccuracyExplanation> accuracy = {};
  std::vector<GraphOfView> graphs = {};
};

struct FileDigest {
  std::string sha256;  // empty: not known
  // The file is what the manifest says was written; null without a manifest for it.
  std::optional<bool> is_as_made = {};
};

struct LeftOutFile {
  std::string file, kind, reason;  // kind: the reader's id; empty if no reader recognizes it
  std::uint64_t size_bytes = 0;
};

// What was read, and how to repeat it.
struct EngineOrigin {
  std::string path;                 // as the user named it
  std::vector<FileDigest> digests;  // parallel to model.files
  // Found beside it and not read.
  std::vector<LeftOutFile> left_out;
  std::vector<analyze::RepeatCommand> commands;
};

// A finding that another engine of the report does not have in the same place.
struct SolvedElsewhere {
  std::size_t finding = 0;  // of the engine's own
  std::size_t engine = 0;
  // The layers of the place in both engines (the other may have none), and their times.
  std::vector<model::LayerId> here = {}, there = {};
  double here_ms = 0, there_ms = 0, delta_ms = 0;  // there − here
};

struct ReportEngine {
  // The engine's name among others; short and unique.
  std::string label;
  const model::PlanModel* model = nullptr;
  const analyze::Summary* summary = nullptr;
  const lint::LintReport* lint = nullptr;
  const EngineAnalyses* analyses = nullptr;
  const EngineOrigin* origin = nullptr;
  std::vector<SolvedElsewhere> elsewhere = {};
};

// A file that the page's core can read in the same way as the report's engines were read or judged.
struct CarriedFile {
  std::string name;
  std::function<Result<void>(const DocumentSink&)> write;
};

// What a page with a core needs to make the report again, with other engines or other rules: the
// options of planex.h, whose files are among those that the page carries.
struct CarriedRequest {
  using Options = std::vector<std::pair<std::string, std::string>>;
  std::vector<Options> engines;  // of planex_open
  Options report;                // of the verb
  std::vector<CarriedFile> files;
};

struct ReportParts {
  std::span<const ReportEngine> engines;
  // Null if there is one engine.
  const ReportComparison* comparison = nullptr;
  // The grid that the engines are cells of; null if they belong to none.
  const analyze::Sweep* sweep = nullptr;
  // The record of planex optimize that the engines came from: planex.optimize/1 as JSON. Empty:
  // none.
  std::string optimize = {};
  // The command that makes the report again.
  std::string command;
  // Folders of this machine that no text shows (JsonWriter::hide_folders).
  std::vector<std::string> hidden_folders = {};
  // Null: a page that only displays. Ignored by a program that was built without the core.
  const CarriedRequest* carried = nullptr;
};

// Whether pages of this program can carry the core.
bool has_report_core();

// The data as JSON: planex.report/2.
void write_report(JsonWriter& json, const ReportParts& parts);
std::string report_json(const ReportParts& parts);

// The page. Errors: kInternal if the embedded template or the compression fails.
Result<std::string> report_html(const ReportParts& parts);

}  // namespace planex::render
