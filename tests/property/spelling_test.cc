// One engine, written in many ways: its files say the same with other blanks, other ends of lines,
// other spellings of their numbers and texts, packed, or brought in another way. So the model is
// the same. For every reader, on the real engines and on the tests' own.
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_text.h"
#include "base/text.h"
#include "ingest/discover/registry.h"
#include "render/json/plan_json.h"
#include "support/json_tree.h"
#include "support/model_dump.h"
#include "support/model_texts.h"
#include "support/test_data.h"

namespace planex::test {
namespace {

namespace fs = std::filesystem;
using model::PlanModel;

enum class Form { kJson, kLog, kLines, kXml, kBinary };

struct EngineFile {
  std::string text;
  std::string reader;
  Form form = Form::kBinary;
};

struct Engine {
  std::string name;
  std::map<std::string, EngineFile> files;
  std::string as_written;  // the model of the files as they are
};

bool is_json(std::string_view text) {
  // is_json_value() is about how deep and whole it is; the tree wants a document of records.
  const std::string_view content = base::trimmed(text);
  return !content.empty() && (content.front() == '{' || content.front() == '[') &&
         base::is_json_value(content);
}

Form form_of(const ingest::ReaderInfo& reader, std::string_view text) {
  if (reader.part == ingest::Part::kSource) return Form::kBinary;
  if (is_json(text)) return Form::kJson;
  if (reader.id == "tensorrt-log") return Form::kLog;
  if (base::trimmed(text).starts_with('<')) return Form::kXml;
  return Form::kLines;
}

Engine engine_of(const std::string& folder) {
  // Times are lists of thousands of records that are all alike.
  constexpr std::uintmax_t kLargest = 200'000;
  Engine engine{.name = fs::path(folder).filename().string(), .files = {}, .as_written = {}};
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.file_size() > kLargest) continue;
    const std::string file = entry.path().filename().string();
    if (file == "expected.txt") continue;
    std::string text = read_text(entry.path().string());
    const ingest::ReaderInfo* reader =
        ingest::sniff(std::string_view(text).substr(0, ingest::kSniffBytes));
    if (reader == nullptr) continue;
    const Form form = form_of(*reader, text);
    engine.files.emplace(file, EngineFile{std::move(text), std::string(reader->id), form});
  }
  return engine;
}

// A change of one file's text; nothing: leave it as it is.
using Change = std::function<std::optional<std::string>(const EngineFile& file)>;

const DumpOptions kOptions{.attributes = AttributeOrder::kSorted,
                           .canonical_json = true,
                           .canonical_scalars = true,
                           .without_byte_places = true};

// What must be equal. Where a diagnostic stands, and that a file was packed, is about the files.
std::string content_of(const Result<PlanModel>& model) {
  if (!model) return "error: " + model.error().message;
  std::string text;
  const std::string whole = dump(*model, kOptions);
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t end = std::min(whole.find('\n', at), whole.size() - 1) + 1;
    const std::string_view line = std::string_view(whole).substr(at, end - at);
    at = end;
    const auto says = [&](std::string_view code) {
      return line.starts_with(base::format("  code=\"{}\"", code));
    };
    if (line.starts_with("diagnostics: ") || says("compressed") || says("byte-order-mark") ||
        says("utf-16")) {
      continue;
    }
    text += line;
  }
  return text;
}

std::string first_difference(const std::string& a, const std::string& b) {
  if (a == b) return "none";
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  // The end of what is equal, and what is not.
  const auto around = [at](const std::string& text) {
    const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    const std::size_t first = std::max(line, at - std::min<std::size_t>(at, 60));
    return text.substr(line, 40) + " ... " + text.substr(first, 150);
  };
  return around(a) + "\n" + around(b);
}

