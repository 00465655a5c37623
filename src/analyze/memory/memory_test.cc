// Live ranges, their peak, and the sums of summarize_memory().
#include "analyze/memory/memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/complete/complete.h"
#include "model/builder.h"
#include "support/test_data.h"

namespace planex::analyze {
namespace {

using model::Direction;
using model::DType;
using model::LayerId;
using model::Role;
using Strings = std::vector<std::string>;

// A tensor's name can contain its size: "a*3" has three bytes, "a*?" a dynamic dimension.
class MemoryEngine {
 public:
  LayerId layer(const Strings& reads, const Strings& writes, Role role = Role::kWork,
                std::int64_t stream = 0, const Strings& constants = {}) {
    const LayerId layer = builder_.add_layer(builder_.strings().add("l"));
    model::LayersTable& layers = builder_.model().layers;
    layers.role.set(layer.index(), role);
    layers.stream.set(layer.index(), stream);
    layers.type.set(layer.index(), builder_.strings().intern("kgen"));
    ports(layer, Direction::kInput, reads);
    ports(layer, Direction::kConstant, constants);
    ports(layer, Direction::kOutput, writes);
    return layer;
  }
  void event(LayerId layer, std::string_view kind, std::int64_t id) {
    builder_.add_event(layer, kind, id);
  }
  void bind(const Strings& names) {
    for (const std::string& name : names) builder_.add_binding(name, Direction::kNull);
  }
  model::ModelBuilder& builder() { return builder_; }

  model::PlanModel complete() {
    model::PlanModel model = builder_.finish();
    analyze::complete(model);
    return model;
  }

 private:
  void ports(LayerId layer, Direction direction, const Strings& tensors) {
    for (const std::string& tensor : tensors) {
      const std::size_t star = tensor.find('*');
      std::int64_t size = 1;
      if (star != tensor.npos)
        size = tensor[star + 1] == '?' ? -1 : std::stoll(tensor.substr(star + 1));
      builder_.add_port(layer, direction,
                        {.tensor = std::string_view(tensor).substr(0, star),
                         .dims = {&size, 1},
                         .dtype = DType::kInt8,
                         .layout = {.order = model::Order::kLinear}});
    }
  }

