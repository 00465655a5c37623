// One reader, named by PLANEX_FUZZ_READER, fed with the fuzzer's bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz_model.h"
#include "ingest/registry.h"
#include "model/builder.h"

namespace {

using planex::ingest::Part;
using planex::ingest::ReaderInfo;

const ReaderInfo& reader() {
  const auto readers = planex::ingest::readers();
  const auto found = std::ranges::find(readers, PLANEX_FUZZ_READER, &ReaderInfo::id);
  planex::fuzz::require(found != readers.end());
  return *found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const ReaderInfo& tested = reader();
  (void)tested.sniff(text);
  planex::model::ModelBuilder builder;
  planex::ingest::Artefact artefact{.path = "input", .bytes = planex::base::make_bytes(text)};
  artefact.file_row = builder.add_file("input", tested.id, "fuzzed", size);
  // A file that can stand alone is also read beside others; the size decides, so that seeds stay as
  // they are.
  const bool alone = tested.part == Part::kGraph || (tested.engine_rank > 0 && size % 2 == 0);
  if (!alone) {
    // Layers to join: times, twice the same name, and one that needs an escape in JSON.
    for (const std::string_view name : {"a", "b", "a", "conv1", "x\"y"}) {
      builder.add_layer(builder.strings().add(name));
    }
  }
  const auto read = tested.read(artefact, builder);
  artefact.bytes.reset();  // the model keeps what it borrows
  if (read) {
    planex::fuzz::use(builder.finish());
  } else {
    planex::fuzz::check(read.error());
  }
  return 0;
}
