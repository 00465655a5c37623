#include "render/documents.h"

#include <algorithm>
#include <vector>

#include "render/fields/accuracy.h"
#include "render/fields/advise.h"
#include "render/fields/capsule.h"
#include "render/fields/cast.h"
#include "render/fields/clean.h"
#include "render/fields/compare.h"
#include "render/fields/doctor.h"
#include "render/fields/engines.h"
#include "render/fields/layer_accuracy.h"
#include "render/fields/layout.h"
#include "render/fields/lint.h"
#include "render/fields/lint_rules.h"
#include "render/fields/optimize.h"
#include "render/fields/quantize.h"
#include "render/fields/search.h"
#include "render/fields/summary.h"
#include "render/fields/sweep.h"
#include "render/fields/tables.h"
#include "render/fields/timing.h"
#include "render/html/report_fields.h"

namespace planex::render {

std::string_view document_name(std::string_view id) {
  constexpr std::string_view kProject = "planex.";
  if (id.starts_with(kProject)) id.remove_prefix(kProject.size());
  return id.substr(0, id.find('/'));
}

std::span<const record::DocumentInfo> described_documents() {
  static const std::vector<record::DocumentInfo> kDocuments = [] {
    std::vector<record::DocumentInfo> all = {
        compare_document(),        doctor_document(),       engines_document(),
        error_document(),          layout_document(),       lint_document(),
        opened_document(),         page_version_document(), report_document(),
        schema_document(),         summary_document(),      timing_document(),
        version_document(),        archive_document(),      capsule_document(),
        verify_document(),         sweep_document(),        quantize_document(),
        layer_accuracy_document(), accuracy_document(),     lint_rules_document(),
        search_document(),         cast_document(),         advise_document(),
        optimize_document(),       clean_document(),
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
      summary_document(), timing_document(), lint_document(), compare_document(), sweep_document(),
  };
  return kDocuments;
}

}  // namespace planex::render
