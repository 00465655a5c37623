// Tables that are not part of the model: results that a query can join with it.
#pragma once

#include <sqlite3.h>

#include <span>

#include "query/query.h"

namespace planex::query {

// Copies the rows. Returns an SQLite result code.
int create_extra_tables(sqlite3* db, std::span<const ExtraTable> tables);

}  // namespace planex::query
