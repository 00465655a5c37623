#include "render/json/engines_json.h"

#include "render/json/record_json.h"

namespace planex::render {

std::string engines_json(const EngineList& list) {
  return json_document(engines_document(), list, list, JsonStyle::kCompact);
}

std::string opened_json(const std::vector<std::string>& ids) {
  return json_document(opened_document(), ids, {}, JsonStyle::kCompact);
}

std::string version_json(std::string_view version, EngineState state) {
  return json_document(page_version_document(), PageVersion{version, state}, {},
                       JsonStyle::kCompact);
}

std::string error_json(const Error& error) {
  return json_document(error_document(), error, {}, JsonStyle::kCompact);
}

}  // namespace planex::render
