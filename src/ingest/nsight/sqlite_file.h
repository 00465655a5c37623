// A SQLite database written by someone else, read in place.
//
// The file is treated as hostile: SQLite gets it read-only, from memory that nothing is written to,
// with views, triggers, functions and pragmas switched off. Only whole tables are scanned, in their
// own order. Work and text are limited by the size of the file, because pages of a crafted file may
// be reached over and over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/files.h"
#include "planex/error.h"

struct sqlite3_stmt;

namespace planex::ingest::nsight {

inline constexpr std::string_view kSqliteMagic{"SQLite format 3\0", 16};

class SqliteFile {
 public:
  // One row of a scan. Views live until the next row.
  class Row {
   public:
    explicit Row(sqlite3_stmt* statement) : statement_(statement) {}
    // Null if the column is missing, null or of another type: nothing is converted.
    std::optional<std::int64_t> number(std::size_t column) const;
    // The same for a text; an empty text is not null.
    std::optional<std::string_view> text(std::size_t column) const;

   private:
    sqlite3_stmt* statement_;
  };
  using RowSink = std::function<void(const Row& row)>;

  // Errors: kBadInput (not a SQLite file, or a damaged one).
  static Result<SqliteFile> open(std::shared_ptr<const base::Bytes> bytes, const std::string& path);
  SqliteFile(SqliteFile&&) noexcept;
  SqliteFile& operator=(SqliteFile&&) = delete;
  ~SqliteFile();

  // Whether there is a table (not a view) of this name.
  bool has(std::string_view table) const;
  // The journal beside the file, which is not read, may contain its last changes.
  bool has_journal() const;

  // Passes all rows of a table, or those with `column` = `value`, in the order of the file. Columns
  // that the table lacks read as null; without the table there are no rows.
  // Errors: kBadInput. Cost: O(pages of the table).
  struct Filter {
    std::string_view column;
    std::int64_t value = 0;
  };
  Result<void> scan(std::string_view table, std::span<const std::string_view> columns,
                    const RowSink& sink, const std::optional<Filter>& filter = {});

 private:
  class State;
  explicit SqliteFile(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace planex::ingest::nsight
