// SQL functions that SQLite lacks: median, percentile, regexp. See query.h for what they mean.
#pragma once

#include <sqlite3.h>

namespace planex::query {

// Returns an SQLite result code.
int create_functions(sqlite3* db);

}  // namespace planex::query
