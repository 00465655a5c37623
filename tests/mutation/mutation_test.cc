// Damages the files of real engines and of the golden cases in many ways, from fixed seeds. Each
// result must be a model, which is then completed, summarised and dumped, or an error that says
// what is wrong with which file, and where. Made to run with the address and undefined-behaviour
// sanitizers.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/complete/complete.h"
#include "analyze/summary/summary.h"
#include "base/text.h"
#include "ingest/discover/load.h"
#include "ingest/discover/registry.h"
#include "support/json_tree.h"
#include "support/model_dump.h"
#include "support/test_data.h"

namespace planex::test {
namespace {

namespace fs = std::filesystem;

// Larger files are cut down first: the sanitizers are slow, and their records are all alike.
constexpr std::size_t kLargestFile = 32 * 1024;

struct InputFile {
  std::string name;
  std::string text;
};

// One engine's files; `broken` is the one to damage.
struct Engine {
  std::string name;
  std::vector<InputFile> files;
};

// Arrays keep their first elements, until the document is small enough. Other texts are cut.
std::string reduced(const std::string& text) {
  const ingest::ReaderInfo* reader =
      ingest::sniff(std::string_view(text).substr(0, ingest::kSniffBytes));
  const bool is_log = reader != nullptr && reader->part == ingest::Part::kLog;
  if (text.size() <= kLargestFile) return text;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const char begin = first == text.npos ? '\0' : text[first];
  if (begin == '<') return text;  // the front of a graph is no graph
  if (is_log || (begin != '{' && begin != '[')) {
    return text.substr(0, kLargestFile);
  }
  JsonNode root = parse_json(text);
  for (const std::size_t kept : {64u, 24u, 8u, 3u}) {
    for_each_node(root, [&](JsonNode& node, int depth) {
      // Lists of records: at the top, or below the root's keys.
      if (depth > 1 || node.kind == JsonNode::Kind::kScalar || node.children.size() <= kept) return;
      node.children.resize(kept);
      if (node.kind == JsonNode::Kind::kObject) node.keys.resize(kept);
    });
    std::string result = write_json(root, kPretty);
    if (result.size() <= kLargestFile) return result;
  }
  return write_json(root, kPretty).substr(0, kLargestFile);
}

std::vector<Engine> engines() {
  std::vector<Engine> result;
  std::vector<std::string> folders;
  if (const auto data = data_folder()) {
    folders = engine_folders(*data);
  }
  for (const auto& entry : fs::directory_iterator(PLANEX_GOLDEN_FOLDER "/ingest")) {
    folders.push_back(entry.path().string());
  }
  for (const auto& entry : fs::recursive_directory_iterator(PLANEX_TESTS_FOLDER "/data")) {
    folders.push_back(entry.path().string());
  }
  std::ranges::sort(folders);
  for (const std::string& folder : folders) {
    if (!fs::is_directory(folder)) continue;
    Engine engine{.name = fs::path(folder).filename().string()};
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string path = entry.path().string();
      if (!entry.is_regular_file() || path.ends_with("expected.txt")) continue;
      std::string text = read_text(path);
      // By its content: layer files are also called .log and .txt.
      const ingest::ReaderInfo* reader =
          ingest::sniff(std::string_view(text).substr(0, ingest::kSniffBytes));
      if (reader == nullptr) continue;
      // A model can't be cut. Its small ones have all there is, and src/onnx damages more of them.
      if (reader->part == ingest::Part::kSource && text.size() > kLargestFile) continue;
      engine.files.push_back({entry.path().filename().string(), std::move(text)});
    }
    std::ranges::sort(engine.files, {}, &InputFile::name);
    if (!engine.files.empty()) result.push_back(std::move(engine));
  }
  return result;
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::size_t pick(std::size_t count) { return count == 0 ? 0 : random_() % count; }

  // Where a number token starts and ends, from a random place on.
  std::string replace_number(std::string text, std::string_view number) {
    const std::size_t from = pick(text.size());
    std::size_t at = text.find_first_of("0123456789", from);
    // A digit inside a name is no number; one behind a blank, a comma, a bracket or a colon is.
    while (at != text.npos && at > 0 &&
           std::string_view(" ,[:\t\n-").find(text[at - 1]) == std::string_view::npos) {
      at = text.find_first_of("0123456789", at + 1);
    }
    if (at == text.npos) return text + std::string(number);
    const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-", at), text.size());
    if (at > 0 && text[at - 1] == '-') --at;
    return text.replace(at, end - at, number);
  }

