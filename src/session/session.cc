#include "planex/session.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "analyze/compare/compare.h"
#include "analyze/compare/engine_pairs.h"
#include "analyze/complete/complete.h"
#include "analyze/doctor.h"
#include "analyze/explain/timing.h"
#include "analyze/summary/summary.h"
#include "arrow/data_table.h"
#include "arrow/model_table.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/discover/load.h"
#include "lint/markdown.h"
#include "lint/run.h"
#include "query/query.h"
#include "render/cpp/record_structs.h"
#include "render/cpp/table_classes.h"
#include "render/csv/table_csv.h"
#include "render/documents.h"
#include "render/fields/doctor.h"
#include "render/fields/summary.h"
#include "render/fields/tables.h"
#include "render/fields/timing.h"
#include "render/json/record_json.h"
#include "render/markdown/schema_markdown.h"
#include "render/markdown/table_markdown.h"
#include "render/tables/model_tables.h"
#include "render/text/doctor_text.h"
#include "render/text/summary_text.h"
#include "render/text/table_text.h"
#include "render/text/timing_text.h"
#include "render/typescript/record_types.h"
#include "render/words/sentences.h"
#include "session/answer/format.h"
#include "session/compare/compare.h"
#include "session/compare/pair_tables.h"
#include "session/doctor_model.h"
#include "session/documents.h"
#include "session/explain/explain.h"
#include "session/export/draw.h"
#include "session/export/export.h"
#include "session/layers/layers_query.h"
#include "session/lint/lint.h"
#include "session/list.h"
#include "session/machine/this_machine.h"
#include "session/open/engine.h"
#include "session/open/internals.h"
#include "session/report/report.h"

namespace planex {
namespace {

using base::format;
using session::style_of;

std::string rendered(const model::DataTable& table, std::string_view schema, const View& view) {
  switch (view.format) {
    case Format::kJson:
      return render::json_document(render::table_document(schema), table, {},
                                   render::JsonStyle::kCompact);
    case Format::kCsv:
      return render::csv_table(table);
    case Format::kMarkdown:
      return render::markdown_table(table);
    default:
      break;
  }
  return render::text_table(table, style_of(view));
}

Failure no_such_format(std::string_view verb, std::string_view formats) {
  return fail(ErrorCode::kUsage, format("{} has no such format; it has {}", verb, formats));
}

// What distinguishes engines: the last part of the path, as the user typed it, without its
// extensions.
std::string path_label(const session::Engine& engine) {
  std::string_view path = engine.request.path;
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  std::string label(base::file_name_of(path));
  for (const std::string_view ending :
       {".gz", ".graph.json", ".plan.json", ".json", ".planex", ".tea", ".zip"}) {
    if (label.ends_with(ending)) label.resize(label.size() - ending.size());
  }
  return label.empty() || label == "." ? std::string(engine.model.text(engine.model.engine.name[0]))
                                       : label;
}

// Sessions share the engines that are open in several of them.
struct OpenEngine {
  // Short and unique among the open engines.
  std::string label;
  std::shared_ptr<const session::Engine> engine;
};

}  // namespace

class Session::State {
 public:
  std::vector<OpenEngine> engines;
  std::vector<std::string> input_files;

  void add(std::shared_ptr<const session::Engine> engine) {
    engines.push_back({.engine = std::move(engine)});
  }

  // Call it once all engines are added.
  void set_labels() {
    std::vector<std::string> names;
    for (const OpenEngine& open : engines) {
      names.push_back(open.engine->request.name.value_or(path_label(*open.engine)));
    }
    std::vector<std::string> labels = analyze::short_labels(names);
    for (std::size_t i = 0; i < labels.size(); ++i) engines[i].label = std::move(labels[i]);
  }

  void add_inputs(const session::Engine& engine) {
    input_files.push_back(engine.request.path);
    const model::FilesTable& files = engine.model.files;
    for (std::size_t row = 0; row < files.row_count(); ++row) {
      input_files.emplace_back(engine.model.text(files.file[row]));
    }
  }

