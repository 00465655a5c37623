// What `planex serve` tells its pages (render/json/engines_json.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planex/error.h"
#include "record/fields.h"
#include "render/json/engines_json.h"

namespace planex::render {

std::string_view to_string(EngineState state);

struct PageVersion {
  std::string_view version;
  EngineState state;
};

// planex.engines/1. The context is the list itself.
const record::Document<EngineList, EngineList>& engines_document();
// planex.opened/1: ids.
const record::Document<std::vector<std::string>>& opened_document();
// planex.page-version/1
const record::Document<PageVersion>& page_version_document();
// planex.error/1
const record::Document<Error>& error_document();

}  // namespace planex::render
