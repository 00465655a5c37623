// What reading the JSON alone costs: simdjson reads a file and visits every value in it, and keeps
// nothing. The peer of loading an engine, as a whole process.
//
//   simdjson_walk dom|ondemand FILE...
#include <simdjson.h>

#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

namespace {

using simdjson::dom::element_type;
namespace dom = simdjson::dom;
namespace ondemand = simdjson::ondemand;

// The sum over all values says that they were looked at; it is printed, so that the compiler can't
// drop the work.
std::uint64_t walk(dom::element root) {
  std::uint64_t sum = 0;
  std::vector<dom::element> waiting = {root};
  while (!waiting.empty()) {
    const dom::element value = waiting.back();
    waiting.pop_back();
    ++sum;
    switch (value.type()) {
      case element_type::ARRAY:
        for (const dom::element item : dom::array(value)) waiting.push_back(item);
        break;
      case element_type::OBJECT:
        for (const auto& field : dom::object(value)) waiting.push_back(field.value);
        break;
      case element_type::STRING:
        sum += std::string_view(value).size();
        break;
      default:
        break;
    }
  }
  return sum;
}

// The files of a benchmark are a few levels deep.
std::uint64_t walk(ondemand::value value) {
  std::uint64_t sum = 1;
  switch (value.type()) {
    case ondemand::json_type::array:
      for (ondemand::value item : value.get_array()) sum += walk(item);
      break;
    case ondemand::json_type::object:
      for (ondemand::field field : value.get_object()) sum += walk(field.value());
      break;
    case ondemand::json_type::string:
      sum += std::string_view(value.get_string()).size();
      break;
    case ondemand::json_type::number:
      sum += value.get_number().value().is_int64() ? 1u : 2u;
      break;
    default:
      break;
  }
  return sum;
}

std::uint64_t walk_file(const char* path, bool with_dom) {
  const simdjson::padded_string text = simdjson::padded_string::load(path);
  if (with_dom) {
    dom::parser parser;
    return walk(parser.parse(text));
  }
  ondemand::parser parser;
  ondemand::document document = parser.iterate(text);
  return walk(ondemand::value(document));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 2 ? argv[1] : "";
  if (mode != "dom" && mode != "ondemand") {
    std::fprintf(stderr, "usage: simdjson_walk dom|ondemand FILE...\n");
    return 2;
  }
  try {
    std::uint64_t sum = 0;
    for (int i = 2; i < argc; ++i) sum += walk_file(argv[i], mode == "dom");
    std::printf("%llu\n", static_cast<unsigned long long>(sum));
  } catch (const simdjson::simdjson_error& error) {
    std::fprintf(stderr, "simdjson_walk: %s\n", error.what());
    return 3;
  }
  return 0;
}
