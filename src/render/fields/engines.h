// Data that `planex serve` sends to its pages (render/json/engines_json.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/engine_row.h"
#include "planex/error.h"
#include "record/fields.h"

namespace planex::render {

enum class EngineState : std::uint8_t {
  kWaiting,  // found, and not read yet
  kReady,
  kFailed,  // `error` says why
};

struct ListedEngine {
  // Opaque; its id in addresses.
  std::string id;
  // Its path as the user gave it, for people.
  std::string place;
  bool is_dropped = false;
  EngineState state = EngineState::kWaiting;
  // Its files changed after they were read, and what is shown is from before.
  bool is_stale = false;
  std::string error;  // several lines
  std::optional<std::int64_t> modified_ns;
  std::uint64_t size_bytes = 0;
  // The rest: kReady.
  analyze::EngineFigures row;
  std::string headline;  // of its summary; empty: nothing stands out
  // Share of the device's limits that is reached, by layers whose work is known; null without a
  // device.
  std::optional<double> reached_ratio = {};
};

struct EngineList {
  // The paths that were given.
  std::vector<std::string> places;
  std::vector<ListedEngine> engines;
  // Their rows are indexes of `engines`.
  std::vector<analyze::RunTrend> trends;
  // Why the list is incomplete; empty if it is complete.
  std::string left_out;
  // The first scan of the folders is not finished.
  bool is_searching = false;
};

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
