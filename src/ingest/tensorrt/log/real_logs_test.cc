// The real logs: compared with what TREx read from them, and truncated at any position.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/timing/reconcile.h"
#include "base/text.h"
#include "ingest/tensorrt/log/log_reader.h"
#include "ingest/tensorrt/log/log_test_support.h"
#include "support/json_tree.h"
#include "support/model_texts.h"
#include "support/test_data.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;
using model::PlanModel;
using test::keys_of;
using test::kMissing;
using test::messages_of;
using test::value_of;
using test::with_crlf;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::array<const char*, 19> kRealLogs = {
    "mnist-b200-trt11.0-build-log/result-09.log",
    "mnist-trt10.14.1-logs/EnginePrinter-log-main.py.log",
    "mnist-trt10.14.1-logs/Profiler-log-main.py.log",
    "mnist-trt10.14.1-logs/ProfilingVerbosity-log-main.py.log",
    "mnist-trt10.14.1-logs/result-01.log",
    "mnist-trt10.14.1-logs/result-02.log",
    "mnist-trt10.14.1-logs/result-03.log",
    "mnist-trt10.14.1-logs/result-04.log",
    "mnist-trt10.14.1-logs/result-05.log",
    "mnist-trt10.14.1-logs/result-06.log",
    "mnist-trt10.14.1-logs/result-07.log",
    "mnist-trt10.14.1-logs/result-08.log",
    "mnist-trt8.2.3-names-only/result-FP16.txt",
    "mnist-trt8.2.3-names-only/result-FP32.txt",
    "mnist-trt8.2.3-names-only/result-load-FP32.txt",
    "mnist-trt8.6.0-names-only/result-02.log",
    "mnist-trt8.6.0-names-only/result-03.log",
    "mnist-trt8.6.0-names-only/result-04.log",
    "yolo-orin-trt8.5.2-names-only/trt.out",
};

// A log of the real data, alone.
PlanModel read_real(const std::string& data, const std::string& log) {
  return load_log(test::read_text(data + "/engines/" + log));
}

std::string unquoted(std::string_view token) {
  std::string text;
  for (std::size_t i = 1; i + 1 < token.size(); ++i) {
    if (token[i] == '\\') ++i;
    text += token[i];
  }
  return text;
}

std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> numbers;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" ,[]()%="), text.size());
    const std::string word(text.substr(0, end));
    char* rest = nullptr;
    const double number = std::strtod(word.c_str(), &rest);
    if (!word.empty() && *rest == '\0') numbers.push_back(number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return numbers;
}

// TREx cuts values at their second colon and makes some of them numbers.
void expect_same_value(const std::string& ours, test::JsonNode& theirs, const std::string& place) {
  if (theirs.kind == test::JsonNode::Kind::kArray) {
    std::vector<double> numbers;
    for (const test::JsonNode& child : theirs.children) {
      numbers.push_back(std::strtod(child.token.c_str(), nullptr));
    }
    EXPECT_EQ(numbers_in(ours), numbers) << place;
  } else if (!theirs.token.starts_with('"')) {
    EXPECT_EQ(std::strtod(ours.c_str(), nullptr), std::strtod(theirs.token.c_str(), nullptr))
        << place;
  } else if (const std::string text = unquoted(theirs.token); text.starts_with("min = ")) {
    std::vector<double> numbers = numbers_in(text);
    std::erase(numbers, 99);  // the percentile's name
    EXPECT_EQ(numbers_in(ours), numbers) << place;
  } else {
    const std::string_view cut = base::trimmed(std::string_view(ours).substr(0, ours.find(':')));
    EXPECT_TRUE(ours == text || cut == base::trimmed(text))
        << place << ": " << ours << " | " << text;
  }
}

class RealLog : public testing::TestWithParam<const char*> {};

