// Computes what depends on nothing but constants, or on shapes that the model fixes: Shape, Gather,
// Unsqueeze, Concat in front of a Reshape are nine nodes in ten of some exports.
#include <algorithm>

#include "clean/evaluate.h"
#include "clean/passes.h"
#include "clean/patterns.h"
#include "onnx/shape_rules.h"

namespace planex::clean {
namespace {

// More are not computed here.
constexpr std::int64_t kMaxFoldedBytes = std::int64_t{256} << 20;
// One node may grow the file by so much without asking; all of them by Work::room_bytes.
constexpr std::int64_t kFreeBytes = 4 * 1024;

// A short list of sizes that is known although it is computed.
bool fold_known_list(Draft& draft, NodeId node) {
  const TensorId output = draft.output(node);
  if (output == kNone || draft.outputs(node).size() != 1) return false;
  const DraftTensor& made = draft.tensor(output);
  const bool is_long = made.type == onnx::DataType::kInt64;
  if (!made.list || made.is_output || (!is_long && made.type != onnx::DataType::kInt32) ||
      !made.shape || made.shape->size() > 1 || contains(*made.list, onnx::kUnknownElement)) {
    return false;
  }
  const Dims& list = *made.list;
  const auto count = static_cast<std::int64_t>(list.size());
  const bool is_scalar = made.shape->empty();
  if (is_scalar ? count != 1 : made.shape->front() >= 0 && made.shape->front() != count) {
    return false;
  }
  Constant value{made.type, is_scalar ? Dims() : Dims{count}, {}};
  if (is_long) {
    value.raw = onnx::raw_of(list);
  } else {
    std::vector<std::int32_t> small;
    for (const std::int64_t element : list) {
      if (!std::in_range<std::int32_t>(element)) return false;
      small.push_back(static_cast<std::int32_t>(element));
    }
    value.raw = onnx::raw_of(small);
  }
  draft.become_constant(output, std::move(value));
  return true;
}

class Folder {
 public:
  explicit Folder(Work& work) : work_(work), draft_(work.draft) {}

  bool fold(NodeId node) {
    if (draft_.has_bodies(node) || is_quantizing(draft_.op(node))) return false;
    for (const TensorId output : draft_.outputs(node)) {
      if (output != kNone && draft_.tensor(output).is_output) return false;
    }
    std::int64_t freed = 0, all = 0;
    std::vector<std::optional<Constant>> inputs;
    for (std::size_t place = 0; place < draft_.input_count(node); ++place) {
      const TensorId input = draft_.input(node, place);
      if (input == kNone) continue;
      const auto bytes = draft_.constant_bytes(input);
      if (!bytes || __builtin_add_overflow(all, *bytes, &all) || all > kMaxFoldedBytes)
        return false;
      // The data of another file stay there.
      const bool goes = draft_.tensor(input).readers.size() == 1 &&
                        !draft_.tensor(input).is_pinned() && !draft_.is_external(input);
      if (goes) freed += *bytes;
    }
    if (draft_.input_count(node) == 0 || !is_small(node, freed)) return false;
    for (std::size_t place = 0; place < draft_.input_count(node); ++place) {
      const TensorId input = draft_.input(node, place);
      inputs.push_back(input == kNone ? std::nullopt : draft_.load(input));
      if (input != kNone && !inputs.back()) return false;
    }
    auto made = evaluated(draft_, node, inputs);
    if (!made || made->size() != draft_.outputs(node).size()) return false;
    std::int64_t grown = -freed;
    for (const Constant& one : *made) grown += static_cast<std::int64_t>(one.raw.size());
    if (grown > kFreeBytes && grown > work_.room_bytes) return false;
    work_.room_bytes -= std::max<std::int64_t>(grown, 0);
    work_.tell(node);
    const std::vector<TensorId> outputs(draft_.outputs(node).begin(), draft_.outputs(node).end());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i] != kNone) draft_.become_constant(outputs[i], std::move((*made)[i]));
    }
    draft_.remove(node);
    return true;
  }

 private:
  // Before anything is computed, by the shape that the output has: a mask of a gigabyte can follow
  // from two numbers.
  bool is_small(NodeId node, std::int64_t freed) {
    for (const TensorId output : draft_.outputs(node)) {
      if (output == kNone) continue;
      const auto shape = draft_.static_shape(output);
      const auto count = shape ? count_of(*shape) : std::nullopt;
      if (!count) {
        // These are as large as their inputs.
        const std::string_view op = draft_.op(node);
        if (op == "Expand" || op == "Tile" || op == "ConstantOfShape" || op == "Range") {
          return expands_little(node);
        }
        continue;
      }
      if (*count > kMaxFoldedBytes) return false;
      if (*count - freed > kFreeBytes && *count - freed > work_.room_bytes) return false;
    }
    return true;
  }

  // Sizes are constants here, though the shape does not follow from the model's inputs alone.
  bool expands_little(NodeId node) {
    const std::string_view op = draft_.op(node);
    if (op == "Range") return true;  // has a limit of its own
    const auto sizes = draft_.ints(draft_.input(node, op == "ConstantOfShape" ? 0 : 1));
    const auto count = sizes ? count_of(*sizes) : std::nullopt;
    return count && *count <= kFreeBytes;
  }

  Work& work_;
  Draft& draft_;
};

void fold_constants(Work& work) {
  Folder folder(work);
  for (const NodeId node : work.draft.nodes()) {
    if (!work.draft.is_live(node) || work.draft.op(node).empty()) continue;
    if (work.draft.op(node) == "Constant") continue;
    if (folder.fold(node)) continue;
    std::string name = work.draft.name_of(node);
    if (fold_known_list(work.draft, node)) work.tell(std::move(name));
  }
}

}  // namespace

const Pass passes::kFold{"fold", "what only depends on constants and fixed shapes is computed",
                         Effect::kExact, fold_constants};

}  // namespace planex::clean
