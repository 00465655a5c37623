// tests/golden/ingest/<case>/: input files and expected.txt, which holds the whole model, or the
// error. Cases are found, not listed. `tools/golden --update` writes expected.txt anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "support/golden.h"
#include "support/model_dump.h"
#include "support/test_data.h"

namespace planex::test {
namespace {

namespace fs = std::filesystem;

const std::string kCases = PLANEX_GOLDEN_FOLDER "/ingest";
constexpr const char* kExpected = "expected.txt";

// Files come from memory under the case's name, so that no path of the machine is in the text.
std::string result_of_case(const std::string& name) {
  base::MemoryFiles files;
  for (const auto& entry : fs::directory_iterator(kCases + "/" + name)) {
    const std::string file = entry.path().filename().string();
    if (file != kExpected) files.add(name + "/" + file, read_text(entry.path().string()));
  }
  const auto model = load_completed({.path = name}, files);
  return model ? dump(*model) : to_text(model.error()) + "\n";
}

class IngestGolden : public ::testing::TestWithParam<std::string> {};

TEST_P(IngestGolden, IsAsExpected) {
  const std::string path = kCases + "/" + GetParam() + "/" + kExpected;
  const std::string result = result_of_case(GetParam());
  EXPECT_EQ(result, result_of_case(GetParam())) << "a second run gives another text";
  expect_golden(path, result);
}

std::string test_name(const ::testing::TestParamInfo<std::string>& golden_case) {
  std::string name = golden_case.param;
  std::ranges::replace(name, '-', '_');  // words only
  return name;
}
INSTANTIATE_TEST_SUITE_P(Cases, IngestGolden, ::testing::ValuesIn(folders_in(kCases)), test_name);

// The two cases differ only in the order of keys, so all but the order of attributes is the same.
TEST(IngestGoldens, KeyOrderDoesNotMatter) {
  const auto model_of = [](const std::string& name) {
    base::MemoryFiles files;
    files.add("e/engine.graph.json", read_text(kCases + "/" + name + "/engine.graph.json"));
    return must(load_completed({.path = "e"}, files));
  };
  const DumpOptions options{
      .attributes = AttributeOrder::kSorted, .canonical_json = true, .without_byte_places = true};
  EXPECT_EQ(dump(model_of("key-order"), options), dump(model_of("key-order-shuffled"), options));
}

}  // namespace
}  // namespace planex::test