class Spelling : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::vector<std::string> folders;
    if (const auto data = data_folder()) folders = engine_folders(*data);
    for (const char* set :
         {PLANEX_TESTS_FOLDER "/golden/ingest", PLANEX_TESTS_FOLDER "/data/openvino",
          PLANEX_TESTS_FOLDER "/data/onnxruntime",
          PLANEX_TESTS_FOLDER "/data/sweep/cells/batch-1_threads-1_precision-f32"}) {
      for (const auto& entry : fs::directory_iterator(set)) {
        if (entry.is_directory()) folders.push_back(entry.path().string());
      }
    }
    for (const std::string& folder : folders) {
      Engine engine = engine_of(folder);
      if (!engine.files.empty()) add(std::move(engine));
    }
    std::ranges::sort(engines_, {}, &Engine::name);
  }
  static void TearDownTestSuite() { engines_.clear(); }

  static void add(Engine engine) {
    const Result<PlanModel> model = load(engine, [](const EngineFile&) { return std::nullopt; });
    engine.as_written = content_of(model);
    const bool is_plan = engine.name.ends_with(".plan");
    // Also as a plan, where it is small.
    constexpr std::size_t kMaxLayers = 40;
    if (model && !is_plan && model->layers.row_count() <= kMaxLayers) {
      Engine plan{.name = engine.name + ".plan", .files = {}, .as_written = {}};
      EngineFile file{.text = {}, .reader = "planex-plan", .form = Form::kJson};
      EXPECT_TRUE(render::write_plan(*model, [&](std::string_view piece) -> Result<void> {
        file.text += piece;
        return {};
      }));
      plan.files.emplace("x.plan.json", std::move(file));
      add(std::move(plan));
    }
    engines_.push_back(std::move(engine));
  }

  // Files of each engine are read as they are and changed, all together.
  static Result<PlanModel> load(const Engine& engine, const Change& change) {
    base::MemoryFiles files;
    for (const auto& [name, file] : engine.files) {
      files.add("engine/" + name, change(file).value_or(file.text));
    }
    return load_completed({.path = "engine"}, files);
  }

  // Expects that `change` changes no model, and that it is tried on files of these readers.
  void expect_same(const Change& change, const std::set<std::string>& readers) {
    std::set<std::string> tried;
    for (const Engine& engine : engines_) {
      bool is_changed = false;
      const auto changed = [&](const EngineFile& file) {
        std::optional<std::string> text = change(file);
        if (text && *text != file.text) {
          is_changed = true;
          tried.insert(file.reader);
        }
        return text;
      };
      const Result<PlanModel> after = load(engine, changed);
      if (!is_changed) continue;
      EXPECT_EQ(first_difference(engine.as_written, content_of(after)), "none") << engine.name;
    }
    for (const std::string& reader : readers) EXPECT_TRUE(tried.contains(reader)) << reader;
  }

  static std::vector<Engine> engines_;
};
std::vector<Engine> Spelling::engines_;

const std::set<std::string> kJsonReaders = {
    "planex-plan",       "tensorrt-graph",      "tensorrt-profile", "tensorrt-samples",
    "tensorrt-times",    "trex-metadata",       "openvino-graph",   "openvino-profile",
    "planex-times",      "planex-manifest",     "openvino-report",  "openvino-counters",
    "onnxruntime-trace", "trex-archive-config", "planex-machine",   "planex-sweep-run",
    "planex-quantize",   "planex-accuracy",     "planex-search"};
const std::set<std::string> kLineReaders = {"tensorrt-log", "openvino-log", "openvino-counters",
                                            "openvino-counters-log", "openvino-report"};

// --- JSON
// -----------------------------------------------------------------------------------------

Change of_json(std::function<std::string(const JsonNode&, const EngineFile&)> write) {
  return [write = std::move(write)](const EngineFile& file) -> std::optional<std::string> {
    if (file.form != Form::kJson) return std::nullopt;
    return write(parse_json(file.text), file);
  };
}

TEST_F(Spelling, BlanksOfJson) {
  for (const JsonStyle& style : {kMinified, kPretty, kTabsAndCrLf}) {
    expect_same(
        of_json([&](const JsonNode& root, const EngineFile&) { return write_json(root, style); }),
        kJsonReaders);
  }
}

bool has_key_twice(JsonNode root) {
  bool found = false;
  for_each_node(root, [&](JsonNode& node, int) {
    std::ranges::sort(node.keys);
    found = found || std::ranges::adjacent_find(node.keys) != node.keys.end();
  });
  return found;
}

// But for the key that says what the file is: it must stand near the start.
void put_schema_first(JsonNode& root) {
  const auto schema = std::ranges::find(root.keys, "\"schema\"");
  if (schema == root.keys.end()) return;
  std::swap(root.children[static_cast<std::size_t>(schema - root.keys.begin())],
            root.children.front());
  std::swap(*schema, root.keys.front());
}

