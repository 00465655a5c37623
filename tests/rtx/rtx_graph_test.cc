// The graph of every real TensorRT-RTX engine is connected the way its model is, and no other way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "rtx/layer_graph.h"
#include "rtx/operation_graph.h"
#include "rtx/rtx_engines.h"
#include "support/test_data.h"

namespace planex::test {
namespace {

using model::LayerId;
using model::PlanModel;

// Operations that the compiler runs in the other order than the model. Both directions of the check
// leave these out, and a row that nothing needs fails the test.
struct Swapped {
  std::string_view engine, first, then;
};
constexpr Swapped kSwapped[] = {
    // The greatest of quantised values is the quantised greatest, and a quarter of the bytes.
    {"resnet18-qdq-naive", "maxpool", "layer1.0.conv1/inq/Q"},
    {"resnet18-qdq-residual", "maxpool", "layer1.0.resq/Q"},
    {"resnet18-qdq-residual-gap", "maxpool", "layer1.0.resq/Q"},
};

// Operations that no layer names and that are no work: views, layout that the layers before and
// after take over, results written where a concatenation wants them, control flow that has become
// jumps. All others must have a layer, or a twin that has one.
constexpr std::string_view kWithoutLayers[] = {"Concat",  "Flatten",   "Identity", "Loop",
                                               "Reshape", "Transpose", "Unsqueeze"};

// How much there was to check, over all profiles, so that nothing drops out of the checks unseen.
struct Counts {
  std::size_t pairs;    // operations that feed one another, past those without layers
  std::size_t unnamed;  // operations that no layer names
  std::size_t twins;    // of these, quantisations of a tensor of which another is named
};
const std::map<std::string_view, Counts> kCounts = {
    {"bf16", {3, 0, 0}},
    {"branches-one-stream", {24, 1, 0}},
    {"branches-streams", {24, 1, 0}},
    {"chain1000", {999, 0, 0}},
    {"cnn-two-profiles", {20, 2, 0}},
    {"conditional", {8, 0, 0}},
    {"failed-build-sm", {0, 0, 0}},
    {"failed-build-strip", {0, 0, 0}},
    {"fp8", {17, 0, 0}},
    {"int4", {8, 0, 0}},
    {"loop", {2, 2, 0}},
    {"lstm", {0, 0, 0}},
    {"misc-ops", {17, 2, 0}},
    {"mlp-qdq", {30, 0, 0}},
    {"odd-names", {3, 0, 0}},
    {"resnet18-fp16", {55, 1, 0}},
    {"resnet18-fp16-sm75", {55, 1, 0}},
    {"resnet18-fp32", {55, 1, 0}},
    {"resnet18-names-only", {56, 0, 0}},
    {"resnet18-qdq-naive", {138, 7, 6}},
    {"resnet18-qdq-residual", {153, 17, 16}},
    {"resnet18-qdq-residual-gap", {155, 17, 16}},
    {"transformer-dynamic", {68, 4, 0}},
    {"transformer-fp16", {68, 4, 0}},
    {"transformer-fp32", {70, 2, 0}},
    {"transformer12-fp16", {428, 24, 0}},
};

using Set = std::set<std::size_t>;

bool intersects(const Set& some, const std::vector<bool>& reached) {
  return std::ranges::any_of(some, [&](std::size_t index) { return reached[index]; });
}

class RtxGraph : public ::testing::TestWithParam<RtxEngine> {
 protected:
  void SetUp() override {
    PLANEX_NEED_TEST_DATA(data);
    model_ = must(load_engine(data, rtx_folder(GetParam())));
    layers_ = std::make_unique<LayerGraph>(model_);
    operations_ = std::make_unique<OperationGraph>(model_);
    std::map<std::string_view, std::size_t> by_name;
    for (std::size_t row = 0; row < model_.operations.row_count(); ++row) {
      EXPECT_TRUE(by_name.emplace(operation(row), row).second) << operation(row) << " twice";
    }
    operations_of_.resize(model_.layers.row_count());
    for (std::size_t row = 0; row < model_.sources.row_count(); ++row) {
      const auto found = by_name.find(model_.text(model_.sources.op_name[row]));
      ASSERT_NE(found, by_name.end()) << model_.text(model_.sources.op_name[row]);
      operations_of_[model_.sources.layer_id[row].index()].insert(found->second);
    }
  }

  std::string_view operation(std::size_t row) const {
    return model_.text(model_.operations.name[row]);
  }
  std::string_view layer(std::size_t row) const { return model_.text(model_.layers.name[row]); }

