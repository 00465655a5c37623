// Small hand-made engines, and alignments as text.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyze/align/alignment.h"
#include "model/builder.h"

namespace planex::analyze {

struct TestLayer {
  std::string name;
  std::vector<std::string> in, out;
  std::vector<std::string> sources;
  std::string type = "Convolution";
  model::Family family = model::Family::kConvolution;
  std::vector<std::int64_t> dims = {1, 64, 56, 56};
  model::Role role = model::Role::kWork;
  model::DType reads = model::DType::kFp16, writes = model::DType::kFp16;
  model::BlockId block;
  std::int64_t inner_size = 0;  // of the product; 0: none
};

inline TestLayer reformat(std::string name, std::string in, std::string out) {
  return {.name = std::move(name),
          .in = {std::move(in)},
          .out = {std::move(out)},
          .sources = {},
          .type = "Reformat",
          .family = model::Family::kReformat};
}

inline void add_layer(model::ModelBuilder& builder, const TestLayer& facts) {
  const model::LayerId layer = builder.add_layer(builder.strings().add(facts.name));
  const std::size_t row = layer.index();
  model::LayersTable& layers = builder.model().layers;
  layers.type.set(row, builder.strings().intern(facts.type));
  layers.family.set(row, facts.family);
  layers.role.set(row, facts.role);
  layers.precision.set(row, facts.reads);
  layers.output_precision.set(row, facts.writes);
  layers.block_id.set(row, facts.block);
  if (facts.inner_size > 0) layers.gemm_k.set(row, facts.inner_size);
  for (const std::string& tensor : facts.in) {
    builder.add_port(layer, model::Direction::kInput,
                     {.tensor = tensor, .dims = facts.dims, .dtype = facts.reads});
  }
  for (const std::string& tensor : facts.out) {
    builder.add_port(layer, model::Direction::kOutput,
                     {.tensor = tensor, .dims = facts.dims, .dtype = facts.writes});
  }
  for (const std::string& source : facts.sources) {
    builder.add_source(layer, source, {}, model::Evidence::kMetadata);
  }
}

inline model::PlanModel engine_of(const std::vector<TestLayer>& layers) {
  model::ModelBuilder builder;
  for (const TestLayer& layer : layers) add_layer(builder, layer);
  return builder.finish();
}

// "a1 + a2 = b1 (source)", "a3 =", "= b2": names of layers, in the order of the matches.
inline std::vector<std::string> said(const model::PlanModel& a, const model::PlanModel& b,
                                     const Alignment& alignment) {
  const auto names = [](const model::PlanModel& model, const std::vector<model::LayerId>& layers) {
    std::string text;
    for (const model::LayerId layer : layers) {
      if (!text.empty()) text += " + ";
      text += model.text(model.layers.name[layer.index()]);
    }
    return text;
  };
  std::vector<std::string> lines;
  for (const Match& match : alignment.matches) {
    std::string line = names(a, match.a);
    line += line.empty() ? "=" : " =";
    if (!match.b.empty()) line += " " + names(b, match.b);
    if (match.by != MatchBy::kUnmatched) line += " (" + std::string(to_string(match.by)) + ")";
    lines.push_back(std::move(line));
  }
  return lines;
}

using RowPair = std::pair<std::size_t, std::size_t>;

// Every layer of A with every layer of B in each match.
inline std::set<RowPair> pairs_of(const Alignment& alignment) {
  std::set<RowPair> pairs;
  for (const Match& match : alignment.matches) {
    for (const model::LayerId a : match.a) {
      for (const model::LayerId b : match.b) pairs.emplace(a.index(), b.index());
    }
  }
  return pairs;
}

}  // namespace planex::analyze
