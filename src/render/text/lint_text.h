// What is worth changing: `planex lint`.
#pragma once

#include <cstdint>
#include <string>

#include "lint/run.h"
#include "model/plan_model.h"
#include "render/text/table_text.h"

namespace planex::render {

enum class LintDetail : std::uint8_t {
  kFirstOfEachRule,  // one finding of each rule in full, the others counted
  kAll,
};

// Rules by what they are worth, each with its findings; then one line per rule.
std::string lint_text(const model::PlanModel& model, const lint::LintReport& report,
                      LintDetail detail, const TableStyle& style);
std::string lint_markdown(const model::PlanModel& model, const lint::LintReport& report);

}  // namespace planex::render