  const session::Engine& first() const { return *engines.front().engine; }

  // For the first engine only.
  Result<query::Database> database() const {
    const query::NamedModel first{engines.front().label, &this->first().model};
    return query::Database::open({&first, 1});
  }

  Result<model::DataTable> run(std::string_view sql, const QueryLimits& limits) const {
    const bool asks_for_pairs = query::names_table(sql, session::kPairsTable) ||
                                query::names_table(sql, session::kPairLayersTable);
    PLANEX_ASSIGN(query::Database database,
                  this->database(asks_for_pairs ? PairRows::kYes : PairRows::kNo));
    query::RunOptions options{.max_rows = limits.max_rows, .cancelled = limits.cancelled};
    if (limits.max_memory_bytes > 0) options.max_memory_bytes = limits.max_memory_bytes;
    return database.run(sql, options);
  }

  // For all engines, with the tables of their pairs. Matching layers takes time, so these have rows
  // only if the query uses them.
  enum class PairRows : std::uint8_t { kNo, kYes };
  Result<query::Database> database(PairRows pair_rows) const {
    if (engines.size() == 1) return database();
    std::vector<query::NamedModel> models;
    for (const OpenEngine& open : engines) models.push_back({open.label, &open.engine->model});
    if (pair_rows == PairRows::kNo) {
      return query::Database::open(models, session::pair_tables(nullptr));
    }
    const analyze::Comparison compared = comparison();
    return query::Database::open(models, session::pair_tables(&compared));
  }

  std::vector<analyze::EngineToCompare> to_compare() const {
    std::vector<analyze::EngineToCompare> list;
    for (const auto& [label, engine] : engines) {
      std::vector<analyze::MeasuredRun> runs = {analyze::measure_run(engine->model)};
      runs.insert(runs.end(), engine->repeats.begin(), engine->repeats.end());
      list.push_back({label, &engine->model, &engine->summary, std::move(runs)});
    }
    return list;
  }

