// The layered layout and nothing else, inside one process, for bench/layout_part.py.
//
//   layout_bench GRAPH.json OUTPUT.json RUNS
//
// GRAPH.json is {"boxes": [{"width", "height"}], "edges": [{"from", "to", "flow"}]}, by index;
// edges with the same source and flow leave it at one place. The output is {"ms": [one a run],
// "routes":
// [[[x, y], …] per edge], "width", "height"}, as that of bench/peers/lay_out.mjs.
#include <simdjson.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "graph/layout/layout.h"

namespace {

namespace layout = planex::graph::layout;

layout::Input read_input(simdjson::dom::element document) {
  layout::Input input;
  for (const simdjson::dom::element box : document["boxes"].get_array()) {
    input.boxes.push_back({.width = box["width"], .height = box["height"]});
  }
  for (const simdjson::dom::element edge : document["edges"].get_array()) {
    input.edges.push_back({.from = static_cast<std::uint32_t>(edge["from"].get_uint64()),
                           .to = static_cast<std::uint32_t>(edge["to"].get_uint64()),
                           .from_slot = static_cast<std::uint32_t>(edge["flow"].get_uint64()),
                           .is_back = edge["is_back"].get_bool()});
  }
  return input;
}

std::vector<double> measure(const layout::Input& input, int runs, layout::Layout& result) {
  std::vector<double> all_ms;
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    result = layout::lay_out(input);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    all_ms.push_back(took.count());
  }
  return all_ms;
}

void write_output(std::ostream& out, const std::vector<double>& all_ms,
                  const layout::Layout& result, std::size_t edge_count) {
  out.precision(17);
  const char* comma = "";
  out << "{\"ms\":[";
  for (const double ms : all_ms) {
    out << comma << ms;
    comma = ",";
  }
  out << "],\"width\":" << result.width << ",\"height\":" << result.height << ",\"routes\":[";
  for (std::size_t edge = 0; edge < edge_count; ++edge) {
    out << (edge == 0 ? "[" : ",[");
    comma = "";
    for (const layout::Point& point : result.route(edge)) {
      out << comma << '[' << point.x << ',' << point.y << ']';
      comma = ",";
    }
    out << ']';
  }
  out << "]}\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: layout_bench GRAPH.json OUTPUT.json RUNS\n");
    return 2;
  }
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  layout::Input input;
  try {
    document = parser.load(argv[1]);
    input = read_input(document);
  } catch (const simdjson::simdjson_error& error) {
    std::fprintf(stderr, "layout_bench: %s: %s\n", argv[1], error.what());
    return 3;
  }
  layout::Layout result;
  const std::vector<double> all_ms = measure(input, std::atoi(argv[3]), result);
  std::ofstream out(argv[2]);
  write_output(out, all_ms, result, input.edges.size());
  return out.good() ? 0 : 1;
}
