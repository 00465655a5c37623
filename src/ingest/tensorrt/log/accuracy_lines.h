// Warnings of a build that the engine does not compute exactly what the model says: each kind once,
// with the named nodes, layers and tensors.
//
//   Detected layernorm nodes in FP16: ReduceMean_13, Pow_15
//   - 131 weights are affected by this issue: Detected subnormal FP16 values.     (8.5 and newer)
//   Weights [name=Conv_31 + Relu_33.weight] had the following issues when converted to FP16:
//    - Subnormal FP16 values detected.
//   Missing scale and zero-point for tensor 768, expect fall back to non-int8 implementation for …
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ingest/reader.h"
#include "ingest/tensorrt/log/log_lines.h"
#include "trtexec/known_messages.h"

namespace planex::ingest::tensorrt {

class AccuracyLines {
 public:
  // Whether take() may consume a verbose line that begins like this.
  static bool wants(std::string_view text);
  // Consumes a line if it is of this kind, and returns whether it did.
  bool take(const LogLine& line);

  // One diagnostic per kind; sections "accuracy_warnings" (kind, name) and
  // "accuracy_warning_weights" (kind, number of weights) of the metadata.
  void add_diagnostics(const Artefact& artefact, model::ModelBuilder& builder) const;

 private:
  struct Warning {
    const trtexec::KnownMessage* known = nullptr;
    std::string_view text;
    std::optional<std::int64_t> weight_count;
    std::vector<std::string_view> names;  // each once
    std::unordered_set<std::string_view> seen;
    std::uint64_t byte_offset = 0;
  };

  Warning& warning_of(const trtexec::KnownMessage& known, const LogLine& line);
  static void add_name(Warning& warning, std::string_view name);

  std::vector<Warning> warnings_;
  // The layer whose weights the following lines are about.
  std::string_view weights_of_;
  bool is_in_weights_ = false;
};

}  // namespace planex::ingest::tensorrt
