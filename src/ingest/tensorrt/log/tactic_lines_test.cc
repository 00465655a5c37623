// Logs in the grammar of each version of TensorRT, written for these tests.
#include "ingest/tensorrt/log/tactic_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "ingest/tensorrt/log/log_test_support.h"

namespace planex::ingest::tensorrt {
namespace {

using model::PlanModel;

constexpr std::string_view kHead = "[05/07/2022-06:14:10] [I] [TRT] [MemUsageChange] Init CUDA\n";

// Puts trtexec's prefix before every line that is not empty.
PlanModel read(std::string_view lines) {
  std::string log(kHead);
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = lines.substr(0, end);
    const bool has_prefix = line.starts_with("[W]") || line.starts_with("[I]");
    const bool is_bare = line.starts_with("Layer(") || line.empty();
    if (!is_bare) log += "[05/07/2022-06:14:10] ";
    if (has_prefix) {
      log += std::string(line.substr(0, 4)) + "[TRT] " + std::string(line.substr(4));
    } else {
      log += is_bare ? std::string(line) : "[V] [TRT] " + std::string(line);
    }
    log += '\n';
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return load_log(log);
}

// "kind layer answer runner tactic time candidates": one per choice.
std::vector<std::string> choices_of(const PlanModel& model) {
  std::vector<std::string> rows;
  const model::TacticChoicesTable& choices = model.tactic_choices;
  for (std::size_t row = 0; row < choices.row_count(); ++row) {
    const auto text = [&](const model::Text& column) {
      return column.is_null(row) ? std::string("-") : std::string(model.text(column[row]));
    };
    const auto ms = choices.time_ms.get(row);
    rows.push_back(text(choices.kind) + "|" + text(choices.layer) + "|" + text(choices.answer) +
                   "|" + text(choices.runner) + "|" + text(choices.tactic) + "|" +
                   text(choices.tactic_name) + "|" + (ms ? base::format("{}", *ms) : "-") + "|" +
                   base::format("{}", choices.candidates[row]));
  }
  return rows;
}

using Rows = std::vector<std::string>;

// 8.0 does not mark layers, has no blank after "Reformat:", and writes tactics as signed decimals.
TEST(TacticLines, ReadsTheGrammarOf80) {
  const PlanModel model =
      read(R"(*************** Autotuning Reformat:Float(4,1) -> Half(4,1) ***************
--------------- Timing Runner: Optimizer Reformat (Reformat)
Tactic: 1002 Time: 0.00452
Tactic: 0 Time: 0.003276
Fastest Tactic: 0 Time: 0.003276
*************** Autotuning format combination: Float(4,1) -> Float(8,1) ***************
--------------- Timing Runner: conv + relu (CudnnConvolution)
Tactic: 0 Time: 0.017708
Tactic: 4 skipped. Scratch requested: 7527202816, available: 1073741824
Fastest Tactic: 0 Time: 0.017708
--------------- Timing Runner: conv + relu (CaskConvolution)
conv + relu Set Tactic Name: maxwell_a Tactic: -106
Tactic: -106 Time: 0.0108
conv + relu Set Tactic Name: maxwell_b Tactic: 17
Tactic: 17 Time: 0.0085
Fastest Tactic: 17 Time: 0.0085
>>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: 17
*************** Autotuning format combination: Half(4,1) -> Half(8,1) ***************
--------------- Timing Runner: conv + relu (CaskConvolution)
CaskConvolution has no valid tactics for this config, skipping
*************** Autotuning format combination: Int32(1,1) -> Int32(1) ***************
--------------- Timing Runner: shuffle (Shuffle)
Tactic: 0 is the only option, timing skipped
Fastest Tactic: 0 Time: 0
>>>>>>>>>>>>>>> Chose Runner Type: Shuffle Tactic: 0
Formats and tactics selection completed in 4.8 seconds.
Engine generation completed in 5.3 seconds.
Deleting timing cache: 65 entries, 0 hits
Engine Layer Information:
Layer(CaskConvolution): conv + relu, Tactic: 17, x:0[Float(-2,1,28,28)] -> y:0[Float(-2,32,28,28)]
)");
  EXPECT_EQ(choices_of(model),
            (Rows{"reformat|Optimizer Reformat|timed|Reformat|0|-|0.003276|2",
                  "layer|conv + relu|timed|CaskConvolution|17|maxwell_b|0.0085|4",
                  "layer|conv + relu|none|-|-|-|-|0", "layer|shuffle|untimed|Shuffle|0|-|-|1"}));
  EXPECT_EQ(model.tactic_choices.is_used.get(1), 1);
  EXPECT_EQ(model.tactic_choices.is_used.get(2), 0);
  EXPECT_TRUE(model.tactic_choices.is_used.is_null(3));
  const model::TacticsTable& tactics = model.tactics;
  ASSERT_EQ(tactics.row_count(), 7u);
  EXPECT_EQ(model.text(tactics.outcome[3]), "skipped-workspace");
  EXPECT_EQ(tactics.requested_bytes.get(3), 7527202816);
  EXPECT_EQ(tactics.available_bytes.get(3), 1073741824);
  EXPECT_EQ(model.text(tactics.tactic_name[4]), "maxwell_a");
  EXPECT_EQ(tactics.is_chosen.get(4), 0);
  EXPECT_EQ(tactics.is_chosen.get(5), 1);
  EXPECT_EQ(tactics.layer_id[5], model::LayerId(0));
  EXPECT_TRUE(tactics.layer_id[6].is_null());
}

// 8.2 to 8.6 mark where a layer begins without its name; formats from the timing cache have no
// line.
TEST(TacticLines, ReadsTheGrammarOf82To86) {
  const PlanModel model = read(R"(=============== Computing reformatting costs
*************** Autotuning Reformat: Float(4,1) -> Float(4,1:4) ***************
--------------- Timing Runner: Optimizer Reformat(x:0 -> <out>) (Reformat)
Tactic: 0x00000000000003ea Time: 0.004
Fastest Tactic: 0x00000000000003ea Time: 0.004
*************** Autotuning Reformat: Float(4,1:4) -> Float(4,1) ***************
=============== Computing costs for 
*************** Autotuning format combination: Float(4,1) -> Float(8,1) ***************
*************** Autotuning format combination: Float(4,1:4) -> Float(8,1) ***************
--------------- Timing Runner: conv (CaskConvolution[0x80000009])
Tactic Name: ampere_a Tactic: 0xf0 Time: 0.0129
Tactic Name: ampere_b Tactic: 0x50 Time: 0.0121
conv (CaskConvolution[0x80000009]) profiling completed in 0.112 seconds. Fastest Tactic: 0x50 Time: 0.0121
>>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: 0x50
=============== Computing costs for 
*************** Autotuning format combination: Float(8,1) -> Float(2,1) ***************
Formats and tactics selection completed in 4.8 seconds.
Engine generation completed in 5.3 seconds.
)");
  EXPECT_EQ(choices_of(model),
            (Rows{"reformat|Optimizer Reformat(x:0 -> <out>)|timed|Reformat|0x00000000000003ea|-|"
                  "0.004|1",
                  "reformat|-|silent|-|-|-|-|0", "layer|conv|silent|-|-|-|-|0",
                  "layer|conv|timed|CaskConvolution|0x50|ampere_b|0.0121|2",
                  "layer|-|silent|-|-|-|-|0"}));
  EXPECT_DOUBLE_EQ(model.tactic_choices.profiling_s[3], 0.112);
  EXPECT_EQ(model.text(model.tactic_choices.input_formats[3]), "Float(4,1:4)");
}

// A layer that only converts is treated like a conversion, under its own name.
TEST(TacticLines, TellsLayersThatConvertFromConversions) {
  const PlanModel model = read(R"(=============== Computing reformatting costs
*************** Autotuning Reformat: Float(4,1) -> Int8(4,1) ***************
--------------- Timing Runner: /conv1/QuantizeLinear (Reformat)
Tactic: 0x3e8 Time: 18.5
Tactic: 0x0 Time: 3.7
Fastest Tactic: 0x0 Time: 3.7
>>>>>>>>>>>>>>> Chose Runner Type: Reformat Tactic: 0x0
*************** Autotuning Reformat: Float(4,1) -> Float(1,4) ***************
--------------- Timing Runner: Optimizer Reformat(x -> <out>) (Reformat)
Tactic: 0x3e8 Time: 1.5
Fastest Tactic: 0x3e8 Time: 1.5
)");
  EXPECT_EQ(choices_of(model), (Rows{"layer|/conv1/QuantizeLinear|timed|Reformat|0x0|-|3.7|2",
                                     "reformat|Optimizer Reformat(x -> <out>)|timed|Reformat|"
                                     "0x3e8|-|1.5|1"}));
}

// 10 and 11 name the layer, print what the timing cache answered, and list what was tried inside
// compiled subgraphs; with optimization level 5 they make several versions.
TEST(TacticLines, ReadsTheGrammarOf10) {
  const PlanModel model = read(R"(Building graph using backend strategy 4
=============== Computing costs for {ForeignNode[gemm]}
*************** Autotuning format combination: Half(4,1) -> Half(8,1) ***************
--------------- Timing Runner: {ForeignNode[gemm]} (Myelin[0x80000023])
 (foreignNode) Set user's cuda kernel library
 (foreignNode) Autotuning op gemm: [ONNX Layer: gemm]
 (foreignNode) Sorted table of all evaluated tactics:
 (foreignNode) tactic_id, cost(in ms), cost/fastest_cost, prediction_correlation, kernel_name, tactic_hash, tunable_parameter
 (foreignNode)   30, 0.0134, 1.00000, 1.35264, sm80_a, 0x2c59, 
 (foreignNode)  116, 0.0142, 1.06040, 1.49930, sm80_b, 0x670d, 
Subgraph compilation completed in 1.7 seconds.
Tactic: 0x0000000000000000 skipped. Scratch requested: 2098688, available: 1024
Tactic: 0x0000000000000000 Time: 0.0125562
{ForeignNode[gemm]} (Myelin[0x80000023]) profiling completed in 1.72 seconds. Fastest Tactic: 0x0000000000000000 Time: 0.0125562
>>>>>>>>>>>>>>> Chose Runner Type: Myelin Tactic: 0x0000000000000000
=============== Computing costs for pool
pool [Half(4,1) -> Half(8,1)] got cached result: CaskPooling, tactic 0xf4, 0.00203686 ms
Formats and tactics selection completed in 4.8 seconds.
[I] Engine generation completed in 5.3 seconds.
Use backend strategy 4 with estimated inference time (0.22) as the initial choice.
=============== Computing costs for pool
*************** Autotuning format combination: Half(4,1) -> Half(8,1) ***************
--------------- Timing Runner: pool (CaskPooling[0x8000002f])
[W] UNSUPPORTED_STATE: Skipping tactic 0 due to insufficient memory on requested size of 2688 detected for tactic 0x01.
Tactic: 0x02 Time: inf
Tactic: 0x03 Time: 0.5
>>>>>>>>>>>>>>> Chose Runner Type: CaskPooling Tactic: 0x03
[I] Engine generation completed in 4.9 seconds.
Skip backend strategy 3since its estimated inference time (0.25) is not faster than the previous engine with estimated inference time (0.22).
)");
  EXPECT_EQ(choices_of(model),
            (Rows{"layer|{ForeignNode[gemm]}|timed|Myelin|0x0000000000000000|-|0.0125562|2",
                  "operation|{ForeignNode[gemm]}|timed|-|-|-|-|2",
                  "layer|pool|cached|CaskPooling|0xf4|-|0.00203686|1",
                  "layer|pool|timed|CaskPooling|0x03|-|0.5|3"}));
  const model::TacticChoicesTable& choices = model.tactic_choices;
  EXPECT_EQ(model.text(choices.operation[1]), "gemm");
  EXPECT_EQ(choices.version.get(3), 1);
  EXPECT_EQ(choices.is_kept.get(2), 1);
  EXPECT_EQ(choices.is_kept.get(3), 0);
  const model::TacticsTable& tactics = model.tactics;
  EXPECT_EQ(model.text(tactics.tactic_name[1]), "sm80_b");
  EXPECT_TRUE(tactics.is_chosen.is_null(0));
  EXPECT_EQ(model.text(tactics.outcome[5]), "skipped-memory");
  EXPECT_EQ(tactics.requested_bytes.get(5), 2688);
  EXPECT_EQ(model.text(tactics.outcome[6]), "skipped-error");
  EXPECT_TRUE(tactics.time_ms.is_null(6));
}

// TensorRT-RTX compiles without a device: there is a choice, but no time.
TEST(TacticLines, ReadsChoicesWithoutTimes) {
  const PlanModel model = read(R"(=============== Computing costs for {ForeignNode[fc]}
*************** Autotuning format combination: Half(4,1) -> Half(8,1) ***************
--------------- Timing Runner: {ForeignNode[fc]} (Myelin[0x80000023])
>>>>>>>>>>>>>>> Chose Runner Type: Myelin Tactic: 0x0000000000000000
Formats and tactics selection completed in 0.0004 seconds.
)");
  EXPECT_EQ(choices_of(model),
            (Rows{"layer|{ForeignNode[fc]}|untimed|Myelin|0x0000000000000000|-|-|1"}));
  EXPECT_TRUE(model.tactic_choices.is_kept.is_null(0));
}

// 8.0 to 8.2 give both sizes in MiB, later releases the second one in bytes; the first one shows
// which.
TEST(TacticLines, KnowsTheUnitOfMemoryThatWasMissing) {
  const auto requested = [](std::string_view size) {
    const PlanModel model = read(
        "*************** Autotuning format combination: A(1) -> B(1) ***************\n"
        "--------------- Timing Runner: conv (Cudnn)\n"
        "[W] Tactic Device request: 448MB Available: 425MB. Device memory is insufficient to "
        "use tactic.\n"
        "[W] Skipping tactic 3 due to insuficient memory on requested size of " +
        std::string(size) + " detected for tactic 4.\n");
    EXPECT_EQ(model.tactics.row_count(), 1u);
    EXPECT_EQ(model.text(model.tactics.tactic[0]), "4");
    EXPECT_EQ(model.tactics.available_bytes.get(0), 425ll << 20);
    return model.tactics.requested_bytes.get(0);
  };
  EXPECT_EQ(requested("448"), 448ll << 20);
  EXPECT_EQ(requested("469762048"), 469762048);
  EXPECT_EQ(requested("12"), std::nullopt);
}

// The reformats that the builder inserted show the formats that the layer uses.
TEST(TacticLines, FindsTheUsedFormatsBesideReformats) {
  const std::string choice =
      "--------------- Timing Runner: shuffle (Shuffle)\n"
      "Tactic: 0x0 Time: 0.002\n"
      ">>>>>>>>>>>>>>> Chose Runner Type: Shuffle Tactic: 0x0\n";
  const PlanModel model = read(
      "=============== Computing costs for shuffle\n"
      "*************** Autotuning format combination: Half(4,1) -> Half(8,1) ***************\n" +
      choice +
      "*************** Autotuning format combination: Half(1,4) -> Half(8,1) ***************\n" +
      choice +
      "Adding reformat layer: Reformatted Input Tensor 0 to shuffle (x) from Float(4,1) to "
      "Half(1,4)\n"
      "Formats and tactics selection completed in 0.5 seconds.\n"
      "[I] Engine generation completed in 4.9 seconds.\n"
      "Engine Layer Information:\n"
      "Layer(Shuffle): shuffle, Tactic: 0x0, x (Half[4,1]) -> y (Half[8,1])\n");
  EXPECT_EQ(model.tactic_choices.is_used.get(0), 0);
  EXPECT_EQ(model.tactic_choices.is_used.get(1), 1);
}

TEST(TacticLines, TakesBrokenLines) {
  for (const std::string_view line :
       {"Tactic:",
        "Tactic: ",
        "Tactic: 1",
        "Tactic: 1 Time:",
        "Tactic Name: a",
        "*************** Autotuning ",
        "*************** Autotuning format combination:",
        "--------------- Timing Runner: ",
        "--------------- Timing Runner: (",
        "--------------- Timing Runner: a (b[",
        "x] got cached result: ",
        "x [a -> b] got cached result: c",
        "x [a -> b] got cached result: c, tactic 1, ",
        ">>>>>>>>>>>>>>> Chose Runner Type: ",
        ">>>>>>>>>>>>>>> Chose Runner Type: a Tactic: ",
        " (foreignNode) Autotuning op ",
        " (foreignNode) tactic_id, cost(in ms)",
        " (foreignNode)   1, 2, ",
        "Adding reformat layer: ",
        "Adding reformat layer: Reformatted Input Tensor 0 to a from b to c",
        "Skip backend strategy",
        "Engine generation completed in",
        " profiling completed in ",
        " Set Tactic Name: ",
        "Skipping tactic "}) {
    std::string log =
        "*************** Autotuning format combination: A(1) -> B(1) ***************\n"
        "--------------- Timing Runner: conv (Cudnn)\n";
    for (int i = 0; i < 2; ++i) {
      log += line;
      log += '\n';
    }
    const PlanModel model = read(log);
    for (const model::ChoiceId id : model.tactics.choice_id.values()) {
      EXPECT_LT(id.index(), model.tactic_choices.row_count()) << line;
    }
  }
}

}  // namespace
}  // namespace planex::ingest::tensorrt
