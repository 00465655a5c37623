// A SQLite database that somebody else wrote, read where it lies.
//
// The file is hostile until read: SQLite gets it read-only, from memory that nothing is written to,
// with views, triggers, functions and pragmas switched off. Only whole tables are scanned, in their
// own order, and work and text are limited by the size of the file, as pages of a made-up file may
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
    // Null where the column is missing, null or of another type: nothing is converted.
    std::optional<std::int64_t> number(std::size_t column) const;
    // The same; a text that is empty is not null.
    std::optional<std::string_view> text(std::size_t column) const;

   private:
    sqlite3_stmt* statement_;
  };
  using RowSink = std::function<void(const Row& row)>;

  // Errors: kBadInput (no SQLite file, or a damaged one).
  static Result<SqliteFile> open(std::shared_ptr<const base::Bytes> bytes, const std::string& path);
  SqliteFile(SqliteFile&&) noexcept;
  SqliteFile& operator=(SqliteFile&&) = delete;
  ~SqliteFile();

  // Whether there is a table, no view, of this name.
  bool has(std::string_view table) const;
  // The journal beside the file, which is not read, may hold its last changes.
  bool has_journal() const;

  // Gives all rows of a table, or those with `column` = `value`, in the order of the file. Columns
  // that the table lacks read as null, and without the table there are no rows.
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
