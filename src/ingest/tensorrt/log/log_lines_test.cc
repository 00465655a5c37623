// Lines, banners, runs and the filter: the parts below the log's reader.
#include "ingest/tensorrt/log/log_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ingest/tensorrt/log/layer_lines.h"
#include "ingest/tensorrt/log/line_filter.h"
#include "ingest/tensorrt/log/log_banner.h"
#include "ingest/tensorrt/log/log_runs.h"
#include "ingest/tensorrt/log/parser_lines.h"

namespace planex::ingest::tensorrt {
namespace {

using testing::ElementsAre;

std::vector<LogLine> lines_of(std::string_view text) {
  std::vector<LogLine> result;
  LogLines lines(text);
  for (LogLine line; lines.next(line);) result.push_back(line);
  return result;
}

TEST(LogLines, SplitsThePrefixOfEveryWriter) {
  struct Case {
    std::string_view line, text;
    LogSeverity severity;
    bool from_library;
  };
  constexpr Case kCases[] = {
      {"[05/18/2022-10:20:30] [I] Precision: FP16", "Precision: FP16", LogSeverity::kInfo, false},
      {"[05/18/2022-10:20:30] [V] [TRT] a [b]", "a [b]", LogSeverity::kVerbose, true},
      {"[05/18/2022-10:20:30] [TRT] [W] a", "a", LogSeverity::kWarning, true},
      {"[05/18/2022-10:20:30] [I]", "", LogSeverity::kInfo, false},
      {"[05/18/2022-10:20:30] [I] ", "", LogSeverity::kInfo, false},
      {"[05/18/2022-10:20:30] [F]   indented", "  indented", LogSeverity::kFatal, false},
      {"[I] [TRT]  (foreignNode) a", " (foreignNode) a", LogSeverity::kInfo, true},
      {"[VERBOSE] a", "a", LogSeverity::kVerbose, false},
      {"[ERROR] a", "a", LogSeverity::kError, false},
      {"[TensorRT] INTERNAL_ERROR: a: b", "a: b", LogSeverity::kFatal, true},
      {"[TensorRT-Cookbook] Version: 0.1.0", "[TensorRT-Cookbook] Version: 0.1.0",
       LogSeverity::kNone, false},
      {"[ INFO ] OpenVINO:", "[ INFO ] OpenVINO:", LogSeverity::kNone, false},
      {"[05/18/2022-10:20:3x] [I] a", "[05/18/2022-10:20:3x] [I] a", LogSeverity::kNone, false},
      {"[TRT] a", "[TRT] a", LogSeverity::kNone, false},
      {"[[[ 0. 1.]", "[[[ 0. 1.]", LogSeverity::kNone, false},
      {"[", "[", LogSeverity::kNone, false},
      {"", "", LogSeverity::kNone, false},
  };
  for (const Case& expected : kCases) {
    const LogLine parsed = parse_log_line(expected.line);
    EXPECT_EQ(parsed.text, expected.text) << expected.line;
    EXPECT_EQ(parsed.severity, expected.severity) << expected.line;
    EXPECT_EQ(parsed.from_library, expected.from_library) << expected.line;
    // The fast path must agree, also after a line of the same second.
    const std::string twice = std::string(expected.line) + "\r\n" + std::string(expected.line);
    const std::vector<LogLine> lines = lines_of(twice);
    if (expected.line.empty()) continue;
    ASSERT_EQ(lines.size(), 2u) << expected.line;
    for (const LogLine& line : lines) {
      EXPECT_EQ(line.text, expected.text) << expected.line;
      EXPECT_EQ(line.severity, expected.severity) << expected.line;
      EXPECT_EQ(line.from_library, expected.from_library) << expected.line;
    }
  }
}

TEST(LogLines, KnowsWhereALineIs) {
  constexpr std::string_view kText = "a\r\n\n[I] b";
  const std::vector<LogLine> lines = lines_of(kText);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[2].number, 3u);
  EXPECT_EQ(lines[2].byte_offset, 4u);
  LogLines part(kText, 3, 4, 2);
  LogLine line;
  ASSERT_TRUE(part.next(line));
  EXPECT_EQ(line.number, 2u);
  EXPECT_EQ(line.text, "");
  EXPECT_FALSE(part.next(line));
}

TEST(LogBanner, ReadsAllForms) {
  const auto old = parse_banner("&&&& RUNNING TensorRT.trtexec # ./trtexec --onnx=a.onnx");
  ASSERT_TRUE(old);
  EXPECT_EQ(old->word, BannerWord::kRunning);
  EXPECT_EQ(old->program, "TensorRT.trtexec");
  EXPECT_EQ(old->version_digits, "");
  EXPECT_EQ(old->command, "./trtexec --onnx=a.onnx");
  const auto recent =
      parse_banner("&&&& FAILED TensorRT.trtexec [TensorRT v101601] [b11] # trtexec --verbose ");
  ASSERT_TRUE(recent);
  EXPECT_EQ(recent->word, BannerWord::kFailed);
  EXPECT_EQ(recent->version_digits, "101601");
  EXPECT_EQ(recent->command, "trtexec --verbose");
  EXPECT_FALSE(parse_banner("&&&& TASK_BEGIN [iter=1] BuildRoute = 'a'"));
  EXPECT_FALSE(parse_banner("RUNNING TensorRT.trtexec"));
  EXPECT_TRUE(parse_banner("&&&& PASSED TensorRT.trtexec [TensorRT v86"));
}

TEST(LogBanner, DecodesVersions) {
  EXPECT_EQ(banner_version("7203"), "7.2.3");
  EXPECT_EQ(banner_version("8601"), "8.6.1");
  EXPECT_EQ(banner_version("8510"), "8.5.10");
  EXPECT_EQ(banner_version("9100"), "9.1.0");
  EXPECT_EQ(banner_version("100900"), "10.9.0");
  EXPECT_EQ(banner_version("101601"), "10.16.1");
  EXPECT_EQ(banner_version("110000"), "11.0.0");
  for (const std::string_view bad : {"", "86", "86x1", "1234567", "-8601"}) {
    EXPECT_EQ(banner_version(bad), "") << bad;
  }
}

TEST(LogBanner, FindsOptionsAndExportedFiles) {
  constexpr std::string_view kCommand =
      "trtexec --loadEngine=a b.plan --fp16 --exportTimes=/tmp/x.times.json "
      "--exportProfile=C:\\out\\p.json --exportLayerInfo= --exportOutput=o.json";
  EXPECT_EQ(option_value(kCommand, "exportTimes"), "/tmp/x.times.json");
  EXPECT_EQ(option_value(kCommand, "export"), "");
  EXPECT_TRUE(has_option(kCommand, "fp16"));
  EXPECT_FALSE(has_option(kCommand, "fp8"));
  EXPECT_THAT(exported_files(kCommand), ElementsAre("x.times.json", "p.json"));
}

RunChoice shown_of(const std::vector<LogRun>& runs) {
  const std::vector<RunChoice> choices = run_choices(runs);
  return choices[default_choice(runs, choices)];
}

TEST(LogRuns, OneWithoutBanners) {
  const std::vector<LogRun> runs = find_runs("[I] a\n&&&& nothing\nx &&&& RUNNING TensorRT # y\n");
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].opening.word, BannerWord::kNone);
  EXPECT_EQ(runs[0].outcome, BannerWord::kNone);
  EXPECT_EQ(find_runs("").size(), 1u);
}

