// Engines such as ONNX Runtime compute a node in 8 bits only where it has pairs on all sides: which
// nodes these are once the advice is followed, and which pieces of advice each of them needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "quantize/advice.h"
#include "quantize/existing.h"
#include "quantize/flow.h"

namespace planex::quantize {

class BetweenPairs {
 public:
  // All must outlive this. Cost: O(nodes and links), plus paths over nodes that move values.
  BetweenPairs(const Flow& flow, const Existing& existing, std::span<const Advice> advice);

  // With all advice followed, everything that the node reads and writes is quantized, including its
  // weights.
  bool has(onnx::Index node) const { return has_[node]; }
  // Nodes that compute, and that a piece puts a pair next to or whose type it changes; ascending.
  const std::set<onnx::Index>& nodes_of(std::size_t piece) const { return nodes_of_[piece]; }
  // The pieces that affect a node this way; ascending.
  const std::set<std::size_t>& pieces_of(onnx::Index node) const { return pieces_of_[node]; }
  // Those of them that concern what the node reads.
  const std::set<std::size_t>& input_pieces_of(onnx::Index node) const {
    return input_pieces_of_[node];
  }
  // The node that computes what is written to the tensor, before an activation that goes into its
  // quantizer; kNoIndex: none that has kernels.
  onnx::Index computing(TensorId tensor) const;

 private:
  using Key = std::pair<onnx::Index, std::uint32_t>;

  bool is_read_quantized(onnx::Index node, std::uint32_t input) const;
  bool is_written_quantized(onnx::Index node) const;
  bool is_between(onnx::Index node) const;
  void name_readers(std::size_t piece, const onnx::Reader& reader);
  void name(std::size_t piece, onnx::Index node);

  const Flow& flow_;
  std::set<Key> reads_;            // inputs that read a pair, or quantized weights
  std::set<TensorId> is_written_;  // tensors that have a quantizer
  std::set<TensorId> gives_;       // outputs of the model whose name moves to what DQ writes
  std::vector<bool> has_;
  std::vector<std::set<onnx::Index>> nodes_of_;
  std::vector<std::set<std::size_t>> pieces_of_, input_pieces_of_;
};

}  // namespace planex::quantize