TEST_P(RealLog, HasTheKeysAndValuesThatTrexReads) {
  PLANEX_NEED_TEST_DATA(data);
  const std::string log = GetParam();
  std::string text = test::read_text(data + "/engines/" + log);
  // TREx reads the first of several runs, planex the most detailed one, or the last.
  const std::size_t second = text.find("&&&& RUNNING", text.find("&&&& RUNNING") + 1);
  const PlanModel model = load_log(text.substr(0, second));
  std::string expected_name = log;
  expected_name.replace(expected_name.find('/'), 1, "__");
  test::JsonNode expected =
      test::parse_json(test::read_text(data + "/expected/logs/" + expected_name + ".json"));
  for (const char* half : {"build", "profile"}) {
    test::JsonNode* sections = expected.find(half);
    ASSERT_NE(sections, nullptr);
    for (std::size_t i = 0; i < sections->keys.size(); ++i) {
      const std::string name = unquoted(sections->keys[i]);
      const bool is_default =
          name == "build_options" && keys_of(model, "build_options (defaults)").size() > 0;
      const std::string section = is_default ? "build_options (defaults)" : name;
      std::set<std::string> keys;
      test::JsonNode& theirs = sections->children[i];
      for (std::size_t k = 0; k < theirs.keys.size(); ++k) {
        const std::string key(base::trimmed(unquoted(theirs.keys[k])));
        keys.insert(key);
        // TREx stops at "x<-x.input.raw".
        if (log.ends_with("result-07.log") && key == "Inputs") continue;
        expect_same_value(value_of(model, section, key), theirs.children[k],
                          log + ": " + section + "/" + key);
      }
      std::set<std::string> ours = keys_of(model, section);
      ours.erase("percentiles");  // TREx does not say which they are
      if (log.ends_with("result-07.log")) {
        ours.erase("Debug Tensor Save Destinations");
        ours.erase("Dump All Debug Tensor in Formats");
      }
      EXPECT_EQ(ours, keys) << log << ": " << section;
    }
  }
}

// Whatever a log ends with, it counts as truncated there.
TEST_P(RealLog, ReadsEveryStart) {
  PLANEX_NEED_TEST_DATA(data);
  const std::string text = test::read_text(data + "/engines/" + std::string(GetParam()));
  // Every 1000th byte; long logs repeat themselves.
  const std::size_t step = std::max<std::size_t>(1000, text.size() / 50 + 1);
  for (std::size_t size = step; size < text.size(); size += step) {
    const PlanModel model = load_log(std::string_view(text).substr(0, size));
    EXPECT_LT(model.metadata.row_count(), 2000u);
  }
  const PlanModel crlf = load_log(with_crlf(text)), plain = load_log(text);
  EXPECT_EQ(crlf.metadata.row_count(), plain.metadata.row_count());
  EXPECT_EQ(crlf.layers.row_count(), plain.layers.row_count());
}

INSTANTIATE_TEST_SUITE_P(All, RealLog, testing::ValuesIn(kRealLogs), [](const auto& test) {
  std::string name = test.param;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
});

// Broken logs give fewer facts, never a crash.
TEST(RealLogs, SurviveChanges) {
  PLANEX_NEED_TEST_DATA(data);
  std::mt19937 random(7);
  for (const char* log : {"mnist-trt10.14.1-logs/result-05.log",
                          "mnist-trt10.14.1-logs/EnginePrinter-log-main.py.log",
                          "mnist-trt8.2.3-names-only/result-FP16.txt"}) {
    const std::string text = test::read_text(data + "/engines/" + log);
    for (int round = 0; round < 100; ++round) {
      std::string changed = text;
      for (int i = 0; i < 40; ++i) {
        constexpr std::string_view kBytes = "\n\r[]:= &x0\xff,(";
        const std::size_t at = random() % changed.size();
        switch (random() % 3) {
          case 0:
            changed[at] = kBytes[random() % kBytes.size()];
            break;
          case 1:
            changed.erase(at, random() % 30);
            break;
          default:
            changed.insert(at, 1, kBytes[random() % kBytes.size()]);
        }
      }
      base::MemoryFiles files;
      files.add("engine/x.log", changed);
      if (const auto model = test::load_completed({.path = "engine"}, files)) {
        EXPECT_LT(model->metadata.row_count(), 5000u);
      }
    }
  }
}

