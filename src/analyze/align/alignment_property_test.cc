// Properties of every alignment, tested on random engines and on hostile ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <tuple>

#include "analyze/align/alignment.h"
#include "analyze/align/test_engine.h"

namespace planex::analyze {
namespace {

using model::Family;
using model::PlanModel;

constexpr AlignRule kRules[] = {AlignRule::kBest, AlignRule::kExactShapes, AlignRule::kFirstShapes};

// Few names, sources and dims, so that many layers are similar.
std::vector<TestLayer> random_layers(std::mt19937_64& random) {
  constexpr Family kFamilies[] = {Family::kConvolution, Family::kPointwise, Family::kReformat,
                                  Family::kOpaque};
  const std::size_t variety = 1 + random() % 12;
  const auto some = [&](const char* prefix) { return prefix + std::to_string(random() % variety); };
  std::vector<TestLayer> layers(random() % 40);
  for (std::size_t at = 0; at < layers.size(); ++at) {
    TestLayer& layer = layers[at];
    layer.name = random() % 2 == 0 ? some("name") : some("Conv_");
    layer.family = kFamilies[random() % std::size(kFamilies)];
    layer.type = random() % 4 == 0 ? "PointWise" : std::string(to_string(layer.family));
    layer.dims = {1, 8 << random() % 2, 4};
    for (std::size_t count = random() % 3; count > 0; --count) {
      layer.in.push_back("t" + std::to_string(random() % (at + 1)));
    }
    layer.out.push_back("t" + std::to_string(at + 1));
    for (std::size_t count = random() % 3; count > 0; --count) {
      layer.sources.push_back(random() % 2 == 0 ? some("op") : some("Relu_"));
    }
    if (random() % 8 == 0) layer.role = model::Role::kNoOp;
    if (random() % 8 == 0) layer.inner_size = 64 << random() % 2;
    if (random() % 8 == 0) layer.writes = model::DType::kInt8;
  }
  return layers;
}

// The same engine, changed here and there.
std::vector<TestLayer> changed(std::vector<TestLayer> layers, std::mt19937_64& random) {
  const std::vector<TestLayer> others = random_layers(random);
  for (std::size_t count = random() % 4; count > 0 && !layers.empty(); --count) {
    const auto at = layers.begin() + static_cast<std::ptrdiff_t>(random() % layers.size());
    switch (random() % 3) {
      case 0:
        layers.erase(at);
        break;
      case 1:
        at->sources.clear();
        break;
      default:
        if (!others.empty()) layers.insert(at, others.front());
    }
  }
  return layers;
}

void expect_each_layer_once(const PlanModel& model, std::vector<model::LayerId> matched) {
  std::vector<model::LayerId> work;
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (model.does_work(model::LayerId(row))) work.emplace_back(row);
  }
  std::ranges::sort(matched);
  EXPECT_EQ(matched, work);
}

void expect_sound(const PlanModel& a, const PlanModel& b, const Alignment& alignment,
                  AlignRule rule) {
  std::vector<model::LayerId> in_a, in_b;
  for (const Match& match : alignment.matches) {
    EXPECT_FALSE(match.a.empty() && match.b.empty());
    EXPECT_TRUE(std::ranges::is_sorted(match.a) && std::ranges::is_sorted(match.b));
    const bool is_pair = !match.a.empty() && !match.b.empty();
    EXPECT_EQ(match.by != MatchBy::kUnmatched, is_pair);
    EXPECT_EQ(match.certainty > 0, is_pair) << to_string(match.by) << match.certainty;
    EXPECT_LE(match.certainty, 1);
    if (rule != AlignRule::kBest) {
      EXPECT_LE(match.a.size(), 1U);
      EXPECT_LE(match.b.size(), 1U);
    }
    in_a.insert(in_a.end(), match.a.begin(), match.a.end());
    in_b.insert(in_b.end(), match.b.begin(), match.b.end());
  }
  expect_each_layer_once(a, in_a);
  expect_each_layer_once(b, in_b);
}

TEST(AlignmentProperty, EachLayerIsInOneMatchAndSidesAreAlike) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 400; ++round) {
    const std::vector<TestLayer> layers = random_layers(random);
    const PlanModel a = engine_of(layers);
    const PlanModel b = engine_of(round % 4 == 0 ? random_layers(random) : changed(layers, random));
    for (const AlignRule rule : kRules) {
      const Alignment alignment = align(a, b, rule);
      expect_sound(a, b, alignment, rule);
      // With sides swapped, the same matches: pairs, reasons and certainty.
      const auto mirrored = [](const Alignment& other) {
        std::set<
            std::tuple<std::vector<model::LayerId>, std::vector<model::LayerId>, MatchBy, double>>
            matches;
        for (const Match& match : other.matches) {
          matches.emplace(match.b, match.a, match.by, match.certainty);
        }
        return matches;
      };
      std::set<
          std::tuple<std::vector<model::LayerId>, std::vector<model::LayerId>, MatchBy, double>>
          matches;
      for (const Match& match : alignment.matches) {
        matches.emplace(match.a, match.b, match.by, match.certainty);
      }
      EXPECT_EQ(mirrored(align(b, a, rule)), matches) << "round " << round;
    }
  }
}

TEST(AlignmentProperty, AnEngineIsAlignedWithItself) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 400; ++round) {
    const PlanModel engine = engine_of(random_layers(random));
    for (const AlignRule rule : kRules) {
      for (const Match& match : align(engine, engine, rule).matches) {
        EXPECT_EQ(match.a.size(), 1U) << "round " << round;
        EXPECT_EQ(match.a, match.b) << "round " << round;
      }
    }
  }
}

// Many indistinguishable layers. Each takes a few tenths of a second at most, or hours if anything
// compares all with all.
TEST(AlignmentProperty, ManyLayersThatAreAlikeTakeNoLonger) {
  constexpr std::size_t kLayers = 3'000;
  const auto engine = [](std::size_t layers,
                         const std::function<void(std::size_t, TestLayer&)>& set) {
    model::ModelBuilder builder;
    for (std::size_t at = 0; at < layers; ++at) {
      TestLayer layer{.name = "layer" + std::to_string(at),
                      .in = {"t" + std::to_string(at)},
                      .out = {"t" + std::to_string(at + 1)},
                      .sources = {}};
      set(at, layer);
      add_layer(builder, layer);
    }
    return builder.finish();
  };
  const std::function<void(std::size_t, TestLayer&)> kinds[] = {
      [](std::size_t, TestLayer& layer) { layer.name = "one name"; },
      [](std::size_t at, TestLayer& layer) {
        layer.name = std::to_string(at % 7);
        layer.sources = {"one source"};
      },
      // A tensor that all read and one that all write, and nothing in order.
      [](std::size_t at, TestLayer& layer) {
        layer.name.clear();
        layer.in = {"hub"};
        layer.out = {"sink"};
        layer.dims = {1, static_cast<std::int64_t>(at * 7919 % kLayers)};
      },
      // All operations shared by two layers each, in a chain.
      [](std::size_t at, TestLayer& layer) {
        layer.name.clear();
        layer.sources = {"/op" + std::to_string(at), "/op" + std::to_string(at + 1)};
      },
  };
  for (const auto& kind : kinds) {
    const PlanModel a = engine(kLayers, kind), b = engine(kLayers - 234, kind);
    for (const AlignRule rule : kRules) expect_sound(a, b, align(a, b, rule), rule);
  }
}

}  // namespace
}  // namespace planex::analyze