  analyze::Comparison comparison(const analyze::CompareOptions& options = {}) const {
    return analyze::compare(to_compare(), options);
  }
};

Session::Session(std::shared_ptr<const State> state) : state_(std::move(state)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Result<Session> Session::open(std::span<const OpenRequest> requests) {
  return session::Internals::open(
      requests, std::vector<const base::FileSource*>(requests.size(), &base::disk()));
}

Result<Session> Session::open(const std::string& path) {
  const OpenRequest request{.path = path};
  return open(std::span(&request, 1));
}

Result<Session> session::Internals::open(std::span<const OpenRequest> requests,
                                         std::span<const base::FileSource* const> files) {
  if (requests.empty()) return fail(ErrorCode::kUsage, "no engine was named");
  auto state = std::make_shared<Session::State>();
  std::vector<Engine> engines;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const OpenRequest& request = requests[i];
    PLANEX_ASSIGN(session::Engine engine, session::open_engine(request, *files[i]));
    state->add_inputs(engine);
    if (request.is_repeat && !engines.empty()) {
      engines.back().repeats.push_back(analyze::measure_run(engine.model));
      continue;
    }
    engines.push_back(std::move(engine));
  }
  for (session::Engine& engine : engines)
    state->add(std::make_shared<const session::Engine>(std::move(engine)));
  state->set_labels();
  return Session(std::move(state));
}

Result<Session> Session::join(std::span<const Session* const> sessions) {
  if (sessions.empty()) return fail(ErrorCode::kUsage, "no engine was named");
  auto state = std::make_shared<State>();
  for (const Session* session : sessions) {
    const State& other = *session->state_;
    state->input_files.insert(state->input_files.end(), other.input_files.begin(),
                              other.input_files.end());
    for (const OpenEngine& open : other.engines) state->add(open.engine);
  }
  state->set_labels();
  return Session(std::move(state));
}

const std::vector<std::string>& Session::input_files() const { return state_->input_files; }

EngineOverview Session::overview() const { return session::overview_of(state_->first()); }

Result<std::string> Session::summary(const View& view) const {
  const session::Engine& engine = state_->first();
  switch (view.format) {
    case Format::kText:
      return render::summary_text(engine.model, engine.summary,
                                  session::plan_word(engine.request.path), style_of(view));
    case Format::kJson:
      return render::json_document(render::summary_document(), engine.summary, engine.model);
    default:
      return no_such_format("summary", "text and json");
  }
}

Result<std::string> Session::timing(const View& view) const {
  const session::Engine& engine = state_->first();
  switch (view.format) {
    case Format::kText:
      return render::timing_text(engine.model, engine.summary, style_of(view));
    case Format::kJson: {
      const auto timing = analyze::explain_timing(engine.model, engine.summary);
      const render::TimingResult result{
          .model = engine.model, .summary = engine.summary, .timing = timing};
      return render::json_document(render::timing_document(), result, result);
    }
    default:
      return no_such_format("summary --timing", "text and json");
  }
}

Result<std::string> Session::layers(const LayersRequest& request, const View& view) const {
  PLANEX_ASSIGN(query::Database database, state_->database());
  PLANEX_ASSIGN(const std::string sql, session::layers_sql(request, state_->first().model));
  auto table = database.run(sql);
  if (!table) {
    // The user wrote a condition, not the whole statement.
    Error error = std::move(table).error();
    error.context = format("in --filter {}", request.filter);
    return fail(std::move(error));
  }
  return rendered(*table, "planex.layers/1", view);
}

Result<std::string> Session::query(std::string_view sql, const View& view,
                                   const QueryLimits& limits) const {
  PLANEX_ASSIGN(const model::DataTable table, state_->run(sql, limits));
  return rendered(table, "planex.query/1", view);
}

Result<ArrowTable> Session::query_table(std::string_view sql, const QueryLimits& limits) const {
  PLANEX_ASSIGN(const model::DataTable table, state_->run(sql, limits));
  return ArrowTable(std::make_shared<const arrow::Table>(arrow::data_table(table, "query")));
}

Result<ArrowTable> Session::table(std::string_view name, std::size_t engine) const {
  if (engine >= state_->engines.size()) {
    return fail(ErrorCode::kUsage, format("there is no engine {}: {} are open, counted from 0",
                                          engine, state_->engines.size()));
  }
  const std::shared_ptr<const session::Engine>& chosen = state_->engines[engine].engine;
  const auto choice = render::find_table_choice(name);
  if (!choice) return session::no_such_table(name);
  if (!choice->work_only) {
    return ArrowTable(std::make_shared<const arrow::Table>(
        arrow::model_table(chosen->model, choice->table, chosen)));
  }
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < chosen->model.layers.row_count(); ++row) {
    if (chosen->model.does_work(model::LayerId(row))) rows.push_back(row);
  }
  arrow::Table table = arrow::model_table_rows(chosen->model, choice->table, rows);
  table.name = name;
  return ArrowTable(std::make_shared<const arrow::Table>(std::move(table)));
}

std::size_t Session::engine_count() const { return state_->engines.size(); }

std::string_view Session::engine_label(std::size_t engine) const {
  return state_->engines[engine].label;
}

Engine Session::engine(std::size_t engine) const {
  const OpenEngine& open = state_->engines[engine];
  return {open.engine, open.label};
}

std::vector<Engine> Session::engines() const {
  std::vector<Engine> engines;
  for (const OpenEngine& open : state_->engines) engines.emplace_back(open.engine, open.label);
  return engines;
}

Result<std::string> Session::tables(const std::optional<std::string>& table,
                                    const View& view) const {
  PLANEX_ASSIGN(query::Database database, state_->database(State::PairRows::kYes));
  if (!table) return rendered(database.list_tables(), "planex.tables/1", view);
  PLANEX_ASSIGN(const model::DataTable columns, database.describe_table(*table));
  return rendered(columns, "planex.columns/1", view);
}

