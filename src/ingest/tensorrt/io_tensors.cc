#include "ingest/tensorrt/io_tensors.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/text.h"
#include "base/try.h"
#include "ingest/tensorrt/kept_values.h"

namespace planex::ingest::tensorrt {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using base::StringId;
using model::Direction;

constexpr std::string_view kBindings = "Bindings";
constexpr std::string_view kIoTensors = "I/O Tensors";
constexpr std::string_view kEngineMetadata = "Engine Metadata";

Direction direction_of(std::string_view mode) {
  if (mode == "Input") return Direction::kInput;
  if (mode == "Output") return Direction::kOutput;
  return Direction::kNull;
}

}  // namespace

void add_io_binding(const IoTensor& tensor, const model::DiagnosticFacts& place,
                    Vocabulary& vocabulary, model::ModelBuilder& builder) {
  const Direction direction = direction_of(tensor.mode);
  if (direction == Direction::kNull) {
    model::DiagnosticFacts facts = place;
    facts.code = "unknown-io-mode";
    facts.message =
        format("IOMode {} is unknown; whether {} is an input is derived from the layers",
               base::quoted(tensor.mode), base::quoted(tensor.name));
    builder.add_diagnostic(facts);
  }
  model::BindingsTable& bindings = builder.model().bindings;
  const std::size_t row = bindings.row_count();
  builder.add_binding(tensor.name, direction);
  if (tensor.dims) bindings.dims.set(row, *tensor.dims);
  bindings.dtype.set(row, tensor.dtype);
  const std::int64_t shown = builder.model().engine.profile_index.get(0).value_or(0);
  if (shown < 0 || shown >= static_cast<std::int64_t>(tensor.profiles.size())) return;
  const IoTensor::Range& range = tensor.profiles[static_cast<std::size_t>(shown)];
  if (range.min) bindings.profile_min.set(row, *range.min);
  if (range.opt) bindings.profile_opt.set(row, *range.opt);
  if (range.max) bindings.profile_max.set(row, *range.max);
  if (range.format.is_null()) return;
  model::Layout layout = vocabulary.format(range.format).layout;
  constexpr std::size_t kVolumeRank = 5;
  layout.is_volume =
      layout.order != model::Order::kNull && tensor.dims && tensor.dims->size() == kVolumeRank;
  bindings.layout.set(row, layout);
}

void add_io_profiles(const IoTensor& tensor, const std::string& file,
                     model::ModelBuilder& builder) {
  const base::StringPool& strings = builder.strings();
  for (std::size_t index = 0; index < tensor.profiles.size(); ++index) {
    const IoTensor::Range& range = tensor.profiles[index];
    builder.add_profile({.profile_index = static_cast<std::int64_t>(index),
                         .binding = tensor.name,
                         .min_dims = range.min,
                         .opt_dims = range.opt,
                         .max_dims = range.max,
                         .raw_format = strings.view(range.format)});
  }
  for (const IoTensor::Other& other : tensor.others) {
    builder.add_metadata(kIoTensors, format("{}/{}", tensor.name, other.key),
                         strings.view(other.value), file);
  }
}

bool IoTensors::is_new(std::string_view name) {
  return names_.insert(static_cast<std::uint32_t>(builder_.strings().intern(name).index())).second;
}

Result<void> IoTensors::read_bindings(JsonInput& input, ondemand::value& value,
                                      const JsonPlace& place) {
  const JsonPlace list_place(place, kBindings);
  ondemand::array list;
  if (const auto code = value.get_array().get(list)) {
    return fail(input.broken(list_place.pointer(), code, "a list of names"));
  }
  std::size_t index = 0;
  for (auto entry : list) {
    ondemand::value element;
    JsonText name;
    auto code = entry.get(element);
    if (!code) code = JsonInput::text_of(element).get(name);
    if (code) return fail(input.broken(JsonPlace(list_place, index).pointer(), code, "a name"));
    if (is_new(name.view)) builder_.add_binding(name.view, Direction::kNull);
    ++index;
  }
  return {};
}

Result<void> IoTensors::read_io_tensors(JsonInput& input, ondemand::value& value,
                                        const JsonPlace& place) {
  saw_io_tensors_ = true;
  const JsonPlace list_place(place, kIoTensors);
  ondemand::array list;
  if (const auto code = value.get_array().get(list)) {
    return fail(input.broken(list_place.pointer(), code, "a list of inputs and outputs"));
  }
  std::size_t index = 0;
  for (auto entry : list) {
    const JsonPlace at(list_place, index++);
    ondemand::object object;
    if (const auto code = entry.get_object().get(object)) {
      return fail(input.broken(at.pointer(), code, "an input or output"));
    }
    PLANEX_TRY(read_tensor(input, object, at));
  }
  return {};
}

Result<StringId> IoTensors::text(JsonInput& input, ondemand::value& value, const JsonPlace& place,
                                 std::string_view key) {
  PLANEX_ASSIGN(const JsonText result, read_text(input, value, place, key));
  return builder_.strings().intern(result.view, result.lifetime);
}

