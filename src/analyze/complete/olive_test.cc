#include "analyze/complete/olive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/text.h"
#include "model/builder.h"

namespace planex::analyze {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Candidate {
  std::string_view id, parent, pass;
  std::string_view latency = {};
  std::string_view setting = {};  // of "bits"
  std::string_view metric = "latency-avg";
  bool has_failed = false;
};

class OliveTest : public ::testing::Test {
 protected:
  void metric(std::string_view name, std::string_view priority, std::string_view better) {
    const std::string section = base::format("olive metric {}", name);
    builder_.add_metadata(section, "priority", priority, "f");
    builder_.add_metadata(section, "better", better, "f");
  }
  void add(const Candidate& candidate) {
    const std::string section = base::format("olive candidate {}", count_++);
    const auto row = [&](std::string_view key, std::string_view value) {
      if (!value.empty()) builder_.add_metadata(section, key, value, "f");
    };
    row("model", candidate.id);
    row("parent", candidate.parent);
    row("pass", candidate.pass);
    row("file", candidate.parent.empty() ? "" : base::format("{}.onnx", candidate.id));
    row("set bits", candidate.setting);
    row(base::format("metric {}", candidate.metric), candidate.latency);
    if (candidate.has_failed) row("failed", "yes");
  }
  model::PlanModel finish() {
    model::PlanModel done = builder_.finish();
    report_olive(done);
    return done;
  }
  static std::string message(const model::PlanModel& model, std::string_view code) {
    for (std::size_t row = 0; row < model.diagnostics.row_count(); ++row) {
      if (model.text(model.diagnostics.code[row]) == code) {
        return std::string(model.text(model.diagnostics.message[row]));
      }
    }
    return {};
  }

 private:
  model::ModelBuilder builder_;
  std::size_t count_ = 0;
};

TEST_F(OliveTest, NothingWithoutASearch) {
  const model::PlanModel model = finish();
  EXPECT_FALSE(find_olive_search(model));
  EXPECT_EQ(model.diagnostics.row_count(), 0U);
}

TEST_F(OliveTest, ALeadWithinTheNoiseProvesNothing) {
  metric("latency-avg", "1", "lower");
  metric("latency-p90", "-1", "lower");
  add({.id = "a", .latency = "2"});
  add({.id = "b", .parent = "a", .pass = "clean"});
  add({.id = "c", .parent = "b", .pass = "quantize", .latency = "1.9", .setting = "8"});
  add({.id = "d", .parent = "b", .pass = "quantize", .latency = "1.95", .setting = "4"});
  const model::PlanModel model = finish();
  EXPECT_THAT(message(model, "olive-search"),
              HasSubstr("made 3 models and measured 2 of them once (latency-avg)"));
  EXPECT_THAT(message(model, "olive-search"), HasSubstr("1 model between passes was not measured"));
  const std::string best = message(model, "olive-best");
  // 1 − 1.9 ÷ 2, 1 − 1.9 ÷ 1.95.
  EXPECT_THAT(best, HasSubstr("c is the best candidate by latency-avg: 1.9 ms (clean, quantize "
                              "(bits 8)), 5 % ahead of the input model (2 ms)"));
  EXPECT_THAT(best, HasSubstr("2.6 % ahead of the runner-up, d (clean, quantize (bits 4))"));
  EXPECT_THAT(message(model, "olive-not-proven"), HasSubstr("proves nothing"));
  EXPECT_THAT(message(model, "olive-to-settle"),
              HasSubstr("planex process MODEL.onnx --engine onnxruntime -o first$i; planex process "
                        "c.onnx --engine onnxruntime -o best$i; done; planex compare --base "));
}

TEST_F(OliveTest, ALargeLeadIsSelectedForItsLuckToo) {
  metric("latency-avg", "1", "lower");
  add({.id = "a", .latency = "2"});
  add({.id = "c", .parent = "a", .pass = "quantize", .latency = "1"});
  add({.id = "d", .parent = "a", .pass = "cast", .latency = "1.5"});
  const model::PlanModel model = finish();
  EXPECT_THAT(message(model, "olive-best"), HasSubstr("50 % ahead of the input model"));
  EXPECT_THAT(message(model, "olive-not-proven"), HasSubstr("the best of 2 is also selected"));
}

TEST_F(OliveTest, OneCandidateIsNotSelected) {
  metric("latency-avg", "1", "lower");
  add({.id = "a", .latency = "2"});
  add({.id = "c", .parent = "a", .pass = "quantize", .latency = "1"});
  const model::PlanModel model = finish();
  EXPECT_THAT(message(model, "olive-best"), Not(HasSubstr("runner-up")));
  EXPECT_THAT(message(model, "olive-not-proven"), HasSubstr("more than chance explains: each"));
}

TEST_F(OliveTest, WhereAllAreWorse) {
  metric("latency-avg", "1", "lower");
  add({.id = "a", .latency = "1"});
  add({.id = "b", .parent = "a", .pass = "quantize", .latency = "1.5"});
  const model::PlanModel model = finish();
  EXPECT_THAT(message(model, "olive-best"), HasSubstr("none is ahead of the input model (1 ms)"));
  EXPECT_THAT(message(model, "olive-to-settle"), IsEmpty());
}

TEST_F(OliveTest, WithoutTheInputModelNoGainIsClaimed) {
  metric("latency-avg", "1", "lower");
  add({.id = "a"});
  add({.id = "b", .parent = "a", .pass = "quantize", .latency = "1.5"});
  const model::PlanModel model = finish();
  EXPECT_THAT(message(model, "olive-best"), HasSubstr("the input model was not measured"));
  EXPECT_THAT(message(model, "olive-not-proven"), HasSubstr("proves nothing"));
}

TEST_F(OliveTest, TheFirstObjectiveDecides) {
  metric("accuracy-top1", "1", "higher");
  metric("latency-avg", "2", "lower");
  add({.id = "a", .latency = "0.9", .metric = "accuracy-top1"});
  add({.id = "b", .parent = "a", .pass = "q", .latency = "0.8", .metric = "accuracy-top1"});
  add({.id = "c", .parent = "a", .pass = "q", .latency = "0.85", .metric = "accuracy-top1"});
  const model::PlanModel model = finish();
  EXPECT_THAT(message(model, "olive-best"),
              HasSubstr("c is the best candidate by accuracy-top1: 0.85 ("));
  // What is known of runs that differ is about times.
  EXPECT_THAT(message(model, "olive-not-proven"), IsEmpty());
}

TEST_F(OliveTest, FailedModelsAndOnesThatAreTheirOwnParents) {
  metric("latency-avg", "1", "lower");
  add({.id = "a", .latency = "2"});
  add({.id = "b", .parent = "a", .pass = "quantize", .has_failed = true});
  add({.id = "c", .parent = "d", .pass = "x", .latency = "1"});
  add({.id = "d", .parent = "c", .pass = "y"});
  const model::PlanModel model = finish();
  EXPECT_THAT(message(model, "olive-failed"), HasSubstr("1 of 4 models could not be made"));
  EXPECT_THAT(message(model, "olive-best"), HasSubstr("(y, x)"));
}

}  // namespace
}  // namespace planex::analyze
