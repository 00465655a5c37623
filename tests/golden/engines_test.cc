// tests/golden/engines/<folder>.txt: what planex makes of each folder of real engines
// (<folder>.<file>.txt of each of several in one). First the
// summary as people read it, then every diagnostic, then each table's rows and digest, so that no
// value changes unseen. `tools/golden --update` writes the files anew.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/summary/summary.h"
#include "base/text.h"
#include "lint/run.h"
#include "render/text/summary_text.h"
#include "support/golden.h"
#include "support/model_dump.h"
#include "support/test_data.h"

namespace planex::test {
namespace {

namespace fs = std::filesystem;
using base::format;

const std::string kEngineGoldens = PLANEX_GOLDEN_FOLDER "/engines";

// FNV-1a: enough to see that something changed.
std::uint64_t digest(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

// "layers: 72 rows" and its lines -> "layers: 72 rows, digest 0123…".
std::string digests_of(std::string_view dumped) {
  std::string result;
  while (!dumped.empty()) {
    std::size_t end = dumped.find("\n", 0);
    const std::string_view head = dumped.substr(0, end);
    std::size_t next = end + 1;
    while (next < dumped.size() && dumped[next] == ' ') next = dumped.find('\n', next) + 1;
    result += format("  {}, digest {:016x}\n", head, digest(dumped.substr(0, next)));
    dumped.remove_prefix(next);
  }
  return result;
}

// Files come from memory under the folder's name, so that no path of the machine is in the text.
base::MemoryFiles files_of(const std::string& folder) {
  base::MemoryFiles files;
  const std::string name = fs::path(folder).filename().string();
  for (const auto& entry : fs::directory_iterator(folder)) {
    files.add(name + "/" + entry.path().filename().string(), read_text(entry.path().string()));
  }
  return files;
}

std::string result_of_engine(const base::MemoryFiles& files, const std::string& engine) {
  auto loaded = load_completed({.path = engine}, files);
  if (!loaded) return to_text(loaded.error()) + "\n";
  model::PlanModel model = std::move(*loaded);
  lint::store(lint::run(model), model);
  std::string text = render::summary_text(model, analyze::summarize(model), engine, {});
  text += "\ndiagnostics\n";
  for (std::size_t row = 0; row < model.diagnostics.row_count(); ++row) {
    text +=
        format("  {}[{}] {}\n", to_string(model.diagnostics.severity[row]),
               model.text(model.diagnostics.code[row]), model.text(model.diagnostics.message[row]));
  }
  return text + "\ntables\n" + digests_of(dump(model));
}

TEST(EnginesGolden, EveryFolderIsAsExpected) {
  PLANEX_NEED_TEST_DATA(data);
  const std::vector<std::string> folders = engine_folders(data);
  EXPECT_GE(folders.size(), takes_all_engines() ? 56U : 12U);
  for (const std::string& folder : folders) {
    SCOPED_TRACE(folder);
    const base::MemoryFiles files = files_of(folder);
    const std::string name = fs::path(folder).filename().string();
    for (const std::string& engine : engines_in(name, files)) {
      const std::string result = result_of_engine(files, engine);
      EXPECT_FALSE(result.starts_with("error")) << result;
      expect_golden(kEngineGoldens + "/" + name_of_engine(name, engine) + ".txt", result);
    }
  }
}

}  // namespace
}  // namespace planex::test
