#include "arrays/accuracy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace planex::arrays {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

NamedArray named(std::string name, const std::vector<float>& values,
                 std::vector<std::int64_t> shape = {}) {
  NamedArray array{std::move(name), {.type = ElementType::kFloat32, .shape = std::move(shape)}};
  if (array.array.shape.empty()) array.array.shape = {static_cast<std::int64_t>(values.size())};
  array.array.data.resize(values.size() * sizeof(float));
  std::memcpy(array.array.data.data(), values.data(), array.array.data.size());
  return array;
}

ArrayRun run_of(std::vector<std::vector<NamedArray>> iterations) {
  ArrayRun run;
  for (auto& arrays : iterations) run.iterations.push_back({std::move(arrays)});
  return run;
}

AccuracyReport compared(const ArrayRun& reference, const ArrayRun& subject,
                        const AccuracyRequest& request = {}, bool has_file_names = false) {
  return compare_arrays(reference, subject, has_file_names, request).value();
}

TEST(CompareArrays, PairsByNameAndSaysWhatIsLeft) {
  const auto report = compared(run_of({{named("a", {1}), named("b", {2}), named("c", {3})}}),
                               run_of({{named("d", {1}), named("b", {2}), named("a", {1})}}));
  ASSERT_EQ(report.tensors.size(), 2U);
  EXPECT_EQ(report.tensors[0].name, "a");
  EXPECT_TRUE(report.tensors[0].difference.is_equal);
  EXPECT_TRUE(report.tensors[1].difference.is_equal);
  EXPECT_THAT(report.reference_only, ElementsAre("c"));
  EXPECT_THAT(report.subject_only, ElementsAre("d"));
}

TEST(CompareArrays, ANameThatComesTwiceIsPairedByItsPlace) {
  const auto report = compared(run_of({{named("a", {1}), named("a", {2})}}),
                               run_of({{named("a", {1}), named("a", {2}), named("a", {3})}}));
  ASSERT_EQ(report.tensors.size(), 2U);
  EXPECT_EQ(report.tensors[1].name, "a (2)");
  EXPECT_TRUE(report.tensors[1].difference.is_equal);
  EXPECT_THAT(report.subject_only, ElementsAre("a (3)"));
}

TEST(CompareArrays, SamplesAreTheIterationsOfBoth) {
  // The second iteration of the reference lacks `a`.
  const auto report = compared(run_of({{named("a", {1})}, {named("b", {1})}, {named("a", {1})}}),
                               run_of({{named("a", {2})}, {named("a", {9})}}));
  ASSERT_EQ(report.tensors.size(), 1U);
  EXPECT_EQ(report.tensors[0].sample_count, 1);
  EXPECT_EQ(report.tensors[0].difference.max_abs, 1);
  EXPECT_THAT(report.reference_only, ElementsAre("b"));
  EXPECT_THAT(report.remarks, ElementsAre(HasSubstr("3 iterations, the subject 2 iterations")));
}

TEST(CompareArrays, NamesOfFilesArePairedOnlyWhereOneFits) {
  const ArrayRun reference = run_of({{named("a/b", {1}), named("x/1", {1}), named("x:1", {1})}});
  const ArrayRun subject = run_of({{named("a_b", {1}), named("x_1", {1})}});
  const auto report = compared(reference, subject, {}, true);
  ASSERT_EQ(report.tensors.size(), 1U);
  EXPECT_EQ(report.tensors[0].subject_name, "a_b");
  EXPECT_THAT(report.reference_only, ElementsAre("x/1", "x:1"));
  EXPECT_FALSE(compare_arrays(reference, subject, false, {}));
}

TEST(CompareArrays, NothingInCommonIsAnErrorThatNamesBoth) {
  const auto report =
      compare_arrays(run_of({{named("a", {1})}}), run_of({{named("b", {1})}}), false, {});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kBadInput);
  EXPECT_THAT(report.error().message, HasSubstr("the reference has \"a\", the subject \"b\""));
}

TEST(CompareArrays, ALimitFailsWhatIsFurtherOrCannotBeCompared) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const auto report = compared(
      run_of({{named("equal", {1}), named("near", {1, 1}), named("far", {1}), named("zero", {0}),
               named("nan", {kNan, 1}), named("same-nan", {kNan, 1}), named("size", {1})}}),
      run_of(
          {{named("equal", {1}), named("near", {1, 1.01F}), named("far", {2}), named("zero", {1}),
            named("nan", {1, 1}), named("same-nan", {kNan, 1}), named("size", {1, 1})}}),
      {.fail_below_db = 20});
  std::vector<bool> failed;
  for (const TensorAccuracy& tensor : report.tensors) failed.push_back(*tensor.is_failed);
  EXPECT_THAT(failed, ElementsAre(false, false, true, true, true, false, true));
  EXPECT_EQ(report.failed_count(), 4);
  EXPECT_EQ(report.tensors[6].state, AccuracyState::kOtherSize);
  EXPECT_EQ(report.tensors[6].sample_count, 0);
}

TEST(CompareArrays, ClassesAreThoseOfTheLastAxis) {
  std::vector<float> reference(static_cast<std::size_t>(3 * 7), 0), subject = reference;
  // Row 0 agrees; in row 1 the reference's class is second; in row 2 it is last.
  reference[3] = reference[7 + 3] = reference[14 + 6] = 1;
  subject = reference;
  subject[7 + 2] = 2;
  for (std::size_t i = 14; i < 20; ++i) subject[i] = 3;
  const auto report = compared(run_of({{named("y", reference, {3, 7})}}),
                               run_of({{named("y", subject, {1, 3, 7})}}), {.with_classes = true});
  EXPECT_EQ(report.tensors[0].class_rows, 3);
  EXPECT_DOUBLE_EQ(*report.tensors[0].top1_ratio, 1.0 / 3);
  EXPECT_DOUBLE_EQ(*report.tensors[0].top5_ratio, 2.0 / 3);
  EXPECT_EQ(report.tensors[0].is_failed, std::nullopt);
}

TEST(CompareArrays, FewClassesHaveNoTop5) {
  const auto report =
      compared(run_of({{named("y", {1, 2}), named("one", {1})}}),
               run_of({{named("y", {1, 2}), named("one", {1})}}), {.with_classes = true});
  EXPECT_EQ(report.tensors[0].top1_ratio, 1);
  EXPECT_EQ(report.tensors[0].top5_ratio, std::nullopt);
  EXPECT_EQ(report.tensors[1].class_rows, std::nullopt);
}

TEST(RunCalled, NamesAndPartsOfThem) {
  SavedArrays saved;
  saved.runs = {{.runner = "onnxrt-1", .iterations = {}}, {.runner = "trt-1", .iterations = {}}};
  EXPECT_EQ(run_called(saved, "f", "onnxrt-1"), 0U);
  EXPECT_EQ(run_called(saved, "f", "onnx"), 0U);
  EXPECT_EQ(run_called(saved, "f", "trt-1"), 1U);
  EXPECT_THAT(run_called(saved, "f", "rt-1").error().message, HasSubstr("2 runners"));
  EXPECT_THAT(run_called(saved, "f", "x9").error().message, HasSubstr("no runners"));
  EXPECT_THAT(run_called(saved, "f", "").error().message, HasSubstr("has 2 runs"));
  saved.runs.pop_back();
  EXPECT_EQ(run_called(saved, "f", ""), 0U);
  saved.runs.clear();
  EXPECT_FALSE(run_called(saved, "f", ""));
}

}  // namespace
}  // namespace planex::arrays
