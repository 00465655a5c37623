// Nodes that compute the same from the same, and constants with the same content.
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "clean/passes.h"
#include "clean/patterns.h"

namespace planex::clean {
namespace {

// Others could differ each time they run, or be there twice for a purpose: a Q/DQ for each reader
// is how some engines are told what to fuse.
bool is_mergeable(const Draft& draft, NodeId node) {
  const std::string_view op = draft.op(node);
  return !op.empty() && !draft.has_bodies(node) && !is_quantizing(op) && op != "Constant" &&
         !op.starts_with("Random") && op != "Bernoulli" && op != "Multinomial" && op != "Dropout" &&
         draft.input_count(node) > 0;
}

bool has_pinned_output(const Draft& draft, NodeId node) {
  for (const TensorId output : draft.outputs(node)) {
    if (output != kNone && draft.tensor(output).is_pinned()) return true;
  }
  return false;
}

void merge_nodes(Work& work) {
  Draft& draft = work.draft;
  std::unordered_map<std::string, NodeId> seen;
  for (const NodeId node : draft.nodes()) {
    if (!is_mergeable(draft, node)) continue;
    const auto attributes = draft.attribute_key(node);
    if (!attributes) continue;
    std::string key(draft.op(node));
    for (std::size_t place = 0; place < draft.input_count(node); ++place) {
      key += ' ' + std::to_string(draft.input(node, place));
    }
    key += '\n' + *attributes;
    const auto [first, is_new] = seen.try_emplace(std::move(key), node);
    if (is_new || draft.outputs(first->second).size() != draft.outputs(node).size() ||
        has_pinned_output(draft, node)) {
      continue;
    }
    bool is_whole = true;
    for (std::size_t i = 0; i < draft.outputs(node).size(); ++i) {
      is_whole &= draft.output(node, i) == kNone || draft.output(first->second, i) != kNone;
    }
    if (!is_whole) continue;
    work.tell(node);
    for (std::size_t i = 0; i < draft.outputs(node).size(); ++i) {
      const TensorId output = draft.output(node, i);
      if (output != kNone) draft.redirect(output, draft.output(first->second, i));
    }
    draft.remove(node);
  }
}

bool is_read_by_quantizers(const Draft& draft, TensorId tensor) {
  for (const Use& use : draft.tensor(tensor).readers) {
    if (is_quantizing(draft.op(use.node))) return true;
  }
  return false;
}

void merge_constants(Work& work) {
  Draft& draft = work.draft;
  using Key = std::pair<onnx::DataType, Dims>;
  std::map<Key, std::vector<TensorId>> alike;
  for (TensorId id = 0; id < draft.tensor_count(); ++id) {
    const DraftTensor& tensor = draft.tensor(id);
    if (!draft.is_constant(id) || tensor.maker != kNone || tensor.readers.empty() ||
        tensor.is_pinned() || is_read_by_quantizers(draft, id)) {
      continue;
    }
    alike[{tensor.type, *draft.constant_dims(id)}].push_back(id);
  }
  for (const auto& [key, tensors] : alike) {
    if (tensors.size() < 2) continue;
    std::unordered_map<std::size_t, TensorId> seen;
    for (const TensorId id : tensors) {
      const auto hash = draft.content_hash(id);
      if (!hash) continue;
      const auto [first, is_new] = seen.try_emplace(*hash, id);
      if (is_new) continue;
      const auto one = draft.load(first->second), two = draft.load(id);
      if (!one || !two || one->raw != two->raw) continue;
      work.tell(draft.tensor(id).name);
      draft.redirect(id, first->second);
    }
  }
}

void merge_duplicates(Work& work) {
  merge_constants(work);
  merge_nodes(work);
}

}  // namespace

const Pass passes::kDuplicates{"duplicates",
                               "nodes that compute the same, and constants with the same content",
                               Effect::kExact, merge_duplicates};

}  // namespace planex::clean
