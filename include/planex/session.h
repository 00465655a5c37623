// planex as a library: open engines, ask, get data or documents.
//
//   auto session = planex::Session::open("run/");
//   if (!session) { /* session.error() */ }
//   auto text = session->summary({.format = planex::Format::kText});
//   auto times = session->engine().layers().median_ms();
//
// Engine (planex/engine.h) gives data: tables as typed columns, results as structs. Functions here
// that take a View give a whole document; nothing is printed and nothing is kept outside the
// session. A session may be used from many threads at once.
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
#include "planex/lint.h"
#include "planex/list.h"
#include "planex/results.h"
#include "planex/visibility.h"

namespace planex {

namespace base {
class FileSource;
}
namespace analyze {
struct Sweep;
}

enum class Format : std::uint8_t { kText, kJson, kCsv, kMarkdown, kJunit, kSarif };

// The path of what a program read from its standard input, which commands take as `-`.
inline constexpr std::string_view kStandardInput = "<stdin>";

// One engine to open.
struct OpenRequest {
  // A layer file, a folder, an archive (zip, .tea), or a common prefix of files.
  std::string path = {};
  // Files that are called something else.
  std::optional<std::string> graph = {}, profile = {}, times = {}, metadata = {}, log = {},
                             nsight = {}, source_model = {}, accuracy = {};
  // The optimization profile to show; else the first.
  std::optional<std::int64_t> profile_index = {};
  // Of a log of several runs: the one to show, from 1; else the last of those that tell most.
  std::optional<std::int64_t> run = {};
  // Name shown for the engine.
  std::optional<std::string> name = {};
  // It is no engine of its own but another run of the one before it, for compare(): only the times
  // of its inferences are used.
  bool is_repeat = false;
};

// How a document looks.
struct View {
  Format format = Format::kText;
  // Of the terminal, in cells; 0 is no limit. Text only.
  int width = 0;
  bool color = false;
  // Cuts no names.
  bool wide = false;
};

struct LayersRequest {
  // Columns of `layers`; empty: a choice that fits the engine.
  std::vector<std::string> columns = {};
  // Only layers of this type, with the attributes of the type as further columns. Empty: all.
  std::string type = {};
  // A column; numbers sort from the largest, texts from A. Empty: execution order.
  std::string sort = {};
  bool reverse = false;
  // An SQL condition over the columns of `layers`.
  std::string filter = {};
  // 0 is all. Without `sort` and `reverse` the slowest, where there are times.
  std::size_t top = 0;
  // Also no-ops, constants and other records that do no work.
  bool all_records = false;
};

struct ReportRequest {
  // The page; Format::kJson: its data.
  Format format = Format::kText;
  // Which findings it has: rules, waivers, a baseline. What writes files is not looked at.
  LintRequest lint = {};
  // What the engines are held against, all of them the same: of this, what kSpeed has.
  ExplainRequest speed = {};
  // Name files from the engine's own folder on: no absolute folder that the requests name is shown.
  bool no_paths = false;
  // Without the core, which lets the page compare, query and judge, and without what it needs:
  // some 2 MB less, and the page only shows.
  bool is_light = false;
  // Only what is looked at first, with Format::kJson: of each engine no graph, no explanations, no
  // tables but that of layers; and no comparison. A tenth of the time and the bytes of a large
  // engine.
  bool is_overview = false;
};

// What a query may take.
struct QueryLimits {
  // Rows after these are left out; 0 is all. To learn whether there are more, ask for one more.
  std::size_t max_rows = 0;
  // For the result and while it is made; 0 is 4 GiB.
  std::uint64_t max_memory_bytes = 0;
  // Asked now and then; true stops the query.
  std::function<bool()> cancelled = {};
};

// Takes the next piece of a document.
using DocumentSink = std::function<Result<void>(std::string_view piece)>;

// Several engines may be open; functions for one engine take the first.
class PLANEX_EXPORT Session {
 public:
  // Errors: kNotFound, kBadInput, kUnsupported with file and place; kUsage (several engines under
  // one path).
  static Result<Session> open(std::span<const OpenRequest> requests);
  // One engine by its path.
  static Result<Session> open(const std::string& path);
  // The same with files from elsewhere than the disk, one source for each request, which outlives
  // the session; for planex's own parts.
  static Result<Session> open(std::span<const OpenRequest> requests,
                              std::span<const base::FileSource* const> files);

