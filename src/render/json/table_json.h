// A table as a JSON document:
//   {"schema":"planex.query/1","columns":[{"name","type","unit"}],"rows":[[...],...]}
#ifndef PLANEX_RENDER_JSON_TABLE_JSON_H_
#define PLANEX_RENDER_JSON_TABLE_JSON_H_

#include <string>
#include <string_view>

#include "model/data_table.h"
#include "render/json/json_writer.h"

namespace planex::render {

// `schema`: the document's kind and version. type: int64, double, text, or mixed where SQL made
// both numbers and texts; null where no row has a value. unit: as in the schema, null where there
// is none. Values in full, what is not known is null. Ends with a line break.
std::string json_table(const model::DataTable& table, std::string_view schema,
                       JsonStyle style = JsonStyle::kCompact);

// The members `columns` and `rows` of an object that is open.
void write_table_members(JsonWriter& json, const model::DataTable& table);

}  // namespace planex::render

#endif  // PLANEX_RENDER_JSON_TABLE_JSON_H_