TEST(RealLogs, SniffTellsThemFromOthers) {
  PLANEX_NEED_TEST_DATA(data);
  const auto sniff = [&](const std::string& path) {
    return sniff_log(test::read_text(path).substr(0, kSniffBytes));
  };
  for (const char* log : kRealLogs) {
    EXPECT_EQ(sniff(data + "/engines/" + log), Confidence::kSure) << log;
  }
  std::size_t rtx = 0;
  for (const std::string& path : test::files_below(data + "/engines", {".build.log"})) {
    EXPECT_EQ(sniff(path), Confidence::kSure) << path;
    ++rtx;
  }
  EXPECT_GE(rtx, 26u);
  for (const std::string& path : test::files_below(
           data,
           {".json", ".xml", ".csv", "benchmark_app.log", "model-trained-exportLayerInfo.log"})) {
    EXPECT_EQ(sniff(path), Confidence::kNo) << path;
  }
}

TEST(RealLogs, Versions) {
  PLANEX_NEED_TEST_DATA(data);
  EXPECT_EQ(version_of(read_real(data, kRealLogs[0])), "11.0.0");
  EXPECT_EQ(version_of(read_real(data, "mnist-trt10.14.1-logs/result-03.log")), "10.14.1");
  EXPECT_EQ(version_of(read_real(data, "mnist-trt8.2.3-names-only/result-FP16.txt")), "8.2.3");
  EXPECT_EQ(version_of(read_real(data, "yolo-orin-trt8.5.2-names-only/trt.out")), "8.5.2");
}

TEST(RealLogs, Memory) {
  PLANEX_NEED_TEST_DATA(data);
  // The builder made three versions of this engine and kept the first.
  const PlanModel mnist = read_real(data, "mnist-trt10.14.1-logs/result-02.log");
  EXPECT_EQ(mnist.engine.reported_activation_bytes.get(0), 2052096);
  EXPECT_EQ(mnist.engine.reported_weight_bytes.get(0), 6556436);
  EXPECT_EQ(mnist.engine.reported_scratch_bytes.get(0), 263168);
  EXPECT_EQ(value_of(mnist, "build", "candidates"), "3");
  const PlanModel yolo = test::must(test::load_engine(data, "yolo-orin-trt8.5.2-names-only"));
  EXPECT_EQ(yolo.engine.reported_activation_bytes.get(0), 756727296);
  EXPECT_EQ(yolo.engine.reported_scratch_bytes.get(0), 89769472);
  std::int64_t most = 0;
  std::size_t known = 0;
  for (std::size_t row = 0; row < yolo.layers.row_count(); ++row) {
    if (yolo.layers.scratch_bytes.is_null(row)) continue;
    ++known;
    most = std::max(most, yolo.layers.scratch_bytes[row]);
  }
  EXPECT_EQ(known, 50u);
  EXPECT_EQ(most, 89769472);
  EXPECT_EQ(value_of(yolo, "build", "engine_build_s"), "320.636");
  // Its graph file contains only names; the log has the version.
  EXPECT_EQ(version_of(yolo), "8.5.2");
}

TEST(RealLogs, EndToEndFromTheSummary) {
  PLANEX_NEED_TEST_DATA(data);
  const auto end_to_end = [&](const char* log) {
    return analyze::reconcile(read_real(data, log)).end_to_end;
  };
  const auto ten = end_to_end("mnist-trt10.14.1-logs/result-01.log");
  ASSERT_TRUE(ten);
  EXPECT_EQ(ten->source, "log");
  EXPECT_EQ(ten->median_ms, 0.0285645);
  EXPECT_EQ(ten->p90_ms, 0.0297241);
  EXPECT_EQ(ten->p99_ms, 0.0368652);
  EXPECT_EQ(ten->count, 69569);
  const auto eight = end_to_end("mnist-trt8.2.3-names-only/result-FP32.txt");
  ASSERT_TRUE(eight);
  EXPECT_EQ(eight->median_ms, 0.153595);
  EXPECT_EQ(eight->p99_ms, 0.158508);
  EXPECT_FALSE(eight->p90_ms);
  EXPECT_FALSE(end_to_end("mnist-trt10.14.1-logs/result-05.log"));
}

