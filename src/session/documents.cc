#include "session/documents.h"

#include <algorithm>

#include "render/documents.h"
#include "render/json/plan_schema.h"
#include "render/json/record_schema.h"
#include "session/explain/topics.h"

namespace planex::session {
namespace {

constexpr std::string_view kPlan = "planex.plan/1";

bool is_called(std::string_view id, std::string_view wanted) {
  return wanted == id || wanted == render::document_name(id);
}

std::vector<record::DocumentInfo> joined(std::span<const record::DocumentInfo> some,
                                         const std::vector<record::DocumentInfo>& others) {
  std::vector<record::DocumentInfo> all(some.begin(), some.end());
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace

std::span<const record::DocumentInfo> all_documents() {
  static const std::vector<record::DocumentInfo> kDocuments = [] {
    std::vector<record::DocumentInfo> all =
        joined(render::described_documents(), topic_documents());
    std::ranges::sort(all, {}, &record::DocumentInfo::id);
    return all;
  }();
  return kDocuments;
}

std::vector<record::DocumentInfo> all_structs() {
  return joined(render::struct_documents(), topic_structs());
}

std::vector<std::string> all_document_ids() {
  std::vector<std::string> ids = {std::string(kPlan)};
  for (const record::DocumentInfo& document : all_documents()) ids.emplace_back(document.id);
  std::ranges::sort(ids);
  return ids;
}

std::optional<std::string> schema_of_document(std::string_view id) {
  if (is_called(kPlan, id)) return render::plan_schema();
  for (const record::DocumentInfo& document : all_documents()) {
    if (is_called(document.id, id)) return render::json_schema(document);
  }
  return std::nullopt;
}

}  // namespace planex::session
