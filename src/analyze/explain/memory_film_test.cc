#include "analyze/explain/memory_film.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analyze/complete.h"
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

void add_layer(model::ModelBuilder& builder, const std::vector<Tensor>& reads,
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

MemoryFilm film_of(const model::PlanModel& model) {
  return memory_film(model, summarize_memory(model));
}

// skip is written by 0 and read by 3; a, b, c lie between.
//   layer  writes  live
//   0      skip    100
//   1      a       100 + 10
//   2      b       100 + 10 + 60   the peak
//   3      c       100 + 60 + 5 = 165
//   4      reads c: 5
TEST(MemoryFilm, SaysWhoHoldsThePeakAndWhatItWouldBeWithoutThem) {
  model::ModelBuilder builder;
  const Tensor in{"in", 7}, skip{"skip", 100}, a{"a", 10}, b{"b", 60}, c{"c", 5}, out{"out", 7};
  add_layer(builder, {in}, {skip});
  add_layer(builder, {in}, {a});
  add_layer(builder, {a}, {b});
  add_layer(builder, {skip, b}, {c});
  add_layer(builder, {c}, {out});
  builder.add_binding("in", Direction::kInput);
  builder.add_binding("out", Direction::kOutput);
  model::PlanModel model = builder.finish();
  complete(model);
  const MemoryFilm film = film_of(model);
  std::vector<std::int64_t> live;
  for (const FilmFrame& frame : film.frames) live.push_back(frame.live_bytes);
  EXPECT_EQ(live, (std::vector<std::int64_t>{100, 110, 170, 165, 5}));
  EXPECT_EQ(film.peak.bytes, 170);
  EXPECT_EQ(film.peak_frame, 2U);
  ASSERT_EQ(film.holders.size(), 3U);
  EXPECT_EQ(model.text(model.tensors.name[film.holders[0].tensor.index()]), "skip");
  EXPECT_TRUE(film.holders[0].is_carried);
  EXPECT_EQ(film.holders[0].span, 4);
  EXPECT_EQ(film.holders[0].byte_layers, 400);
  // Not held at layers 1 and 2: 100, 10, 70, 165, 5.
  EXPECT_EQ(film.holders[0].peak_without_bytes, 165);
  EXPECT_FALSE(film.holders[1].is_carried);  // b is written there
  EXPECT_FALSE(film.holders[1].peak_without_bytes);
  EXPECT_EQ(film.used_bytes, 70);
  EXPECT_EQ(film.carried_bytes, 100);
  EXPECT_EQ(film.best_to_move, 0U);
}

TEST(MemoryFilm, WithoutSizesThereIsNoFilm) {
  model::ModelBuilder builder;
  add_layer(builder, {{"in", -1}}, {{"a", -1}});
  add_layer(builder, {{"a", -1}}, {{"out", -1}});
  model::PlanModel model = builder.finish();
  complete(model);
  const MemoryFilm film = film_of(model);
  EXPECT_FALSE(film.peak.bytes);
  EXPECT_TRUE(film.frames.empty());
  EXPECT_TRUE(film.holders.empty());
}

TEST(MemoryFilmOfRealEngines, TheHighestFrameIsThePeakAndHoldersAddUpToIt) {
  PLANEX_NEED_TEST_DATA(data);
  std::vector<std::string> names(test::kReadableEngines.begin(), test::kReadableEngines.end());
  for (const char* more :
       {"rtx1.7-transformer-fp16", "rtx1.7-transformer12-fp16", "rtx1.7-branches-streams",
        "openvino2026.4-resnet18-fp32-b8", "openvino2026.4-transformer-f32"}) {
    names.emplace_back(more);
  }
  std::size_t films = 0;
  for (const std::string& name : names) {
    const model::PlanModel model = test::must(test::load_engine(data, name));
    const MemoryFilm film = film_of(model);
    const LivePeak peak = live_peak(model);
    EXPECT_EQ(film.peak.bytes, peak.bytes) << name;
    EXPECT_EQ(film.peak.layer, peak.layer) << name;
    EXPECT_EQ(film.peak.with_scratch_bytes, peak.with_scratch_bytes) << name;
    if (film.frames.empty()) continue;
    ++films;
    EXPECT_EQ(std::ranges::max_element(film.frames, {}, &FilmFrame::live_bytes)->live_bytes,
              peak.bytes)
        << name;
    EXPECT_EQ(film.used_bytes + film.carried_bytes, *peak.bytes) << name;
    if (film.peak.stream_count > 1) continue;
    for (const PeakHolder& holder : film.holders) {
      EXPECT_LE(holder.first, film.peak.layer) << name;
      EXPECT_GE(holder.last, film.peak.layer) << name;
      EXPECT_LE(holder.peak_without_bytes.value_or(0), *peak.bytes) << name;
    }
  }
  EXPECT_GE(films, 15U);
}

}  // namespace
}  // namespace planex::analyze
