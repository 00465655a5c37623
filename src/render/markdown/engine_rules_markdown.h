// What engines fuse, quantize and convert, as a reference page.
#ifndef PLANEX_RENDER_MARKDOWN_ENGINE_RULES_MARKDOWN_H_
#define PLANEX_RENDER_MARKDOWN_ENGINE_RULES_MARKDOWN_H_

#include <string>

namespace planex::render {

std::string engine_rules_markdown();

}  // namespace planex::render

#endif  // PLANEX_RENDER_MARKDOWN_ENGINE_RULES_MARKDOWN_H_