  model::ModelBuilder builder_;
};

std::int64_t peak_of(MemoryEngine& engine) {
  return summarize_memory(engine.complete()).peak.bytes.value_or(-1);
}

TEST(LivePeak, OfAChainIsTwoNeighbours) {
  MemoryEngine engine;
  engine.layer({"in*100"}, {"a*10"});
  engine.layer({"a*10"}, {"b*30"});
  engine.layer({"b*30"}, {"c*5"});
  engine.layer({"c*5"}, {"out*100"});
  engine.bind({"in", "out"});
  const model::PlanModel model = engine.complete();
  const MemorySummary memory = summarize_memory(model);
  EXPECT_EQ(memory.peak.bytes, 40) << "engine inputs and outputs are the caller's";
  EXPECT_EQ(memory.peak.layer.index(), 1U);
  ASSERT_EQ(memory.peak.contributors.size(), 2U);
  EXPECT_EQ(memory.peak.contributors[0].bytes, 30);
  EXPECT_EQ(memory.peak.contributors[1].bytes, 10);
  EXPECT_EQ(memory.peak.contributor_count, 2);
  EXPECT_EQ(memory.input_bytes, 100);
  EXPECT_EQ(memory.output_bytes, 100);
  EXPECT_EQ(memory.distinct_bytes, 245);
  EXPECT_EQ(memory.traffic_bytes, 290);
  EXPECT_EQ(model.tensors.first_layer_id[1].index(), 0U);
  EXPECT_EQ(model.tensors.last_layer_id[1].index(), 1U);
}

TEST(LivePeak, HoldsASkipUntilItsLastReader) {
  MemoryEngine engine;
  engine.layer({"in"}, {"skip*50"});
  engine.layer({"skip*50"}, {"a*10"});
  engine.layer({"a*10"}, {"b*10"});
  engine.layer({"b*10", "skip*50"}, {"c*1"});
  engine.bind({"in"});
  EXPECT_EQ(peak_of(engine), 70);
}

TEST(LivePeak, CountsSeveralProducersAndViewsOnce) {
  MemoryEngine engine;
  // Two halves of one tensor, written one after the other, then read as a whole and in part.
  engine.layer({"in"}, {"c*50"});
  engine.layer({"in"}, {"c*50"});
  engine.layer({"c*100"}, {"d*1"});
  engine.layer({"c*20"}, {"e*1"});
  engine.bind({"in"});
  const model::PlanModel model = engine.complete();
  EXPECT_EQ(summarize_memory(model).peak.bytes, 101);
  EXPECT_EQ(summarize_memory(model).distinct_bytes, 1 + 100 + 1 + 1);
}

TEST(LivePeak, NoOpsOnlyRename) {
  MemoryEngine engine;
  engine.layer({"in"}, {"a*40"});
  engine.layer({"in"}, {"b*60"});
  engine.layer({"a*40", "b*60"}, {"c*100"}, Role::kNoOp);  // a concatenation that was optimized out
  engine.layer({"c*100"}, {"d*1"});
  engine.bind({"in"});
  const MemorySummary memory = summarize_memory(engine.complete());
  EXPECT_EQ(memory.peak.bytes, 101);
  ASSERT_EQ(memory.peak.contributor_count, 2);
  EXPECT_EQ(memory.peak.contributors[0].bytes, 100);
}

TEST(LivePeak, NoOpsOfAnEngineOutputAreTheCallers) {
  MemoryEngine engine;
  engine.layer({"in"}, {"a*40"});
  engine.layer({"a*40"}, {"out*40"}, Role::kNoOp);
  engine.bind({"in", "out"});
  EXPECT_EQ(peak_of(engine), 0);
}

TEST(LivePeak, LeavesOutConstantsAndShapes) {
  MemoryEngine engine;
  engine.layer({}, {"w*1000"}, Role::kConstant);
  engine.layer({}, {"s*1000"}, Role::kShape);
  engine.layer({"in", "w*1000", "s*1000"}, {"a*3"}, Role::kWork, 0, {"k*1000"});
  engine.bind({"in"});
  EXPECT_EQ(peak_of(engine), 3);
}

TEST(LivePeak, CountsWhatHasNoSize) {
  MemoryEngine engine;
  engine.layer({"in"}, {"a*?"});
  engine.layer({"a*?"}, {"b*7"});
  engine.bind({"in"});
  const MemorySummary memory = summarize_memory(engine.complete());
  EXPECT_EQ(memory.peak.bytes, 7);
  EXPECT_EQ(memory.peak.tensors_without_size, 1);
  EXPECT_EQ(memory.tensors_without_size, 1);
}

TEST(LivePeak, IsNullWhereNothingIsKnown) {
  MemoryEngine engine;
  engine.layer({"in*?"}, {"a*?"});
  engine.bind({"in"});
  EXPECT_FALSE(summarize_memory(engine.complete()).peak.bytes);
  MemoryEngine empty;
  const MemorySummary memory = summarize_memory(empty.complete());
  EXPECT_FALSE(memory.peak.bytes);
  EXPECT_FALSE(memory.weight_bytes);
  EXPECT_FALSE(memory.distinct_bytes);
}

TEST(LivePeak, OverflowIsNull) {
  MemoryEngine engine;
  engine.layer({"in"}, {"a*9000000000000000000", "b*9000000000000000000"});
  engine.bind({"in"});
  EXPECT_FALSE(summarize_memory(engine.complete()).peak.bytes);
}

TEST(LivePeak, OfStreamsThatRunSideBySide) {
  MemoryEngine engine;
  engine.event(engine.layer({"in"}, {"x*1"}), "signal", 1);
  // A chain on each stream: each needs two of its tensors at a time.
  engine.layer({"x*1"}, {"a*10"});
  engine.layer({"a*10"}, {"b*10"});
  engine.layer({"b*10"}, {"c*10"});
  engine.event(engine.layer({}, {}, Role::kWait, 1), "wait", 1);
  engine.layer({"x*1"}, {"d*10"}, Role::kWork, 1);
  engine.layer({"d*10"}, {"e*10"}, Role::kWork, 1);
  engine.layer({"e*10"}, {"f*10"}, Role::kWork, 1);
  engine.event(engine.layer({}, {}, Role::kSignal, 1), "signal", 2);
  engine.event(engine.layer({}, {}, Role::kWait, 0), "wait", 2);
  engine.layer({"c*10", "f*10"}, {"out"});
  engine.bind({"in", "out"});
  const MemorySummary memory = summarize_memory(engine.complete());
  EXPECT_EQ(memory.peak.stream_count, 2);
  // x is released when stream 0 knows that stream 1 has read it: after the wait.
  EXPECT_EQ(memory.peak.bytes, 41);
  EXPECT_EQ(memory.peak.contributor_count, 5);
}

TEST(LivePeak, WithScratchMemoryOfTheLayersThatRun) {
  MemoryEngine engine;
  const auto layers = [&](std::int64_t stream) {
    const std::string n = std::to_string(stream);
    const LayerId first = engine.layer({"in"}, {"a" + n + "*10"}, Role::kWork, stream);
    engine.layer({"a" + n + "*10"}, {"b" + n + "*20"}, Role::kWork, stream);
    engine.builder().model().layers.scratch_bytes.set(first.index(), 100);
  };
  layers(0);
  layers(1);
  engine.bind({"in"});
  const LivePeak peak = summarize_memory(engine.complete()).peak;
  EXPECT_EQ(peak.bytes, 60);
  EXPECT_EQ(peak.with_scratch_bytes, 220) << "both streams can be at their first layer";
  MemoryEngine silent;
  silent.layer({"in"}, {"a*10"});
  EXPECT_FALSE(summarize_memory(silent.complete()).peak.with_scratch_bytes);
}

TEST(LivePeak, ScratchMemoryThatOverflowsIsNull) {
  MemoryEngine engine;
  const LayerId layer = engine.layer({"in"}, {"a*10"});
  engine.builder().model().layers.scratch_bytes.set(layer.index(), INT64_MAX - 5);
  engine.bind({"in"});
  const LivePeak peak = summarize_memory(engine.complete()).peak;
  EXPECT_EQ(peak.bytes, 10);
  EXPECT_FALSE(peak.with_scratch_bytes);
}

TEST(LivePeak, OfStreamsInTurnIsThatOfOne) {
  MemoryEngine engine;
  engine.layer({"in"}, {"a*10"});
  engine.event(engine.layer({"a*10"}, {"b*20"}), "signal", 1);
  engine.event(engine.layer({}, {}, Role::kWait, 1), "wait", 1);
  engine.layer({"b*20"}, {"c*30"}, Role::kWork, 1);
  engine.event(engine.layer({"c*30"}, {"d*5"}, Role::kWork, 1), "signal", 2);
  engine.event(engine.layer({}, {}, Role::kWait, 0), "wait", 2);
  engine.layer({"d*5"}, {"out"});
  engine.bind({"in", "out"});
  // b is held until stream 0 continues, which does not know earlier.
  EXPECT_EQ(peak_of(engine), 20 + 35);
}

TEST(LivePeak, TooManyStreamsAreNotJudged) {
  MemoryEngine engine;
  for (std::size_t i = 0; i <= kMaxStreams; ++i) {
    engine.layer({"in"}, {"a"}, Role::kWork, static_cast<std::int64_t>(i));
  }
  engine.bind({"in"});
  EXPECT_FALSE(summarize_memory(engine.complete()).peak.bytes);
}

// --- Against all that can happen ----------------------------------------------------------------

struct RandomEngine {
  struct Layer {
    std::size_t stream = 0;
    std::vector<std::size_t> reads, writes;
    int signal = -1, wait = -1;
  };
  std::vector<Layer> layers;
  std::vector<std::int64_t> sizes;  // by tensor
};

RandomEngine random_engine(std::mt19937& random, std::size_t streams) {
  const auto up_to = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n)(random);
  };
  RandomEngine engine;
  int signals = 0;
  for (std::size_t i = 0; i < 3 + up_to(7); ++i) {
    RandomEngine::Layer layer{.stream = up_to(streams - 1)};
    const std::size_t kind = up_to(5);
    if (kind == 0) {
      layer.signal = signals++;
    } else if (kind == 1 && signals > 0) {
      layer.wait = static_cast<int>(up_to(static_cast<std::size_t>(signals - 1)));
    } else {
      for (std::size_t n = up_to(2); n > 0 && !engine.sizes.empty(); --n) {
        layer.reads.push_back(up_to(engine.sizes.size() - 1));
      }
      if (up_to(6) == 0 && !engine.sizes.empty()) {
        layer.writes.push_back(up_to(engine.sizes.size() - 1));
      } else {
        layer.writes.push_back(engine.sizes.size());
        engine.sizes.push_back(static_cast<std::int64_t>(1 + up_to(99)));
      }
    }
    engine.layers.push_back(layer);
  }
  return engine;
}

