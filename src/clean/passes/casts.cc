// Two Casts in a row: the first one is not needed where it loses nothing.
#include <array>
#include <utility>

#include "clean/passes.h"
#include "clean/patterns.h"

namespace planex::clean {
namespace {

using onnx::DataType;

// Every value of the first type is one of the second.
bool is_within(DataType from, DataType to) {
  constexpr std::array<std::pair<DataType, DataType>, 24> kWider = {{
      {DataType::kFloat16, DataType::kFloat},  {DataType::kFloat16, DataType::kDouble},
      {DataType::kBfloat16, DataType::kFloat}, {DataType::kBfloat16, DataType::kDouble},
      {DataType::kFloat, DataType::kDouble},   {DataType::kBool, DataType::kFloat},
      {DataType::kBool, DataType::kFloat16},   {DataType::kBool, DataType::kInt32},
      {DataType::kBool, DataType::kInt64},     {DataType::kBool, DataType::kUint8},
      {DataType::kUint8, DataType::kInt32},    {DataType::kUint8, DataType::kInt64},
      {DataType::kUint8, DataType::kFloat},    {DataType::kUint8, DataType::kFloat16},
      {DataType::kInt8, DataType::kInt32},     {DataType::kInt8, DataType::kInt64},
      {DataType::kInt8, DataType::kFloat},     {DataType::kInt8, DataType::kFloat16},
      {DataType::kInt32, DataType::kInt64},    {DataType::kInt32, DataType::kDouble},
      {DataType::kInt16, DataType::kInt32},    {DataType::kInt16, DataType::kFloat},
      {DataType::kUint16, DataType::kInt32},   {DataType::kUint16, DataType::kFloat},
  }};
  for (const auto& [small, wide] : kWider) {
    if (small == from && wide == to) return true;
  }
  return false;
}

void join_casts(Work& work) {
  Draft& draft = work.draft;
  for (const NodeId node : draft.nodes()) {
    if (!draft.is_op(node, "Cast")) continue;
    const NodeId before = maker_of(draft, node, 0, "Cast");
    if (before == kNone) continue;
    const TensorId source = draft.input(before, 0);
    const auto middle = static_cast<DataType>(draft.int_of(before, "to", 0));
    if (source == kNone || !is_within(draft.tensor(source).type, middle)) continue;
    // Back to the first type it becomes an operation that does nothing.
    work.tell(before);
    draft.set_input(node, 0, source);
  }
}

}  // namespace

const Pass passes::kCasts{"casts", "a Cast to a wider type before another Cast", Effect::kExact,
                          join_casts};

}  // namespace planex::clean
