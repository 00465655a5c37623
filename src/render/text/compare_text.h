// Engines side by side: `planex compare`.
#ifndef PLANEX_RENDER_TEXT_COMPARE_TEXT_H_
#define PLANEX_RENDER_TEXT_COMPARE_TEXT_H_

#include <string>

#include "analyze/compare.h"
#include "model/data_table.h"
#include "render/text/table_text.h"

namespace planex::render {

// One row a figure, one column an engine, the unit last.
std::string compare_text(const analyze::Comparison& comparison, const TableStyle& style);
std::string compare_markdown(const analyze::Comparison& comparison);

// The same as numbers: section, key, unit, one column an engine.
model::DataTable compare_table(const analyze::Comparison& comparison);

}  // namespace planex::render

#endif  // PLANEX_RENDER_TEXT_COMPARE_TEXT_H_
