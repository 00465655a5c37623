#include "expected/trex_set.h"

namespace planex::test {

using base::format;
using model::Direction;
using model::DType;
using model::LayerId;
using model::PlanModel;

std::string text(dom::element element) { return std::string(std::string_view(element)); }

double number(dom::element element) {
  double value = 0;
  EXPECT_EQ(element.get_double().get(value), simdjson::SUCCESS);
  return value;
}

std::int64_t integer(dom::element element) {
  std::int64_t value = 0;
  if (element.get_int64().get(value) == simdjson::SUCCESS) return value;
  const double real = number(element);
  EXPECT_EQ(real, std::floor(real));
  return static_cast<std::int64_t>(real);
}

std::vector<std::int64_t> integers(dom::element list) {
  std::vector<std::int64_t> result;
  for (const dom::element item : dom::array(list)) result.push_back(integer(item));
  return result;
}

std::vector<double> numbers(dom::element list) {
  std::vector<double> result;
  for (const dom::element item : dom::array(list)) result.push_back(number(item));
  return result;
}

bool has(dom::element object, std::string_view key) {
  return object.at_key(key).error() == simdjson::SUCCESS;
}

std::string short_format(DType dtype, model::Layout layout) {
  if (layout.order == model::Order::kNull) {
    switch (dtype) {
      case DType::kFp16:
        return "Half";
      case DType::kFp32:
        return "Float";
      case DType::kInt32:
        return "Int32";
      case DType::kInt64:
        return "Int64";
      default:
        break;
    }
  }
  const std::string word(dtype == DType::kInt8 ? "Int8" : to_string(dtype));
  return format("{} {}", word, to_string(layout));
}

void PrintTo(const Port& port, std::ostream* out) {
  *out << port.tensor << " " << ::testing::PrintToString(port.dims) << " " << port.short_format;
}

std::vector<Port> our_ports(const PlanModel& model, LayerId layer, Direction direction) {
  std::vector<Port> ports;
  const model::RowRange rows = model.ports_of(layer);
  for (std::size_t row = rows.first; row < rows.end(); ++row) {
    if (model.ports.direction[row] != direction) continue;
    EXPECT_EQ(model.ports.index[row], static_cast<std::int64_t>(ports.size()));
    const auto dims = model.ports.dims[row];
    ports.push_back(
        {std::string(model.text(model.tensors.name[model.ports.tensor_id[row].index()])),
         {dims.begin(), dims.end()},
         short_format(model.ports.dtype[row], model.ports.layout[row])});
  }
  return ports;
}

std::vector<Port> their_ports(dom::element list) {
  std::vector<Port> ports;
  for (const dom::element port : dom::array(list)) {
    ports.push_back({text(port.at(0)), integers(port.at(1)), text(port.at(2))});
  }
  return ports;
}

std::string test_name(const ::testing::TestParamInfo<const char*>& set) {
  std::string name = set.param;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

}  // namespace planex::test
