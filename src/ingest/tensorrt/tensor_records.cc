#include "ingest/tensorrt/tensor_records.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/text.h"
#include "base/try.h"
#include "ingest/tensorrt/kept_values.h"

namespace planex::ingest::tensorrt {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using base::Lifetime;
using base::StringId;
using model::Direction;
using model::LayerId;
using model::Severity;

// One bit for each key that has a place in the model.
constexpr unsigned kName = 1u << 0;
constexpr unsigned kDimensions = 1u << 1;
constexpr unsigned kFormatDatatype = 1u << 2;
constexpr unsigned kLocation = 1u << 3;
constexpr unsigned kStrides = 1u << 4;
constexpr unsigned kStrideOrder = 1u << 5;
constexpr unsigned kDatatype = 1u << 6;
constexpr unsigned kFormat = 1u << 7;
constexpr std::size_t kKeyCount = 8;
// A key that occurred twice.
constexpr unsigned kRepeated = 1u << kKeyCount;

unsigned key_bit(std::string_view key) {
  switch (key.size()) {
    case 4:
      return key == "Name" ? kName : 0;
    case 6:
      return key == "Format" ? kFormat : 0;
    case 7:
      return key == "Strides" ? kStrides : 0;
    case 8:
      return key == "Datatype" ? kDatatype : key == "Location" ? kLocation : 0;
    case 10:
      return key == "Dimensions" ? kDimensions : 0;
    case 11:
      return key == "StrideOrder" ? kStrideOrder : 0;
    default:
      return key == "Format/Datatype" || key == R"(Format\/Datatype)" ? kFormatDatatype : 0;
  }
}

std::string json_list(std::span<const std::int64_t> integers) {
  std::string json = "[";
  for (const std::int64_t integer : integers) {
    if (json.size() > 1) json += ',';
    json += format("{}", integer);
  }
  return json + "]";
}

}  // namespace

bool follows_from_strides(std::span<const std::int64_t> stride_order,
                          std::span<const std::int64_t> strides) {
  // TensorRT's maximum; comparing all pairs is only meant for few.
  constexpr std::size_t kMaxAxes = 8;
  if (stride_order.size() != strides.size() || strides.size() > kMaxAxes) return false;
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    std::int64_t rank = 0;
    for (std::size_t other = 0; other < strides.size(); ++other) {
      const bool inner =
          strides[other] < strides[axis] || (strides[other] == strides[axis] && other > axis);
      rank += inner ? 1 : 0;
    }
    if (rank != stride_order[axis]) return false;
  }
  return true;
}

void add_tensor_port(LayerId layer, Direction direction, const model::PortFacts& facts,
                     Lifetime lifetime, model::ModelBuilder& builder) {
  builder.add_port(layer, direction, facts, lifetime);
  if (facts.strides.empty() || facts.layout.channel_vector <= 1 || !facts.dims_known) return;
  // Strides of these formats count vectors rather than elements, so only the layout determines the
  // size.
  model::PortsTable& ports = builder.model().ports;
  ports.bytes.set(ports.row_count() - 1,
                  model::memory_bytes(facts.dims, facts.dtype, facts.layout, {}));
}

void TensorRecords::clear() {
  inputs_.clear();
  constants_.clear();
  outputs_.clear();
  integers_.clear();
  lists_constants_ = false;
  constant_bytes_.reset();
}

std::vector<TensorRecords::Tensor>& TensorRecords::tensors_of(Direction direction) {
  switch (direction) {
    case Direction::kInput:
      return inputs_;
    case Direction::kConstant:
      return constants_;
    default:
      return outputs_;
  }
}

Result<void> TensorRecords::read(JsonInput& input, ondemand::value& value, LayerId layer,
                                 Direction direction, std::string_view key,
                                 const JsonPlace& place) {
  std::vector<Tensor>& tensors = tensors_of(direction);
  tensors.clear();
  lists_constants_ = lists_constants_ || direction == Direction::kConstant;
  const JsonPlace list_place(place, key);
  ondemand::array list;
  if (const auto code = value.get_array().get(list)) {
    return fail(input.broken(list_place.pointer(), code, "a list of tensors"));
  }
  for (auto entry : list) {
    ondemand::object object;
    if (const auto code = entry.get_object().get(object)) {
      return fail(input.broken(JsonPlace(list_place, tensors.size()).pointer(), code, "a tensor"));
    }
    const std::size_t index = tensors.size();
    PLANEX_TRY(read_tensor(input, object, layer, list_place, key, index, tensors.emplace_back()));
  }
  return {};
}