Result<void> IoTensors::read_tensor(JsonInput& input, ondemand::object& object,
                                    const JsonPlace& place) {
  IoTensor tensor;
  for (auto entry : object) {
    ondemand::field field;
    if (const auto code = std::move(entry).get(field)) {
      return fail(input.broken(place.pointer(), code, "a key"));
    }
    const std::string_view key = JsonInput::key_of(field);
    ondemand::value value = field.value();
    if (key == "Name") {
      PLANEX_ASSIGN(const StringId name, text(input, value, place, key));
      tensor.name = builder_.strings().view(name);
      tensor.has_name = true;
    } else if (key == "IOMode") {
      PLANEX_ASSIGN(const StringId mode, text(input, value, place, key));
      tensor.mode = builder_.strings().view(mode);
    } else if (key == "DataType") {
      PLANEX_ASSIGN(const StringId datatype, text(input, value, place, key));
      tensor.dtype = parse_type(builder_.strings().view(datatype));
    } else if (key == "Dimensions") {
      tensor.dims.emplace();
      PLANEX_TRY(input.append_integers(value, JsonPlace(place, key), *tensor.dims));
    } else if (key == "ProfileInfo") {
      PLANEX_TRY(read_profiles(input, value, place, tensor));
    } else {
      PLANEX_ASSIGN(const KeptValue kept, keep_value(input, value, place, key, builder_));
      tensor.others.push_back({std::string(key), kept.text});
    }
  }
  add(tensor, place);
  return {};
}

Result<void> IoTensors::read_profiles(JsonInput& input, ondemand::value& value,
                                      const JsonPlace& place, IoTensor& tensor) {
  constexpr std::string_view kKey = "ProfileInfo";
  const JsonPlace list_place(place, kKey);
  tensor.profiles.clear();
  ondemand::array list;
  if (const auto code = value.get_array().get(list)) {
    return fail(input.broken(list_place.pointer(), code, "a list of optimization profiles"));
  }
  for (auto entry : list) {
    const JsonPlace at(list_place, tensor.profiles.size());
    ondemand::object object;
    if (const auto code = entry.get_object().get(object)) {
      return fail(input.broken(at.pointer(), code, "an optimization profile"));
    }
    IoTensor::Range range;
    for (auto item : object) {
      ondemand::field field;
      if (const auto code = std::move(item).get(field)) {
        return fail(input.broken(at.pointer(), code, "a key"));
      }
      const std::string_view key = JsonInput::key_of(field);
      ondemand::value shape = field.value();
      auto* target = key == "MinShape"   ? &range.min
                     : key == "OptShape" ? &range.opt
                     : key == "MaxShape" ? &range.max
                                         : nullptr;
      if (target != nullptr) {
        target->emplace();
        PLANEX_TRY(input.append_integers(shape, JsonPlace(at, key), **target));
      } else if (key == "Format") {
        PLANEX_ASSIGN(range.format, text(input, shape, at, key));
      } else {
        PLANEX_ASSIGN(const KeptValue kept, keep_value(input, shape, at, key, builder_));
        tensor.others.push_back({format("{}/{}/{}", kKey, tensor.profiles.size(), key), kept.text});
      }
    }
    tensor.profiles.push_back(std::move(range));
  }
  return {};
}

void IoTensors::add(const IoTensor& tensor, const JsonPlace& place) {
  profile_count_ = std::max(profile_count_, static_cast<std::int64_t>(tensor.profiles.size()));
  if (!tensor.has_name) {
    builder_.add_diagnostic({.code = "tensor-without-name",
                             .message = "an input or output has no Name; it is not listed",
                             .file = artefact_.path,
                             .json_pointer = place.pointer()});
    return;
  }
  if (!is_new(tensor.name)) return;
  add_io_binding(tensor, {.file = artefact_.path, .json_pointer = place.pointer()}, vocabulary_,
                 builder_);
  add_io_profiles(tensor, artefact_.path, builder_);
}

Result<void> IoTensors::read_engine_metadata(JsonInput& input, ondemand::value& value,
                                             const JsonPlace& place) {
  constexpr std::string_view kSection = "engine metadata";
  const auto add_value = [&](ondemand::value& item, const JsonPlace& at,
                             std::string_view key) -> Result<void> {
    PLANEX_ASSIGN(const KeptValue kept, keep_value(input, item, at, key, builder_));
    builder_.add_metadata(kSection, key, builder_.strings().view(kept.text), artefact_.path);
    return {};
  };
  if (!value.raw_json_token().starts_with('{')) return add_value(value, place, kEngineMetadata);
  const JsonPlace at(place, kEngineMetadata);
  ondemand::object object;
  if (const auto code = value.get_object().get(object)) {
    return fail(input.broken(at.pointer(), code, "an object"));
  }
  for (auto entry : object) {
    ondemand::field field;
    if (const auto code = std::move(entry).get(field)) {
      return fail(input.broken(at.pointer(), code, "a key"));
    }
    ondemand::value item = field.value();
    PLANEX_TRY(add_value(item, at, JsonInput::key_of(field)));
  }
  return {};
}

}  // namespace planex::ingest::tensorrt
