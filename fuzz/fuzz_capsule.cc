#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/zip_writer.h"
#include "base/files.h"
#include "base/text.h"
#include "fuzz_model.h"
#include "fuzz_targets.h"
#include "ingest/discover/capsule.h"
#include "ingest/discover/load.h"

namespace planex::fuzz {

std::string run_capsule(std::string_view input) {
  const auto list = ingest::read_capsule_list(base::make_bytes(input), "capsule.json");
  if (!list) {
    if (std::string problem = check(list.error()); !problem.empty()) return problem;
  }
  // Files that a list may name, with or without the right hashes.
  const std::vector<archive::ZipMember> members = {
      {"capsule.json", base::make_bytes(input)},
      {"a.plan.json", base::make_bytes(R"({"schema":"planex.plan/1","layers":[{"name":"a"}]})")},
      {"b.json", base::make_bytes(R"([{"count":1},{"name":"a","averageMs":1}])")}};
  auto archive = archive::zip_text(members, "input.planex");
  if (!archive) return "the archive can't be created: " + archive.error().message;
  base::MemoryFiles files;
  files.add("input.planex", *archive);
  const auto checked = ingest::check_capsule("input.planex", files);
  if (!checked) {
    if (std::string problem = check(checked.error()); !problem.empty()) return problem;
  }
  auto model = ingest::load({.path = "input.planex"}, files);
  // Options in the list may be those that a user can get wrong.
  if (!model) return model.error().code == ErrorCode::kUsage ? "" : check(model.error());
  return use(std::move(*model));
}

}  // namespace planex::fuzz
