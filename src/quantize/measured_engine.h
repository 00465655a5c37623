// An engine that was measured, as far as gains need it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace planex::quantize {

struct MeasuredLayer {
  std::string name;
  std::vector<std::string> nodes;  // of the model that it stems from, as the engine calls them
  std::optional<double> time_ms;   // of one inference
  bool is_conversion = false;      // computes nothing: changes type or layout, quantizes
  bool is_product = false;         // a convolution or matrix product
  bool is_pointwise = false;       // no product, no pooling: additions, activations, quantizers
  bool reads_quantized = false;    // its first data input
  bool writes_float = false;       // its first output
  // Float activations, in bytes and in values: INT8 has a byte for each value.
  std::int64_t float_read_bytes = 0, float_read_values = 0;
  std::int64_t float_written_bytes = 0, float_written_values = 0;
  std::int64_t written_bytes = 0;  // all activations that it writes

  // Of activations and weights; null where a size is not known.
  std::optional<std::int64_t> moved_bytes, macs;
  std::vector<std::string> findings;  // ids of the lint rules that fire on it
};

struct MeasuredEngine {
  std::string path, producer;
  std::vector<MeasuredLayer> layers;    // that do work, in execution order
  std::optional<double> end_to_end_ms;  // median
  // Of an inference that nothing disturbed; null: as end_to_end_ms.
  std::optional<double> undisturbed_ms;
  // Why no layer has a time though the files have some; empty otherwise.
  std::string untimed_reason;
  // It computes a layer in INT8 only where what the layer writes is quantized, too.
  bool fuses_between_pairs = false;
  // A quantizer right behind a product in INT8 runs inside of it.
  bool products_quantize = false;

  std::size_t float_layer_count() const;  // that write float
  std::int64_t written_bytes() const;
  std::optional<double> layers_ms() const;  // the sum of their times; null where one has none
};

}  // namespace planex::quantize
