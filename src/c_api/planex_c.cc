// The C interface: only handles, numbers and texts cross it, no exceptions and no C++ types.
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/confined_disk.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "c_api/handles.h"
#include "c_api/request_options.h"
#include "planex/planex.h"
#include "planex/session.h"
#include "planex/sweep.h"
#include "planex/version.h"
#include "session/open/internals.h"

namespace planex::c_api {
namespace {

using base::format;

static_assert(static_cast<int>(ErrorCode::kUsage) == PLANEX_ERROR_USAGE);
static_assert(static_cast<int>(ErrorCode::kNotFound) == PLANEX_ERROR_NOT_FOUND);
static_assert(static_cast<int>(ErrorCode::kBadInput) == PLANEX_ERROR_BAD_INPUT);
static_assert(static_cast<int>(ErrorCode::kUnsupported) == PLANEX_ERROR_UNSUPPORTED);
static_assert(static_cast<int>(ErrorCode::kExternalTool) == PLANEX_ERROR_EXTERNAL_TOOL);
static_assert(static_cast<int>(ErrorCode::kIo) == PLANEX_ERROR_IO);
static_assert(static_cast<int>(ErrorCode::kCancelled) == PLANEX_ERROR_CANCELLED);
static_assert(static_cast<int>(ErrorCode::kInternal) == PLANEX_ERROR_INTERNAL);

Failure no_such_verb(std::string_view verb, std::string_view there_are) {
  return fail(ErrorCode::kUsage, format("there is no verb {}", base::quoted(verb)),
              format("the verbs are {}", there_are));
}

using Disk = std::shared_ptr<const base::FileSource>;

// Only files below these folders; without folders, all files of the machine.
Result<Disk> disk_within(const std::vector<std::string>& folders) {
  if (folders.empty()) return Disk(std::shared_ptr<void>(), &base::copying_disk());
  PLANEX_ASSIGN(auto disk, base::confined_disk(folders));
  return Disk(std::move(disk));
}

planex_session opened(Session session, std::vector<Disk> disks) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < session.engine_count(); ++i) {
    labels.emplace_back(session.engine_label(i));
  }
  return planex_session{std::move(disks), std::move(session), std::move(labels)};
}

DocumentSink sink_to(std::string& text) {
  return [&text](std::string_view piece) -> Result<void> {
    text += piece;
    return {};
  };
}

Result<std::string> ask_session(const Session& session, std::string_view verb, OptionTexts texts) {
  if (verb == "summary" || verb == "timing") {
    PLANEX_ASSIGN(const View view, view_of(texts));
    return verb == "timing" ? session.timing(view) : session.summary(view);
  }
  if (verb == "layers") {
    PLANEX_ASSIGN(const auto asked, viewed<LayersRequest>(texts));
    return session.layers(asked.request, asked.view);
  }
  if (verb == "tables") {
    std::optional<std::string> table;
    PLANEX_ASSIGN(const View view, view_of(texts, {{.name = "table", .member = &table}}));
    return session.tables(table, view);
  }
  if (verb == "explain") {
    PLANEX_ASSIGN(const auto asked, viewed<ExplainRequest>(texts));
    return session.explain(asked.request, asked.view);
  }
  if (verb == "lint") {
    PLANEX_ASSIGN(const auto asked, viewed<LintRequest>(texts));
    PLANEX_ASSIGN(LintResult result, session.lint(asked.request, asked.view));
    return std::move(result.document);
  }
  if (verb == "compare") {
    PLANEX_ASSIGN(const auto asked, viewed<CompareRequest>(texts));
    PLANEX_ASSIGN(CompareResult result, session.compare(asked.request, asked.view));
    return std::move(result.document);
  }
  if (verb == "report") {
    PLANEX_ASSIGN(const auto request, request_of<ReportRequest>(texts));
    return session.report(request);
  }
  std::string text;
  if (verb == "draw") {
    PLANEX_ASSIGN(const auto request, request_of<DrawRequest>(texts));
    PLANEX_TRY(session.draw(request, sink_to(text)));
    return text;
  }
  if (verb == "export") {
    PLANEX_ASSIGN(const auto request, request_of<ExportRequest>(texts));
    PLANEX_TRY(session.export_as(request, sink_to(text)));
    return text;
  }
  return no_such_verb(
      verb, "summary, timing, layers, tables, explain, lint, compare, report, draw and export");
}