TEST(RealLogs, ProfileTables) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel mnist = read_real(data, "mnist-trt10.14.1-logs/result-05.log");
  ASSERT_EQ(mnist.layers.row_count(), 16u);
  EXPECT_EQ(mnist.text(mnist.layers.name[8]),
            "PWN((Unnamed Layer* 11) [ElementWise] + node_relu_2)");
  EXPECT_EQ(mnist.layers.median_ms.get(8), 0.0031);
  EXPECT_EQ(mnist.layers.total_ms.get(7), 194.58);
  EXPECT_EQ(mnist.layers.count.get(7), 21248);
  EXPECT_THAT(test::diagnostic_codes(mnist),
              AllOf(Contains("parallel-layers"), Contains("no-end-to-end")));
  // The table of 8.5 has the names first; the profile file shows what its times must be.
  const base::MemoryFiles files = test::memory_files(
      {{"engine/x.graph.json",
        test::read_text(data + "/engines/yolo-orin-trt8.5.2-names-only/layer_info.json")},
       {"engine/x.log", test::read_text(data + "/engines/yolo-orin-trt8.5.2-names-only/trt.out")}});
  const PlanModel from_log = test::must(test::load_completed({.path = "engine"}, files));
  const PlanModel from_file = test::must(test::load_engine(data, "yolo-orin-trt8.5.2-names-only"));
  ASSERT_EQ(from_log.layers.row_count(), from_file.layers.row_count());
  std::size_t timed = 0;
  for (std::size_t row = 0; row < from_log.layers.row_count(); ++row) {
    const auto median = from_log.layers.median_ms.get(row);
    if (!median) continue;  // the table leaves out layers without time
    ++timed;
    // Four decimals in the table, six digits in the file.
    const double rounding = 0.00006 + *median * 5e-6;
    EXPECT_NEAR(*median, from_file.layers.median_ms.get(row).value_or(-1), rounding) << row;
    EXPECT_NEAR(from_log.layers.mean_ms.get(row).value_or(-1),
                from_file.layers.mean_ms.get(row).value_or(-1), rounding);
  }
  EXPECT_GE(timed, 70u);
}

TEST(RealLogs, FailedBuilds) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel sm = test::must(test::load_engine(data, "rtx1.7-failed-build-sm"));
  EXPECT_EQ(detail_of(sm), "failed");
  EXPECT_EQ(sm.text(sm.engine.producer[0]), "tensorrt-rtx");
  EXPECT_THAT(messages_of(sm, "build-failed"),
              ElementsAre(AllOf(HasSubstr("no units for a data type"), HasSubstr("sm75"))));
  const PlanModel strip = test::must(test::load_engine(data, "rtx1.7-failed-build-strip"));
  EXPECT_EQ(detail_of(strip), "failed");
  EXPECT_THAT(messages_of(strip, "build-failed"), ElementsAre(HasSubstr("needs a GPU")));
  const PlanModel fp16 = read_real(data, "mnist-trt8.2.3-names-only/result-FP16.txt");
  EXPECT_EQ(detail_of(fp16), "failed");
  EXPECT_THAT(messages_of(fp16, "build-failed"), ElementsAre(HasSubstr("2>&1")));
  for (const char* log : kRealLogs) {
    if (std::string_view(log).ends_with("FP16.txt")) continue;
    const PlanModel model = read_real(data, log);
    EXPECT_THAT(test::diagnostic_codes(model),
                AllOf(Not(Contains("build-failed")), Not(Contains("run-failed")),
                      Not(Contains("log-cut")), Not(Contains("trt-error"))))
        << log;
  }
}