Result<void> TensorRecords::read_tensor(JsonInput& input, ondemand::object& object, LayerId layer,
                                        const JsonPlace& list, std::string_view list_key,
                                        std::size_t index, Tensor& tensor) {
  const JsonPlace place(list, index);
  for (auto item : object) {
    ondemand::field field;
    if (const auto code = std::move(item).get(field)) {
      return fail(input.broken(place.pointer(), code, "a key"));
    }
    PLANEX_TRY(read_field(input, field, layer, place, list_key, index, tensor));
  }
  if ((tensor.keys & kRepeated) != 0) {
    PLANEX_TRY(keep_earlier_fields(input, object, layer, place, list_key, index));
  }
  if (tensor.name.view.data() == nullptr) {
    builder_.add_diagnostic({.code = "tensor-without-name",
                             .severity = Severity::kWarning,
                             .message = "a tensor has no Name; all such tensors are shown as one",
                             .file = artefact_.path,
                             .json_pointer = list.pointer()});
  }
  return {};
}

Result<StringId> TensorRecords::word(JsonInput& input, ondemand::value& value,
                                     const JsonPlace& place, std::string_view key) {
  PLANEX_ASSIGN(const JsonText text, read_text(input, value, place, key));
  return words_.intern(text.view, text.lifetime);
}

Result<TensorRecords::List> TensorRecords::integers(JsonInput& input, ondemand::value& value,
                                                    const JsonPlace& place, std::string_view key) {
  List list{integers_.size(), 0};
  PLANEX_TRY(input.append_integers(value, JsonPlace(place, key), integers_));
  list.count = integers_.size() - list.first;
  return list;
}

Result<void> TensorRecords::read_field(JsonInput& input, ondemand::field& field, LayerId layer,
                                       const JsonPlace& place, std::string_view list_key,
                                       std::size_t index, Tensor& tensor) {
  const std::string_view key = JsonInput::key_of(field);
  ondemand::value value = field.value();
  const unsigned bit = key_bit(key);
  if ((tensor.keys & bit) != 0) tensor.keys |= kRepeated;
  tensor.keys |= bit;
  switch (bit) {
    case kName:
      if (const auto code = JsonInput::text_of(value).get(tensor.name)) {
        return fail(no_text(input, value, code, place, key));
      }
      if (tensor.name.lifetime == Lifetime::kCopy) {
        // A decoded text stays in the parser's buffer only until that is full; the pool keeps it.
        tensor.name.view = builder_.strings().view(builder_.strings().intern(tensor.name.view));
      }
      return {};
    case kDimensions: {
      PLANEX_ASSIGN(tensor.dims, integers(input, value, place, key));
      tensor.has_dims = tensor.dims.count < model::IntList::kNullLength;
      return {};
    }
    case kStrides: {
      PLANEX_ASSIGN(tensor.strides, integers(input, value, place, key));
      saw_strides_ = true;
      return {};
    }
    case kStrideOrder: {
      PLANEX_ASSIGN(tensor.stride_order, integers(input, value, place, key));
      saw_strides_ = true;
      return {};
    }
    case kFormatDatatype:
    case kDatatype: {
      PLANEX_ASSIGN(tensor.datatype, word(input, value, place, key));
      return {};
    }
    case kFormat: {
      PLANEX_ASSIGN(tensor.layout, word(input, value, place, key));
      return {};
    }
    case kLocation: {
      PLANEX_ASSIGN(tensor.location, word(input, value, place, key));
      return {};
    }
    default:
      builder_.add_diagnostic(
          {.code = "unknown-key",
           .severity = Severity::kInfo,
           .message = format("the tensor's key {} is unknown; kept as an attribute of its layer",
                             base::quoted(key)),
           .file = artefact_.path,
           .json_pointer = JsonPlace(place, key).pointer()});
      return keep_field(input, key, value, layer, place, list_key, index);
  }
}

