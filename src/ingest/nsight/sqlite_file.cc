#include "ingest/nsight/sqlite_file.h"

#include <sqlite3.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/try.h"

namespace planex::ingest::nsight {
namespace {

using base::format;

struct CloseDatabase {
  void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Connection = std::unique_ptr<sqlite3, CloseDatabase>;
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

// Where the header of a database says how it is written and read: 1 directly, 2 with a write-ahead
// log. https://www.sqlite.org/fileformat.html, section 1.3.
constexpr std::size_t kHeaderBytes = 100;
constexpr std::size_t kWriteVersion = 18, kReadVersion = 19;
// Positions of its size, which is valid if both counters are equal, and of those counters.
constexpr std::size_t kPageBytes = 16, kPages = 28, kChanges = 24, kPagesAreOf = 92;

// How many steps SQLite's machine runs between two checks of the count.
constexpr int kStepsPerCheck = 1 << 14;
// A row of a scan takes some twenty steps and at least the two bytes of its pointer; the rest is
// for the schema.
constexpr std::uint64_t kStepsPerByte = 32;
constexpr std::uint64_t kStepsOfSchema = 10'000'000;
constexpr std::uint64_t kMinBytesOfRow = 2;
// The longest CREATE TABLE of an export has about 5 kB, including comments.
constexpr int kMaxSqlBytes = 1 << 20;

constexpr std::string_view kHint =
    "an export comes from `nsys export --type sqlite REPORT.nsys-rep`";

// Reading columns of tables, and nothing else.
int authorize(void*, int action, const char*, const char*, const char*, const char*) noexcept {
  return action == SQLITE_SELECT || action == SQLITE_READ ? SQLITE_OK : SQLITE_DENY;
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

// The file size according to the header, or 0.
std::uint64_t bytes_by_header(std::string_view view) {
  if (view.substr(kChanges, 4) != view.substr(kPagesAreOf, 4)) return 0;
  const std::uint64_t page = big_endian(view.substr(kPageBytes, 2));
  // 1 represents 65 536, which two bytes can't hold.
  return big_endian(view.substr(kPages, 4)) * (page == 1 ? 65536 : page);
}

// "a""b": an identifier with any characters.
std::string identifier(std::string_view name) {
  std::string result = "\"";
  for (const char c : name) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

}  // namespace

class SqliteFile::State {
 public:
  State(std::shared_ptr<const base::Bytes> bytes, std::string path)
      : bytes_(std::move(bytes)), path_(std::move(path)) {}

  Result<void> open() {
    std::string_view view = bytes_->view();
    if (view.size() < kHeaderBytes || !view.starts_with(kSqliteMagic)) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = "not an Nsight Systems export: not a SQLite file",
                   .file = path_,
                   .hint = std::string(kHint)});
    }
    // SQLite reads what is left of a truncated file, as long as it needs no missing page.
    if (const std::uint64_t whole = bytes_by_header(view); whole > view.size()) {
      return fail(damaged(format("it has {} bytes, but its header says {}", view.size(), whole)));
    }
    if (view[kWriteVersion] == 2 || view[kReadVersion] == 2) {
      // SQLite would need the log beside the file, and shared memory. Changes not yet written back
      // from the log are missing; the rest can be read as if there were no log.
      has_journal_ = true;
      std::string copy(view);
      copy[kWriteVersion] = copy[kReadVersion] = 1;
      bytes_ = base::adopt_bytes(std::move(copy));
      view = bytes_->view();
    }
    size_ = view.size();
    sqlite3* db = nullptr;
    constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY |
                           SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    int code = sqlite3_open_v2(":memory:", &db, kFlags, nullptr);
    db_.reset(db);
    if (code == SQLITE_OK) {
      // Read-only, so the bytes are not changed; SQLite's interface just has no const version.
      auto* const data = reinterpret_cast<unsigned char*>(const_cast<char*>(view.data()));
      const auto size = static_cast<sqlite3_int64>(view.size());
      code = sqlite3_deserialize(db, "main", data, size, size, SQLITE_DESERIALIZE_READONLY);
    }
    if (code != SQLITE_OK) return fail(error_of(code));
    limit();
    code = sqlite3_exec(db, "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON", nullptr,
                        nullptr, nullptr);
    if (code != SQLITE_OK) return fail(error_of(code));
    sqlite3_set_authorizer(db, authorize, nullptr);
    return list_tables();
  }

  bool has(std::string_view table) const { return tables_.contains(table); }
  bool has_journal() const { return has_journal_; }

  Result<void> scan(std::string_view table, std::span<const std::string_view> columns,
                    const RowSink& sink, const std::optional<Filter>& filter) {
    if (!has(table)) return {};
    PLANEX_ASSIGN(const auto known, columns_of(table));
    std::string sql;
    for (const std::string_view column : columns) {
      sql += sql.empty() ? "SELECT " : ",";
      sql += known.contains(column) ? identifier(column) : "NULL";
    }
    // An index may disagree with its table.
    sql += " FROM main." + identifier(table) + " NOT INDEXED";
    if (filter) {
      if (!known.contains(filter->column)) return {};
      sql += format(" WHERE {}={}", identifier(filter->column), filter->value);
    }
    return run(sql, sink);
  }