TEST_F(Spelling, OrderOfKeys) {
  std::set<std::string> readers = kJsonReaders;
  readers.erase("tensorrt-samples");
  readers.erase("trex-archive-config");
  for (const unsigned seed : {1u, 2u}) {
    expect_same(of_json([&](JsonNode root, const EngineFile& file) {
                  // Of a key that comes twice, the first or the last counts; and where keys are
                  // names, their order is that of layers or bindings.
                  const bool are_names =
                      file.reader == "tensorrt-samples" || file.reader == "trex-archive-config";
                  if (are_names || has_key_twice(root)) return file.text;
                  std::mt19937 random(seed);
                  shuffle_keys(root, random);
                  put_schema_first(root);
                  return write_json(root, kPretty);
                }),
                readers);
  }
}

// The same number in another notation, or the same where there is none that every reader takes.
std::string respelled(const std::string& token, unsigned way) {
  constexpr double kExact = 9'007'199'254'740'992.0;  // 2^53
  if (!base::is_json_number(token)) return token;
  const bool is_integer = token.find_first_of(".eE") == token.npos;
  if (is_integer && std::abs(std::strtod(token.c_str(), nullptr)) > kExact) return token;
  if (is_integer) {
    switch (way % 4) {
      case 0:
        return token + ".0";
      case 1:
        return token + "e0";
      case 2:
        return token + (std::strtod(token.c_str(), nullptr) == 0 ? "e-1" : "0e-1");
      default:
        return token + ".000E+00";
    }
  }
  const std::size_t exponent = std::min(token.find_first_of("eE"), token.size());
  const std::string digits = token.substr(0, exponent), power = token.substr(exponent);
  if (digits.find('.') == digits.npos) return digits + ".0" + power;
  if (way % 2 == 0) return digits + "00" + (power.empty() ? "E0" : power);
  int shift = 0;
  if (!power.empty()) {
    const char* first = power.data() + (power[1] == '+' ? 2 : 1);
    std::from_chars(first, power.data() + power.size(), shift);
  }
  return base::format("{}e{}", digits, shift);
}

TEST_F(Spelling, Numbers) {
  for (unsigned way = 0; way < 4; ++way) {
    expect_same(of_json([&](JsonNode root, const EngineFile&) {
                  for_each_node(root, [&](JsonNode& node, int) {
                    if (node.kind == JsonNode::Kind::kScalar) {
                      node.token = respelled(node.token, way);
                    }
                  });
                  return write_json(root, kPretty);
                }),
                kJsonReaders);
  }
}

// What other programs write for the same text: "a/b é" as "a\/b \u00e9".
std::string escaped(std::string_view token) {
  std::string text;
  for (std::size_t i = 0; i < token.size();) {
    const auto lead = static_cast<unsigned char>(token[i]);
    const std::size_t size = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (token[i] == '\\') {
      text += token.substr(i, 2);
      i += 2;
      continue;
    }
    if (token[i] == '/') {
      text += "\\/";
    } else if (size == 2 || size == 3) {
      unsigned code = size == 2 ? lead & 0x1Fu : lead & 0x0Fu;
      for (std::size_t byte = 1; byte < size; ++byte) {
        code = code << 6 | (static_cast<unsigned char>(token[i + byte]) & 0x3Fu);
      }
      text += base::format("\\u{:04x}", code);
    } else {
      text += token.substr(i, size);
    }
    i += size;
  }
  return text;
}

TEST_F(Spelling, EscapesInTexts) {
  expect_same(of_json([&](JsonNode root, const EngineFile&) {
                for_each_node(root, [&](JsonNode& node, int) {
                  for (std::string& key : node.keys) key = escaped(key);
                  const bool is_text = node.token.starts_with('"');
                  // The schema is looked for as it is written.
                  const bool is_schema = node.token.starts_with("\"planex.");
                  if (is_text && !is_schema) node.token = escaped(node.token);
                });
                return write_json(root, kPretty);
              }),
              {"planex-plan", "tensorrt-graph", "tensorrt-profile", "tensorrt-samples",
               "trex-metadata", "openvino-graph", "openvino-profile", "onnxruntime-trace"});
}

// --- Lines
// ----------------------------------------------------------------------------------------

TEST_F(Spelling, EndsOfLines) {
  expect_same(
      [](const EngineFile& file) -> std::optional<std::string> {
        const bool has_them = file.text.find('\r') != file.text.npos;
        // A name of a layer that goes over the end of a line has it.
        const bool is_in_name = file.text.find(": new\nline") != file.text.npos;
        if (file.form == Form::kBinary || has_them || is_in_name) return std::nullopt;
        return with_crlf(file.text);
      },
      kLineReaders);
}

