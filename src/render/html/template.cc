#include "render/html/template.h"

// Defined in the assembly file that CMake writes: the bytes of web/dist/, and the core.
extern "C" {
extern const char planex_report_template_begin[];
extern const char planex_report_template_end[];
extern const char planex_report_core_begin[];
extern const char planex_report_core_end[];
extern const char planex_index_template_begin[];
extern const char planex_index_template_end[];
}

namespace planex::render {
namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::string_view report_template() {
  return between(planex_report_template_begin, planex_report_template_end);
}

std::string_view report_core() { return between(planex_report_core_begin, planex_report_core_end); }

std::string_view index_template() {
  return between(planex_index_template_begin, planex_index_template_end);
}

}  // namespace planex::render