// The maximum live in any state that the order of the layers allows. Slow, but certain.
std::int64_t peak_by_trying(const RandomEngine& engine, std::size_t streams) {
  const std::size_t n = engine.layers.size();
  std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
  std::vector<std::vector<std::size_t>> of_stream(streams);
  for (std::size_t i = 0; i < n; ++i) {
    const auto& layer = engine.layers[i];
    const auto follows = [&](std::size_t j) {
      before[j][i] = true;
      for (std::size_t k = 0; k < n; ++k) before[k][i] = before[k][i] || before[k][j];
    };
    if (!of_stream[layer.stream].empty()) follows(of_stream[layer.stream].back());
    of_stream[layer.stream].push_back(i);
    for (std::size_t j = 0; j < i; ++j) {
      if (layer.wait >= 0 && engine.layers[j].signal == layer.wait) follows(j);
    }
    for (const std::size_t tensor : layer.reads) {
      for (std::size_t j = i; j-- > 0;) {
        if (std::ranges::count(engine.layers[j].writes, tensor) == 0) continue;
        follows(j);
        break;
      }
    }
  }
  // A state of a stream: 2k is before layer k, 2k + 1 is in it.
  std::vector<std::size_t> state(streams, 0);
  std::int64_t most = 0;
  while (true) {
    const auto place = [&](std::size_t i) {
      const auto& own = of_stream[engine.layers[i].stream];
      return static_cast<std::size_t>(std::ranges::find(own, i) - own.begin());
    };
    const auto started = [&](std::size_t i) {
      return state[engine.layers[i].stream] > 2 * place(i);
    };
    const auto ended = [&](std::size_t i) {
      return state[engine.layers[i].stream] > 2 * place(i) + 1;
    };
    bool possible = true;
    for (std::size_t i = 0; i < n && possible; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (before[j][i] && started(i) && !ended(j)) possible = false;
      }
    }
    if (possible) {
      std::int64_t live = 0;
      for (std::size_t tensor = 0; tensor < engine.sizes.size(); ++tensor) {
        bool any_started = false, all_ended = true;
        for (std::size_t i = 0; i < n; ++i) {
          const auto& layer = engine.layers[i];
          if (std::ranges::count(layer.reads, tensor) + std::ranges::count(layer.writes, tensor) ==
              0)
            continue;
          any_started = any_started || started(i);
          all_ended = all_ended && ended(i);
        }
        if (any_started && !all_ended) live += engine.sizes[tensor];
      }
      most = std::max(most, live);
    }
    std::size_t stream = 0;
    while (stream < streams && ++state[stream] > 2 * of_stream[stream].size()) state[stream++] = 0;
    if (stream == streams) return most;
  }
}