  // Each optimization profile is a program of its own.
  std::vector<std::optional<std::int64_t>> profiles() const {
    std::set<std::optional<std::int64_t>> found;
    for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
      found.insert(model_.layers.profile_index.get(row));
    }
    if (found.size() > 1) found.erase(std::nullopt);
    return {found.begin(), found.end()};
  }
  bool is_of(std::size_t row, std::optional<std::int64_t> profile) const {
    const auto own = model_.layers.profile_index.get(row);
    return !own || own == profile;
  }

  // By operation: the layers that name it, or else those that name one that computes the same.
  std::vector<Set> layers_of(std::optional<std::int64_t> profile) const {
    std::vector<Set> own(operations_->size()), of_twins(operations_->size());
    for (std::size_t row = 0; row < operations_of_.size(); ++row) {
      if (!is_of(row, profile)) continue;
      for (const std::size_t op : operations_of_[row]) {
        own[op].insert(row);
        of_twins[operations_->twin_of(op)].insert(row);
      }
    }
    for (std::size_t op = 0; op < own.size(); ++op) {
      if (own[op].empty()) own[op] = of_twins[operations_->twin_of(op)];
    }
    return own;
  }

  // Twins swap together.
  bool is_swapped(std::size_t first, std::size_t then) {
    for (const Swapped& swapped : kSwapped) {
      if (swapped.engine != GetParam().name || swapped.first != operation(first)) continue;
      for (std::size_t op = 0; op < operations_->size(); ++op) {
        if (operation(op) != swapped.then) continue;
        if (operations_->twin_of(op) != operations_->twin_of(then)) continue;
        has_swapped_ = true;
        return true;
      }
    }
    return false;
  }

  void expect_all_swaps_seen() const {
    const bool has_any = std::ranges::any_of(
        kSwapped, [](const Swapped& swapped) { return swapped.engine == GetParam().name; });
    EXPECT_EQ(has_swapped_, has_any);
  }

  // Layers name it beside the operation inside it that they compute.
  bool has_subgraph(std::size_t op) const {
    return std::ranges::any_of(model_.operations.subgraph.values(), [&](base::StringId path) {
      return !path.is_null() && model_.text(path) == operation(op);
    });
  }

  PlanModel model_;
  std::unique_ptr<LayerGraph> layers_;
  std::unique_ptr<OperationGraph> operations_;
  std::vector<Set> operations_of_;  // by layer
  bool has_swapped_ = false;
};

// What comes after `start`, past those for which `is_passed` holds.
template <typename Graph, typename IsPassed>
Set next_in(const Graph& graph, std::size_t start, IsPassed is_passed) {
  Set found, seen;
  std::vector<std::size_t> open = {start};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    for (const std::size_t next : graph.after(at)) {
      if (!seen.insert(next).second) continue;
      if (is_passed(next)) {
        open.push_back(next);
      } else {
        found.insert(next);
      }
    }
  }
  return found;
}

TEST_P(RtxGraph, EveryInputHasAWriter) {
  for (const LayerGraph::Read& read : layers_->unwritten()) {
    ADD_FAILURE() << layer(read.layer) << " reads "
                  << model_.text(model_.tensors.name[read.tensor.index()])
                  << ", which nobody has written";
  }
}

TEST_P(RtxGraph, EveryOperationHasALayer) {
  if (model_.layers.row_count() == 0) return;
  std::size_t unnamed = 0, twins = 0;
  for (const auto profile : profiles()) {
    const std::vector<Set> layers_of_operation = layers_of(profile);
    for (std::size_t op = 0; op < operations_->size(); ++op) {
      if (std::ranges::any_of(operations_of_, [&](const Set& all) { return all.contains(op); })) {
        EXPECT_FALSE(layers_of_operation[op].empty()) << operation(op);
        continue;
      }
      ++unnamed;
      if (!layers_of_operation[op].empty()) {
        ++twins;
        continue;
      }
      EXPECT_THAT(kWithoutLayers, ::testing::Contains(model_.text(model_.operations.type[op])))
          << operation(op);
    }
  }
  EXPECT_EQ(unnamed, kCounts.at(GetParam().name).unnamed);
  EXPECT_EQ(twins, kCounts.at(GetParam().name).twins);
}

