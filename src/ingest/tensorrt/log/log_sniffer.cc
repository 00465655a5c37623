// Recognizes a log of TensorRT by lines that no other program has, anywhere in the text.
#include <algorithm>
#include <array>
#include <string_view>

#include "ingest/tensorrt/log/log_banner.h"
#include "ingest/tensorrt/log/log_lines.h"
#include "ingest/tensorrt/log/log_reader.h"
#include "ingest/tensorrt/log/other_loggers.h"
#include "ingest/tensorrt/log/profile_table.h"
#include "ingest/tensorrt/log/trtexec_headings.h"

namespace planex::ingest::tensorrt {
namespace {

// Words that no other program's "[INFO] " lines contain.
constexpr std::array<std::string_view, 19> kWords = {"TensorRT",
                                                     "trtexec",
                                                     "[MemUsage",
                                                     "ONNX IR version:",
                                                     "Registered plugin creator",
                                                     "Parsing node: ",
                                                     "Importing initializer: ",
                                                     "Adding network input: ",
                                                     "ForeignNode",
                                                     "Myelin",
                                                     "Engine generation completed",
                                                     "Host Persistent",
                                                     "Engine Layer Information",
                                                     "Local timing cache",
                                                     "IRuntime::",
                                                     "IBuilder::",
                                                     "ICudaEngine::",
                                                     "IExecutionContext::",
                                                     "ngine deserialization failed"};

bool is_layer_record(std::string_view text) {
  return text.starts_with("Name: ") && text.find(", LayerType: ") != text.npos &&
         text.find(", Inputs: [") != text.npos;
}

// "[05/24/2024-14:43:21] [I] ", which only TensorRT's own programs and samples print.
bool has_trtexec_time(std::string_view text, const LogLine& line) {
  const auto begin = static_cast<std::size_t>(line.byte_offset);
  const auto size = static_cast<std::size_t>(line.text.data() - text.data()) - begin;
  constexpr std::size_t kSlash = 3, kDash = 11, kClose = 20;
  const std::string_view prefix = text.substr(begin, size);
  return size > kClose && prefix[kSlash] == '/' && prefix[kDash] == '-' && prefix[kClose] == ']';
}

}  // namespace

Confidence sniff_log(std::string_view head) {
  LogLines lines(head);
  LogLine line;
  std::size_t speaking = 0, records = 0;
  while (lines.next(line)) {
    if (const auto banner = parse_banner(line.text)) {
      // Other TensorRT samples print the same banner around logs of the same form.
      if (banner->program.find("TensorRT") != std::string_view::npos) return Confidence::kSure;
    }
    const bool may_report =
        line.severity == LogSeverity::kNone || line.severity == LogSeverity::kInfo;
    if (may_report && (is_trtexec_heading(line.text) || is_profile_header(line.text))) {
      return Confidence::kSure;
    }
    if (line.severity == LogSeverity::kNone) {
      records += is_layer_record(line.text) ? 1u : 0u;
      continue;
    }
    const bool speaks = line.from_library || has_trtexec_time(head, line) ||
                        is_coded_error(line.text) || std::ranges::any_of(kWords, [&](auto word) {
                          return line.text.find(word) != std::string_view::npos;
                        });
    speaking += speaks ? 1u : 0u;
    if (speaking >= 2) return Confidence::kSure;
  }
  return speaking > 0 || records > 0 ? Confidence::kMaybe : Confidence::kNo;
}

}  // namespace planex::ingest::tensorrt
