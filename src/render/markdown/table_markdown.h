// A table for issues, pull requests and notes: GitHub-flavoured Markdown.
#pragma once

#include <string>
#include <string_view>

#include "model/data_table.h"

namespace planex::render {

// Text as it reads in Markdown: characters that would be markup or HTML are escaped, line breaks
// become <br>, other control characters visible escapes.
std::string markdown_text(std::string_view text);

// Numbers look as in the terminal (column_format.h) and align right; nothing is cut.
std::string markdown_table(const model::DataTable& table);

}  // namespace planex::render