Result<std::string> Session::explain(const ExplainRequest& request, const View& view) const {
  const session::Engine& engine = state_->first();
  return session::explain({engine.model, engine.summary}, request, view);
}

Result<LintResult> Session::lint(const LintRequest& request, const View& view) const {
  const session::Engine& engine = state_->first();
  return session::lint({engine.model, engine.lint, engine.judgements}, request, view);
}

Result<CompareResult> Session::compare(const CompareRequest& request, const View& view) const {
  return session::compare(state_->comparison(session::to_options(request)), request, view);
}

Result<results::Compare> Session::comparison(const CompareRequest& request) const {
  CompareRequest whole = request;
  whole.section = CompareSection::kOverview;
  results::Compare result;
  PLANEX_TRY(session::compare(state_->comparison(session::to_options(request)), whole,
                              [&](const session::Writers& writers) -> Result<void> {
                                session::fill(result, writers.document);
                                return {};
                              }));
  return result;
}

Result<ArrowTable> Session::comparison_table(const CompareRequest& request) const {
  std::optional<ArrowTable> table;
  PLANEX_TRY(session::compare(state_->comparison(session::to_options(request)), request,
                              session::take_table(table, "compare")));
  return *std::move(table);
}

Result<std::string> Session::report(Format report_format) const {
  return report(ReportRequest{.format = report_format});
}

Result<std::string> Session::report(const ReportRequest& request) const {
  return session::Internals::report(*this, request, nullptr);
}

Result<std::string> session::Internals::report(const Session& session, const ReportRequest& request,
                                               const analyze::Sweep* sweep) {
  std::vector<session::EngineToReport> engines;
  for (const auto& [label, engine] : session.state_->engines) {
    engines.push_back({label, engine->model, engine->summary, engine->lint, engine->judgements,
                       engine->request, *engine->files});
  }
  if (engines.size() < 2 || request.is_overview) {
    return session::report(engines, nullptr, sweep, request);
  }
  const std::vector<analyze::EngineToCompare> list = session.state_->to_compare();
  session::ComparedEngines compared{analyze::compare(list), {}};
  compared.engine_pairs = analyze::compare_engine_pairs(list, compared.comparison);
  return session::report(engines, &compared, sweep, request);
}

Result<void> Session::export_as(const ExportRequest& request, const DocumentSink& write) const {
  std::vector<session::EngineToExport> engines;
  for (const auto& [label, engine] : state_->engines) {
    engines.push_back({label, engine->model, engine->summary});
  }
  return session::export_as(engines, [this] { return state_->comparison(); }, request, write);
}

Result<void> Session::draw(const DrawRequest& request, const DocumentSink& write) const {
  return session::draw(state_->first().model, state_->first().summary, request, write);
}

