// For tests: an export in the form that Nsight Systems writes, made row by row.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "ingest/nsight/nsight_reader.h"
#include "support/test_data.h"

namespace planex::ingest::nsight {

class MadeExport {
 public:
  enum class With : std::uint8_t { kTables, kNothing };

  explicit MadeExport(With with = With::kTables) {
    EXPECT_EQ(sqlite3_open(":memory:", &db_), SQLITE_OK);
    if (with == With::kNothing) return;
    sql("CREATE TABLE StringIds(id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
        "CREATE TABLE META_DATA_EXPORT(name TEXT NOT NULL, value TEXT);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER NOT NULL, end INTEGER NOT NULL, "
        "deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, "
        "globalPid INTEGER, demangledName INTEGER, shortName INTEGER, registersPerThread INTEGER, "
        "gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, "
        "blockZ INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER, "
        "graphNodeId INTEGER);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER NOT NULL, end INTEGER, "
        "globalTid INTEGER, correlationId INTEGER, nameId INTEGER);"
        "CREATE TABLE NVTX_EVENTS(start INTEGER NOT NULL, end INTEGER, eventType INTEGER, "
        "text TEXT, globalTid INTEGER, textId INTEGER, domainId INTEGER)");
  }
  MadeExport(const MadeExport&) = delete;
  MadeExport& operator=(const MadeExport&) = delete;
  ~MadeExport() { sqlite3_close(db_); }

  static constexpr std::int64_t kProcess = std::int64_t{77} << 24;

  MadeExport& sql(const std::string& text) {
    char* why = nullptr;
    EXPECT_EQ(sqlite3_exec(db_, text.c_str(), nullptr, nullptr, &why), SQLITE_OK)
        << text << ": " << (why == nullptr ? "" : why);
    sqlite3_free(why);
    return *this;
  }

  MadeExport& domain(std::string_view name = "TensorRT", int number = 1) {
    return sql(base::format("INSERT INTO NVTX_EVENTS VALUES(0,NULL,75,'{}',{},NULL,{})", name,
                            kProcess + 1, number));
  }
  MadeExport& range(std::int64_t start, std::int64_t end, std::string_view text, int thread = 1,
                    int number = 1) {
    return sql(base::format("INSERT INTO NVTX_EVENTS VALUES({},{},59,'{}',{},NULL,{})", start, end,
                            text, kProcess + thread, number));
  }
  MadeExport& execution(std::int64_t start, std::int64_t end, int thread = 1) {
    return range(start, end, "ExecutionContext::enqueue", thread);
  }
  MadeExport& call(std::int64_t start, int correlation, int thread = 1) {
    return sql(base::format("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES({},{},{},{},0)", start,
                            start + 1, kProcess + thread, correlation));
  }
  MadeExport& work(std::int64_t start, std::int64_t end, int correlation,
                   std::string_view name = "k", std::string_view node = "NULL",
                   std::string_view grid = "4,2,1") {
    return sql(
        base::format("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES({},{},0,1,7,{},{},"
                     "{},{},32,{},128,1,1,16,1024,{})",
                     start, end, correlation, kProcess, text(name), text(name), grid, node));
  }
  // A call at `called`, and the kernel that it launches.
  MadeExport& launch(std::int64_t called, std::int64_t start, std::int64_t end,
                     std::string_view name = "k", int thread = 1) {
    ++correlation_;
    call(called, correlation_, thread);
    return work(start, end, correlation_, name);
  }
  int last_correlation() const { return correlation_; }

  // The number of a text in StringIds.
  int text(std::string_view value) {
    sql(
        base::format("INSERT INTO StringIds SELECT n, '{0}' FROM (SELECT 1+count(*) n FROM "
                     "StringIds) WHERE NOT EXISTS (SELECT 1 FROM StringIds WHERE value='{0}')",
                     value));
    sqlite3_stmt* statement = nullptr;
    const std::string query =
        base::format("SELECT id FROM StringIds WHERE value='{}' LIMIT 1", value);
    sqlite3_prepare_v2(db_, query.c_str(), -1, &statement, nullptr);
    const int found = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int(statement, 0) : 0;
    sqlite3_finalize(statement);
    return found;
  }

  std::string bytes() const {
    sqlite3_int64 size = 0;
    unsigned char* data = sqlite3_serialize(db_, "main", &size, 0);
    std::string result(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
    sqlite3_free(data);
    return result;
  }

 private:
  sqlite3* db_ = nullptr;
  int correlation_ = 0;
};

// The result of reading an export.
struct Read {
  model::PlanModel model;
  std::optional<Error> error;
};

// An engine with these layers, with the export beside it.
inline Read read(const std::string& bytes,
                 const std::vector<std::string>& layers = {"a", "b", "c"}) {
  model::ModelBuilder builder;
  for (const std::string& name : layers) {
    const model::LayerId layer = builder.add_layer(builder.strings().add(name));
    // As after a profile.
    builder.model().layers.median_ms.set(layer.index(), 1.0);
  }
  Artefact artefact{.path = "x.sqlite", .bytes = base::make_bytes(bytes)};
  artefact.file_row = builder.add_file("x.sqlite", "nsight-export", "given", bytes.size());
  auto done = read_export(artefact, builder);
  Read result{.model = builder.finish()};
  if (!done) result.error = std::move(done).error();
  return result;
}

inline Read read(const MadeExport& made, const std::vector<std::string>& layers = {"a", "b", "c"}) {
  Read result = read(made.bytes(), layers);
  if (result.error) ADD_FAILURE() << test::to_text(*result.error);
  return result;
}

}  // namespace planex::ingest::nsight
