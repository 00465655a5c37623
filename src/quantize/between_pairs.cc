#include "quantize/between_pairs.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace planex::quantize {
namespace {

using onnx::Index;
using onnx::kNoIndex;
using onnx::Reader;

constexpr std::array<std::string_view, 3> kPairedProducts = {"Conv", "Gemm", "MatMul"};
// Operators that have 8-bit kernels.
constexpr std::array<std::string_view, 7> kOnEightBits = {
    "Add", "Mul", "Concat", "Sigmoid", "LeakyRelu", "GlobalAveragePool", "AveragePool"};
// Dropped before a quantizer that saturates the same way.
constexpr std::array<std::string_view, 2> kDropped = {"Relu", "Clip"};
constexpr std::uint32_t kWeightAt = 1, kBiasAt = 2;
// Nodes that move values, one after the other; no model has so many, and a path that is walked for
// each piece must not be longer.
constexpr int kMaxPath = 64;

// The only node that reads a tensor; kNoIndex: there are others.
Index sole_reader(const Flow& flow, TensorId tensor) {
  const auto readers = flow.readers(tensor);
  return readers.size() == 1 ? readers.front().node : kNoIndex;
}

// The Add of a bias that is the only reader of a MatMul: both become a Gemm.
Index bias_behind(const Flow& flow, Index node) {
  if (flow.op(node) != "MatMul") return kNoIndex;
  const TensorId made = flow.output(node);
  const Index next = made == kNoTensor ? kNoIndex : sole_reader(flow, made);
  if (next == kNoIndex || next <= node || flow.op(next) != "Add") return kNoIndex;
  const TensorId first = flow.input(next, 0), second = flow.input(next, 1);
  const TensorId other = first == made ? second : first;
  return other != kNoTensor && other != made && flow.is_fixed(other) ? next : kNoIndex;
}

}  // namespace

BetweenPairs::BetweenPairs(const Flow& flow, const Existing& existing,
                           std::span<const Advice> advice)
    : flow_(flow),
      has_(flow.model().nodes.size()),
      nodes_of_(advice.size()),
      pieces_of_(flow.model().nodes.size()),
      input_pieces_of_(flow.model().nodes.size()) {
  const auto take = [&](const std::vector<Reader>& readers) {
    for (const Reader& reader : readers) reads_.insert({reader.node, reader.input});
  };
  for (const ExistingPair& pair : existing.pairs) {
    take(pair.readers);
    is_written_.insert(flow.resolve(flow.find(pair.tensor)));
  }
  for (const ExistingWeight& weight : existing.weights) take(weight.readers);
  for (const Advice& one : advice) {
    if (one.action == Action::kRemove) {
      for (const Reader& reader : one.readers) reads_.erase({reader.node, reader.input});
      continue;
    }
    take(one.readers);
    const TensorId tensor = flow.resolve(flow.find(one.tensor));
    is_written_.insert(tensor);
    if (one.takes_name) gives_.insert(tensor);
  }
  for (Index node = 0; node < flow.node_count(); ++node) has_[node] = is_between(node);
  for (std::size_t piece = 0; piece < advice.size(); ++piece) {
    const Advice& one = advice[piece];
    if (one.action == Action::kRemove || one.action == Action::kShareScale) continue;
    for (const Reader& reader : one.readers) name_readers(piece, reader);
    const TensorId tensor = flow.find(one.tensor);
    if (tensor != kNoTensor) name(piece, computing(flow.resolve(tensor)));
  }
}

Index BetweenPairs::computing(TensorId tensor) const {
  Index maker = flow_.maker(tensor);
  for (int steps = 0; maker != kNoIndex && steps < kMaxPath; ++steps) {
    if (!flow_.is_op(maker, kDropped) && !keeps_values(flow_.op(maker))) break;
    const Index before = flow_.maker(flow_.input(maker, 0));
    if (before != kNoIndex && before >= maker) return kNoIndex;  // a damaged model
    maker = before;
  }
  if (maker != kNoIndex && flow_.op(maker) == "Add") {
    for (const TensorId input : flow_.inputs(maker)) {
      const Index product = flow_.maker(input);
      if (product != kNoIndex && bias_behind(flow_, product) == maker) return product;
    }
  }
  if (flow_.is_op(maker, kPairedProducts) || flow_.is_op(maker, kOnEightBits)) return maker;
  return kNoIndex;
}