Result<DoctorResult> doctor(const OpenRequest& request, const View& view,
                            std::string_view program_dir) {
  return session::doctor(request, view, program_dir, base::disk());
}
Result<DoctorResult> session::doctor(const OpenRequest& request, const View& view,
                                     std::string_view program_dir, const base::FileSource& files) {
  if (view.format != Format::kText && view.format != Format::kJson) {
    return no_such_format("doctor", "text and json");
  }
  analyze::DoctorReport report;
  report.path = request.path;
  const auto result = [&] {
    return DoctorResult{.document = view.format == Format::kJson
                                        ? render::json_document(render::doctor_document(), report)
                                        : render::doctor_text(report, style_of(view)),
                        .readable = !report.error.has_value()};
  };
  if (request.path.empty()) {
    report.engines = session::installed_engines("MODEL.onnx", program_dir);
    return result();
  }
  report.model = session::as_model(request.path);
  if (report.model) report.engines = session::installed_engines(request.path, program_dir);
  auto discovery = ingest::discover(session::to_load_request(request), files);
  const auto is_engine_of_its_own = [&](const ingest::FoundFile& file) {
    return file.is_engine && !(report.model && file.path == report.model->path);
  };
  if (report.model &&
      (!discovery || std::ranges::none_of(discovery->files, is_engine_of_its_own))) {
    // A model alone is not an engine yet, and need not be one.
  } else if (!discovery) {
    report.error = std::move(discovery).error();
  } else {
    for (const ingest::FoundFile& file : discovery->files) {
      report.files.push_back({.path = file.path,
                              .size_bytes = file.size_bytes,
                              .label = std::string(file.reader ? file.reader->label : ""),
                              .kind = std::string(file.reader ? file.reader->id : ""),
                              .evidence = file.evidence,
                              .used = file.used});
    }
    auto model = ingest::load(*discovery, files);
    if (model) {
      analyze::Reconciliation time = analyze::complete(*model);
      const analyze::Summary summary = analyze::summarize(*model, std::move(time));
      for (std::size_t row = 0; row < model->files.row_count(); ++row) {
        const auto file = std::ranges::find(report.files, model->text(model->files.file[row]),
                                            &analyze::DoctorFile::path);
        if (file == report.files.end()) continue;
        file->record_count = model->files.record_count.get(row);
        file->joined_count = model->files.joined_count.get(row);
      }
      report.producer = render::producer_text(*model);
      report.version_evidence = model->text(model->engine.version_evidence[0]);
      report.detail = model->text(model->engine.detail[0]);
      report.record_count = summary.record_count;
      report.runs = analyze::doctor_runs(*model);
      report.missing = summary.missing;
      report.diagnostics = summary.diagnostics;
    } else {
      report.error = std::move(model).error();
    }
  }
  return result();
}

Result<ListResult> list_engines(const ListRequest& request, const View& view) {
  return session::list_engines(request, view, base::disk());
}

Result<std::vector<std::string>> find_engines(const std::string& path, std::size_t depth) {
  return session::engines_below(path, depth, base::disk());
}

std::string schema(const View& view) {
  switch (view.format) {
    case Format::kJson:
      return render::json_document(render::schema_document(), record::NoContext{});
    case Format::kMarkdown:
      return render::schema_markdown();
    case Format::kCsv:
      return render::csv_table(render::schema_table());
    default:
      break;
  }
  return render::text_table(render::schema_table(), style_of(view));
}

Result<std::string> document_schema(std::string_view id) {
  if (auto schema = session::schema_of_document(id)) return *std::move(schema);
  const std::vector<std::string> ids = document_ids();
  const std::vector<std::string_view> names(ids.begin(), ids.end());
  const auto near = base::nearest(id, names);
  return fail(ErrorCode::kUsage, format("no document is called {}", base::quoted(id)),
              near ? format("did you mean {}?", *near) : "planex schema --documents lists all");
}

std::vector<std::string> document_ids() { return session::all_document_ids(); }

std::string document_types(TypesOf types) {
  switch (types) {
    case TypesOf::kCpp:
      return render::cpp_structs(session::all_structs());
    case TypesOf::kCppTables:
      return render::cpp_tables();
    case TypesOf::kPage:
      return render::typescript_readers(render::page_documents());
    case TypesOf::kTypeScript:
      break;
  }
  return render::typescript_types(session::all_documents());
}

std::vector<std::string> layer_column_names() {
  std::vector<std::string> names;
  for (const model::ColumnInfo& column : model::schema()[*model::find_table("layers")].columns) {
    names.emplace_back(column.name);
  }
  return names;
}

std::vector<std::string> lint_rule_ids() {
  std::vector<std::string> ids;
  for (const lint::Rule* rule : lint::rules()) ids.emplace_back(rule->info.id);
  return ids;
}

std::string rules_reference() { return lint::rules_reference(); }

Result<std::string> describe_rules(const View& view) { return session::describe_rules(view); }

Result<std::string> explain_rule(std::string_view id, const std::optional<std::string>& rules_file,
                                 const View& view) {
  return session::explain_rule(id, rules_file, view);
}

std::string describe(const Error& error, bool color) { return render::error_text(error, color); }

}  // namespace planex