TEST(LogRuns, SplitsAtEachFirstLine) {
  constexpr std::string_view kText =
      "head\n&&&& RUNNING TensorRT.trtexec # one\na\n&&&& FAILED TensorRT.trtexec # one\n"
      "between\n[05/18/2022-10:20:30] [I] &&&& RUNNING TensorRT.trtexec # two\nb\n";
  const std::vector<LogRun> runs = find_runs(kText);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].begin, 0u);
  EXPECT_EQ(runs[0].outcome, BannerWord::kFailed);
  EXPECT_EQ(runs[0].end, runs[1].begin);
  EXPECT_EQ(runs[1].opening.command, "two");
  EXPECT_EQ(runs[1].first_line, 6u);
  EXPECT_EQ(runs[1].end, kText.size());
  EXPECT_EQ(runs[1].outcome, BannerWord::kNone);
}

TEST(LogRuns, HeadMissing) {
  const std::vector<LogRun> runs =
      find_runs("a\n&&&& PASSED TensorRT.trtexec # one\n&&&& RUNNING TensorRT.trtexec # two\n");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].opening.command, "one");
  EXPECT_EQ(runs[0].opening.word, BannerWord::kNone);
  EXPECT_EQ(runs[0].outcome, BannerWord::kPassed);
}

TEST(LogRuns, ChoosesTheOneThatTellsMost) {
  const auto choice = [](std::string_view text) { return shown_of(find_runs(text)); };
  // Complete beats unfinished, with layers beats without, the later of equals wins.
  EXPECT_EQ(choice("&&&& RUNNING T # a\n[V] Engine Layer Information:\n&&&& PASSED T # a\n"
                   "&&&& RUNNING T # b\n&&&& PASSED T # b\n&&&& RUNNING T # c\n")
                .main,
            0u);
  EXPECT_EQ(
      choice("&&&& RUNNING T # a\n&&&& PASSED T # a\n&&&& RUNNING T # b\n&&&& PASSED T # b\n").main,
      1u);
  // A build, and a run that loads and times its engine, describe one engine.
  const RunChoice both = choice(
      "&&&& RUNNING T # t --onnx=m --saveEngine=x/e.plan\n[V] Engine Layer Information:\n"
      "&&&& PASSED T # t --onnx=m --saveEngine=x/e.plan\n"
      "&&&& RUNNING T # t --loadEngine=e.plan\n[I] === Performance summary ===\n"
      "&&&& PASSED T # t --loadEngine=e.plan\n");
  EXPECT_EQ(both.main, 1u);
  EXPECT_EQ(both.build, 0u);
}