model::PlanModel model_of_random(const RandomEngine& random) {
  MemoryEngine engine;
  const auto names = [&](const std::vector<std::size_t>& tensors) {
    Strings result;
    for (const std::size_t tensor : tensors) {
      result.push_back("t" + std::to_string(tensor) + "*" + std::to_string(random.sizes[tensor]));
    }
    return result;
  };
  for (const RandomEngine::Layer& layer : random.layers) {
    const LayerId id = engine.layer(names(layer.reads), names(layer.writes), Role::kWork,
                                    static_cast<std::int64_t>(layer.stream));
    if (layer.signal >= 0) engine.event(id, "signal", layer.signal);
    if (layer.wait >= 0) engine.event(id, "wait", layer.wait);
  }
  return engine.complete();
}

TEST(LivePeak, IsNeverLessThanWhatCanHappen) {
  std::mt19937 random(7);
  for (int round = 0; round < 600; ++round) {
    SCOPED_TRACE(round);
    const std::size_t streams = 1 + static_cast<std::size_t>(round) % 3;
    const RandomEngine engine = random_engine(random, streams);
    const std::int64_t possible = peak_by_trying(engine, streams);
    const LivePeak peak = live_peak(model_of_random(engine));
    const std::int64_t all = std::accumulate(engine.sizes.begin(), engine.sizes.end(), 0LL);
    EXPECT_GE(peak.bytes.value_or(0), possible);
    EXPECT_LE(peak.bytes.value_or(0), all);
    if (peak.stream_count <= 1) {
      EXPECT_EQ(peak.bytes.value_or(0), possible);
    }
    // The contributors to the peak add up to the peak.
    std::int64_t held = 0;
    for (const Contributor& contributor : peak.contributors) held += contributor.bytes;
    if (peak.contributor_count <= static_cast<std::int64_t>(kMaxContributors)) {
      EXPECT_EQ(held, peak.bytes.value_or(0));
    }
  }
}

