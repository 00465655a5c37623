#include "analyze/timing/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/builder.h"

namespace planex::analyze {
namespace {

using model::Direction;
using model::LayerId;
using model::Role;

constexpr Femtoseconds kMs = 1'000'000'000'000;

class StreamsEngine {
 public:
  LayerId add(std::string_view name, std::int64_t stream, std::optional<double> ms,
              Role role = Role::kWork) {
    const LayerId layer = builder_.add_layer(builder_.strings().add(name));
    model::LayersTable& layers = builder_.model().layers;
    layers.stream.set(layer.index(), stream);
    layers.median_ms.set(layer.index(), ms);
    layers.role.set(layer.index(), role);
    return layer;
  }
  void read(LayerId layer, std::string_view tensor) { port(layer, Direction::kInput, tensor); }
  void write(LayerId layer, std::string_view tensor) { port(layer, Direction::kOutput, tensor); }
  void event(LayerId layer, std::string_view kind, std::int64_t id) {
    model::EventsTable& events = builder_.model().events;
    const std::size_t row = events.add_row();
    events.event_id.set(row, id);
    events.layer_id.set(row, layer);
    events.kind.set(row, builder_.strings().intern(kind));
  }
  Timeline timeline() {
    model_ = builder_.finish();
    return timeline_of(model_, TimeBasis::kMedian);
  }
  // Start and end by name, in ms.
  std::map<std::string, std::pair<double, double>> spans(const Timeline& timeline) const {
    std::map<std::string, std::pair<double, double>> result;
    for (const TimelineSlice& slice : timeline.slices) {
      result[std::string(model_.text(model_.layers.name[slice.layer.index()]))] = {
          milliseconds(slice.start), milliseconds(slice.start + slice.duration)};
    }
    return result;
  }

 private:
  void port(LayerId layer, Direction direction, std::string_view tensor) {
    const std::vector<std::int64_t> dims = {1};
    builder_.add_port(layer, direction,
                      {.tensor = tensor, .dims = dims, .dtype = model::DType::kFp32});
  }

  model::ModelBuilder builder_;
  model::PlanModel model_;
};

TEST(Timeline, OneStreamIsAChain) {
  StreamsEngine engine;
  engine.add("a", 0, 1.5);
  engine.add("untimed", 0, std::nullopt);
  engine.add("noop", 0, std::nullopt, Role::kNoOp);
  engine.add("b", 0, 0.25);
  const Timeline timeline = engine.timeline();
  const auto spans = engine.spans(timeline);
  EXPECT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans.at("a"), std::pair(0.0, 1.5));
  EXPECT_EQ(spans.at("b"), std::pair(1.5, 1.75));
  EXPECT_EQ(timeline.total, kMs * 7 / 4);
  EXPECT_EQ(timeline.end, kMs * 7 / 4);
  EXPECT_EQ(timeline.without_time, 1) << "a no-op has nothing to time";
  EXPECT_THAT(timeline.streams, testing::ElementsAre(0));
}

TEST(Timeline, StreamsRunSideBySideUntilOneWaits) {
  StreamsEngine engine;
  const LayerId first = engine.add("first", 0, 1);
  const LayerId long_one = engine.add("long", 7, 5);
  const LayerId beside = engine.add("beside", 0, 2);
  const LayerId join = engine.add("join", 0, 1);
  engine.write(first, "x");
  engine.read(long_one, "x");
  engine.write(long_one, "y");
  engine.read(beside, "x");
  engine.write(beside, "z");
  engine.read(join, "y");
  engine.read(join, "z");
  const Timeline timeline = engine.timeline();
  const auto spans = engine.spans(timeline);
  EXPECT_EQ(spans.at("first"), std::pair(0.0, 1.0));
  EXPECT_EQ(spans.at("long"), std::pair(1.0, 6.0)) << "reads what another stream writes";
  EXPECT_EQ(spans.at("beside"), std::pair(1.0, 3.0));
  EXPECT_EQ(spans.at("join"), std::pair(6.0, 7.0));
  EXPECT_EQ(timeline.total, 9 * kMs);
  EXPECT_EQ(timeline.end, 7 * kMs);
  EXPECT_THAT(timeline.streams, testing::ElementsAre(0, 7));
}

TEST(Timeline, SignalsAreWaitedFor) {
  StreamsEngine engine;
  engine.add("a", 0, 3);
  const LayerId signal = engine.add("signal", 0, std::nullopt, Role::kSignal);
  engine.add("unrelated", 1, 1);
  const LayerId wait = engine.add("wait", 1, std::nullopt, Role::kWait);
  engine.add("b", 1, 1);
  engine.event(signal, "signal", 4);
  engine.event(wait, "wait", 4);
  const Timeline timeline = engine.timeline();
  const auto spans = engine.spans(timeline);
  EXPECT_EQ(spans.at("unrelated"), std::pair(0.0, 1.0));
  EXPECT_EQ(spans.at("b"), std::pair(3.0, 4.0));
}

TEST(Timeline, TooManyStreamsRunForThemselves) {
  StreamsEngine engine;
  for (std::int64_t stream = 0; stream < 40; ++stream) engine.add("x", stream, 1);
  const Timeline timeline = engine.timeline();
  EXPECT_FALSE(timeline.is_ordered);
  EXPECT_EQ(timeline.slices.size(), 40U);
  EXPECT_EQ(timeline.total, 40 * kMs);
  EXPECT_EQ(timeline.end, kMs);
}

TEST(Timeline, StartsOnWholeNanoseconds) {
  StreamsEngine engine;
  engine.add("a", 0, 1.0000004);  // 0.4 ns over
  engine.add("b", 0, 1.0000004);
  engine.add("c", 0, 1);
  const Timeline timeline = engine.timeline();
  ASSERT_EQ(timeline.slices.size(), 3U);
  EXPECT_EQ(timeline.slices[1].start, kMs + 1'000'000);
  EXPECT_EQ(timeline.slices[1].duration, kMs + 400'000);
  EXPECT_EQ(timeline.slices[2].start, 2 * kMs + 2'000'000);
  EXPECT_EQ(timeline.total, 3 * kMs + 800'000);
  EXPECT_EQ(timeline.end, 3 * kMs + 800'000) << "the rounding is no time";
}

TEST(Timeline, LeavesNegativeTimesOut) {
  StreamsEngine engine;
  engine.add("a", 0, -1);
  engine.add("b", 0, 2);
  const Timeline timeline = engine.timeline();
  EXPECT_EQ(timeline.slices.size(), 1U);
  EXPECT_EQ(timeline.negative, 1);
  EXPECT_EQ(timeline.total, 2 * kMs);
}

TEST(Timeline, WithoutTimesIsEmpty) {
  StreamsEngine engine;
  engine.add("a", 0, std::nullopt);
  const Timeline timeline = engine.timeline();
  EXPECT_EQ(timeline.basis, TimeBasis::kNone);
  EXPECT_FALSE(timeline.total);
  EXPECT_TRUE(timeline.slices.empty());
}

}  // namespace
}  // namespace planex::analyze