  std::string mutate(std::string text) {
    static constexpr std::string_view kNumbers[] = {"1e999",
                                                    "-1e999",
                                                    "99999999999999999999",
                                                    "-9223372036854775808",
                                                    "9223372036854775807",
                                                    "1e308",
                                                    "-1e308",
                                                    "-1",
                                                    "0",
                                                    "1.5",
                                                    "4294967296",
                                                    "1e-320",
                                                    "NaN",
                                                    "01",
                                                    "-"};
    static constexpr std::string_view kTokens[] = {"null",
                                                   "true",
                                                   "{}",
                                                   "[]",
                                                   "\"\"",
                                                   "\"\\u0000\"",
                                                   "\"\\ud800\"",
                                                   "\\",
                                                   "\"",
                                                   ",",
                                                   ":",
                                                   "{",
                                                   "}",
                                                   "[",
                                                   "]",
                                                   "\x1e",
                                                   "\xff",
                                                   "\xe2\x82",
                                                   "/*",
                                                   "{\"Type\": \"Half\", \"Count\": -5}",
                                                   "\"nbDims=-1\""};
    switch (pick(10)) {
      case 0:
        return text.substr(0, pick(text.size() + 1));
      case 1: {  // flip a bit
        if (text.empty()) return text;
        char& byte = text[pick(text.size())];
        byte = static_cast<char>(byte ^ (1 << pick(8)));
        return text;
      }
      case 2: {  // another byte
        if (text.empty()) return text;
        text[pick(text.size())] = static_cast<char>(pick(256));
        return text;
      }
      case 3:  // delete a piece
        return text.erase(pick(text.size()), 1 + pick(pick(2) == 0 ? 4 : 400));
      case 4: {  // double a piece
        const std::size_t at = pick(text.size());
        return text.insert(pick(text.size() + 1), text.substr(at, 1 + pick(300)));
      }
      case 5:
        return text.insert(pick(text.size() + 1), kTokens[pick(std::size(kTokens))]);
      case 6:
      case 7:
        return replace_number(std::move(text), kNumbers[pick(std::size(kNumbers))]);
      case 8:
        return replace_value(std::move(text), kTokens[pick(std::size(kTokens))]);
      default: {  // swap two pieces
        if (text.size() < 64) return text;
        const std::size_t length = 1 + pick(32);
        const std::size_t a = pick(text.size() - length), b = pick(text.size() - length);
        const std::string piece = text.substr(a, length);
        text.replace(a, length, text.substr(b, length));
        return text.replace(b, length, piece);
      }
    }
  }

  // Puts a token where a value is: the JSON stays whole where the token is.
  std::string replace_value(std::string text, std::string_view token) {
    const std::size_t colon = text.find(':', pick(text.size()));
    if (colon == text.npos) return text;
    const std::size_t end = std::min(text.find_first_of(",}\n", colon), text.size());
    return text.replace(colon + 1, end - colon - 1, token);
  }

 private:
  std::mt19937 random_;
};

// What was tried, and what came of it.
struct Tally {
  int tried = 0, models = 0, errors = 0;
  double longest_ms = 0;
  std::set<std::string> messages;
};

void try_files(const std::string& engine, const std::vector<InputFile>& files, std::size_t broken,
               const std::string& damaged, Tally& tally) {
  base::MemoryFiles memory;
  for (std::size_t i = 0; i < files.size(); ++i) {
    memory.add(engine + "/" + files[i].name, i == broken ? damaged : files[i].text);
  }
  ++tally.tried;
  const auto start = std::chrono::steady_clock::now();
  // The damaged file is named, so that its reader sees it even when nobody would know it any more.
  const std::string path = engine + "/" + files[broken].name;
  ingest::LoadRequest request{.path = engine};
  const ingest::ReaderInfo* reader =
      ingest::sniff(std::string_view(files[broken].text).substr(0, ingest::kSniffBytes));
  switch (reader->part) {
    case ingest::Part::kGraph:
      request.graph = path;
      break;
    case ingest::Part::kProfile:
      request.profile = path;
      break;
    case ingest::Part::kTimes:
      request.times = path;
      break;
    case ingest::Part::kMetadata:
      request.metadata = path;
      break;
    case ingest::Part::kLog:
      request.log = path;
      break;
    case ingest::Part::kKernels:
      request.nsight = path;
      break;
    case ingest::Part::kSource:
      request.source_model = path;
      break;
    case ingest::Part::kAccuracy:
      request.accuracy = path;
      break;
  }
  auto model = ingest::load(request, memory);
  if (model) {
    ++tally.models;
    analyze::complete(*model);
    const analyze::Summary summary = analyze::summarize(*model);
    EXPECT_EQ(summary.record_count, static_cast<std::int64_t>(model->layers.row_count()));
    // Reads every cell: a view of memory that is gone would be found.
    EXPECT_FALSE(dump(*model).empty());
  } else {
    ++tally.errors;
    const Error& error = model.error();
    // A newer version of a schema of ours is well-formed, and not for us.
    const bool about_input =
        error.code == ErrorCode::kBadInput || error.code == ErrorCode::kUnsupported;
    const bool well_said = about_input && !error.message.empty() && !error.file.empty();
    // Two readable graphs, or none, is another complaint; it has a file but no place in it.
    const bool about_the_set = error.code == ErrorCode::kUsage ||
                               error.message.starts_with("no layer information") ||
                               error.message.starts_with("there is no optimization profile") ||
                               error.message.starts_with("the profile belongs to another engine") ||
                               error.message == "is a model, not an engine";
    EXPECT_TRUE(well_said || about_the_set) << to_text(error);
    EXPECT_TRUE(about_the_set || !error.json_pointer.empty() || error.byte_offset ||
                error.message.find("it has no list") != std::string::npos)
        << "no place: " << to_text(error);
    tally.messages.insert(error.message.substr(0, 40));
  }
  const double ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  tally.longest_ms = std::max(tally.longest_ms, ms);
}

class Mutations : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    for (Engine& engine : engines()) {
      for (std::size_t i = 0; i < engine.files.size(); ++i) {
        // Other files of the engine stay small, as they are read again each time.
        engine.files[i].text = reduced(engine.files[i].text);
      }
      engines_.push_back(std::move(engine));
    }
  }
  static void TearDownTestSuite() { engines_.clear(); }

  void TearDown() override {
    RecordProperty("tried", tally_.tried);
    std::printf("             %d mutations: %d models, %d errors of %zu kinds, longest %.0f ms\n",
                tally_.tried, tally_.models, tally_.errors, tally_.messages.size(),
                tally_.longest_ms);
    EXPECT_GT(tally_.models, 0);
    EXPECT_GT(tally_.errors, 0);
  }

  // Calls damage(file text, number of the file) for each file, `rounds` times.
  template <typename Damage>
  void each_file(int rounds, Damage damage) {
    unsigned number = 0;
    for (const Engine& engine : engines_) {
      for (std::size_t i = 0; i < engine.files.size(); ++i, ++number) {
        for (int round = 0; round < rounds; ++round) {
          const std::string damaged =
              damage(engine.files[i].text, number * 1'000 + static_cast<unsigned>(round));
          SCOPED_TRACE(base::format("{}/{}, round {}", engine.name, engine.files[i].name, round));
          try_files(engine.name, engine.files, i, damaged, tally_);
        }
      }
    }
  }

  static std::vector<Engine> engines_;
  Tally tally_;
};
std::vector<Engine> Mutations::engines_;