  // The engines of several sessions together; none is read again, and the sessions go on. Errors:
  // kUsage (no session).
  static Result<Session> join(std::span<const Session* const> sessions);

  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  // What the engines were read from, as the user named it and file by file, so that nobody
  // overwrites it.
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
  // Engines that are open; further runs of one don't count.
  std::size_t engine_count() const;
  // What tells an engine apart from the others that are open.
  std::string_view engine_label(std::size_t engine) const;
  // An engine as data. It is below engine_count().
  Engine engine(std::size_t engine = 0) const;
  std::vector<Engine> engines() const;
  // Tables, or the columns of one. Errors: kUsage.
  Result<std::string> tables(const std::optional<std::string>& table, const View& view) const;
  // One topic of the first engine. Errors: kUsage (no such format, no such device), those of files
  // that the request names.
  Result<std::string> explain(const ExplainRequest& request, const View& view) const;
  // What is worth changing in the first engine. Writes the baseline where one is asked for. Errors:
  // kUsage (no such rule, pack, severity or format), those of files that the request names.
  Result<LintResult> lint(const LintRequest& request, const View& view) const;
  // All open engines, against the first. Errors: kUsage (no such format, pair or choice of pairs).
  Result<CompareResult> compare(const CompareRequest& request, const View& view) const;
  // The same as data: totals, differences, pairs, rows and the ledger, whatever the section is; of
  // several engines in the order of engines(). Errors: kUsage (bad choice of pairs).
  Result<results::Compare> comparison(const CompareRequest& request = {}) const;
  // The rows of its section: totals, pairs, ledger or summaries. Errors: kUsage (a single pair has
  // no rows; bad choice of pairs).
  Result<ArrowTable> comparison_table(const CompareRequest& request = {}) const;
  // The report page, or with Format::kJson its data (planex.report/2).
  Result<std::string> report(Format format) const;
  // Errors: those of files that the request names, too.
  Result<std::string> report(const ReportRequest& request) const;
  // The same of engines that are cells of a sweep; for planex's own parts.
  Result<std::string> report(const ReportRequest& request, const analyze::Sweep* sweep) const;
  // In a form for other tools, handed to `write` piece by piece: that of a large engine need not
  // fit into memory. Tables, workbooks and traces are of all open engines, the rest of the first.
  // Errors: kUsage (no such table, several engines, no times of that kind), kUnsupported (no
  // library for the format; too large for it), those of `write`, which end it.
  Result<void> export_as(const ExportRequest& request, const DocumentSink& write) const;
  // The engine as a drawing, or as planex.layout/1. Errors: kUsage (no such node or group, nothing
  // selected), those of `write`.
  Result<void> draw(const DrawRequest& request, const DocumentSink& write) const;

 private:
  class State;
  explicit Session(std::shared_ptr<const State> state);

  // Shared with the tables that were handed out.
  std::shared_ptr<const State> state_;
};

struct DoctorResult {
  std::string document;
  // Whether the engine can be read, or a model was named.
  bool readable = false;
};

// What is there of an engine, readable or not; of a model, which engines could run it here.
// `program_dir`: where planex's helper programs are. Text or JSON. Errors: kUsage for another
// format.
PLANEX_EXPORT Result<DoctorResult> doctor(const OpenRequest& request, const View& view,
                                          std::string_view program_dir = {});
// The same with files from elsewhere than the disk; for planex's own parts.
PLANEX_EXPORT Result<DoctorResult> doctor(const OpenRequest& request, const View& view,
                                          std::string_view program_dir,
                                          const base::FileSource& files);

// The engines below the request's paths, a row each: text, JSON (planex.list/1), CSV or Markdown.
// Errors: kNotFound, kUsage (no such column).
PLANEX_EXPORT Result<ListResult> list_engines(const ListRequest& request, const View& view);
// The same with files from elsewhere than the disk; for planex's own parts.
PLANEX_EXPORT Result<ListResult> list_engines(const ListRequest& request, const View& view,
                                              const base::FileSource& files);
// Paths that each open one engine; a folder of one engine is that path itself. Folders in folders
// are looked into `depth` deep. Errors: kNotFound, those of an archive that the path names.
PLANEX_EXPORT Result<std::vector<std::string>> find_engines(const std::string& path,
                                                            std::size_t depth);

// The tables of the model: text, JSON (planex.schema/1), CSV or Markdown.
PLANEX_EXPORT std::string schema(const View& view);
// The JSON Schema of a document, by its id (planex.lint/2) or without what all ids share (lint).
// Errors: kUsage (no such document; the nearest is named).
PLANEX_EXPORT Result<std::string> document_schema(std::string_view id);
// Ids of the documents, sorted.
PLANEX_EXPORT std::vector<std::string> document_ids();
// The types of results for programs in other languages, and in C++.
enum class TypesOf : std::uint8_t {
  kTypeScript,  // of all documents: a module of interfaces
  kCpp,         // of what Engine and Session give as structs: planex/results.h
  kCppTables,   // of the tables of an engine: planex/tables.h
  kPage,        // TypeScript of what planex's own pages read, with readers of it
};
PLANEX_EXPORT std::string document_types(TypesOf types = TypesOf::kTypeScript);

// Names that requests take: columns of `layers`, and rules of lint.
PLANEX_EXPORT std::vector<std::string> layer_column_names();
PLANEX_EXPORT std::vector<std::string> lint_rule_ids();

// The lint rules as a reference page in Markdown.
PLANEX_EXPORT std::string rules_reference();
// The same in the view's format; as text it is Markdown, too. Errors: kUsage (no such format).
PLANEX_EXPORT Result<std::string> describe_rules(const View& view);
// One rule in full, as text. Errors: kUsage (no such rule; the nearest is named), those of the
// file.
PLANEX_EXPORT Result<std::string> explain_rule(std::string_view id,
                                               const std::optional<std::string>& rules_file,
                                               const View& view);

// An error as people read it: what and where on the first line, then context, then what to do.
PLANEX_EXPORT std::string describe(const Error& error, bool color);

}  // namespace planex
