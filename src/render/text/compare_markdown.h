// A comparison as a comment on a pull request: GitHub-flavoured Markdown.
#pragma once

#include <string>

#include "analyze/compare/compare.h"
#include "render/words/compare_words.h"

namespace planex::render {

// The verdict, the totals, and folded: where the time went, what changed most, types and
// precisions.
std::string compare_markdown(const analyze::Comparison& comparison,
                             const CompareTextOptions& options);

}  // namespace planex::render