// Pairs move over what only moves values.
bool BetweenPairs::is_read_quantized(Index node, std::uint32_t input) const {
  for (int steps = 0; !reads_.contains({node, input}); ++steps) {
    if (steps == kMaxPath) return false;
    const TensorId tensor = flow_.input(node, input);
    const Index maker = flow_.maker(tensor);
    if (maker == kNoIndex || maker >= node || !keeps_values(flow_.op(maker))) return false;
    node = maker;
    input = 0;
  }
  return true;
}

bool BetweenPairs::is_written_quantized(Index node) const {
  if (const Index bias = bias_behind(flow_, node); bias != kNoIndex) node = bias;
  TensorId made = flow_.output(node);
  for (int steps = 0; made != kNoTensor && steps < kMaxPath; ++steps) {
    const bool stays_inside =
        (!flow_.link(made).is_output && !flow_.link(made).is_captured) || gives_.contains(made);
    if (!stays_inside) return false;
    if (is_written_.contains(made)) {
      return std::ranges::all_of(flow_.readers(made), [&](const Reader& reader) {
        return reads_.contains({reader.node, reader.input});
      });
    }
    const Index next = sole_reader(flow_, made);
    if (next == kNoIndex || next <= node) return false;
    if (!flow_.is_op(next, kDropped) && !keeps_values(flow_.op(next))) return false;
    node = next;
    made = flow_.output(next);
  }
  return false;
}

bool BetweenPairs::is_between(Index node) const {
  const bool is_product = flow_.is_op(node, kPairedProducts);
  if (!is_product && !flow_.is_op(node, kOnEightBits)) return false;
  bool reads_data = false;
  const auto inputs = flow_.inputs(node);
  for (std::uint32_t place = 0; place < inputs.size(); ++place) {
    if (inputs[place] == kNoTensor) continue;
    const bool is_fixed = flow_.is_fixed(inputs[place]);
    // A bias in float becomes INT32 automatically.
    if (is_fixed && is_product && place != kWeightAt) continue;
    if (is_fixed ? !reads_.contains({node, place}) : !is_read_quantized(node, place)) return false;
    reads_data = reads_data || !is_fixed;
  }
  if (!reads_data) return false;
  const bool has_bias = flow_.input(node, kBiasAt) != kNoTensor;
  const bool may_write_float =
      (flow_.op(node) == "MatMul" && bias_behind(flow_, node) == kNoIndex) ||
      (flow_.op(node) == "Gemm" && !has_bias);
  return may_write_float || is_written_quantized(node);
}

void BetweenPairs::name(std::size_t piece, Index node) {
  if (node == kNoIndex) return;
  nodes_of_[piece].insert(node);
  pieces_of_[node].insert(piece);
}

// The reader, or the nodes after it where it only moves values.
void BetweenPairs::name_readers(std::size_t piece, const Reader& reader) {
  std::vector<Index> open = {reader.node};
  std::set<Index> seen;
  while (!open.empty() && seen.size() < kMaxPath) {
    const Index node = open.back();
    open.pop_back();
    if (!seen.insert(node).second) continue;
    if (flow_.is_op(node, kPairedProducts) || flow_.is_op(node, kOnEightBits)) {
      name(piece, node);
      input_pieces_of_[node].insert(piece);
    } else if (keeps_values(flow_.op(node))) {
      const TensorId made = flow_.output(node);
      if (made == kNoTensor) continue;
      for (const Reader& next : flow_.readers(made)) {
        if (next.node > node) open.push_back(next.node);
      }
    }
  }
}

}  // namespace planex::quantize
