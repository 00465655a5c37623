// The page without data, as built from web/ and embedded in the program.
#ifndef PLANEX_RENDER_HTML_TEMPLATE_H_
#define PLANEX_RENDER_HTML_TEMPLATE_H_

#include <string_view>

namespace planex::render {

std::string_view report_template();

}  // namespace planex::render

#endif  // PLANEX_RENDER_HTML_TEMPLATE_H_
