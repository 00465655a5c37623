// What the bytes of a serialized engine reveal without TensorRT. The rest of the file is TensorRT's
// own and is not read.
//
//   "ftrt", u32, …, bytes 24 to 27: the version, from TensorRT 8.6 on
//
// Ultralytics writes this before the engine: u32 length of a JSON text, and the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace planex::ingest {

struct PlanFile {
  // How many bytes precede the engine, and the content of their JSON: keys of Ultralytics with
  // their values as text, in the order given. 0 and empty if there are none.
  std::uint64_t wrapper_bytes = 0;
  std::vector<std::pair<std::string, std::string>> facts;
  // The wrapper's text ends beyond the end of the file.
  bool is_cut_in_wrapper = false;
  // "ftrt" is where the engine begins.
  bool has_tag = false;
  // "10.3.0"; empty if the bytes are not a known release.
  std::string version;
};

// How many bytes inspect_plan needs of this file: `head` is its beginning.
std::size_t plan_head_bytes(std::string_view head);

// `head`: at least plan_head_bytes of it, or the whole file. Null if it neither begins like an
// engine nor like Ultralytics' wrapper. Never fails. O(size of the wrapper).
std::optional<PlanFile> inspect_plan(std::string_view head);

}  // namespace planex::ingest
