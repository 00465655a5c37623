#include "analyze/explain/memory_timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "analyze/complete/complete.h"
#include "model/builder.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using model::Direction;
using model::LayerId;

struct Tensor {
  const char* name;
  std::int64_t bytes;
};

void add_tensors(model::ModelBuilder& builder, const std::vector<Tensor>& reads,
                 const std::vector<Tensor>& writes) {
  const LayerId layer = builder.add_layer(builder.strings().add("l"));
  builder.model().layers.role.set(layer.index(), model::Role::kWork);
  builder.model().layers.type.set(layer.index(), builder.strings().intern("kgen"));
  const auto add = [&](Direction direction, const std::vector<Tensor>& tensors) {
    for (const Tensor& tensor : tensors) {
      builder.add_port(layer, direction,
                       {.tensor = tensor.name,
                        .dims = {&tensor.bytes, 1},
                        .dtype = model::DType::kInt8,
                        .layout = {.order = model::Order::kLinear}});
    }
  };
  add(Direction::kInput, reads);
  add(Direction::kOutput, writes);
}

MemoryTimeline timeline_of_memory(const model::PlanModel& model) {
  return memory_timeline(model, summarize_memory(model));
}

// skip is written by 0 and read by 3; a, b, c are between.
//   layer  writes  live
//   0      skip    100
//   1      a       100 + 10
//   2      b       100 + 10 + 60   the peak
//   3      c       100 + 60 + 5 = 165
//   4      reads c: 5
TEST(MemoryTimeline, SaysWhoHoldsThePeakAndWhatItWouldBeWithoutThem) {
  model::ModelBuilder builder;
  const Tensor in{"in", 7}, skip{"skip", 100}, a{"a", 10}, b{"b", 60}, c{"c", 5}, out{"out", 7};
  add_tensors(builder, {in}, {skip});
  add_tensors(builder, {in}, {a});
  add_tensors(builder, {a}, {b});
  add_tensors(builder, {skip, b}, {c});
  add_tensors(builder, {c}, {out});
  builder.add_binding("in", Direction::kInput);
  builder.add_binding("out", Direction::kOutput);
  model::PlanModel model = builder.finish();
  complete(model);
  const MemoryTimeline timeline = timeline_of_memory(model);
  std::vector<std::int64_t> live;
  for (const TimelineFrame& frame : timeline.frames) live.push_back(frame.live_bytes);
  EXPECT_EQ(live, (std::vector<std::int64_t>{100, 110, 170, 165, 5}));
  EXPECT_EQ(timeline.peak.bytes, 170);
  EXPECT_EQ(timeline.peak_frame, 2U);
  ASSERT_EQ(timeline.contributors.size(), 3U);
  EXPECT_EQ(model.text(model.tensors.name[timeline.contributors[0].tensor.index()]), "skip");
  EXPECT_TRUE(timeline.contributors[0].is_live_through);
  EXPECT_EQ(timeline.contributors[0].span, 4);
  EXPECT_EQ(timeline.contributors[0].byte_layers, 400);
  // Not held at layers 1 and 2: 100, 10, 70, 165, 5.
  EXPECT_EQ(timeline.contributors[0].peak_without_bytes, 165);
  EXPECT_FALSE(timeline.contributors[1].is_live_through);  // b is written there
  EXPECT_FALSE(timeline.contributors[1].peak_without_bytes);
  EXPECT_EQ(timeline.used_bytes, 70);
  EXPECT_EQ(timeline.live_through_bytes, 100);
  EXPECT_EQ(timeline.best_contributor_to_move, 0U);
}

// in → a(40) → b(60) → c(10) → out; frames 0 to 3.
model::PlanModel chain() {
  model::ModelBuilder builder;
  const Tensor in{"in", 7}, a{"a", 40}, b{"b", 60}, c{"c", 10}, out{"out", 7};
  add_tensors(builder, {in}, {a});
  add_tensors(builder, {a}, {b});
  add_tensors(builder, {b}, {c});
  add_tensors(builder, {c}, {out});
  builder.add_binding("in", Direction::kInput);
  builder.add_binding("out", Direction::kOutput);
  model::PlanModel model = builder.finish();
  complete(model);
  return model;
}

std::vector<std::int64_t> offsets_of(const MemoryTimeline& timeline) {
  std::vector<std::int64_t> offsets;
  for (const TimelineTensor& one : timeline.tensors)
    offsets.push_back(one.offset_bytes.value_or(-1));
  return offsets;
}

TEST(MemoryTimeline, PacksTensorsThatHaveNoOffset) {
  const model::PlanModel model = chain();
  const MemoryTimeline timeline = timeline_of_memory(model);
  ASSERT_EQ(timeline.tensors.size(), 3U);
  EXPECT_EQ(timeline.tensors[1].first_frame, 1U);
  EXPECT_EQ(timeline.tensors[1].last_frame, 2U);
  EXPECT_EQ(timeline.tensors[1].bytes, 60);
  EXPECT_EQ(timeline.tensors[1].dtype, model::DType::kInt8);
  EXPECT_EQ(timeline.offsets, TimelineOffsets::kPacked);
  // b at the bottom; a and c above it, a and c never at once.
  EXPECT_EQ(offsets_of(timeline), (std::vector<std::int64_t>{60, 0, 60}));
  EXPECT_EQ(timeline.height_bytes, 100);
}

