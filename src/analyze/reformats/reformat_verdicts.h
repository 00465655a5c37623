// Whether a conversion can be avoided, and how: the rules, one after the other.
#pragma once

#include <string>
#include <vector>

#include "analyze/reformats/reformats.h"

namespace planex::analyze {

class ReformatJudge {
 public:
  explicit ReformatJudge(const graph::DataFlow& flow);

  // Fills verdict, reason, changed_by, confidence, because, tensors, io_format and worth_ms of a
  // row whose other members are known. `is_repeated`: an earlier row converts the same tensor to
  // the same type and layout.
  void judge(ReformatRow& row, bool is_repeated) const;

 private:
  struct Outcome {
    ReformatReason reason;
    model::LayerId cause_layer = {};
    Confidence confidence = Confidence::kMedium;
  };

  Outcome outcome_of(const ReformatRow& row, bool is_repeated) const;
  Outcome at_edge(const ReformatRow& row) const;
  Outcome quantizing(const ReformatRow& row) const;
  Outcome dequantizing(const ReformatRow& row) const;
  Outcome casting(const ReformatRow& row) const;
  Outcome moving(const ReformatRow& row) const;
  void advise(ReformatRow& row) const;

  bool reads_quantized(model::LayerId layer) const { return reads_quantized_[layer.index()]; }
  // One of those that wrote the tensor, or an operand of an addition among them, is quantized.
  bool comes_from_quantized(model::TensorId tensor) const;
  // A later layer reads its output in a quantized type.
  bool is_quantized_behind(model::LayerId layer) const;
  bool is_float_pool_between(model::LayerId layer) const;
  bool is_quantized_matrix(model::LayerId layer) const {
    return flow_.is_matrix_layer(layer) && reads_quantized(layer);
  }
  bool is_producer(std::string_view producer) const;

  const graph::DataFlow& flow_;
  std::vector<bool> reads_quantized_;  // by layer: its first data input
};

// trtexec's word in --inputIOFormats for a type and a layout: "fp16:hwc8". Empty where it has none.
// Source: trtexec --help; ILayer tensor formats of the TensorRT developer guide.
std::string io_format_word(model::DType type, model::Layout layout);

}  // namespace planex::analyze