TEST(RealLogs, TensorRtRtxIsNamed) {
  PLANEX_NEED_TEST_DATA(data);
  for (const std::string& path : test::files_below(data + "/engines", {".build.log"})) {
    const PlanModel model = load_log(test::read_text(path));
    EXPECT_EQ(model.text(model.engine.producer[0]), "tensorrt-rtx") << path;
    EXPECT_THAT(test::diagnostic_codes(model), Not(Contains("log-cut"))) << path;
    EXPECT_NE(value_of(model, "source model", "Opset version"), kMissing) << path;
    if (path.find("failed") == std::string::npos) {
      EXPECT_TRUE(model.engine.reported_weight_bytes.get(0)) << path;
    }
  }
}

// One log, many engines: a script's builds and the runs that load the results. The run that is
// shown has the layers that were built before it; layers and run agree on its inputs.
TEST(RealLogsOfManyRuns, LayersAndRunsBelongTogether) {
  PLANEX_NEED_TEST_DATA(data);
  const std::string folder = data + "/engines-2/logs-trt8.4.1-many-runs/";
  const auto load = [&](const std::string& name, std::optional<std::int64_t> run) {
    return test::must(test::load_completed({.path = folder + name, .run = run}, base::disk()));
  };
  const auto batch_of = [](const PlanModel& model) {
    return model.ports.dims.is_null(0) ? 0 : model.ports.dims[0][0];
  };
  const PlanModel last = load("IncreaseBatchSize-result.log", std::nullopt);
  EXPECT_EQ(value_of(last, "performance_summary", "Throughput"), "222.662");
  EXPECT_EQ(batch_of(last), 1024);
  std::int64_t run_count = 0;
  while (value_of(last, format("run {}", run_count + 1), "line") != kMissing) ++run_count;
  EXPECT_EQ(run_count, 11);
  EXPECT_EQ(value_of(last, "run 11", "shown"), "yes");
  for (std::int64_t run = 1; run <= run_count; ++run) {
    const PlanModel model = load("IncreaseBatchSize-result.log", run);
    const std::string section = format("run {}", run);
    EXPECT_EQ(value_of(model, section, "throughput"),
              value_of(model, "performance_summary", "Throughput"));
    EXPECT_EQ(value_of(model, section, "shapes"), format("tensor0: {}x1", batch_of(model))) << run;
    EXPECT_EQ(value_of(model, section, "engine"), "model.plan");
  }
  const PlanModel two = load("Convert3DMMTo2DMM-result.log", std::nullopt);
  EXPECT_EQ(value_of(two, "run 2", "median ms"), "35.2983");
  EXPECT_EQ(value_of(two, "run 2", "engine"), "model-2D.plan");
  EXPECT_EQ(value_of(two, "performance_summary", "Throughput"), "28.2985");
  const PlanModel three = load("Convert3DMMTo2DMM-result.log", 1);
  EXPECT_EQ(value_of(three, "performance_summary", "Throughput"), "23.5285");
  EXPECT_GT(three.layers.row_count(), two.layers.row_count());
}

TEST(RealLogs, AFileThatIsNamedIsShown) {
  PLANEX_NEED_TEST_DATA(data);
  const std::string folder = data + "/engines-2/inspector-text-trt8/";
  for (const auto& [name, count] : {std::pair{"result.log", 9u}, {"result.txt", 11u}}) {
    const PlanModel model = test::must(test::load_completed({.path = folder + name}, base::disk()));
    EXPECT_EQ(model.layers.row_count(), count) << name;
  }
}

TEST(RealLogs, VersionsAndCausesAreRight) {
  PLANEX_NEED_TEST_DATA(data);
  const PlanModel old = load_log(
      test::read_text(data + "/engines-2/trtexec-log-trt8.0.3/04-trtexec-output-fp16.txt"));
  EXPECT_EQ(version_of(old), "8.0.3");
  const PlanModel failed =
      load_log(test::read_text(data + "/engines-2/failed-plugin-trt10.16/result-08.log"));
  EXPECT_THAT(messages_of(failed, "build-failed"),
              ElementsAre(AllOf(HasSubstr("./AddScalarPlugin.so was loaded"),
                                HasSubstr("no creator for AddScalar"))));
}

}  // namespace
}  // namespace planex::ingest::tensorrt
