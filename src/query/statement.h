// A prepared statement of SQLite that finalizes itself.
#pragma once

#include <sqlite3.h>

#include <memory>

namespace planex::query {

struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

}  // namespace planex::query
