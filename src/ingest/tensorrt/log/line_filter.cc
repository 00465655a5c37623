#include "ingest/tensorrt/log/line_filter.h"

namespace planex::ingest::tensorrt {
namespace {

bool opens_block(std::string_view text) {
  return text.starts_with("Layers:") || text.starts_with("Layer Information:") ||
         text.starts_with("Engine Layer Information:") || text.starts_with("I/O Tensors:") ||
         text.starts_with("Engine Metadata:") || text.starts_with("Bindings:");
}

}  // namespace

LineUsers LineFilter::users_of_bare(const LogLine& line) {
  const bool word = begins_like_words(line.text);
  in_block_ = in_block_ || (word && opens_block(line.text));
  return {.layers = in_block_ || word, .parser = word, .report = true};
}

LineUsers LineFilter::users_of_verbose(const LogLine& line) {
  const std::string_view text = line.text;
  if (text.empty()) return {};
  LineUsers users{.parser = parsing_};
  switch (text.front()) {
    case 'L':
      users.layers = opens_block(text) || text.starts_with("Layer(");
      users.report = text.starts_with("Layer: ");
      break;
    case 'E':
      users.layers = opens_block(text);
      users.report = text.starts_with("Engine ");
      break;
    case 'I':
    case 'B':
      users.layers = opens_block(text);
      if (text.starts_with("Building graph")) parsing_ = false;
      break;
    case 'N':
      users.layers = text.starts_with("Name: ");
      users.report = text.starts_with("Number of target compute");
      break;
    case 'F':
      users.layers = text.starts_with("ForeignNode ");
      users.parser = users.parser || text.starts_with("Found ");
      users.report = text.starts_with("Formats and tactics");
      break;
    case 'G':
      users.report = text.starts_with("Graph ");
      if (users.report) parsing_ = false;
      break;
    case 'O':
      if (text.starts_with("Original: ")) parsing_ = false;
      break;
    case 'S':
      users.report = text.starts_with("Subgraph compilation") || text.starts_with("Skip backend");
      break;
    case 'T': {
      // "Tactic: 0x12 skipped. Scratch requested: 1, available: 0" among many "Tactic: 0x12 Time:".
      constexpr std::string_view kTactic = "Tactic: ";
      if (!text.starts_with(kTactic)) break;
      const std::size_t blank = text.find(' ', kTactic.size());
      users.report = blank != text.npos && text.substr(blank).starts_with(" skipped");
      break;
    }
    case 'U':
      users.report = text.starts_with("Use backend");
      break;
    case 'A':
      users.report = text.starts_with("Adding ") && text.size() > 7 && text[7] <= '9';
      break;
    case '=':
      users.report = text.starts_with("=== ");
      break;
    case ' ':
      users.report = text.starts_with(" (foreignNode) Warning") ||
                     text.starts_with(" (foreignNode) Using legacy CPU-only");
      break;
    default:
      break;
  }
  return users;
}

LineUsers LineFilter::users_of(const LogLine& line) {
  if (line.severity == LogSeverity::kNone) return users_of_bare(line);
  if (line.severity == LogSeverity::kVerbose) {
    const LineUsers users = users_of_verbose(line);
    in_block_ = users.layers && opens_block(line.text);
    return users;
  }
  in_block_ = false;
  if (line.severity != LogSeverity::kInfo) return {.report = true};
  // Most [I] lines of a long log are averages of inferences.
  if (line.text.starts_with("Average on ")) return {.report = true};
  if (line.text.starts_with("Input filename:") || line.text.starts_with("Start parsing")) {
    parsing_ = true;
  } else if (line.text.starts_with("Finish")) {
    parsing_ = false;
  }
  in_block_ = opens_block(line.text);
  return {.layers = true, .parser = true, .report = true};
}

}  // namespace planex::ingest::tensorrt
