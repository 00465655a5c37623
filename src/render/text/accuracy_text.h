// How far tensors are apart, for a terminal and for Markdown.
#pragma once

#include <string>

#include "arrays/accuracy.h"
#include "render/text/table_text.h"

namespace planex::render {

std::string accuracy_text(const arrays::AccuracyReport& report, const TableStyle& style);
std::string accuracy_markdown(const arrays::AccuracyReport& report);

}  // namespace planex::render
