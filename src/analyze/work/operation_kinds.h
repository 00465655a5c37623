// What an operator of the source model computes, for counting its work.
#pragma once

#include <cstdint>
#include <string_view>

namespace planex::analyze {

enum class OperationKind : std::uint8_t {
  kProduct,    // convolutions, matrix products, attention: multiply-accumulates
  kRecurrent,  // LSTM, GRU, RNN: products that a compiler may spread over many layers
  kPointwise,  // one operation per output element
  kMovement,   // moves, views or converts: nothing is computed
  kOther,      // known not to contain products: softmax, norms, reductions, pooling
  kUnknown,    // may compute anything: control flow, operators of other domains
};

// For what ONNX Runtime computes on channels in blocks (NCHWc).
inline constexpr std::string_view kBlockedDomain = "com.microsoft.nchwc";

// `domain` is the operator's; empty is ONNX's own.
OperationKind operation_kind(std::string_view domain, std::string_view type);

}  // namespace planex::analyze