TEST_F(Spelling, NoLineEndAtTheEnd) {
  expect_same(
      [](const EngineFile& file) -> std::optional<std::string> {
        if (file.form == Form::kBinary || !file.text.ends_with('\n')) return std::nullopt;
        return file.text.substr(0, file.text.size() - 1);
      },
      kLineReaders);
}

// "[05/18/2022-10:20:30] [I] x" is "[I] x" where the logger has no clock.
std::string without_times(std::string_view log) {
  constexpr std::string_view kShape = "[00/00/0000-00:00:00] ";
  std::string text;
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size() - 1) + 1;
    std::string_view line = log.substr(0, end);
    log.remove_prefix(end);
    const bool has_time =
        line.size() > kShape.size() &&
        std::ranges::equal(line.substr(0, kShape.size()), kShape, [](char c, char shape) {
          return shape == '0' ? c >= '0' && c <= '9' : c == shape;
        });
    if (has_time) line.remove_prefix(kShape.size());
    text += line;
  }
  return text;
}

TEST_F(Spelling, LogsWithoutTimes) {
  expect_same(
      [](const EngineFile& file) -> std::optional<std::string> {
        if (file.form != Form::kLog) return std::nullopt;
        return without_times(file.text);
      },
      {"tensorrt-log"});
}

// --- How a file comes
// -----------------------------------------------------------------------------

std::string packed(std::string_view text) {
  std::string result(::compressBound(text.size()) + 64, '\0');
  z_stream stream{};
  constexpr int kGzip = 16 + MAX_WBITS;
  EXPECT_EQ(deflateInit2(&stream, 1, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY), Z_OK);
  // zlib does not write there.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

const std::set<std::string> kAllReaders = [] {
  std::set<std::string> readers;
  for (const ingest::ReaderInfo& reader : ingest::readers()) readers.emplace(reader.id);
  // A database, which no folder here holds: its own tests make it.
  readers.erase("nsight-export");
  return readers;
}();

TEST_F(Spelling, Packed) {
  expect_same([](const EngineFile& file) { return packed(file.text); }, kAllReaders);
}

// As programs write that pack a stream piece by piece.
TEST_F(Spelling, PackedInPieces) {
  expect_same(
      [](const EngineFile& file) {
        std::string result;
        const std::string_view text = file.text;
        for (std::size_t at = 0, size = 1; at < text.size(); at += size, size = size * 7 + 1) {
          result += packed(text.substr(at, size));
        }
        return result;
      },
      kAllReaders);
}

TEST_F(Spelling, WithByteOrderMark) {
  std::set<std::string> readers = kAllReaders;
  readers.erase("onnx");
  expect_same(
      [](const EngineFile& file) -> std::optional<std::string> {
        if (file.form == Form::kBinary) return std::nullopt;
        return "\xEF\xBB\xBF" + file.text;
      },
      readers);
}

// What PowerShell makes of the output of a program. Characters beyond ASCII are other tests' work.
TEST_F(Spelling, Utf16) {
  expect_same(
      [](const EngineFile& file) -> std::optional<std::string> {
        const bool is_ascii = std::ranges::all_of(
            file.text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
        if (file.form == Form::kBinary || !is_ascii) return std::nullopt;
        std::string wide = "\xFF\xFE";
        for (const char c : file.text) {
          wide += c;
          wide += '\0';
        }
        return wide;
      },
      {"tensorrt-log", "tensorrt-graph", "openvino-log"});
}

// Files on disk are mapped where they are large, and copied where not; the tests above read memory.
TEST_F(Spelling, OnDisk) {
  const fs::path folder =
      fs::temp_directory_path() / base::format("planex-spelling-{}", ::getpid());
  for (const Engine& engine : engines_) {
    const fs::path place = folder / "engine";
    fs::create_directories(place);
    for (const auto& [name, file] : engine.files) {
      EXPECT_TRUE(base::write_file_atomically((place / name).string(), file.text));
    }
    std::string read = content_of(load_completed({.path = place.string()}, base::disk()));
    const std::string prefix = place.parent_path().string() + "/";
    for (std::size_t at = read.find(prefix); at != read.npos; at = read.find(prefix, at)) {
      read.erase(at, prefix.size());
    }
    EXPECT_EQ(first_difference(engine.as_written, read), "none") << engine.name;
    fs::remove_all(folder);
  }
}

}  // namespace
}  // namespace planex::test