Result<ArrowTable> ask_rows(const Session& session, std::string_view verb, OptionTexts texts) {
  if (verb == "explain") {
    PLANEX_ASSIGN(const auto asked, viewed<ExplainRequest>(texts));
    return session.engine().explain_table(asked.request);
  }
  if (verb == "lint") {
    PLANEX_ASSIGN(const auto asked, viewed<LintRequest>(texts));
    return session.engine().lint_table(asked.request);
  }
  if (verb == "compare") {
    PLANEX_ASSIGN(const auto asked, viewed<CompareRequest>(texts));
    return session.comparison_table(asked.request);
  }
  return no_such_verb(verb, "explain, lint and compare, which have rows");
}

// The rows of a sweep's cells: of no engine that is open.
Result<ArrowTable> ask_rows(std::string_view verb, OptionTexts texts) {
  if (verb != "sweep") return no_such_verb(verb, "sweep, which has rows without a session");
  std::string path;
  PLANEX_TRY(view_of(texts, {{.name = "path", .member = &path}}));
  PLANEX_ASSIGN(const Sweep sweep, Sweep::open(path));
  return sweep.cells();
}

// Of no engine that is open.
Result<std::string> ask(std::string_view verb, OptionTexts texts) {
  if (verb == "doctor") {
    std::string program_dir;
    PLANEX_ASSIGN(const auto asked,
                  viewed<OpenRequest>(texts, {{.name = "program-dir", .member = &program_dir}}));
    PLANEX_ASSIGN(DoctorResult result, doctor(asked.request, asked.view, program_dir));
    return std::move(result.document);
  }
  if (verb == "list") {
    std::vector<std::string> within;
    PLANEX_ASSIGN(const auto asked,
                  viewed<ListRequest>(texts, {{.name = "within", .member = &within}}));
    PLANEX_ASSIGN(const Disk disk, disk_within(within));
    PLANEX_ASSIGN(ListResult result, session::list_engines(asked.request, asked.view, *disk));
    return std::move(result.document);
  }
  if (verb == "sweep" || verb == "verify") {
    std::string path;
    PLANEX_ASSIGN(const View view, view_of(texts, {{.name = "path", .member = &path}}));
    if (verb == "sweep") {
      PLANEX_ASSIGN(const Sweep sweep, Sweep::open(path));
      return sweep.document(view);
    }
    PLANEX_ASSIGN(VerifyResult result, verify_capsule(path, view));
    return std::move(result.document);
  }
  if (verb == "archive") {
    PLANEX_ASSIGN(const auto asked, viewed<ArchiveRequest>(texts));
    return archive_engine(asked.request, asked.view);
  }
  if (verb == "schema") {
    PLANEX_ASSIGN(const View view, view_of(texts));
    return schema(view);
  }
  if (verb == "rules") return rules_reference();
  return no_such_verb(verb,
                      "doctor, list, sweep, archive, verify, schema and rules, without a session");
}

// 0, or -1 with an error.
int handed_out(Result<void> done, planex_error** error) noexcept {
  if (done) return 0;
  report(std::move(done).error(), error);
  return -1;
}

}  // namespace
}  // namespace planex::c_api

using planex::Result;
using planex::c_api::guarded;
using planex::c_api::handed_out;
using planex::c_api::text_of;
using planex::c_api::texts_of;

const char* planex_version(void) { return PLANEX_VERSION; }

planex_error_code planex_error_get_code(const planex_error* error) {
  return static_cast<planex_error_code>(error->error.code);
}
const char* planex_error_message(const planex_error* error) { return error->error.message.c_str(); }
const char* planex_error_file(const planex_error* error) { return error->error.file.c_str(); }
const char* planex_error_json_pointer(const planex_error* error) {
  return error->error.json_pointer.c_str();
}
const char* planex_error_context(const planex_error* error) { return error->error.context.c_str(); }
const char* planex_error_hint(const planex_error* error) { return error->error.hint.c_str(); }
int64_t planex_error_byte_offset(const planex_error* error) {
  return error->error.byte_offset ? static_cast<int64_t>(*error->error.byte_offset) : -1;
}
void planex_error_free(planex_error* error) { delete error; }

planex_session* planex_open(const planex_option* options, size_t option_count,
                            planex_error** error) {
  return guarded<planex_session>(error, [&]() -> Result<planex_session> {
    PLANEX_ASSIGN(auto engines, planex::c_api::engine_options(texts_of(options, option_count)));
    std::vector<planex::OpenRequest> requests;
    std::vector<planex::c_api::Disk> disks;
    std::vector<const planex::base::FileSource*> files;
    for (planex::c_api::EngineOptions& engine : engines) {
      requests.push_back(std::move(engine.request));
      PLANEX_ASSIGN(disks.emplace_back(), planex::c_api::disk_within(engine.within));
      files.push_back(disks.back().get());
    }
    PLANEX_ASSIGN(planex::Session session, planex::session::Internals::open(requests, files));
    return planex::c_api::opened(std::move(session), std::move(disks));
  });
}

