#include "ingest/tensorrt/log/line_filter.h"

#include "ingest/tensorrt/log/accuracy_lines.h"
#include "ingest/tensorrt/log/dla_lines.h"
#include "ingest/tensorrt/log/layer_lines.h"
#include "ingest/tensorrt/log/parser_lines.h"

namespace planex::ingest::tensorrt {
namespace {

// The few verbose lines that ReportLines knows.
bool report_wants(std::string_view text) {
  if (DlaLines::wants(text) || AccuracyLines::wants(text)) return true;
  switch (text.front()) {
    case 'L':
      return text.starts_with("Layer: ");
    case 'E':
      return text.starts_with("Engine ");
    case 'N':
      return text.starts_with("Number of target compute");
    case 'F':
      return text.starts_with("Formats and tactics");
    case 'G':
      return text.starts_with("Graph ");
    case 'S':
      return text.starts_with("Subgraph compilation") || text.starts_with("Skip backend") ||
             text.starts_with(kStaticCheck);
    case 'T': {
      // "Tactic: 0x12 skipped. Scratch requested: 1, available: 0" among many "Tactic: 0x12 Time:".
      constexpr std::string_view kTactic = "Tactic: ";
      if (!text.starts_with(kTactic)) return false;
      const std::size_t blank = text.find(' ', kTactic.size());
      return blank != text.npos && text.substr(blank).starts_with(" skipped");
    }
    case 'U':
      return text.starts_with("Use backend");
    case '=':
      return text.starts_with("=== ");
    case ' ':
      return text.starts_with(" (foreignNode) Warning") ||
             text.starts_with(" (foreignNode) Using legacy CPU-only");
    default:
      return false;
  }
}

}  // namespace

LineUsers LineFilter::users_of(const LogLine& line, bool parser_waits) {
  const std::string_view text = line.text;
  if (line.severity == LogSeverity::kNone) {
    const bool is_word = begins_like_words(text);
    return {.layers = in_block_ || is_word, .parser = is_word, .report = true};
  }
  in_block_ = false;
  if (line.severity == LogSeverity::kVerbose) {
    if (text.empty()) return {};
    return {.layers = LayerLines::wants(text),
            .parser = parser_waits || ParserLines::wants(text),
            .report = report_wants(text)};
  }
  // Most [I] lines of a long log are averages of inferences.
  if (line.severity != LogSeverity::kInfo || text.starts_with("Average on ")) {
    return {.report = true};
  }
  return {.layers = true, .parser = true, .report = true};
}

}  // namespace planex::ingest::tensorrt
