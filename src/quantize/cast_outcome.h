// The result of casting a model to a small float type: it is shown, and written as planex.cast/1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/data_types.h"
#include "quantize/cast.h"
#include "quantize/outcome.h"

namespace planex::quantize {

// A node that stays in float (quantize/cast.h).
struct CastKept {
  std::string node, op_type, rule, why;
};

// A float tensor of the model, as measured on the data.
struct CastTensor {
  std::string tensor;
  double min = 0, max = 0;  // of finite values
  double limit_ratio = 0;   // largest magnitude over the largest that the type may be used for
  bool is_small = false;    // it has the small type now
  // Against the float model, in the cast model's own arithmetic; null: not compared.
  std::optional<arrays::Difference> simulated;
};

// Nodes that were kept in float to protect the outputs.
struct CastTry {
  std::vector<std::string> nodes;
  std::optional<double> worst_db;  // of the judged tensors, with them in float
  bool is_taken = false;
};

// An option of an older trtexec command.
struct CastOption {
  std::string option, change, now, why;
};

struct CastOutcome {
  std::string model;
  std::string output;  // empty: the model stays as it is
  std::optional<onnx::DataType> type;
  double margin = 0;
  std::int64_t opset_before = 0, opset = 0;
  std::size_t small_nodes = 0;
  CastCounts counts;
  std::vector<std::string> small_io;  // inputs and outputs that changed their type
  std::vector<CastKept> kept;
  // Empty: no data, so the ranges of weights alone decided.
  std::vector<CastTensor> tensors;
  std::vector<JudgedTensor> simulated;  // float to the cast model's own arithmetic
  std::optional<double> keep_below_db;
  std::vector<CastTry> tries;
  std::size_t sample_count = 0, judge_count = 0;
  std::vector<std::string> preparation;
  std::vector<RefusedSample> refused;
  std::string runtime_version, isa;
  // The command of an older trtexec; empty: none was given.
  std::string old_command, new_command;
  std::vector<CastOption> options;
  std::vector<std::string> notes;
};

// "fp16", "bf16"; empty for others.
constexpr std::string_view short_name(onnx::DataType type) {
  if (type == onnx::DataType::kFloat16) return "fp16";
  return type == onnx::DataType::kBfloat16 ? "bf16" : "";
}

constexpr std::optional<onnx::DataType> small_type(std::string_view name) {
  for (const auto type : {onnx::DataType::kFloat16, onnx::DataType::kBfloat16}) {
    if (name == short_name(type)) return type;
  }
  return std::nullopt;
}

}  // namespace planex::quantize
