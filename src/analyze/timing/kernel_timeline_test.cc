#include "analyze/timing/kernel_timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "model/builder.h"

namespace planex::analyze {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class KernelsEngine {
 public:
  KernelsEngine() {
    for (const char* name : {"a", "b"}) builder_.add_layer(builder_.strings().add(name));
  }
  struct Kernel {
    std::optional<std::size_t> layer;
    std::int64_t index = 0;
    std::string name;
    std::optional<double> start_us, median_us;
    std::optional<std::int64_t> stream = 7;
    std::int64_t count = 1;
  };
  KernelsEngine& add(const Kernel& of) {
    model::KernelsTable& kernels = builder_.model().kernels;
    const std::size_t row = kernels.add_row();
    if (of.layer) kernels.layer_id.set(row, model::LayerId(*of.layer));
    kernels.index.set(row, of.index);
    kernels.name.set(row, builder_.strings().add(of.name));
    kernels.start_us.set(row, of.start_us);
    kernels.median_us.set(row, of.median_us);
    kernels.stream.set(row, of.stream);
    kernels.count.set(row, of.count);
    return *this;
  }
  // "7: k 10 to 12", in µs.
  std::vector<std::string> slices() {
    const model::PlanModel model = builder_.finish();
    const KernelTimeline timeline = kernel_timeline_of(model);
    without_time_ = timeline.without_time;
    std::vector<std::string> lines;
    for (const KernelSlice& slice : timeline.slices) {
      const auto stream = timeline.streams[slice.track];
      lines.push_back(base::format("{}: {} {} to {}", stream ? base::format("{}", *stream) : "?",
                                   model.text(model.kernels.name[slice.row]),
                                   1000 * milliseconds(slice.start),
                                   1000 * milliseconds(slice.start + slice.duration)));
    }
    return lines;
  }
  std::int64_t without_time() const { return without_time_; }

 private:
  model::ModelBuilder builder_;
  std::int64_t without_time_ = 0;
};

TEST(KernelTimeline, StreamByStreamInOrderOfStarts) {
  KernelsEngine engine;
  engine.add({.layer = 1, .name = "k3", .start_us = 20, .median_us = 5});
  engine.add({.layer = 0, .name = "k1", .start_us = 0, .median_us = 4});
  engine.add({.layer = 0, .index = 1, .name = "k2", .start_us = 6, .median_us = 2, .stream = 13});
  engine.add({.layer = 1, .index = 1, .name = "k4", .start_us = 9, .median_us = 1, .stream = {}});
  EXPECT_THAT(engine.slices(),
              ElementsAre("7: k1 0 to 4", "7: k3 20 to 25", "13: k2 6 to 8", "?: k4 9 to 10"));
  EXPECT_EQ(engine.without_time(), 0);
}

TEST(KernelTimeline, MediansThatLapOverFollowOneAnother) {
  KernelsEngine engine;
  engine.add({.layer = 0, .name = "k1", .start_us = 0, .median_us = 4});
  engine.add({.layer = 0, .index = 1, .name = "k2", .start_us = 3, .median_us = 2});
  engine.add({.layer = 1, .name = "k3", .start_us = 10, .median_us = 1});
  EXPECT_THAT(engine.slices(), ElementsAre("7: k1 0 to 4", "7: k2 4 to 6", "7: k3 10 to 11"));
}

TEST(KernelTimeline, OfOnePlaceTheKernelThatMostInferencesLaunched) {
  KernelsEngine engine;
  engine.add({.layer = 0, .name = "seldom", .start_us = 0, .median_us = 9, .count = 2});
  engine.add({.layer = 0, .name = "mostly", .start_us = 1, .median_us = 4, .count = 8});
  EXPECT_THAT(engine.slices(), ElementsAre("7: mostly 1 to 5"));
}

TEST(KernelTimeline, LeavesOutWhatHasNoPlace) {
  KernelsEngine engine;
  engine.add({.name = "of no layer", .start_us = 0, .median_us = 4});
  engine.add({.layer = 0, .name = "no start", .median_us = 4});
  engine.add({.layer = 0, .index = 1, .name = "no time", .start_us = 4});
  engine.add({.layer = 0, .index = 2, .name = "endless", .start_us = 4, .median_us = 1e300});
  engine.add({.layer = 1, .name = "backwards", .start_us = 4, .median_us = -1});
  EXPECT_THAT(engine.slices(), IsEmpty());
  EXPECT_EQ(engine.without_time(), 4);
}

TEST(KernelTimeline, TimesThatNoAxisHoldsAreLeftOut) {
  KernelsEngine engine;
  for (int i = 0; i < 12; ++i) {
    engine.add({.layer = 0, .index = i, .name = "k", .start_us = 0, .median_us = 9e8});
  }
  EXPECT_EQ(engine.slices().size(), 2u);
  EXPECT_EQ(engine.without_time(), 10);
}

}  // namespace
}  // namespace planex::analyze
