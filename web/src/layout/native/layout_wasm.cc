// The layout as WebAssembly: flat arrays in, flat arrays out, for web/src/layout/wasm.ts, which
// packs and unpacks them. One instance of the module lays out one graph: nothing is ever freed
// here, the page lets go of the whole instance.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "graph/layout/layout.h"

namespace {

using planex::graph::layout::Input;
using planex::graph::layout::Layout;
using planex::graph::layout::PortOrder;
using planex::graph::layout::Rect;

constexpr std::size_t kNumbersPerBox = 3;
constexpr std::size_t kNumbersPerEdge = 3;
constexpr std::size_t kIndicesPerEdge = 5;
constexpr std::size_t kNumbersPerFrame = 2;

std::vector<double> result_numbers;
std::vector<std::uint32_t> result_indices;

void add_rects(const std::vector<Rect>& rects) {
  for (const Rect& rect : rects) {
    result_numbers.insert(result_numbers.end(), {rect.x, rect.y, rect.width, rect.height});
  }
}

void write_result(const Layout& layout) {
  result_numbers = {layout.width, layout.height};
  add_rects(layout.boxes);
  add_rects(layout.frames);
  for (const auto& label : layout.labels) {
    result_numbers.insert(result_numbers.end(), {label.x, label.y});
  }
  for (const auto& point : layout.points) {
    result_numbers.insert(result_numbers.end(), {point.x, point.y});
  }
  result_indices = layout.first_point;
  for (const bool in_lane : layout.in_lane) result_indices.push_back(in_lane ? 1 : 0);
  result_indices.insert(result_indices.end(), layout.rank.begin(), layout.rank.end());
}

}  // namespace

extern "C" {

// Room for an array that the page fills, aligned for doubles.
[[clang::export_name("allocate")]] void* allocate(std::size_t bytes) { return std::malloc(bytes); }

// `numbers`: of boxes width, height, weight; of edges label width and height, stroke; of frames
// title width and height; then rank_gap, box_gap, lane_gap, port_gap, frame_pad. `indices`: of
// boxes the frame; of edges from, to, from_slot, to_slot, is_back; of frames the parent; then 1
// where ports stand in the given order.
[[clang::export_name("lay_out")]] void lay_out(std::uint32_t boxes, std::uint32_t edges,
                                               std::uint32_t frames, const double* numbers,
                                               const std::uint32_t* indices) {
  Input input;
  input.boxes.resize(boxes);
  for (auto& box : input.boxes) {
    box = {.width = numbers[0], .height = numbers[1], .frame = *indices++, .weight = numbers[2]};
    numbers += kNumbersPerBox;
  }
  input.edges.resize(edges);
  for (auto& edge : input.edges) {
    edge = {.from = indices[0],
            .to = indices[1],
            .from_slot = indices[2],
            .to_slot = indices[3],
            .label_width = numbers[0],
            .label_height = numbers[1],
            .stroke = numbers[2],
            .is_back = indices[4] != 0};
    indices += kIndicesPerEdge;
    numbers += kNumbersPerEdge;
  }
  input.frames.resize(frames);
  for (auto& frame : input.frames) {
    frame = {.parent = *indices++, .title_width = numbers[0], .title_height = numbers[1]};
    numbers += kNumbersPerFrame;
  }
  input.options = {.ports = *indices != 0 ? PortOrder::kGiven : PortOrder::kFree,
                   .rank_gap = numbers[0],
                   .box_gap = numbers[1],
                   .lane_gap = numbers[2],
                   .port_gap = numbers[3],
                   .frame_pad = numbers[4]};
  write_result(planex::graph::layout::lay_out(input));
}

// Width and height of the whole; of boxes, then frames x, y, width, height; of edges the place of
// the words; x and y of all points.
[[clang::export_name("numbers")]] const double* numbers() { return result_numbers.data(); }
[[clang::export_name("number_count")]] std::size_t number_count() { return result_numbers.size(); }
// The first point of each edge, and one more; of edges 1 where they run in a lane; of boxes the
// rank.
[[clang::export_name("indices")]] const std::uint32_t* indices() { return result_indices.data(); }
[[clang::export_name("index_count")]] std::size_t index_count() { return result_indices.size(); }

}  // extern "C"
