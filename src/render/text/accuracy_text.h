// How far tensors are apart, for a terminal and for Markdown.
#ifndef PLANEX_RENDER_TEXT_ACCURACY_TEXT_H_
#define PLANEX_RENDER_TEXT_ACCURACY_TEXT_H_

#include <string>

#include "arrays/accuracy.h"
#include "render/text/table_text.h"

namespace planex::render {

std::string accuracy_text(const arrays::AccuracyReport& report, const TableStyle& style);
std::string accuracy_markdown(const arrays::AccuracyReport& report);

}  // namespace planex::render

#endif  // PLANEX_RENDER_TEXT_ACCURACY_TEXT_H_
