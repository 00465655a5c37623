// Real models, damaged in many ways.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "onnx/attributes.h"
#include "onnx/check.h"
#include "onnx/likeness.h"
#include "onnx/read.h"
#include "support/test_data.h"

namespace planex::onnx {
namespace {

// Reads everything that a model has.
std::size_t touch(const Model& model) {
  std::size_t sum = find_missing_inputs(model).size();
  for (const std::string_view name : model.names) sum += name.size();
  for (const Node& node : model.nodes) {
    sum += node.name.size() + model.inputs_of(node).size() + model.outputs_of(node).size();
    for (const Attribute& attribute : model.attributes_of(node)) {
      sum += count_of(attribute) + attribute.name.size();
      sum += ints_of(attribute, 100).size() + floats_of(attribute, 100).size();
      for (const std::string_view text : strings_of(attribute, 100)) sum += text.size();
      sum += string_of(attribute).value_or("").size();
      if (int_of(attribute) || float_of(attribute)) ++sum;
    }
  }
  for (const Tensor& tensor : model.tensors) {
    sum += static_cast<std::size_t>(bytes_of(model, tensor).value_or(0));
    if (has_wrong_size(model, tensor)) ++sum;
  }
  for (const Graph& graph : model.graphs) {
    sum += graph.name.size() + model.initializers_of(graph).size();
    for (const Value& value : model.values_of(graph)) sum += model.dims_of(value).size();
  }
  return sum;
}

// Places outside weights, which the reader never reads.
std::vector<std::size_t> places_of_structure(const std::string& file) {
  std::vector<bool> is_weight(file.size(), false);
  const auto model = read_model(file);
  EXPECT_TRUE(model.has_value());
  if (!model) return {};
  for (const Tensor& tensor : model->tensors) {
    if (tensor.storage != Storage::kRaw) continue;
    std::fill_n(is_weight.begin() + static_cast<std::ptrdiff_t>(tensor.data_offset),
                *tensor.stored_bytes, true);
  }
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < file.size(); ++at) {
    if (!is_weight[at]) places.push_back(at);
  }
  return places;
}

TEST(RealModels, SurviveDamage) {
  PLANEX_NEED_TEST_DATA(data);
  std::mt19937 random(7);
  std::size_t models = 0, errors = 0;
  constexpr std::size_t kMaxBytes = 200 * 1024;
  for (const std::string& path : test::files_below(data, {".onnx"})) {
    const std::string file = test::read_text(path);
    if (file.size() > kMaxBytes) continue;
    const std::vector<std::size_t> places = places_of_structure(file);
    ASSERT_FALSE(places.empty());
    for (int round = 0; round < 1'000; ++round) {
      std::string damaged = file;
      for (std::size_t i = random() % 6 + 1; i > 0 && !damaged.empty(); --i) {
        const std::size_t at = std::min(places[random() % places.size()], damaged.size() - 1);
        switch (random() % 5) {
          case 0:
            damaged[at] = static_cast<char>(random());
            break;
          case 1:
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
            break;
          case 2:
            damaged.erase(at, 1 + random() % 8);
            break;
          case 3:
            damaged.insert(at, damaged.substr(random() % damaged.size(), 1 + random() % 200));
            break;
          default:
            if (round % 3 == 0) damaged.resize(at);
            break;
        }
      }
      // Exactly sized, so that the sanitizer sees any step too far.
      damaged.shrink_to_fit();
      (void)likeness(std::string_view(damaged).substr(0, 4096));
      const auto model = read_model(damaged);
      if (model) {
        ++models;
        (void)touch(*model);
      } else {
        ++errors;
        EXPECT_FALSE(model.error().message.empty());
        EXPECT_TRUE(model.error().byte_offset.has_value()) << model.error().message;
      }
    }
  }
  EXPECT_GT(models, 0u);
  EXPECT_GT(errors, 0u);
  std::printf("             %zu models, %zu errors\n", models, errors);
}

}  // namespace
}  // namespace planex::onnx
