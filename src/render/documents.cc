#include "render/documents.h"

#include <algorithm>
#include <vector>

#include "render/fields/accuracy.h"
#include "render/fields/advise.h"
#include "render/fields/blocks.h"
#include "render/fields/capsule.h"
#include "render/fields/cast.h"
#include "render/fields/compare.h"
#include "render/fields/doctor.h"
#include "render/fields/engines.h"
#include "render/fields/kernels.h"
#include "render/fields/layer_accuracy.h"
#include "render/fields/layout.h"
#include "render/fields/lint.h"
#include "render/fields/lint_rules.h"
#include "render/fields/memory.h"
#include "render/fields/optimize.h"
#include "render/fields/placement.h"
#include "render/fields/precision.h"
#include "render/fields/quantization.h"
#include "render/fields/quantize.h"
#include "render/fields/reformats.h"
#include "render/fields/search.h"
#include "render/fields/speed.h"
#include "render/fields/summary.h"
#include "render/fields/sweep.h"
#include "render/fields/tables.h"
#include "render/fields/tactics.h"
#include "render/fields/timing.h"
#include "render/html/report_fields.h"
#include "render/json/plan_schema.h"
#include "render/json/record_schema.h"

namespace planex::render {
namespace {

constexpr std::string_view kPlan = "planex.plan/1";

// Of planex.lint/2: lint.
std::string_view document_name(std::string_view id) {
  constexpr std::string_view kProject = "planex.";
  if (id.starts_with(kProject)) id.remove_prefix(kProject.size());
  return id.substr(0, id.find('/'));
}

bool is_called(std::string_view id, std::string_view wanted) {
  return wanted == id || wanted == document_name(id);
}

}  // namespace

std::span<const record::DocumentInfo> described_documents() {
  static const std::vector<record::DocumentInfo> kDocuments = [] {
    std::vector<record::DocumentInfo> all = {
        blocks_document(),          compare_document(),
        doctor_document(),          engines_document(),
        error_document(),           kernels_document(),
        layout_document(),          lint_document(),
        memory_document(),          opened_document(),
        page_version_document(),    precision_document(),
        quantization_document(),    reformats_document(),
        report_document(),          schema_document(),
        speed_document(),           summary_document(),
        tactics_document(),         timing_document(),
        version_document(),         archive_document(),
        capsule_document(),         verify_document(),
        sweep_document(),           quantize_document(),
        layer_accuracy_document(),  accuracy_document(),
        placement_rules_document(), lint_rules_document(),
        search_document(),          cast_document(),
        advise_document(),          optimize_document(),
    };
    for (const TableDocument& document : table_documents()) all.emplace_back(document);
    std::ranges::sort(all, {}, &record::DocumentInfo::id);
    return all;
  }();
  return kDocuments;
}

std::span<const record::DocumentInfo> page_documents() {
  static const std::vector<record::DocumentInfo> kDocuments = [] {
    std::vector<record::DocumentInfo> all = {report_document(), engines_document(),
                                             opened_document(), error_document()};
    for (const TableDocument& document : table_documents()) {
      if (document_name(document.id) == "query") all.emplace_back(document);
    }
    return all;
  }();
  return kDocuments;
}

std::span<const record::DocumentInfo> struct_documents() {
  static const std::vector<record::DocumentInfo> kDocuments = {
      summary_document(), timing_document(),    lint_document(),         compare_document(),
      speed_document(),   reformats_document(), memory_document(),       precision_document(),
      blocks_document(),  kernels_document(),   quantization_document(), tactics_document(),
      sweep_document(),
  };
  return kDocuments;
}

std::vector<std::string> document_ids() {
  std::vector<std::string> ids = {std::string(kPlan)};
  for (const record::DocumentInfo& document : described_documents()) ids.emplace_back(document.id);
  std::ranges::sort(ids);
  return ids;
}

std::optional<std::string> document_schema(std::string_view id) {
  if (is_called(kPlan, id)) return plan_schema();
  for (const record::DocumentInfo& document : described_documents()) {
    if (is_called(document.id, id)) return json_schema(document);
  }
  return std::nullopt;
}

}  // namespace planex::render
