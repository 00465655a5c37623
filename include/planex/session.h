// planex as a library: open engines, and get data or documents from them.
//
//   auto session = planex::Session::open("run/");
//   if (!session) { /* session.error() */ }
//   auto text = session->summary({.format = planex::Format::kText});
//   auto times = session->engine().layers().median_ms();
//
// Engine (planex/engine.h) returns data: tables as typed columns, results as structs. Functions
// here that take a View return a whole document; nothing is printed and nothing is kept outside the
// session. A session can be used from many threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planex/arrow.h"
#include "planex/compare.h"
#include "planex/draw.h"
#include "planex/engine.h"
#include "planex/error.h"
#include "planex/explain.h"
#include "planex/export.h"
#include "planex/layers.h"
#include "planex/lint.h"
#include "planex/list.h"
#include "planex/open.h"
#include "planex/options.h"
#include "planex/report.h"
#include "planex/results.h"
#include "planex/view.h"
#include "planex/visibility.h"

namespace planex {

namespace session {
struct Internals;
}

// The path of what a program read from its standard input, which commands take as `-`.
inline constexpr std::string_view kStandardInput = "<stdin>";

// clang-format off
#define PLANEX_QUERY_LIMITS(OPTION)                                                               \
  OPTION(std::size_t, max_rows, 0, "max-rows", "N",                                               \
         "Rows after these are left out; 0: none. To learn whether there are more, ask for one "  \
         "more")                                                                                  \
  OPTION(std::uint64_t, max_memory_bytes, 0, "max-memory-bytes", "BYTES",                         \
         "Memory for the result and while it is made; 0: 4 GiB")
// clang-format on

// The limits of a query.
struct QueryLimits {
  PLANEX_QUERY_LIMITS(PLANEX_MEMBER)
  // Asked now and then; true stops the query.
  std::function<bool()> cancelled = {};
};

// Takes the next piece of a document.
using DocumentSink = std::function<Result<void>(std::string_view piece)>;

// Several engines can be open; functions for one engine use the first.
class PLANEX_EXPORT Session {
 public:
  // Errors: kNotFound, kBadInput, kUnsupported with file and place; kUsage (several engines under
  // one path).
  static Result<Session> open(std::span<const OpenRequest> requests);
  // One engine by its path.
  static Result<Session> open(const std::string& path);

  // The engines of several sessions together; none is read again, and the sessions stay open.
  // Errors: kUsage (no session).
  static Result<Session> join(std::span<const Session* const> sessions);

  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  // The paths that the user gave and the single files that the engines were read from, to avoid
  // overwriting them.
  const std::vector<std::string>& input_files() const;

  // The first engine in a few figures.
  EngineOverview overview() const;
  // Text or JSON (planex.summary/2). Errors: kUsage for another format.
  Result<std::string> summary(const View& view) const;
  // Whether the times of inferences are steady, and which to trust. Text or JSON (planex.timing/2).
  // Errors: kUsage for another format.
  Result<std::string> timing(const View& view) const;
  // Errors: kUsage (no such column, bad filter).
  Result<std::string> layers(const LayersRequest& request, const View& view) const;
  // One SQL statement over all open engines. Errors: kUsage, kCancelled.
  Result<std::string> query(std::string_view sql, const View& view,
                            const QueryLimits& limits = {}) const;
  // The same, as columns. Errors: kUsage, kCancelled.
  Result<ArrowTable> query_table(std::string_view sql, const QueryLimits& limits = {}) const;
  // One of export_tables(), of one engine: `engine` counts from 0, as they were opened. Columns of
  // numbers are not copied, and outlive the session. Errors: kUsage (no such table or engine).
  Result<ArrowTable> table(std::string_view name, std::size_t engine = 0) const;
  // The number of open engines; further runs of one don't count.
  std::size_t engine_count() const;
  // Distinguishes an engine from the others that are open.
  std::string_view engine_label(std::size_t engine) const;
  // An engine as data. The index is below engine_count().
  Engine engine(std::size_t engine = 0) const;
  std::vector<Engine> engines() const;
  // Tables, or the columns of one. Errors: kUsage.
  Result<std::string> tables(const std::optional<std::string>& table, const View& view) const;
  // One topic of the first engine. Errors: kUsage (no such format, no such device), those of files
  // that the request names.
  Result<std::string> explain(const ExplainRequest& request, const View& view) const;
  // What is worth changing in the first engine. Writes a baseline if the request asks for one.
  // Errors: kUsage (no such rule, pack, severity or format), those of files that the request names.
  Result<LintResult> lint(const LintRequest& request, const View& view) const;
  // All open engines, against the first. Errors: kUsage (no such format, pair or choice of pairs).
  Result<CompareResult> compare(const CompareRequest& request, const View& view) const;
  // The same as data: totals, differences, pairs, rows and the ledger, whatever the section is; for
  // several engines in the order of engines(). Errors: kUsage (bad choice of pairs).
  Result<results::Compare> comparison(const CompareRequest& request = {}) const;
  // The rows of its section: totals, pairs, ledger or summaries. Errors: kUsage (a single pair has
  // no rows; bad choice of pairs).
  Result<ArrowTable> comparison_table(const CompareRequest& request = {}) const;
  // The report page, or with Format::kJson its data (planex.report/2).
  Result<std::string> report(Format format) const;
  // Errors: those of files that the request names, too.
  Result<std::string> report(const ReportRequest& request) const;
  // In a format for other tools, passed to `write` piece by piece, so that a large export need not
  // fit into memory. Tables, workbooks and traces cover all open engines, other formats the first.
  // Errors: kUsage (no such table, several engines, no times of that kind), kUnsupported (no
  // library for the format; too large for it), those of `write`, which end it.
  Result<void> export_as(const ExportRequest& request, const DocumentSink& write) const;
  // The engine as a drawing, or as planex.layout/1. Errors: kUsage (no such node or group, nothing
  // selected), those of `write`.
  Result<void> draw(const DrawRequest& request, const DocumentSink& write) const;

