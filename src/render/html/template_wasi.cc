// The core in the page writes data; what shows them is the page that it is in.
#include "render/html/template.h"

namespace planex::render {

std::string_view report_template() { return {}; }

std::string_view report_core() { return {}; }

std::string_view index_template() { return {}; }

}  // namespace planex::render
