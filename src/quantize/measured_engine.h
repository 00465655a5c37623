// A measured engine, as far as gains need it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace planex::quantize {

struct MeasuredLayer {
  std::string name;
  std::vector<std::string> nodes;  // nodes of the model that it stems from, as the engine calls
                                   // them
  std::optional<double> time_ms;   // time in one inference
  std::optional<double> least_ms;  // of all inferences
  bool is_conversion = false;      // computes nothing: changes type or layout, quantizes
  bool is_product = false;         // a convolution or matrix product
  bool is_pointwise = false;       // not a product, not a pooling: additions, activations,
                                   // quantizers
  bool reads_quantized = false;    // its first data input
  bool writes_float = false;       // its first output
  // Float activations, in bytes and in values: INT8 has a byte for each value.
  std::int64_t float_read_bytes = 0, float_read_values = 0;
  std::int64_t float_written_bytes = 0, float_written_values = 0;
  std::int64_t written_bytes = 0;  // all activations that it writes

  // Bytes of activations and weights; null where a size is unknown.
  std::optional<std::int64_t> moved_bytes, macs;
  std::vector<std::string> findings;  // ids of the lint rules that fire on it
};

struct MeasuredEngine {
  std::string path, producer;
  std::vector<MeasuredLayer> layers;    // layers that do work, in execution order
  std::optional<double> end_to_end_ms;  // median
  // Time of an undisturbed inference; null: the same as end_to_end_ms.
  std::optional<double> undisturbed_ms;
  // Why no layer has a time although the files contain some; empty otherwise.
  std::string untimed_reason;
  // It computes a layer in INT8 only where the layer's output is also quantized.
  bool fuses_between_pairs = false;
  // A quantizer directly after an INT8 product runs inside it.
  bool products_quantize = false;

  std::size_t float_layer_count() const;  // layers that write float
  std::int64_t written_bytes() const;
  std::optional<double> layers_ms() const;  // the sum of their times; null where one has none
};

}  // namespace planex::quantize
