// What the bytes of a serialized engine tell without TensorRT. The rest of the file is TensorRT's
// own and is not read.
//
//   "ftrt", u32, …, bytes 24 to 27: the version, from TensorRT 8.6 on
//
// Ultralytics writes before that: u32 length of a JSON text, and the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace planex::ingest {

struct PlanFile {
  // Bytes that stand before the engine, and what their JSON says: keys of Ultralytics with their
  // values as text, in the order given. 0 and empty where nothing stands there.
  std::uint64_t wrapper_bytes = 0;
  std::vector<std::pair<std::string, std::string>> facts;
  // The wrapper's text ends beyond the file.
  bool is_cut_in_wrapper = false;
  // "ftrt" stands where the engine begins.
  bool has_tag = false;
  // "10.3.0": empty where the bytes are none of a known release.
  std::string version;
};

// Bytes of the beginning that inspect_plan needs of this file: `head` is how it begins.
std::size_t plan_head_bytes(std::string_view head);

// `head`: at least plan_head_bytes of it, or the whole file. Null where it neither begins as an
// engine nor as something that Ultralytics wrote. Never fails. O(size of the wrapper).
std::optional<PlanFile> inspect_plan(std::string_view head);

}  // namespace planex::ingest
