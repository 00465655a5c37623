// The result of quantizing a model: it is shown, written as planex.quantize/1, and read back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arrays/difference.h"
#include "quantize/labels.h"
#include "quantize/metric_score.h"
#include "quantize/placement_rules.h"
#include "quantize/rewrite.h"
#include "quantize/thresholds.h"

namespace planex::quantize {

// A file rejected as a sample.
struct RefusedSample {
  std::string path, why;
};

// A tensor that results are judged by.
struct JudgedTensor {
  std::string tensor;
  arrays::Difference difference;
  std::optional<arrays::Agreement> agreement;  // where a Softmax shows that classes are the last
                                               // axis
};

struct MethodScore {
  MethodOptions method;
  std::vector<JudgedTensor> simulated;
  bool is_chosen = false;
};

struct QuantizedTensor {
  std::string tensor;
  std::string node;  // node that makes it; empty: an input, or a node without a name
  double min = 0, max = 0;
  double threshold = 0;
  float scale = 0;
  bool is_unsigned = false;  // uint8, else int8 or FP8: `encoding` tells which
  Encoding encoding = Encoding::kSigned;
  std::uint8_t zero_point = 0;
  std::uint32_t scale_group = 0;
  Judgement judgement;
  Histogram histogram;
  std::vector<std::string> rules;
};

struct Decision {
  std::string rule, node, tensor;
  bool is_applied = false;
  std::string why;
};

struct Outcome {
  std::string model, output, cache;
  std::string output_sha256;  // of the file, without its external data; empty: unknown
  Target target = Target::kOpenvino;
  NumberFormat format = NumberFormat::kInt8;
  MethodOptions method;
  int weight_bits = 8;
  std::optional<int> block_size;  // number of INT4 values that share a scale; null: one per channel
  std::int64_t opset = 0;
  std::vector<std::string> layers;        // whose weights are quantized
  std::vector<std::string> float_layers;  // weighted layers that stay in float
  std::vector<QuantizedTensor> tensors;
  std::vector<WeightScales> weights;
  std::vector<Decision> decisions;
  std::vector<MethodScore> scores;   // simulated, on held-out samples
  std::vector<JudgedTensor> engine;  // float to engine; empty: not judged
  std::vector<JudgedTensor> engine_to_simulated;
  std::vector<LabelScore> labels;  // empty: no labels, or no classes
  std::vector<MetricScore> metrics;
  std::size_t calibration_count = 0, judge_count = 0;
  std::vector<std::string> preparation;
  std::vector<RefusedSample> refused;
  std::string runtime_version, isa;
  bool has_vnni = false;
  std::vector<std::string> notes;
};

}  // namespace planex::quantize
