#include "render/html/template.h"

// Defined in the assembly file that CMake writes: the bytes of web/dist/report.html.
extern "C" {
extern const char planex_report_template_begin[];
extern const char planex_report_template_end[];
}

namespace planex::render {

std::string_view report_template() {
  return {planex_report_template_begin,
          static_cast<std::size_t>(planex_report_template_end - planex_report_template_begin)};
}

}  // namespace planex::render
