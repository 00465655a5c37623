// Any bytes, opened as an archive, and each of its members read; then as an engine.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz_model.h"
#include "ingest/archive.h"
#include "ingest/load.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto archive =
      planex::ingest::ArchiveFiles::open(planex::base::make_bytes(bytes), "input.zip");
  if (!archive) {
    planex::fuzz::check(archive.error());
    return 0;
  }
  const auto entries = (*archive)->list("input.zip");
  if (entries) {
    for (const planex::base::FileEntry& entry : *entries) {
      planex::fuzz::require(entry.path.starts_with("input.zip/"));
      planex::fuzz::require(entry.path.find("..") == entry.path.npos ||
                            entry.path.find("/../") == entry.path.npos);
      (void)(*archive)->read(entry.path);
    }
  }
  planex::base::MemoryFiles files;
  files.add("input.zip", bytes);
  auto model = planex::ingest::load({.path = "input.zip"}, files);
  if (model) planex::fuzz::use(std::move(*model));
  return 0;
}
