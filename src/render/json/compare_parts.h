// What planex.compare/2 and the data of the report have in common. All write members of an object
// that is open.
#ifndef PLANEX_RENDER_JSON_COMPARE_PARTS_H_
#define PLANEX_RENDER_JSON_COMPARE_PARTS_H_

#include <string_view>

#include "analyze/compare.h"
#include "render/compare/words.h"
#include "render/json/json_writer.h"

namespace planex::render {

// engines, totals, by_type, by_precision, by_output_precision.
void write_comparison_figures(JsonWriter& json, const analyze::Comparison& comparison);

// The verdict, the difference of the sums of layers by its causes and by types, and the sentences
// that say so; what the base has comes as a.
void write_difference_members(JsonWriter& json, const analyze::Comparison& comparison,
                              const analyze::EngineDifference& difference, const LayerNames& names);

// True, false, or null where it is not known.
void write_changed(JsonWriter& json, std::string_view key, analyze::Changed changed);

}  // namespace planex::render

#endif  // PLANEX_RENDER_JSON_COMPARE_PARTS_H_