// A script builds an engine and lets trtexec time it, again and again: each run is shown with the
// build before it, never with the one after.
TEST(LogRuns, PairsTheBuildsOfAScriptWithTheRunsThatLoadThem) {
  const std::string build =
      "[TRT] [I] [MemUsageChange] Init builder kernel library: CPU +1\n[TRT] [V] Original: 3 "
      "layers\n"
      "[TRT] [V] Engine generation completed in 1 seconds.\n"
      "[TRT] [V] Engine Layer Information:\nLayer(Reduce): r, Tactic: 0x0, x[Float(4)] -> "
      "y[Float(4)]\n";
  const auto load = [](const std::string& plan) {
    const std::string command = " TensorRT.trtexec [TensorRT v8401] # trtexec --loadEngine=" + plan;
    return "&&&& RUNNING" + command + "\n[I] === Performance summary ===\n&&&& PASSED" + command +
           "\n";
  };
  const auto pairs = [](const std::string& text) {
    std::vector<std::pair<std::size_t, std::optional<std::size_t>>> result;
    for (const RunChoice& choice : run_choices(find_runs(text))) {
      result.emplace_back(choice.main, choice.build);
    }
    return result;
  };
  using Pairs = std::vector<std::pair<std::size_t, std::optional<std::size_t>>>;
  const std::string log = build + load("m.plan") + build + load("m.plan") + "done\n";
  const std::vector<LogRun> runs = find_runs(log);
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_EQ(runs[1].first_line, 6u);
  EXPECT_EQ(runs[2].first_line, 9u);
  EXPECT_TRUE(runs[2].is_script);
  EXPECT_TRUE(runs[2].lists_layers);
  EXPECT_TRUE(runs[3].measures);
  EXPECT_EQ(runs[3].end, log.size());
  EXPECT_EQ(pairs(log), (Pairs{{1, 0}, {3, 2}}));
  EXPECT_EQ(shown_of(runs).main, 3u);
  // Several loads of one engine; another file is not what was built.
  EXPECT_EQ(pairs(build + load("m.plan") + load("m.plan") + load("n.plan")),
            (Pairs{{1, 0}, {2, 0}, {3, std::nullopt}}));
  // Of two builds in a row, it is unknown which one is loaded.
  EXPECT_EQ(pairs(build + build + load("m.plan")),
            (Pairs{{0, std::nullopt}, {1, std::nullopt}, {2, std::nullopt}}));
  // Messages between two runs are not a build.
  EXPECT_EQ(find_runs(load("m.plan") + "[I] nothing\n" + load("m.plan")).size(), 2u);
}

