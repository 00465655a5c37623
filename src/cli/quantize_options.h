// Shared by verbs that write a quantized model: model, data, places and scales.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/tune_options.h"
#include "planex/error.h"
#include "session/answer/format.h"
#include "tune/quantize.h"

namespace planex::cli {

class QuantizeOptions {
 public:
  // MODEL, --data and what belongs to it, -o, --target, --method, --samples, --judge,
  // --judge-samples, --metric, --keep, --weight-bits, --opset, --cache, --threads, --format.
  // `record`: the files written beside the model, as in FileUse::also.
  void add(CLI::App& app, std::vector<std::string> record);
  enum class DataNeed : std::uint8_t { kAlways, kOptional };
  // `example`: a command that includes what is missing. Errors: kUsage, those of the files that
  // --keep names.
  Result<tune::QuantizeRequest> request(std::string_view example,
                                        DataNeed need = DataNeed::kAlways) const;
  bool has_data() const { return data_.is_given() || !judge_path_.empty(); }
  // Whether the user gave --method, --weight-bits or --cache; they are about INT8, or scales.
  bool has_method() const { return method_ != "auto"; }
  bool has_weight_bits() const { return weight_bits_ != "auto"; }
  int threads() const { return threads_; }
  // For standard output.
  View view() const;

 private:
  tune::QuantizeRequest request_;
  DataOptions data_;
  std::vector<std::string> kept_;
  std::string judge_path_, target_ = "openvino", method_ = "auto", weight_bits_ = "auto";
  std::string format_ = "text";
  int threads_ = 1;
};

// Names of nodes; for "@FILE", the names in the file, one per line. Errors: those of reading it.
Result<std::vector<std::string>> node_names(const std::vector<std::string>& words);

}  // namespace planex::cli
