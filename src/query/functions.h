// SQL functions that SQLite lacks: median, percentile, regexp. See query.h for what they mean.
#ifndef PLANEX_QUERY_FUNCTIONS_H_
#define PLANEX_QUERY_FUNCTIONS_H_

#include <sqlite3.h>

namespace planex::query {

// Returns an SQLite result code.
int create_functions(sqlite3* db);

}  // namespace planex::query

#endif  // PLANEX_QUERY_FUNCTIONS_H_