// --- Sums ---------------------------------------------------------------------------------------

TEST(MemorySummary, CountsASharedConstantOnce) {
  MemoryEngine engine;
  engine.layer({"in"}, {"a"}, Role::kWork, 0, {"k*100", "one*10"});
  engine.layer({"a"}, {"b"}, Role::kWork, 0, {"k*100", "two*20"});
  engine.bind({"in"});
  const model::PlanModel model = engine.complete();
  EXPECT_EQ(summarize_memory(model).weight_bytes, 130);
  EXPECT_EQ(model.layers.weight_bytes.get(1), 120) << "a layer reads all of its own";
}

TEST(MemorySummary, IsOfTheShownProfile) {
  MemoryEngine engine;
  const LayerId first = engine.layer({"in*2"}, {"a*10"}, Role::kWork, 0, {"k*100"});
  const LayerId second = engine.layer({"in1*2"}, {"b*1000"}, Role::kWork, 0, {"k1*100"});
  engine.bind({"in", "in1"});
  engine.builder().model().engine.profile_index.set(0, 0);
  engine.builder().model().layers.profile_index.set(first.index(), 0);
  engine.builder().model().layers.profile_index.set(second.index(), 1);
  const model::PlanModel model = engine.complete();
  const MemorySummary memory = summarize_memory(model);
  EXPECT_EQ(memory.weight_bytes, 100);
  EXPECT_EQ(memory.peak.bytes, 10);
  EXPECT_EQ(memory.input_bytes, 2);
  EXPECT_EQ(memory.distinct_bytes, 12);
  EXPECT_TRUE(model.tensors.first_layer_id.is_null(3));
}

TEST(MemorySummary, OfRealEnginesIsConsistent) {
  PLANEX_NEED_TEST_DATA(data);
  for (const char* name : test::kReadableEngines) {
    SCOPED_TRACE(name);
    const model::PlanModel model = test::must(test::load_engine(data, name));
    const MemorySummary memory = summarize_memory(model);
    ASSERT_TRUE(memory.peak.bytes);
    ASSERT_TRUE(memory.distinct_bytes && memory.distinct_data_bytes && memory.traffic_bytes);
    EXPECT_GT(*memory.peak.bytes, 0);
    EXPECT_LE(*memory.peak.bytes, *memory.distinct_bytes);
    EXPECT_GE(*memory.distinct_bytes, *memory.distinct_data_bytes);
    EXPECT_LE(*memory.distinct_data_bytes, *memory.traffic_bytes);
    EXPECT_EQ(memory.tensors_without_size, 0);
    EXPECT_EQ(memory.peak.stream_count, 1);
    ASSERT_FALSE(memory.peak.contributors.empty());
    EXPECT_TRUE(
        std::ranges::is_sorted(memory.peak.contributors, std::greater(), &Contributor::bytes));
  }
}

