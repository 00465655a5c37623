// A page has no terminal: the core answers in JSON, CSV and formats that other tools read. A
// request for text fails with this message.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "render/junit/compare_junit.h"
#include "render/text/capsule_text.h"
#include "render/text/compare_changes.h"
#include "render/text/compare_ledger.h"
#include "render/text/compare_markdown.h"
#include "render/text/compare_text.h"
#include "render/text/doctor_text.h"
#include "render/text/lint_text.h"
#include "render/text/summary_text.h"
#include "render/text/sweep_text.h"
#include "render/text/table_text.h"
#include "render/text/timing_text.h"

namespace planex::render {
namespace {

std::string no_text() {
  return "The core of a page cannot write text for terminals, Markdown or JUnit: ask it for "
         "json.\n";
}

}  // namespace

std::string archive_text(const model::ArchiveReport&, const TableStyle&) { return no_text(); }
std::string compare_junit(const analyze::Comparison&) { return no_text(); }
std::string compare_markdown(const analyze::Comparison&, const CompareTextOptions&) {
  return no_text();
}
std::string compare_text(const analyze::Comparison&, const CompareTextOptions&, const TableStyle&) {
  return no_text();
}
std::string doctor_text(const analyze::DoctorReport&, const TableStyle&) { return no_text(); }
std::string ledger_text(const analyze::Comparison&, const CompareTextOptions&, const TableStyle&) {
  return no_text();
}
std::string lint_markdown(const model::PlanModel&, const lint::LintReport&) { return no_text(); }
std::string lint_text(const model::PlanModel&, const lint::LintReport&, LintDetail,
                      const TableStyle&) {
  return no_text();
}
std::string pair_details_text(const analyze::Comparison&, const analyze::EngineDifference&,
                              std::size_t, const TableStyle&) {
  return no_text();
}
std::string pairs_text(const analyze::Comparison&, const analyze::EngineDifference&,
                       std::span<const std::size_t>, const CompareTextOptions&, const TableStyle&) {
  return no_text();
}
std::string rows_text(const analyze::Comparison&, const TableStyle&) { return no_text(); }
std::string summary_text(const model::PlanModel&, const analyze::Summary&, std::string_view,
                         const TableStyle&) {
  return no_text();
}
std::string sweep_text(const analyze::Sweep&, const TableStyle&) { return no_text(); }
std::string timing_text(const model::PlanModel&, const analyze::Summary&, const TableStyle&) {
  return no_text();
}
std::string verify_text(const model::CapsuleCheck&, const TableStyle&) { return no_text(); }

}  // namespace planex::render
