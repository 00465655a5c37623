// Lines of trtexec that no other program prints, and that people paste without their surroundings.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace planex::ingest::tensorrt {

// "GPU Compute Time: min = 1 ms, …", "Throughput: 1.6 qps": figures of the performance summary.
inline bool is_summary_figure(std::string_view text) {
  constexpr std::array<std::string_view, 7> kFigures = {
      "GPU Compute Time: ", "Latency: ",     "Host Latency: ",           "Enqueue Time: ",
      "H2D Latency: ",      "D2H Latency: ", "End-to-End Host Latency: "};
  if (text.starts_with("Throughput: ") && text.ends_with(" qps")) return true;
  return std::ranges::any_of(kFigures, [&](std::string_view figure) {
    return text.starts_with(figure) && text.substr(figure.size()).starts_with("min = ");
  });
}

// The headings of its sections, and lines that are recognizable without one.
inline bool is_trtexec_heading(std::string_view text) {
  constexpr std::array<std::string_view, 7> kHeadings = {
      "=== Profile (",         "=== Performance summary ===", "=== Trace details ===",
      "=== Model Options ===", "=== Build Options ===",       "=== Inference Options ===",
      "=== Device Information"};
  if (text.empty()) return false;
  if (text.front() == '=') {
    return std::ranges::any_of(kHeadings, [&](auto heading) { return text.starts_with(heading); });
  }
  if (text.starts_with("Average on ")) return text.find("GPU latency: ") != text.npos;
  return is_summary_figure(text);
}

}  // namespace planex::ingest::tensorrt
