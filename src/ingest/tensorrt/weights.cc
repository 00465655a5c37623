#include "ingest/tensorrt/weights.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include "base/checked.h"
#include "ingest/json_value.h"
#include "ingest/tensorrt/format.h"

namespace planex::ingest::tensorrt {

namespace {

// Where the value of a key begins that is at `key` or, in TensorRT's own formatting, at `usual`.
std::size_t value_of(std::string_view json, std::string_view key, std::size_t usual) {
  const std::size_t at =
      usual <= json.size() && json.substr(usual).starts_with(key) ? usual : json.find(key);
  return at == json.npos ? at : at + key.size();
}

// Whether a layer of this kind may store weights that its record does not count.
bool may_hide_weights(model::Family family, model::Role role) {
  switch (family) {
    case model::Family::kReformat:
    case model::Family::kPool:
    case model::Family::kShuffle:
      return false;
    default:
      return role == model::Role::kWork || role == model::Role::kConstant;
  }
}

}  // namespace

std::optional<std::int64_t> weight_bytes(std::string_view json) {
  constexpr std::string_view kType = "\"Type\"";
  constexpr std::string_view kCount = "\"Count\"";
  const std::size_t type_at = value_of(json, kType, 1);
  if (type_at == json.npos) return std::nullopt;
  const std::size_t open = json.find('"', type_at);
  const std::size_t close = open == json.npos ? json.npos : json.find('"', open + 1);
  if (close == json.npos) return std::nullopt;
  std::size_t digit = value_of(json, kCount, close + 3);
  if (digit == json.npos) return std::nullopt;
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto is_in = [&](std::string_view set) {
    return digit < json.size() && set.find(json[digit]) != set.npos;
  };
  while (is_in(kBlanks) || is_in(":")) ++digit;
  const std::size_t end = std::min(json.find_first_of(" \t\r\n,}", digit), json.size());
  const auto number = integer_in(json.substr(digit, end - digit));
  if (!number || *number < 0) return std::nullopt;
  const std::int64_t count = *number;
  const model::DType type = parse_type(json.substr(open + 1, close - open - 1));
  if (count == 0) return 0;
  const std::array<std::int64_t, 1> dims = {count};
  return model::data_bytes(dims, type);
}

bool CountedWeights::add(std::string_view json) {
  any_ = true;
  const auto bytes = weight_bytes(json);
  base::CheckedInt sum = bytes_.value_or(0);
  sum += bytes.value_or(0);
  bytes_ = bytes_ && bytes ? sum.value() : std::nullopt;
  return bytes.has_value();
}

std::optional<std::int64_t> ConstantSum::bytes_of(const model::PortsTable& ports, std::size_t first,
                                                  std::size_t end) {
  sizes_.clear();
  for (std::size_t row = first; row < end; ++row) {
    if (ports.dims.is_null(row)) return std::nullopt;
    auto bytes = ports.bytes.get(row);
    if (!bytes) {
      bytes = model::memory_bytes(ports.dims[row], ports.dtype[row], ports.layout[row],
                                  ports.strides[row]);
    }
    if (!bytes) bytes = model::data_bytes(ports.dims[row], ports.dtype[row]);
    if (!bytes) return std::nullopt;
    sizes_.push_back({ports.tensor_id[row], *bytes});
  }
  std::ranges::sort(sizes_, {}, [](const Size& size) {
    return std::tuple(size.tensor, std::numeric_limits<std::int64_t>::max() - size.bytes);
  });
  const auto again = std::ranges::unique(sizes_, {}, &Size::tensor);
  sizes_.erase(again.begin(), again.end());
  base::CheckedInt sum = 0;
  for (const Size& size : sizes_) sum += size.bytes;
  return sum.value();
}

void set_weight_bytes(model::LayerId layer, const StoredFacts& facts,
                      model::ModelBuilder& builder) {
  model::LayersTable& layers = builder.model().layers;
  const std::size_t row = layer.index();
  if (facts.counted.any()) {
    layers.weight_bytes.set(row, facts.counted.bytes());
  } else if (facts.lists_constants) {
    layers.weight_bytes.set(row, facts.constant_bytes);
  } else if ((facts.has_parameters && layers.role[row] != model::Role::kConstant) ||
             !may_hide_weights(layers.family[row], layers.role[row])) {
    layers.weight_bytes.set(row, 0);
  }
}

}  // namespace planex::ingest::tensorrt
