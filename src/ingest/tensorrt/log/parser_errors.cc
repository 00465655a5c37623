#include "ingest/tensorrt/log/parser_errors.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;

std::optional<std::string_view> after(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == text.npos) return std::nullopt;
  return text.substr(at + mark.size());
}

// Operators whose nodes contain graphs: the node that failed is often one of theirs.
bool holds_graphs(std::string_view type) {
  constexpr std::array<std::string_view, 3> kTypes = {"Loop", "If", "Scan"};
  return std::ranges::find(kTypes, type) != kTypes.end();
}

// "[5] Assertion failed: (a.count(b)): Node input was not registered." -> the words. If there is
// only a condition, the condition.
std::string_view words_of(std::string_view text) {
  text = base::trimmed(text);
  if (text.starts_with('[') && text.find("] ") != text.npos)
    text = text.substr(text.find("] ") + 2);
  // "Assertion failed: scales.is_weights() && "Resize scales must be an initializer!""
  if (text.find("ssertion failed") != text.npos) {
    if (const auto words = after(text, "): "); words && !base::trimmed(*words).empty())
      return *words;
    if (const auto words = after(text, "&& \""); words && words->find('"') != words->npos) {
      return words->substr(0, words->find('"'));
    }
  }
  return text;
}

}  // namespace

void ParserErrors::look_at(const LogLine& line) {
  const std::string_view text = line.text;
  if (text.empty()) return;
  switch (line.severity) {
    case LogSeverity::kVerbose: {
      // "Parsing node: a [Add]", "Static check for parsing node: a [Add]"
      if (text.front() != 'P' && text.front() != 'S') return;
      const auto node =
          after(text.substr(0, std::min<std::size_t>(text.size(), 400)), "arsing node: ");
      const std::size_t bracket = text.rfind(" [");
      if (!node || bracket == text.npos || !text.ends_with(']')) return;
      const auto name = static_cast<std::size_t>(node->data() - text.data());
      if (name > bracket) return;
      parsed_ = {text.substr(name, bracket - name),
                 text.substr(bracket + 2, text.size() - bracket - 3)};
      return;
    }
    case LogSeverity::kError:
    case LogSeverity::kFatal:
    case LogSeverity::kNone:
      look_at_error(text);
      return;
    default:
      is_in_block_ = awaits_reason_ = false;
  }
}

void ParserErrors::look_at_error(std::string_view text) {
  // "In node 12 with name: conv and operator: Conv (importConv): INVALID_NODE: why"
  if (const auto node = after(text, "In node "); node && node->find(" (") != node->npos) {
    const auto reason = after(*node, "): ");
    if (reason && reason_.empty()) {
      const auto name = after(*node, " with name: ");
      const auto type = after(*node, " operator: ");
      if (name) inner_.name = base::trimmed(name->substr(0, name->find(" and operator: ")));
      if (type) inner_.type = type->substr(0, type->find(' '));
      // "(importConv): INVALID_NODE: why"
      reason_line_ = text;
      std::string_view words = *reason;
      const std::size_t colon = words.find(": ");
      const bool has_code =
          colon != words.npos && std::ranges::all_of(words.substr(0, colon), [](char c) {
            return (c >= 'A' && c <= 'Z') || c == '_';
          });
      take_reason(has_code ? words.substr(colon + 2) : words);
    }
    ++error_count_;
    return;
  }
  if (const auto node = after(text, "While parsing node number ")) {
    ++error_count_;
    if (!reason_.empty()) return;  // keep that of the first node
    is_in_block_ = true;
    awaits_reason_ = false;
    outer_ = inner_ = {};
    // "1 [Loop -> "lo"]:"
    if (const std::size_t bracket = node->find('['); bracket != node->npos) {
      const std::string_view rest = node->substr(bracket + 1);
      outer_.type = rest.substr(0, rest.find_first_of(" ]"));
      if (const auto output = after(rest, "\"")) output_ = output->substr(0, output->find('"'));
    }
    // The parser was in a graph inside the node, or at the node itself.
    if (parsed_.type == outer_.type) {
      outer_.name = parsed_.name;
    } else if (holds_graphs(outer_.type)) {
      inner_ = parsed_;
    }
    return;
  }
  if (!is_in_block_ || !reason_.empty()) return;
  if (const auto name = after(text, "Node name: ")) {
    outer_.name = base::trimmed(*name);
  } else if (text.starts_with("name: \"") && text.ends_with('"') && outer_.name.empty()) {
    outer_.name = text.substr(7, text.size() - 8);
  } else if (const auto function = after(text, " In function ")) {
    const auto words = after(*function, ":");
    if (words && !base::trimmed(*words).empty()) {
      reason_line_ = text;
      take_reason(*words);
    } else {
      awaits_reason_ = true;
    }
  } else if (awaits_reason_) {
    // "[6] Invalid Node - /Slice" names the node again, and the reason comes below.
    if (text.find("Invalid Node - ") != text.npos) return;
    reason_line_ = text;
    take_reason(text);
  }
}

void ParserErrors::take_reason(std::string_view text) {
  reason_ = base::trimmed(words_of(text));
  awaits_reason_ = false;
}

std::string ParserErrors::sentence() const {
  const auto named = [](const Node& node, std::string_view output) {
    std::string text = "the node";
    if (!node.name.empty()) {
      text += format(" {}", base::quoted(node.name, 120));
    } else if (!output.empty()) {
      text += format(" that writes {}", base::quoted(output, 120));
    }
    if (!node.type.empty()) text += format(" ({})", node.type);
    return text;
  };
  std::string text = "the ONNX parser rejected ";
  if (inner_.name.empty() && inner_.type.empty()) {
    text += named(outer_, output_);
  } else {
    text += named(inner_, {});
    if (!outer_.type.empty()) text += format(" inside {}", named(outer_, output_).substr(9));
  }
  std::string_view reason = reason_.substr(0, 300);
  while (reason.ends_with('.')) reason.remove_suffix(1);
  text += format(": {}", reason);
  if (error_count_ > 1) {
    text += format(" (and {} after it)", base::counted(error_count_ - 1, "more node"));
  }
  return text;
}

}  // namespace planex::ingest::tensorrt