TEST(LogRuns, SplitsTheBuildsOfAScript) {
  // The parser may come before or after the start of the builder, and both may be missing; the
  // builder tries several versions of one engine.
  constexpr std::string_view kText =
      "start\n[I] [TRT] Input filename:   a.onnx\n[I] [TRT] [MemUsageChange] Init builder kernel "
      "library: CPU +1\n[V] [TRT] Original: 3 layers\n[I] [TRT] Engine generation completed in 1 "
      "seconds.\n[I] [TRT] Engine generation completed in 1 seconds.\n"
      "[TRT] [I] [MemUsageChange] Init builder kernel library: CPU +1\n[TRT] [I] Input filename:   "
      "b.onnx\n[TRT] [V] Original: 3 layers\n[E] it failed\n"
      "[V] Original: 9 layers\n[I] Original: 9 layers\n[INFO] Engine generation completed in 1 "
      "seconds.\nthe end";
  const std::vector<LogRun> runs = find_runs(kText);
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0].outcome, BannerWord::kPassed);
  EXPECT_EQ(runs[1].outcome, BannerWord::kNone);
  EXPECT_EQ(runs[2].outcome, BannerWord::kPassed);
  EXPECT_EQ(runs[1].first_line, 7u);
  EXPECT_EQ(runs[2].first_line, 11u);
  EXPECT_EQ(kText.substr(runs[2].begin, 7), "[V] Ori");
  EXPECT_EQ(runs[0].end, runs[1].begin);
  EXPECT_EQ(runs[2].end, kText.size());
  EXPECT_EQ(shown_of(runs).main, 2u);
  // trtexec runs one engine, even if it parses again.
  const std::string run = "&&&& RUNNING TensorRT.trtexec # a\n" + std::string(kText);
  EXPECT_EQ(find_runs(run).size(), 1u);
}

TEST(LogRuns, OfAScriptTheLastBuildThatIsComplete) {
  const std::string start = "[I] [TRT] [MemUsageChange] Init builder kernel library: CPU +1\n";
  const std::string end = "[I] [TRT] Engine generation completed in 1 seconds.\n";
  const std::string layers = "[V] [TRT] Layers:\n";
  const auto choice = [](const std::string& text) { return shown_of(find_runs(text)).main; };
  EXPECT_EQ(choice(start + end + start + end), 1u);
  EXPECT_EQ(choice(start + layers + end + start + layers + end + start + layers), 1u);
  EXPECT_EQ(choice(start + layers + end + start + end), 0u);
  // A name or a text that contains the word is not a list.
  EXPECT_EQ(choice(start + end + start + layers + end + start + "noLayers:\n" + end), 1u);
}

TEST(LineFilter, LeavesOutWhatNobodyWants) {
  LineFilter filter;
  const auto users = [&](std::string_view line, bool parser_waits = false) {
    return filter.users_of(parse_log_line(line), parser_waits);
  };
  for (const std::string_view line :
       {"[V] Tactic: 0x12 Time: 0.0041", "[V] Tactic Name: sm80 Tactic: 0x1 Time: 0.1", "[V] ",
        "[V] --------------- Timing Runner: a", "[V] Optimizer Reformat(a -> b)",
        "[V]  (foreignNode) a"}) {
    const LineUsers none = users(line);
    EXPECT_FALSE(none.layers || none.parser || none.report) << line;
  }
  // A node's list of ports can begin with any name.
  EXPECT_TRUE(users("[V] c1 [Conv] inputs: [x", true).parser);
  EXPECT_TRUE(users("[V] Tactic: 0x12 skipped. Scratch requested: 2, available: 1").report);
  EXPECT_TRUE(users("[V] Layer: a Host Persistent: 1").report);
  EXPECT_TRUE(users("[W] anything").report);
  // Bare lines that follow what LayerLines consumed are layers, whatever they begin with.
  EXPECT_FALSE(users("/a/b + c").layers);
  EXPECT_TRUE(users("[V] Engine Layer Information:").layers);
  filter.layers_took_it();
  EXPECT_TRUE(users("/a/b + c").layers);
  users("[I] b");
  EXPECT_FALSE(users("/a/b + c").layers);
  EXPECT_TRUE(users("Layers:").layers);
}

// A line that a reader says it needs must reach it.
TEST(LineFilter, AsksTheReaders) {
  LineFilter filter;
  for (const std::string_view text :
       {"Layers:", "Engine Layer Information:", "ForeignNode {a} metadata: b", "Original: 3 layers",
        "After dead-layer removal: 3 layers", "Adding network input: x with dtype: float32",
        "Marking y as output: y", "Compiler backend convergence mode enabled",
        "Parsing node: a [Conv]", "Importing initializer: w", "Using kernel: (3, 3)",
        "Found a to be part of self-attention pattern."}) {
    const LineUsers users =
        filter.users_of(parse_log_line("[V] " + std::string(text)), /*parser_waits=*/false);
    EXPECT_EQ(users.layers, LayerLines::wants(text)) << text;
    EXPECT_EQ(users.parser, ParserLines::wants(text)) << text;
    EXPECT_TRUE(users.layers || users.parser) << text;
  }
}

}  // namespace
}  // namespace planex::ingest::tensorrt