TEST(MemoryTimeline, TakesOffsetsThatTheFileGives) {
  model::PlanModel model = chain();
  for (std::size_t region = 0; region < 2; ++region) {
    model.regions.region_id.set(model.regions.add_row(), model::RegionId(region));
  }
  const auto place = [&](std::size_t tensor, std::size_t region, std::int64_t offset) {
    model.tensors.region_id.set(tensor, model::RegionId(region));
    model.tensors.offset_bytes.set(tensor, offset);
  };
  const MemoryTimeline packed = timeline_of_memory(model);
  // a and c in one region, b in the other, which starts above.
  place(packed.tensors[0].tensor.index(), 0, 8);
  place(packed.tensors[1].tensor.index(), 1, 0);
  EXPECT_EQ(timeline_of_memory(model).offsets, TimelineOffsets::kPacked);  // c has none
  place(packed.tensors[2].tensor.index(), 0, 16);
  const MemoryTimeline timeline = timeline_of_memory(model);
  EXPECT_EQ(timeline.offsets, TimelineOffsets::kGiven);
  EXPECT_EQ(offsets_of(timeline), (std::vector<std::int64_t>{8, 48, 16}));
  EXPECT_EQ(timeline.height_bytes, 108);
  place(packed.tensors[2].tensor.index(), 0, std::numeric_limits<std::int64_t>::max() - 5);
  EXPECT_EQ(timeline_of_memory(model).offsets, TimelineOffsets::kPacked);
  // Without any region: one address space.
  for (const TimelineTensor& one : timeline.tensors) {
    model.tensors.region_id.set(one.tensor.index(), model::RegionId());
  }
  place(packed.tensors[2].tensor.index(), 0, 16);
  EXPECT_EQ(offsets_of(timeline_of_memory(model)), (std::vector<std::int64_t>{8, 0, 16}));
}

TEST(MemoryTimeline, WithoutSizesThereIsNoTimeline) {
  model::ModelBuilder builder;
  add_tensors(builder, {{"in", -1}}, {{"a", -1}});
  add_tensors(builder, {{"a", -1}}, {{"out", -1}});
  model::PlanModel model = builder.finish();
  complete(model);
  const MemoryTimeline timeline = timeline_of_memory(model);
  EXPECT_FALSE(timeline.peak.bytes);
  EXPECT_TRUE(timeline.frames.empty());
  EXPECT_TRUE(timeline.contributors.empty());
}

TEST(MemoryTimelineOfRealEngines, TheHighestFrameIsThePeakAndHoldersAddUpToIt) {
  PLANEX_NEED_TEST_DATA(data);
  std::vector<std::string> names(test::kReadableEngines.begin(), test::kReadableEngines.end());
  for (const char* more :
       {"rtx1.7-transformer-fp16", "rtx1.7-transformer12-fp16", "rtx1.7-branches-streams",
        "openvino2026.4-resnet18-fp32-b8", "openvino2026.4-transformer-f32"}) {
    names.emplace_back(more);
  }
  std::size_t timelines = 0;
  for (const std::string& name : names) {
    const model::PlanModel model = test::must(test::load_engine(data, name));
    const MemoryTimeline timeline = timeline_of_memory(model);
    const LivePeak peak = live_peak(model);
    EXPECT_EQ(timeline.peak.bytes, peak.bytes) << name;
    EXPECT_EQ(timeline.peak.layer, peak.layer) << name;
    EXPECT_EQ(timeline.peak.with_scratch_bytes, peak.with_scratch_bytes) << name;
    if (timeline.frames.empty()) continue;
    ++timelines;
    EXPECT_EQ(std::ranges::max_element(timeline.frames, {}, &TimelineFrame::live_bytes)->live_bytes,
              peak.bytes)
        << name;
    EXPECT_EQ(timeline.used_bytes + timeline.live_through_bytes, *peak.bytes) << name;
    for (const TimelineTensor& one : timeline.tensors) {
      EXPECT_TRUE(one.offset_bytes) << name;
      EXPECT_LE(*one.offset_bytes + one.bytes, *timeline.height_bytes) << name;
    }
    if (timeline.peak.stream_count > 1) continue;
    // The live bytes of a frame are those of the tensors that are live in it.
    std::vector<std::int64_t> live(timeline.frames.size(), 0);
    for (const TimelineTensor& one : timeline.tensors) {
      for (std::size_t i = one.first_frame; i <= one.last_frame; ++i) live[i] += one.bytes;
    }
    for (std::size_t i = 0; i < live.size(); ++i) {
      EXPECT_EQ(live[i], timeline.frames[i].live_bytes) << name << " frame " << i;
    }
    EXPECT_GE(*timeline.height_bytes, *peak.bytes) << name;
    EXPECT_LE(static_cast<double>(*timeline.height_bytes), 1.25 * static_cast<double>(*peak.bytes))
        << name;
    for (const PeakContributor& contributor : timeline.contributors) {
      EXPECT_LE(contributor.first, timeline.peak.layer) << name;
      EXPECT_GE(contributor.last, timeline.peak.layer) << name;
      EXPECT_LE(contributor.peak_without_bytes.value_or(0), *peak.bytes) << name;
    }
  }
  EXPECT_GE(timelines, 15U);
}

}  // namespace
}  // namespace planex::analyze