Result<void> TensorRecords::keep_field(JsonInput& input, std::string_view key,
                                       ondemand::value& value, LayerId layer,
                                       const JsonPlace& place, std::string_view list_key,
                                       std::size_t index) {
  PLANEX_ASSIGN(const KeptValue kept, keep_value(input, value, place, key, builder_));
  const StringId name = builder_.strings().intern(format("{}/{}/{}", list_key, index, key));
  builder_.add_attribute(layer, name, kept.text, kept.type);
  return {};
}

// Of equal keys the last one counts, as in most parsers. The others are kept too.
Result<void> TensorRecords::keep_earlier_fields(JsonInput& input, ondemand::object& object,
                                                LayerId layer, const JsonPlace& place,
                                                std::string_view list_key, std::size_t index) {
  bool is_empty = false;
  if (const auto code = object.reset().get(is_empty)) {
    return fail(input.broken(place.pointer(), code, "a tensor"));
  }
  struct Seen {
    std::string_view key, json;
  };
  std::array<Seen, kKeyCount> last{};
  for (auto item : object) {
    ondemand::field field;
    if (const auto code = std::move(item).get(field)) {
      return fail(input.broken(place.pointer(), code, "a key"));
    }
    const std::string_view key = JsonInput::key_of(field);
    const unsigned bit = key_bit(key);
    std::string_view json;
    ondemand::value value = field.value();
    if (const auto code = JsonInput::raw_of(value).get(json)) {
      return fail(input.broken(place.pointer(), code, "a value"));
    }
    if (bit == 0) continue;
    Seen& seen = last[static_cast<std::size_t>(std::countr_zero(bit))];
    if (!seen.key.empty()) {
      builder_.add_diagnostic({.code = "duplicate-key",
                               .message = format("the key {} is repeated; the last one counts, the "
                                                 "others are kept as attributes of the layer",
                                                 base::quoted(key)),
                               .file = artefact_.path,
                               .json_pointer = JsonPlace(place, key).pointer()});
      const StringId name = builder_.strings().intern(format("{}/{}/{}", list_key, index, key));
      const KeptValue kept = keep_as_written(seen.json, builder_);
      builder_.add_attribute(layer, name, kept.text, kept.type);
    }
    seen = {key, json};
  }
  return {};
}

void TensorRecords::add_ports(LayerId layer) {
  for (const Tensor& tensor : inputs_) add_port(layer, Direction::kInput, tensor);
  const std::size_t first_constant = builder_.model().ports.row_count();
  for (const Tensor& tensor : constants_) add_port(layer, Direction::kConstant, tensor);
  const std::size_t end_constant = builder_.model().ports.row_count();
  for (const Tensor& tensor : outputs_) add_port(layer, Direction::kOutput, tensor);
  if (lists_constants_) {
    constant_bytes_ = constant_sum_.bytes_of(builder_.model().ports, first_constant, end_constant);
  }
  if (!saw_strides_) return;
  add_stride_orders(layer, "Inputs", inputs_);
  add_stride_orders(layer, "Constants", constants_);
  add_stride_orders(layer, "Outputs", outputs_);
}

void TensorRecords::add_port(LayerId layer, Direction direction, const Tensor& tensor) {
  const FormatFacts& facts = vocabulary_.format(tensor.datatype, tensor.layout);
  add_tensor_port(layer, direction,
                  {.tensor = tensor.name.view,
                   .dims = view(tensor.dims),
                   .dims_known = tensor.has_dims,
                   .dtype = facts.format.dtype,
                   .layout = facts.format.layout,
                   .raw_format = facts.raw,
                   .strides = view(tensor.strides),
                   .location = tensor.location},
                  tensor.name.lifetime, builder_);
}

void TensorRecords::add_stride_orders(LayerId layer, std::string_view key,
                                      const std::vector<Tensor>& tensors) {
  for (std::size_t index = 0; index < tensors.size(); ++index) {
    const Tensor& tensor = tensors[index];
    if ((tensor.keys & kStrideOrder) == 0) continue;
    const auto order = view(tensor.stride_order);
    if (follows_from_strides(order, view(tensor.strides))) continue;
    builder_.add_attribute(layer,
                           builder_.strings().intern(format("{}/{}/StrideOrder", key, index)),
                           builder_.strings().add(json_list(order)), model::ValueType::kArray);
  }
}

}  // namespace planex::ingest::tensorrt
