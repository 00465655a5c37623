#include "c_api/request_options.h"

#include <cstdint>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "c_api/option_table.h"
#include "session/answer/words.h"

namespace planex::c_api {
namespace {

using base::format;

// How a document looks: options that follow those of the verb itself.
#define PLANEX_VIEW_OPTIONS(Request)                                                            \
  PLANEX_WORD_OPTION(Request, "format", view.format, kFormats),                                 \
      PLANEX_OPTION(Request, "width", view.width), PLANEX_OPTION(Request, "color", view.color), \
      PLANEX_OPTION(Request, "wide", view.wide)

struct ViewOptions {
  View view{.format = Format::kJson};
};

constexpr Option<EngineOptions> kEngineOptions[] = {
    PLANEX_OPTION(EngineOptions, "path", request.path),
    PLANEX_OPTION(EngineOptions, "name", request.name),
    PLANEX_OPTION(EngineOptions, "model", request.source_model),
    PLANEX_OPTION(EngineOptions, "graph", request.graph),
    PLANEX_OPTION(EngineOptions, "profile", request.profile),
    PLANEX_OPTION(EngineOptions, "times", request.times),
    PLANEX_OPTION(EngineOptions, "metadata", request.metadata),
    PLANEX_OPTION(EngineOptions, "log", request.log),
    PLANEX_OPTION(EngineOptions, "nsight", request.nsight),
    PLANEX_OPTION(EngineOptions, "accuracy", request.accuracy),
    PLANEX_OPTION(EngineOptions, "profile-index", request.profile_index),
    PLANEX_OPTION(EngineOptions, "run", request.run),
    PLANEX_OPTION(EngineOptions, "is-repeat", request.is_repeat),
    PLANEX_OPTION(EngineOptions, "within", within)};

constexpr Option<QueryLimits> kQueryOptions[] = {
    PLANEX_OPTION(QueryLimits, "max-rows", max_rows),
    PLANEX_OPTION(QueryLimits, "max-memory-bytes", max_memory_bytes)};

constexpr Option<ViewOptions> kViewOptions[] = {PLANEX_VIEW_OPTIONS(ViewOptions)};

constexpr Option<LayersOptions> kLayersOptions[] = {
    PLANEX_OPTION(LayersOptions, "columns", request.columns),
    PLANEX_OPTION(LayersOptions, "type", request.type),
    PLANEX_OPTION(LayersOptions, "sort", request.sort),
    PLANEX_OPTION(LayersOptions, "reverse", request.reverse),
    PLANEX_OPTION(LayersOptions, "filter", request.filter),
    PLANEX_OPTION(LayersOptions, "top", request.top),
    PLANEX_OPTION(LayersOptions, "all", request.all_records),
    PLANEX_VIEW_OPTIONS(LayersOptions)};

constexpr Option<ExplainOptions> kExplainOptions[] = {
    PLANEX_WORD_OPTION(ExplainOptions, "topic", request.topic, kExplainTopics),
    PLANEX_OPTION(ExplainOptions, "all", request.all),
    PLANEX_OPTION(ExplainOptions, "devices", request.devices),
    PLANEX_OPTION(ExplainOptions, "device", request.device),
    PLANEX_OPTION(ExplainOptions, "probe", request.probe),
    PLANEX_OPTION(ExplainOptions, "may-measure", request.may_measure),
    PLANEX_OPTION(ExplainOptions, "layer", request.layer),
    PLANEX_VIEW_OPTIONS(ExplainOptions)};

constexpr Option<LintOptions> kLintOptions[] = {
    PLANEX_OPTION(LintOptions, "all", request.all),
    PLANEX_OPTION(LintOptions, "pack", request.packs),
    PLANEX_OPTION(LintOptions, "rule", request.rules),
    PLANEX_OPTION(LintOptions, "no-rule", request.without_rules),
    PLANEX_OPTION(LintOptions, "severity", request.severities),
    PLANEX_OPTION(LintOptions, "rules-file", request.rules_file),
    PLANEX_OPTION(LintOptions, "waivers", request.waivers),
    PLANEX_OPTION(LintOptions, "waive", request.waive),
    PLANEX_OPTION(LintOptions, "baseline", request.baseline),
    PLANEX_OPTION(LintOptions, "write-baseline", request.write_baseline),
    PLANEX_OPTION(LintOptions, "reason", request.reason),
    PLANEX_OPTION(LintOptions, "today", request.today),
    PLANEX_OPTION(LintOptions, "rule-seconds", request.max_seconds),
    PLANEX_VIEW_OPTIONS(LintOptions)};

constexpr Option<CompareOptions> kCompareOptions[] = {
    PLANEX_WORD_OPTION(CompareOptions, "section", request.section, kCompareSections),
    PLANEX_WORD_OPTION(CompareOptions, "match", request.match, kMatchRules),
    PLANEX_OPTION(CompareOptions, "all", request.all),
    PLANEX_OPTION(CompareOptions, "only", request.only),
    PLANEX_OPTION(CompareOptions, "pair", request.pair),
    PLANEX_OPTION(CompareOptions, "engine", request.engine),
    PLANEX_OPTION(CompareOptions, "threshold", request.threshold_ratio),
    PLANEX_OPTION(CompareOptions, "fail-on-regression", request.fail_above_ratio),
    PLANEX_OPTION(CompareOptions, "fail-when-unclear", request.fail_when_unclear),
    PLANEX_OPTION(CompareOptions, "run-spread", request.run_spread_ratio),
    PLANEX_OPTION(CompareOptions, "transpose", request.transpose),
    PLANEX_VIEW_OPTIONS(CompareOptions)};

constexpr Option<ListOptions> kListOptions[] = {
    PLANEX_OPTION(ListOptions, "path", request.paths),
    PLANEX_OPTION(ListOptions, "sort", request.sort),
    PLANEX_OPTION(ListOptions, "reverse", request.reverse),
    PLANEX_OPTION(ListOptions, "within", within), PLANEX_VIEW_OPTIONS(ListOptions)};

constexpr Option<TablesOptions> kTablesOptions[] = {PLANEX_OPTION(TablesOptions, "table", table),
                                                    PLANEX_VIEW_OPTIONS(TablesOptions)};

constexpr Option<DoctorOptions> kDoctorOptions[] = {
    PLANEX_OPTION(DoctorOptions, "path", request.path),
    PLANEX_OPTION(DoctorOptions, "model", request.source_model),
    PLANEX_OPTION(DoctorOptions, "program-dir", program_dir), PLANEX_VIEW_OPTIONS(DoctorOptions)};

constexpr Option<ArchiveOptions> kArchiveOptions[] = {
    PLANEX_OPTION(ArchiveOptions, "path", request.engine.path),
    PLANEX_OPTION(ArchiveOptions, "name", request.engine.name),
    PLANEX_OPTION(ArchiveOptions, "model", request.engine.source_model),
    PLANEX_OPTION(ArchiveOptions, "graph", request.engine.graph),
    PLANEX_OPTION(ArchiveOptions, "profile", request.engine.profile),
    PLANEX_OPTION(ArchiveOptions, "times", request.engine.times),
    PLANEX_OPTION(ArchiveOptions, "metadata", request.engine.metadata),
    PLANEX_OPTION(ArchiveOptions, "log", request.engine.log),
    PLANEX_OPTION(ArchiveOptions, "nsight", request.engine.nsight),
    PLANEX_OPTION(ArchiveOptions, "accuracy", request.engine.accuracy),
    PLANEX_OPTION(ArchiveOptions, "profile-index", request.engine.profile_index),
    PLANEX_OPTION(ArchiveOptions, "run", request.engine.run),
    PLANEX_OPTION(ArchiveOptions, "output", request.output),
    PLANEX_OPTION(ArchiveOptions, "with-weights", request.with_weights),
    PLANEX_OPTION(ArchiveOptions, "redact", request.redact),
    PLANEX_OPTION(ArchiveOptions, "salt", request.salt),
    PLANEX_VIEW_OPTIONS(ArchiveOptions)};

constexpr Option<PathOptions> kPathOptions[] = {PLANEX_OPTION(PathOptions, "path", path),
                                                PLANEX_VIEW_OPTIONS(PathOptions)};

constexpr session::Word<Format> kReportFormats[] = {{"html", Format::kText},
                                                    {"json", Format::kJson}};
constexpr Option<ReportRequest> kReportOptions[] = {
    {"format",
     [](ReportRequest& request, std::string_view value) {
       return assign_word(request.format, kReportFormats, value);
     }},
    PLANEX_OPTION(ReportRequest, "pack", lint.packs),
    PLANEX_OPTION(ReportRequest, "rule", lint.rules),
    PLANEX_OPTION(ReportRequest, "no-rule", lint.without_rules),
    PLANEX_OPTION(ReportRequest, "severity", lint.severities),
    PLANEX_OPTION(ReportRequest, "rules-file", lint.rules_file),
    PLANEX_OPTION(ReportRequest, "waivers", lint.waivers),
    PLANEX_OPTION(ReportRequest, "baseline", lint.baseline),
    PLANEX_OPTION(ReportRequest, "today", lint.today),
    PLANEX_OPTION(ReportRequest, "devices", speed.devices),
    PLANEX_OPTION(ReportRequest, "device", speed.device),
    PLANEX_OPTION(ReportRequest, "probe", speed.probe),
    PLANEX_OPTION(ReportRequest, "may-measure", speed.may_measure),
    PLANEX_OPTION(ReportRequest, "no-paths", no_paths),
    PLANEX_OPTION(ReportRequest, "light", is_light),
    PLANEX_OPTION(ReportRequest, "overview", is_overview)};

// What the command line has as flags.
constexpr session::Word<DrawNames> kDrawNames[] = {
    {"short", DrawNames::kShort}, {"original", DrawNames::kOriginal}, {"none", DrawNames::kNone}};
constexpr Option<DrawRequest> kDrawOptions[] = {
    PLANEX_WORD_OPTION(DrawRequest, "format", format, kDrawFormats),
    PLANEX_WORD_OPTION(DrawRequest, "view", view, kDrawViews),
    PLANEX_OPTION(DrawRequest, "select", select),
    PLANEX_OPTION(DrawRequest, "neighbours", neighbours),
    PLANEX_OPTION(DrawRequest, "around", around),
    PLANEX_OPTION(DrawRequest, "radius", radius),
    PLANEX_OPTION(DrawRequest, "between-from", between_from),
    PLANEX_OPTION(DrawRequest, "between-to", between_to),
    PLANEX_OPTION(DrawRequest, "slowest", slowest),
    PLANEX_OPTION(DrawRequest, "context", context),
    PLANEX_OPTION(DrawRequest, "group", group),
    PLANEX_OPTION(DrawRequest, "highlight", highlight),
    PLANEX_OPTION(DrawRequest, "depth", depth),
    PLANEX_OPTION(DrawRequest, "boxes", max_boxes),
    PLANEX_OPTION(DrawRequest, "open", open),
    PLANEX_OPTION(DrawRequest, "fold", fold),
    PLANEX_WORD_OPTION(DrawRequest, "memory", memory, kDrawMemories),
    PLANEX_OPTION(DrawRequest, "constants", constants),
    PLANEX_OPTION(DrawRequest, "bookkeeping", bookkeeping),
    PLANEX_OPTION(DrawRequest, "connected", remove_disconnected),
    PLANEX_WORD_OPTION(DrawRequest, "by", colour, kDrawColours),
    PLANEX_WORD_OPTION(DrawRequest, "theme", theme, kDrawThemes),
    PLANEX_WORD_OPTION(DrawRequest, "palette", palette, kDrawPalettes),
    PLANEX_WORD_OPTION(DrawRequest, "basis", time, kDrawTimes),
    {"names", [](DrawRequest& request,
                 std::string_view value) { return assign_word(request.names, kDrawNames, value); }},
    PLANEX_WORD_OPTION(DrawRequest, "edges", edge_words, kDrawEdgeWords),
    PLANEX_OPTION(DrawRequest, "memory-names", memory_names),
    PLANEX_OPTION(DrawRequest, "details", details),
    PLANEX_OPTION(DrawRequest, "sources", metadata),
    PLANEX_OPTION(DrawRequest, "ports", ports_in_order),
    PLANEX_OPTION(DrawRequest, "scale", scale)};

constexpr Option<ExportRequest> kExportOptions[] = {
    PLANEX_WORD_OPTION(ExportRequest, "format", format, kExportFormats),
    PLANEX_OPTION(ExportRequest, "table", table),
    PLANEX_WORD_OPTION(ExportRequest, "basis", time, kExportTimes),
    PLANEX_WORD_OPTION(ExportRequest, "nodes", nodes, kExportNodes),
    PLANEX_WORD_OPTION(ExportRequest, "value", value, kExportValues)};

#undef PLANEX_VIEW_OPTIONS

}  // namespace

Result<std::vector<EngineOptions>> engine_options(Options options) {
  std::vector<EngineOptions> engines;
  for (const OptionText& given : options) {
    if (given.name == "path") {
      engines.emplace_back();
    } else if (engines.empty()) {
      return fail(ErrorCode::kUsage,
                  format("option {} comes before the first path", base::quoted(given.name)));
    }
    PLANEX_TRY(set_option(engines.back(), kEngineOptions, given));
  }
  return engines;
}

Result<QueryLimits> query_limits(Options options) { return request_of(kQueryOptions, options); }
Result<View> view_options(Options options) {
  PLANEX_ASSIGN(const ViewOptions read, request_of(kViewOptions, options));
  return read.view;
}
Result<LayersOptions> layers_options(Options options) {
  return request_of(kLayersOptions, options);
}
Result<ExplainOptions> explain_options(Options options) {
  return request_of(kExplainOptions, options);
}
Result<LintOptions> lint_options(Options options) { return request_of(kLintOptions, options); }
Result<CompareOptions> compare_options(Options options) {
  return request_of(kCompareOptions, options);
}
Result<ListOptions> list_options(Options options) { return request_of(kListOptions, options); }
Result<TablesOptions> tables_options(Options options) {
  return request_of(kTablesOptions, options);
}
Result<DoctorOptions> doctor_options(Options options) {
  return request_of(kDoctorOptions, options);
}
Result<ArchiveOptions> archive_options(Options options) {
  return request_of(kArchiveOptions, options);
}
Result<PathOptions> path_options(Options options) { return request_of(kPathOptions, options); }
Result<ReportRequest> report_options(Options options) {
  return request_of(kReportOptions, options);
}
Result<DrawRequest> draw_options(Options options) { return request_of(kDrawOptions, options); }
Result<ExportRequest> export_options(Options options) {
  return request_of(kExportOptions, options);
}

}  // namespace planex::c_api
