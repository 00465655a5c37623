#include "base/files.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/file_options.h"

namespace planex::cli {
namespace {

class QueryCommand final : public Command {
 public:
  std::string_view name() const override { return "query"; }
  std::string_view summary() const override {
    return "Query the engine's tables with SQL; without SQL, list the tables";
  }
  std::string_view examples() const override {
    return "planex query run/\n"
           "planex query run/ --columns-of layers\n"
           "planex query run/ \"select type, sum(median_ms) from layers group by 1 order by 2 "
           "desc\"\n"
           "planex query run/ \"select name, median_ms from work_layers where name regexp 'conv'\" "
           "--format csv\n"
           "planex query a/ b/ \"select engine, sum(median_ms) from layers group by engine\"\n"
           "planex query a/ b/ \"select pair, cause, delta_ms from pairs order by delta_ms\"";
  }
  void add_options(CLI::App& app) override {
    reads_files(app.add_option("PLAN", words_, "One or more engines, then one SQL statement"))
        ->required()
        ->type_name("[PLAN…] [SQL]");
    app.add_option("--columns-of", table_, "List this table's columns and exit")
        ->type_name("TABLE");
    output_.add(app, {"text", "json", "csv", "markdown"});
  }
  Result<int> run(const Environment&) override {
    PLANEX_ASSIGN(const View view, output_.view());
    std::vector<OpenRequest> requests;
    std::optional<std::string> sql;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      // The last word is SQL, unless it is all there is, or names something that exists.
      const bool last = i + 1 == words_.size() && i > 0;
      const bool exists = base::disk().kind(words_[i]) != base::PathKind::kMissing;
      if (last && !table_ && !exists) {
        sql = words_[i];
      } else {
        requests.push_back({.path = words_[i]});
      }
    }
    PLANEX_ASSIGN(const Session session, open_session(requests, output_.file()));
    if (!sql) {
      PLANEX_ASSIGN(const std::string tables, session.tables(table_, view));
      PLANEX_TRY(output_.write(tables));
      return kExitFine;
    }
    PLANEX_ASSIGN(std::string document, session.query(*sql, view));
    PLANEX_TRY(output_.write(std::move(document)));
    return kExitFine;
  }

 private:
  std::vector<std::string> words_;
  std::optional<std::string> table_;
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_query_command() { return std::make_unique<QueryCommand>(); }

}  // namespace planex::cli
