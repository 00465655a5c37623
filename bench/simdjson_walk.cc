// What reading the JSON alone costs: simdjson reads a file and keeps nothing. The peer of loading
// an engine, as a whole process.
//
//   simdjson_walk dom FILE        parses into simdjson's own document (DOM)
//   simdjson_walk again FILE      the same, then parses again into memory that already exists
//   simdjson_walk ondemand FILE   visits every value with On-Demand
//
// Prints the ms of the parse alone (`again`: of the fastest one), without reading the file.
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace {

namespace ondemand = simdjson::ondemand;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
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

// The sum over all values says that they were looked at; without it the compiler could drop the
// work.
std::uint64_t walk_all(const simdjson::padded_string& text) {
  ondemand::parser parser;
  ondemand::document document = parser.iterate(text);
  return walk(ondemand::value(document));
}

double parse_ms(simdjson::dom::parser& parser, const simdjson::padded_string& text) {
  const auto start = Clock::now();
  // false: the padding is there, so the parser need not copy the text.
  const simdjson::dom::element root = parser.parse(text.data(), text.size(), false);
  const double ms = ms_since(start);
  if (root.type() == simdjson::dom::element_type::NULL_VALUE) std::puts("null");
  return ms;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc == 3 ? argv[1] : "";
  if (mode != "dom" && mode != "again" && mode != "ondemand") {
    std::fprintf(stderr, "usage: simdjson_walk dom|again|ondemand FILE\n");
    return 2;
  }
  try {
    const simdjson::padded_string text = simdjson::padded_string::load(argv[2]);
    double ms = 0;
    if (mode == "ondemand") {
      const auto start = Clock::now();
      const std::uint64_t sum = walk_all(text);
      ms = ms_since(start);
      std::fprintf(stderr, "%llu\n", static_cast<unsigned long long>(sum));
    } else {
      simdjson::dom::parser parser;
      ms = parse_ms(parser, text);
      constexpr int kAgain = 3;
      for (int i = 0; mode == "again" && i < kAgain; ++i) {
        ms = std::min(ms, parse_ms(parser, text));
      }
    }
    std::printf("%.3f\n", ms);
  } catch (const simdjson::simdjson_error& error) {
    std::fprintf(stderr, "simdjson_walk: %s\n", error.what());
    return 3;
  }
  return 0;
}
