// Requests from options: pairs of texts, as other languages hand them over.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planex/archive.h"
#include "planex/error.h"
#include "planex/session.h"

namespace planex::c_api {

struct OptionText {
  std::string_view name, value;
};
using Options = std::span<const OptionText>;

// What the verbs take beside the engines. Each verb reads those of its own.
struct LayersOptions {
  LayersRequest request;
  View view{.format = Format::kJson};
};
struct ExplainOptions {
  ExplainRequest request;
  View view{.format = Format::kJson};
};
struct LintOptions {
  LintRequest request;
  View view{.format = Format::kJson};
};
struct CompareOptions {
  CompareRequest request;
  View view{.format = Format::kJson};
};
struct ListOptions {
  ListRequest request;
  std::vector<std::string> within;
  View view{.format = Format::kJson};
};
struct TablesOptions {
  std::optional<std::string> table;
  View view{.format = Format::kJson};
};
struct DoctorOptions {
  OpenRequest request;
  std::string program_dir;
  View view{.format = Format::kJson};
};

struct ArchiveOptions {
  ArchiveRequest request;
  View view{.format = Format::kJson};
};
struct PathOptions {
  std::string path;
  View view{.format = Format::kJson};
};

// One engine to open. Of `within`, folders, files are read that lie there and no other; empty: all.
struct EngineOptions {
  OpenRequest request;
  std::vector<std::string> within;
};

// Errors of all: kUsage (no such option, with those that there are; a value that is none).
Result<std::vector<EngineOptions>> engine_options(Options options);
Result<QueryLimits> query_limits(Options options);
Result<View> view_options(Options options);
Result<LayersOptions> layers_options(Options options);
Result<ExplainOptions> explain_options(Options options);
Result<LintOptions> lint_options(Options options);
Result<CompareOptions> compare_options(Options options);
Result<ListOptions> list_options(Options options);
Result<TablesOptions> tables_options(Options options);
Result<DoctorOptions> doctor_options(Options options);
Result<ArchiveOptions> archive_options(Options options);
Result<PathOptions> path_options(Options options);
Result<ReportRequest> report_options(Options options);
Result<DrawRequest> draw_options(Options options);
Result<ExportRequest> export_options(Options options);

}  // namespace planex::c_api