 private:
  friend struct session::Internals;
  class State;
  explicit Session(std::shared_ptr<const State> state);

  // Shared with the exported tables.
  std::shared_ptr<const State> state_;
};

struct DoctorResult {
  std::string document;
  // The engine can be read, or a model was named.
  bool readable = false;
};

// Which parts of an engine exist, readable or not; for a model, which engines can run it here.
// `program_dir`: where planex's helper programs are. Text or JSON. Errors: kUsage for another
// format.
PLANEX_EXPORT Result<DoctorResult> doctor(const OpenRequest& request, const View& view,
                                          std::string_view program_dir = {});

// The engines below the request's paths, one per row: text, JSON (planex.list/1), CSV or Markdown.
// Errors: kNotFound, kUsage (no such column).
PLANEX_EXPORT Result<ListResult> list_engines(const ListRequest& request, const View& view);
// Paths that each open one engine; a folder with one engine is that path itself. Folders are
// searched `depth` deep. Errors: kNotFound, those of an archive that the path names.
PLANEX_EXPORT Result<std::vector<std::string>> find_engines(const std::string& path,
                                                            std::size_t depth);

// The tables of the model: text, JSON (planex.schema/1), CSV or Markdown.
PLANEX_EXPORT std::string schema(const View& view);
// The JSON Schema of a document, by its id (planex.lint/2) or without the part that all ids share
// (lint). Errors: kUsage (no such document; the message names the nearest).
PLANEX_EXPORT Result<std::string> document_schema(std::string_view id);
// Ids of the documents, sorted.
PLANEX_EXPORT std::vector<std::string> document_ids();
// The types of results for programs in other languages, and in C++.
enum class TypesOf : std::uint8_t {
  kTypeScript,  // all documents: a module of interfaces
  kCpp,         // the structs that Engine and Session return: planex/results.h
  kCppTables,   // the tables of an engine: planex/tables.h
  kPage,        // TypeScript for the data that planex's own pages read, with readers
};
PLANEX_EXPORT std::string document_types(TypesOf types = TypesOf::kTypeScript);

// Names that requests can use: columns of `layers`, and rules of lint.
PLANEX_EXPORT std::vector<std::string> layer_column_names();
PLANEX_EXPORT std::vector<std::string> lint_rule_ids();

// The lint rules as a reference page in Markdown.
PLANEX_EXPORT std::string rules_reference();
// The same in the view's format; text is Markdown, too. Errors: kUsage (no such format).
PLANEX_EXPORT Result<std::string> describe_rules(const View& view);
// One rule in full, as text. Errors: kUsage (no such rule; the message names the nearest), those of
// the file.
PLANEX_EXPORT Result<std::string> explain_rule(std::string_view id,
                                               const std::optional<std::string>& rules_file,
                                               const View& view);

// An error in readable form: what and where on the first line, then context, then what to do.
PLANEX_EXPORT std::string describe(const Error& error, bool color);

}  // namespace planex
