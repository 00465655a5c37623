// Messages of TensorRT that planex knows, as a reference page.
#ifndef PLANEX_RENDER_MARKDOWN_MESSAGES_MARKDOWN_H_
#define PLANEX_RENDER_MARKDOWN_MESSAGES_MARKDOWN_H_

#include <string>

namespace planex::render {

std::string known_messages_markdown();

}  // namespace planex::render

#endif  // PLANEX_RENDER_MARKDOWN_MESSAGES_MARKDOWN_H_
