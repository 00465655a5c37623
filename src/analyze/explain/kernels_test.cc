#include "analyze/explain/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string_view>
#include <vector>

#include "model/builder.h"

namespace planex::analyze {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// An engine of layers with times and kernels, row by row.
class Made {
 public:
  Made& layer(std::string_view name, std::optional<double> median_ms,
              std::optional<double> kernel_ms = {}) {
    const model::LayerId id = builder_.add_layer(builder_.strings().intern(name));
    layers().median_ms.set(id.index(), median_ms);
    layers().mean_ms.set(id.index(), median_ms);
    layers().kernel_ms.set(id.index(), kernel_ms);
    return *this;
  }
  Made& kernel(std::optional<std::size_t> layer, std::string_view name, double median_us,
               std::int64_t count = 10, bool in_inference = true) {
    model::KernelsTable& kernels = builder_.model().kernels;
    const std::size_t row = kernels.add_row();
    if (layer) {
      kernels.layer_id.set(row, model::LayerId(*layer));
      kernels.index.set(row, static_cast<std::int64_t>(row));
    }
    kernels.name.set(row, builder_.strings().intern(name));
    kernels.median_us.set(row, median_us);
    kernels.count.set(row, count);
    kernels.total_ms.set(row, median_us * static_cast<double>(count) / 1000);
    if (in_inference) kernels.start_us.set(row, 0.0);
    return *this;
  }
  Made& role(std::size_t layer, model::Role role) {
    layers().role.set(layer, role);
    return *this;
  }
  Made& diagnostic(std::string_view code) {
    builder_.add_diagnostic({.code = code, .message = "x"});
    return *this;
  }
  model::PlanModel model() { return builder_.finish(); }

 private:
  model::LayersTable& layers() { return builder_.model().layers; }

  model::ModelBuilder builder_;
};

KernelExplanation explained(const model::PlanModel& model) {
  return explain_kernels(model, reconcile(model));
}

TEST(ExplainKernels, SumsAndDifferences) {
  Made made;
  made.layer("a", 0.5, 0.375).layer("b", 1.0, 0.875).layer("c", 0.25).layer("noop", 0.0);
  made.role(3, model::Role::kNoOp);
  made.kernel(0, "k1", 250).kernel(0, "k2", 125, 9).kernel(1, "k1", 875);
  const model::PlanModel model = made.model();
  const KernelExplanation found = explained(model);
  EXPECT_EQ(found.layers_ms, 1.75);
  EXPECT_EQ(found.kernels_ms, 1.25);
  // c has no kernels, so it is not compared.
  EXPECT_EQ(found.compared_layers_ms, 1.5);
  EXPECT_EQ(found.compared_kernels_ms, 1.25);
  EXPECT_EQ(found.difference_ms, 0.25);
  EXPECT_DOUBLE_EQ(*found.difference_share, 0.25 / 1.5);
  EXPECT_EQ(found.with_kernels, 2);
  EXPECT_EQ(found.without_kernels, 1);
  EXPECT_EQ(found.without_kernels_ms, 0.25);
  EXPECT_EQ(found.inferences, 10);
  EXPECT_EQ(found.launches, 3);
  ASSERT_EQ(found.layers.size(), 2U);
  EXPECT_EQ(found.layers[0].difference_ms, 0.125);
  EXPECT_THAT(found.layers[0].rows, ElementsAre(0, 1));
  EXPECT_DOUBLE_EQ(*found.layers[1].share, 0.7);
  EXPECT_THAT(found.by_time, ElementsAre(1, 0));
  EXPECT_FALSE(found.are_times_of_kernels);
}

TEST(ExplainKernels, AddsUpByKernel) {
  Made made;
  made.layer("a", 1.0, 0.75).layer("b", 1.0, 1.0);
  made.kernel(0, "k1", 250).kernel(0, "k2", 250).kernel(0, "k1", 250).kernel(1, "k1", 1000);
  const model::PlanModel model = made.model();
  const KernelExplanation found = explained(model);
  ASSERT_EQ(found.kernels.size(), 2U);
  EXPECT_EQ(model.text(found.kernels[0].name), "k1");
  EXPECT_EQ(found.kernels[0].rows, 3);
  EXPECT_EQ(found.kernels[0].layers, 2);
  EXPECT_EQ(found.kernels[0].time_ms, 1.5);
  EXPECT_DOUBLE_EQ(*found.kernels[0].share, 1.5 / 1.75);
  EXPECT_EQ(found.kernels[1].layers, 1);
}

TEST(ExplainKernels, RowsMayComeInAnyOrder) {
  Made made;
  made.layer("a", 1.0, 0.5).layer("b", 1.0, 0.5);
  made.kernel(1, "late", 1).kernel(0, "early", 1).kernel(1, "later", 1);
  const KernelExplanation found = explained(made.model());
  ASSERT_EQ(found.layers.size(), 2U);
  EXPECT_THAT(found.layers[0].rows, ElementsAre(1));
  EXPECT_THAT(found.layers[1].rows, ElementsAre(0, 2));
}

TEST(ExplainKernels, KernelsWithoutALayer) {
  Made made;
  made.layer("a", 1.0, 0.5);
  made.kernel(0, "k", 500).kernel({}, "few", 100, 2).kernel({}, "many", 100, 20);
  made.kernel({}, "the application's", 50, 3, false);
  const KernelExplanation found = explained(made.model());
  EXPECT_THAT(found.between.rows, ElementsAre(2, 1));
  EXPECT_EQ(found.between.launches, 22);
  EXPECT_DOUBLE_EQ(found.between.total_ms, 2.2);
  EXPECT_THAT(found.elsewhere.rows, ElementsAre(3));
  EXPECT_EQ(found.elsewhere.launches, 3);
}

TEST(ExplainKernels, TimesOfKernelsAreNotComparedWithThemselves) {
  Made made;
  made.layer("a", 0.5, 0.5).kernel(0, "k", 500).diagnostic("times-from-kernels");
  const KernelExplanation found = explained(made.model());
  EXPECT_TRUE(found.are_times_of_kernels);
  EXPECT_EQ(found.kernels_ms, 0.5);
  EXPECT_FALSE(found.difference_ms);
  EXPECT_FALSE(found.layers[0].difference_ms);
}

TEST(ExplainKernels, WithoutKernelsThereIsNothingToSay) {
  const KernelExplanation found = explained(Made().layer("a", 0.5).model());
  EXPECT_THAT(found.layers, IsEmpty());
  EXPECT_FALSE(found.kernels_ms);
  EXPECT_EQ(found.without_kernels, 1);
}

}  // namespace
}  // namespace planex::analyze
