#include <string>
#include <string_view>

#include "base/text.h"
#include "fuzz_model.h"
#include "fuzz_targets.h"
#include "ingest/discover/archive.h"
#include "ingest/discover/load.h"

namespace planex::fuzz {

std::string run_archive(std::string_view input) {
  const auto archive = ingest::ArchiveFiles::open(base::make_bytes(input), "input.zip");
  if (!archive) return check(archive.error());
  if (const auto entries = (*archive)->list("input.zip")) {
    for (const base::FileEntry& entry : *entries) {
      if (!entry.path.starts_with("input.zip/") || entry.path.find("/../") != std::string::npos) {
        return base::format("a member outside of the archive: {}", base::quoted(entry.path));
      }
      const auto read = (*archive)->read(entry.path);
      if (read) continue;
      if (std::string wrong = check(read.error()); !wrong.empty()) return wrong;
    }
  }
  base::MemoryFiles files;
  files.add("input.zip", input);
  auto model = ingest::load({.path = "input.zip"}, files);
  return model ? use(std::move(*model)) : std::string();
}

}  // namespace planex::fuzz