planex_session* planex_join(const planex_session* const* sessions, size_t session_count,
                            planex_error** error) {
  return guarded<planex_session>(error, [&]() -> Result<planex_session> {
    std::vector<const planex::Session*> parts;
    std::vector<planex::c_api::Disk> disks;
    for (const planex_session* session : std::span(sessions, session_count)) {
      parts.push_back(&session->session);
      disks.insert(disks.end(), session->disks.begin(), session->disks.end());
    }
    PLANEX_ASSIGN(planex::Session joined, planex::Session::join(parts));
    return planex::c_api::opened(std::move(joined), std::move(disks));
  });
}
void planex_close(planex_session* session) { delete session; }

size_t planex_engine_count(const planex_session* session) { return session->labels.size(); }
const char* planex_engine_label(const planex_session* session, size_t engine) {
  return engine < session->labels.size() ? session->labels[engine].c_str() : nullptr;
}

planex_table* planex_get_table(const planex_session* session, size_t engine, const char* name,
                               planex_error** error) {
  return guarded<planex_table>(error, [&]() -> Result<planex_table> {
    PLANEX_ASSIGN(planex::ArrowTable table, session->session.table(text_of(name), engine));
    return planex_table{std::move(table)};
  });
}

planex_table* planex_query(const planex_session* session, const char* sql,
                           const planex_option* options, size_t option_count,
                           planex_cancelled cancelled, void* context, planex_error** error) {
  return guarded<planex_table>(error, [&]() -> Result<planex_table> {
    PLANEX_ASSIGN(planex::QueryLimits limits,
                  planex::c_api::request_of<planex::QueryLimits>(texts_of(options, option_count)));
    if (cancelled != nullptr) limits.cancelled = [=] { return cancelled(context) != 0; };
    PLANEX_ASSIGN(planex::ArrowTable table, session->session.query_table(text_of(sql), limits));
    return planex_table{std::move(table)};
  });
}

planex_table* planex_call_table(const planex_session* session, const char* verb,
                                const planex_option* options, size_t option_count,
                                planex_error** error) {
  return guarded<planex_table>(error, [&]() -> Result<planex_table> {
    const auto asked = texts_of(options, option_count);
    auto table = session == nullptr
                     ? planex::c_api::ask_rows(text_of(verb), asked)
                     : planex::c_api::ask_rows(session->session, text_of(verb), asked);
    if (!table) return planex::fail(std::move(table).error());
    return planex_table{*std::move(table)};
  });
}

int64_t planex_table_row_count(const planex_table* table) { return table->table.row_count(); }
size_t planex_table_column_count(const planex_table* table) {
  return table->table.columns().size();
}
planex_column planex_table_column(const planex_table* table, size_t column) {
  const auto columns = table->table.columns();
  if (column >= columns.size()) return {};
  // All of them end with a NUL: the table has them as strings, the types are literals.
  return {.name = columns[column].name.data(),
          .type = columns[column].type.data(),
          .unit = columns[column].unit.data(),
          .description = columns[column].description.data()};
}
int planex_table_schema(const planex_table* table, struct ArrowSchema* out, planex_error** error) {
  return handed_out(table->table.export_schema(out), error);
}
int planex_table_array(const planex_table* table, struct ArrowArray* out, planex_error** error) {
  return handed_out(table->table.export_array(out), error);
}
int planex_table_stream(const planex_table* table, struct ArrowArrayStream* out,
                        planex_error** error) {
  return handed_out(table->table.export_stream(out), error);
}
void planex_table_free(planex_table* table) { delete table; }

planex_document* planex_call(const planex_session* session, const char* verb,
                             const planex_option* options, size_t option_count,
                             planex_error** error) {
  return guarded<planex_document>(error, [&]() -> Result<planex_document> {
    const auto given = texts_of(options, option_count);
    PLANEX_ASSIGN(std::string text,
                  session == nullptr
                      ? planex::c_api::ask(text_of(verb), given)
                      : planex::c_api::ask_session(session->session, text_of(verb), given));
    return planex_document{std::move(text)};
  });
}

const char* planex_document_data(const planex_document* document) { return document->text.data(); }
size_t planex_document_size(const planex_document* document) { return document->text.size(); }
void planex_document_free(planex_document* document) { delete document; }