// --- Dynamic shapes -----------------------------------------------------------------------------

TEST(DynamicDims, AreSizedByTheProfileWhereItKnows) {
  MemoryEngine engine;
  engine.layer({"in*?"}, {"a*?"});
  engine.layer({"a*?"}, {"out*?"});
  engine.bind({"in", "out"});
  const std::int64_t opt = 16, other = 99;
  engine.builder().model().engine.profile_index.set(0, 1);
  engine.builder().add_profile(
      {.profile_index = 0, .binding = "in", .opt_dims = std::span(&other, 1)});
  engine.builder().add_profile(
      {.profile_index = 1, .binding = "in", .opt_dims = std::span(&opt, 1)});
  const model::PlanModel model = engine.complete();
  EXPECT_EQ(model.layers.input_bytes.get(0), 16);
  EXPECT_FALSE(model.layers.output_bytes.get(0));
  EXPECT_FALSE(model.layers.output_bytes.get(1)) << "profiles have no shapes of outputs";
  EXPECT_EQ(model.ports.dims[0][0], -1) << "what the file says stays";
  ASSERT_EQ(model.diagnostics.row_count(), 1U);
  EXPECT_EQ(model.text(model.diagnostics.code[0]), "dynamic-dims");
  EXPECT_NE(model.text(model.diagnostics.message[0])
                .find("1 of them is sized as optimization "
                      "profile 1 was tuned for"),
            std::string_view::npos)
      << model.text(model.diagnostics.message[0]);
}

TEST(DynamicDims, OfAnotherShapeStayUnknown) {
  for (const std::vector<std::int64_t>& opt :
       {std::vector<std::int64_t>{16, 2}, {-1}, {}, {std::int64_t{1} << 62}}) {
    MemoryEngine engine;
    engine.layer({"in*?"}, {"a*1"});
    engine.bind({"in"});
    engine.builder().model().engine.profile_index.set(0, 0);
    engine.builder().add_profile({.profile_index = 0, .binding = "in", .opt_dims = opt});
    const model::PlanModel model = engine.complete();
    EXPECT_FALSE(model.layers.input_bytes.get(0)) << opt.size();
  }
}

TEST(DynamicDims, AreReportedOnce) {
  MemoryEngine engine;
  engine.layer({"in*?"}, {"a*?"});
  engine.bind({"in"});
  model::PlanModel model = engine.complete();
  complete(model);
  EXPECT_EQ(model.diagnostics.row_count(), 1U);
}

TEST(MemorySummary, TakesWhatTheBuilderReports) {
  MemoryEngine engine;
  engine.layer({"x*8"}, {"y*8"});
  MemorySummary memory = summarize_memory(engine.complete());
  EXPECT_EQ(memory.scratch_bytes, std::nullopt);
  EXPECT_EQ(memory.reported_device_persistent_bytes, std::nullopt);

  MemoryEngine reported;
  for (const std::int64_t scratch : {512, 4096, 0}) {
    const LayerId row = reported.layer({"x*8"}, {"y*8"});
    reported.builder().model().layers.scratch_bytes.set(row.index(), scratch);
  }
  reported.builder().add_metadata("build", "device_persistent_bytes", "13626368", "a.log");
  reported.builder().add_metadata("build", "host_persistent_bytes", "80 bytes", "a.log");
  reported.builder().add_metadata("other", "host_persistent_bytes", "80", "a.log");
  memory = summarize_memory(reported.complete());
  EXPECT_EQ(memory.scratch_bytes, 4096);
  EXPECT_EQ(memory.reported_device_persistent_bytes, 13626368);
  EXPECT_EQ(memory.reported_host_persistent_bytes, std::nullopt) << "not a count";

  MemoryEngine disputed;
  disputed.layer({"x*8"}, {"y*8"});
  disputed.builder().add_metadata("build", "device_persistent_bytes", "1", "a.log");
  disputed.builder().add_metadata("build", "device_persistent_bytes", "2", "b.log");
  EXPECT_EQ(summarize_memory(disputed.complete()).reported_device_persistent_bytes, std::nullopt);
}

}  // namespace
}  // namespace planex::analyze