TEST_F(Mutations, OneOfAnyKind) {
  each_file(8, [](const std::string& text, unsigned seed) { return Mutator(seed).mutate(text); });
  EXPECT_GE(tally_.tried, 400);
}

TEST_F(Mutations, SeveralAtOnce) {
  each_file(5, [](std::string text, unsigned seed) {
    Mutator mutator(seed + 500'000);
    for (std::size_t i = 0, n = 2 + mutator.pick(10); i < n; ++i)
      text = mutator.mutate(std::move(text));
    return text;
  });
}

TEST_F(Mutations, ManyNumbers) {
  static constexpr std::string_view kHuge[] = {"99999999999999999999", "-9223372036854775808",
                                               "9223372036854775807", "1e300", "4294967295"};
  each_file(5, [](std::string text, unsigned seed) {
    Mutator mutator(seed + 900'000);
    // The first two are no numbers for a 64-bit integer or no size; the rest are both.
    const std::string_view number = kHuge[seed % 1'000 % std::size(kHuge)];
    for (int i = 0; i < 12; ++i) text = mutator.replace_number(std::move(text), number);
    return text;
  });
}

TEST_F(Mutations, Truncations) {
  each_file(8, [](const std::string& text, unsigned seed) {
    // Spread over the file, and near its ends.
    const unsigned round = seed % 1'000;
    if (round == 0) return text.substr(0, text.size() - std::min<std::size_t>(1, text.size()));
    if (round == 1) return text.substr(0, 1);
    return text.substr(0, text.size() * round / 8 + seed % 13);
  });
}

TEST_F(Mutations, DeepNesting) {
  each_file(2, [](std::string text, unsigned seed) {
    Mutator mutator(seed);
    const std::string_view piece = seed % 2 == 0 ? "[" : "{\"a\":";
    std::string deep;
    for (int i = 0; i < 20'000; ++i) deep += piece;
    // Behind a colon or a bracket, where a value may be.
    const std::size_t at = text.find_first_of(":[", mutator.pick(text.size()));
    return text.insert(at == text.npos ? 0 : at + 1, deep);
  });
}

TEST_F(Mutations, EmptyAndBinary) {
  each_file(4, [](const std::string& text, unsigned seed) -> std::string {
    switch (seed % 1'000) {
      case 0:
        return "";
      case 1:
        return " \n\t ";
      case 2:
        return std::string(
            "\x7f"
            "ELF\x02\x01\0\0\0\xff\xfe",
            11);
      default:
        // Only the blanks are left of it, so some files are read as a whole.
        return text + " ";
    }
  });
}

}  // namespace
}  // namespace planex::test
