// Documents that are one table, and the one that lists the tables of the model.
#pragma once

#include <span>
#include <string_view>

#include "model/data_table.h"
#include "record/fields.h"

namespace planex::render {

using TableDocument = record::Document<model::DataTable>;

// A document that is one table whose columns are known only at run time. `name` is that of its
// type.
TableDocument document_of_table(std::string_view id, std::string_view title, std::string_view name,
                                std::string_view description);

// planex.layers/1, planex.query/1, planex.list/1 and their like.
std::span<const TableDocument> table_documents();
const TableDocument& table_document(std::string_view id);

// planex.schema/1: every table and column.
const record::Document<record::NoContext>& schema_document();
// planex.version/1
const record::Document<record::NoContext>& version_document();

}  // namespace planex::render