 private:
  void limit() {
    sqlite3* const db = db_.get();
    for (const int off : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                          SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION,
                          SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, SQLITE_DBCONFIG_WRITABLE_SCHEMA}) {
      sqlite3_db_config(db, off, 0, nullptr);
    }
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    const auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, static_cast<int>(std::min(size_, most)));
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, kMaxSqlBytes);
    sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 50);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
    steps_left_ = kStepsOfSchema + size_ * kStepsPerByte;
    sqlite3_progress_handler(
        db, kStepsPerCheck,
        [](void* state) noexcept -> int {
          auto& left = static_cast<State*>(state)->steps_left_;
          if (left < static_cast<std::uint64_t>(kStepsPerCheck)) return 1;
          left -= static_cast<std::uint64_t>(kStepsPerCheck);
          return 0;
        },
        this);
  }

  Result<void> list_tables() {
    return run("SELECT type, name, rootpage FROM main.sqlite_schema", [this](const Row& row) {
      // A virtual table has no root: its rows would come from a module's code.
      const auto type = row.text(0), name = row.text(1);
      if (type == "table" && name && row.number(2).value_or(0) > 0) tables_.emplace(*name);
    });
  }

  Result<std::set<std::string, std::less<>>> columns_of(std::string_view table) {
    PLANEX_ASSIGN(const Statement statement,
                  prepare("SELECT * FROM main." + identifier(table) + " NOT INDEXED"));
    std::set<std::string, std::less<>> names;
    for (int i = 0; i < sqlite3_column_count(statement.get()); ++i) {
      if (const char* name = sqlite3_column_name(statement.get(), i)) names.emplace(name);
    }
    return names;
  }

  Result<Statement> prepare(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(db_.get(), sql.data(), static_cast<int>(sql.size()),
                                        &statement, nullptr);
    Statement owned(statement);
    if (code != SQLITE_OK) return fail(error_of(code));
    return owned;
  }

  Result<void> run(const std::string& sql, const RowSink& sink) {
    PLANEX_ASSIGN(const Statement statement, prepare(sql));
    const Row row(statement.get());
    const int columns = sqlite3_column_count(statement.get());
    // Texts in UTF-16 may grow when they become UTF-8.
    std::uint64_t rows_left = size_ / kMinBytesOfRow, text_left = 2 * std::uint64_t{size_};
    int code = SQLITE_OK;
    while ((code = sqlite3_step(statement.get())) == SQLITE_ROW) {
      std::uint64_t text = 0;
      for (int i = 0; i < columns; ++i) {
        const int type = sqlite3_column_type(statement.get(), i);
        if (type != SQLITE_TEXT && type != SQLITE_BLOB) continue;
        text += static_cast<std::uint64_t>(sqlite3_column_bytes(statement.get(), i));
      }
      if (rows_left == 0 || text > text_left) {
        return fail(damaged("its pages lead to more rows than its size allows"));
      }
      --rows_left;
      text_left -= text;
      sink(row);
    }
    if (code != SQLITE_DONE) return fail(error_of(code));
    return {};
  }

  Error damaged(std::string_view why) const {
    return {.code = ErrorCode::kBadInput,
            .message = "the SQLite file is damaged or truncated",
            .file = path_,
            .context = std::string(why),
            .hint =
                "export it again: `nsys export --type sqlite --force-overwrite=true "
                "REPORT.nsys-rep`"};
  }

  Error error_of(int code) const {
    if ((code & 0xFF) == SQLITE_INTERRUPT) {
      return damaged("reading it takes more steps than a file of its size needs");
    }
    const char* said = db_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(db_.get());
    constexpr std::size_t kMaxSaid = 300;
    return damaged(format("SQLite says: {}", base::quoted(said == nullptr ? "" : said, kMaxSaid)));
  }

  std::shared_ptr<const base::Bytes> bytes_;  // before the connection, which reads them
  std::string path_;
  std::size_t size_ = 0;
  bool has_journal_ = false;
  std::uint64_t steps_left_ = 0;
  std::set<std::string, std::less<>> tables_;
  Connection db_;
};

std::optional<std::int64_t> SqliteFile::Row::number(std::size_t column) const {
  const int at = static_cast<int>(column);
  if (sqlite3_column_type(statement_, at) != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_int64(statement_, at);
}

std::optional<std::string_view> SqliteFile::Row::text(std::size_t column) const {
  const int at = static_cast<int>(column);
  if (sqlite3_column_type(statement_, at) != SQLITE_TEXT) return std::nullopt;
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, at));
  if (text == nullptr) return std::nullopt;  // out of memory
  return std::string_view(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, at)));
}

SqliteFile::SqliteFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
SqliteFile::SqliteFile(SqliteFile&&) noexcept = default;
SqliteFile::~SqliteFile() = default;

Result<SqliteFile> SqliteFile::open(std::shared_ptr<const base::Bytes> bytes,
                                    const std::string& path) {
  auto state = std::make_unique<State>(std::move(bytes), path);
  PLANEX_TRY(state->open());
  return SqliteFile(std::move(state));
}

bool SqliteFile::has(std::string_view table) const { return state_->has(table); }
bool SqliteFile::has_journal() const { return state_->has_journal(); }

Result<void> SqliteFile::scan(std::string_view table, std::span<const std::string_view> columns,
                              const RowSink& sink, const std::optional<Filter>& filter) {
  return state_->scan(table, columns, sink, filter);
}

}  // namespace planex::ingest::nsight