TEST_P(RtxGraph, LayersFollowOneAnotherAsOperationsDo) {
  std::size_t pairs = 0;
  for (const auto profile : profiles()) {
    const std::vector<Set> layers_of_operation = layers_of(profile);
    const auto has_no_layer = [&](std::size_t op) { return layers_of_operation[op].empty(); };
    for (std::size_t a = 0; a < operations_->size(); ++a) {
      if (has_no_layer(a)) continue;
      std::vector<std::vector<bool>> reached;  // from each layer of `a`
      for (const std::size_t from : layers_of_operation[a]) {
        reached.push_back(layers_->reached_from({from}));
      }
      for (const std::size_t b : next_in(*operations_, a, has_no_layer)) {
        if (is_swapped(a, b)) continue;
        ++pairs;
        SCOPED_TRACE(base::format("{} feeds {}", operation(a), operation(b)));
        // Whoever computes a part of `b` has something of `a`, or is `a`'s own layer.
        for (const std::size_t to : layers_of_operation[b]) {
          EXPECT_TRUE(std::ranges::any_of(reached, [&](const auto& from) { return from[to]; }))
              << "nothing of it reaches " << layer(to);
        }
        // Nor is any of `a` for nothing.
        if (has_subgraph(a)) continue;
        std::size_t index = 0;
        for (const std::size_t from : layers_of_operation[a]) {
          EXPECT_TRUE(intersects(layers_of_operation[b], reached[index++]))
              << layer(from) << " reaches none of its layers";
        }
      }
    }
  }
  EXPECT_EQ(pairs, kCounts.at(GetParam().name).pairs);
  expect_all_swaps_seen();
}

TEST_P(RtxGraph, OperationsFollowOneAnotherAsLayersDo) {
  // Of the operations that a layer names, and all that compute the same.
  std::vector<Set> all_of(operations_of_.size());
  for (std::size_t row = 0; row < operations_of_.size(); ++row) {
    for (const std::size_t op : operations_of_[row]) {
      for (std::size_t other = 0; other < operations_->size(); ++other) {
        if (operations_->twin_of(other) == operations_->twin_of(op)) all_of[row].insert(other);
      }
    }
  }
  const auto is_nameless = [&](std::size_t row) { return all_of[row].empty(); };
  for (std::size_t from = 0; from < all_of.size(); ++from) {
    if (is_nameless(from)) continue;
    const std::vector<bool> reached = operations_->reached_from(all_of[from]);
    for (const std::size_t to : next_in(*layers_, from, is_nameless)) {
      const bool swapped = std::ranges::any_of(all_of[to], [&](std::size_t first) {
        return std::ranges::any_of(all_of[from],
                                   [&](std::size_t then) { return is_swapped(first, then); });
      });
      EXPECT_TRUE(swapped || intersects(all_of[to], reached))
          << layer(from) << " feeds " << layer(to) << ", but none of its operations those of it";
    }
  }
  expect_all_swaps_seen();
}

// Names of the second profile's bindings carry its number.
std::string_view without_profile(std::string_view name) {
  return name.substr(0, name.find(" [profile "));
}

TEST_P(RtxGraph, InputsReachTheOutputsThatTheyReachInTheModel) {
  std::size_t inputs = 0;
  for (std::size_t row = 0; row < model_.tensors.row_count(); ++row) {
    if (model_.tensors.role[row] != model::TensorRole::kInput) continue;
    ++inputs;
    const std::string_view name = model_.text(model_.tensors.name[row]);
    const std::string_view suffix = name.substr(without_profile(name).size());
    SCOPED_TRACE(name);
    const std::vector<bool> by_layers =
        layers_->reached_from(layers_->readers_of(model::TensorId(row)));
    std::set<std::string> of_layers, of_operations;
    const std::vector<bool> by_operations =
        operations_->reached_from(operations_->readers_of(without_profile(name)));
    for (std::size_t port = 0; port < model_.ports.row_count(); ++port) {
      const std::size_t tensor = model_.ports.tensor_id[port].index();
      if (model_.tensors.role[tensor] != model::TensorRole::kOutput ||
          model_.ports.direction[port] != model::Direction::kOutput) {
        continue;
      }
      const std::string_view output = model_.text(model_.tensors.name[tensor]);
      if (by_layers[model_.ports.layer_id[port].index()]) of_layers.emplace(output);
      const std::size_t* writer = operations_->writer_of(without_profile(output));
      ASSERT_NE(writer, nullptr) << output;
      const bool same_profile =
          output.ends_with(suffix) && (!suffix.empty() || without_profile(output) == output);
      if (same_profile && by_operations[*writer]) of_operations.emplace(output);
    }
    EXPECT_EQ(of_layers, of_operations);
    EXPECT_FALSE(of_layers.empty());
  }
  EXPECT_EQ(inputs > 0, model_.layers.row_count() > 0);
}

INSTANTIATE_TEST_SUITE_P(All, RtxGraph, ::testing::ValuesIn(kRtxEngines), [](const auto& test) {
  std::string name = test.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace planex::test
