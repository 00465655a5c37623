// SQL over the tables of one or several engines. SQLite is the engine, but none of its headers is
// visible here.
//
// Tables and columns are those of model/schema.h, read in place through virtual tables: nothing is
// copied. One engine gives the plain tables. Several give the same tables with a first column
// `engine`, the name it was opened with. `work_layers` is a view: the layers whose role is `work`,
// of the optimization profile that is shown.
//
// Values: lists are JSON texts ("[1,3,224,224]", usable with json_each), unknown values are NULL, a
// double is never NaN. Rows are in the table's own order, so without ORDER BY in execution order.
// `index` is an SQL keyword: write the column as "index".
//
// Functions in addition to SQLite's own: median(x), percentile(x, p) with p in 0..100 by linear
// interpolation between the closest ranks at p/100·(n-1) (Hyndman and Fan's type 7, the default of
// NumPy and Excel), and `x REGEXP 'pattern'` (RE2 syntax, matches anywhere).
//
// Queries only read. They are hostile until proven otherwise: no file is opened, nothing can be
// written or attached, and size, nesting and expansion are limited.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/data_table.h"
#include "model/plan_model.h"
#include "model/schema.h"
#include "planex/error.h"

namespace planex::query {

struct NamedModel {
  std::string name;
  // Must outlive the database and must not change while it is open.
  const model::PlanModel* model = nullptr;
};

// A table in addition to those of the model: a result that queries can join with them.
struct ExtraTable {
  // SQL words without quotes; in static storage, like the columns.
  std::string_view name, description;
  std::span<const model::ColumnInfo> columns;
  std::vector<std::vector<model::Value>> rows;  // one value per column
};

struct RunOptions {
  // Maximum number of rows; 0: all. To learn whether there are more, ask for one more.
  std::size_t max_rows = 0;
  // Limit for the result, and for the memory of the process' SQLite while the query runs.
  std::uint64_t max_memory_bytes = std::uint64_t{4} << 30;
  // Called every few thousand steps; returning true stops the query with kCancelled.
  std::function<bool()> cancelled;
};

// Whether a query contains a word or a quoted name equal to this table's, in any case. Cost:
// O(length).
bool names_table(std::string_view sql, std::string_view table);

// Use by one thread at a time.
class Database {
 public:
  // Errors: kUsage where there is no model, or two have the same name.
  static Result<Database> open(std::span<const NamedModel> models,
                               std::vector<ExtraTable> extra_tables = {});

  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  // Runs exactly one statement that reads. A final `;` and comments are fine.
  // Units: a column of the result has the unit of the column it shows, also through aliases, views
  //        and sub-queries. For expressions it comes from the name: `sum(median_ms)` and
  //        `... AS total_ms` are ms.
  // Errors: kUsage (what is wrong in the query, where, and what could be meant), kCancelled.
  Result<model::DataTable> run(std::string_view sql, const RunOptions& options = {});

  // table, rows, description; in the schema's order.
  model::DataTable list_tables() const;

  // column, type, unit, description of one table or view. Errors: kUsage.
  Result<model::DataTable> describe_table(std::string_view name) const;

 private:
  class State;
  explicit Database(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace planex::query
