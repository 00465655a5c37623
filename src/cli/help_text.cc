#include "cli/help_text.h"

#include <algorithm>

#include "base/text.h"

namespace planex::cli {
namespace {

using base::format;

constexpr std::size_t kPageWidth = 100;
constexpr std::size_t kMinWidth = 60;
constexpr std::size_t kHeadWidth = 28;

// Counts characters; none of ours is wide.
std::size_t cells_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// The parser's name of a type and what checks it: "TEXT:{a,b}", "N:INT in [1 - 9]", "FILE".
struct ValueType {
  std::string_view name;
  std::string_view choices;  // "a,b", or nothing
};

ValueType value_type(std::string_view type) {
  const std::size_t colon = type.find(':');
  ValueType result{type.substr(0, colon), {}};
  if (colon != type.npos) {
    const std::string_view check = type.substr(colon + 1);
    if (check.starts_with('{') && check.ends_with('}')) {
      result.choices = check.substr(1, check.size() - 2);
    }
  }
  return result;
}

std::string alternatives(std::string_view choices) {
  std::string text;
  while (!choices.empty()) {
    const std::string_view choice = base::take_part(choices, ',');
    text += format("{}{}", text.empty() ? "" : "|", choice);
  }
  return text;
}

// "PLAN [PLAN…]" of an argument called PLAN, whether its type repeats the name or not.
std::string positional_name(const CLI::Option& option, std::string_view type) {
  std::string name = option.get_name(true);
  if (type.empty() || type == "TEXT") return name;
  return type.starts_with('[') ? format("{} {}", name, type) : std::string(type);
}

}  // namespace

HelpText::HelpText(std::size_t width)
    : width_(width == 0 ? kPageWidth : std::clamp(width, kMinWidth, kPageWidth)) {
  column_width(kHeadWidth);
}

std::string HelpText::footer_of(std::string_view examples) {
  std::string text;
  while (!examples.empty()) {
    text += format("  {}\n", base::take_part(examples, '\n'));
  }
  return text;
}

std::string HelpText::make_help(const CLI::App* app, std::string name,
                                CLI::AppFormatMode mode) const {
  if (mode == CLI::AppFormatMode::Sub) return make_expanded(app);
  std::string text = wrapped_help(app->get_description(), 0, width_) + "\n";
  text += make_usage(app, std::move(name));
  const bool is_verb = app->get_parent() != nullptr;
  // What most people look for comes first.
  if (is_verb) text += "\nExamples:\n" + app->get_footer();
  text += make_positionals(app);
  // The base puts two empty lines between groups.
  text += CLI::detail::find_and_replace(make_groups(app, mode), "\n\n\n", "\n\n");
  text += make_subcommands(app, mode);
  if (!is_verb) text += app->get_footer();
  return text;
}

std::string HelpText::make_option(const CLI::Option* option, bool is_positional) const {
  std::string text = make_option_desc(option);
  const std::string type_name = option->get_type_name();
  const ValueType type = value_type(type_name);
  if (is_positional) return row(positional_name(*option, type.name), text);
  std::string head = make_option_name(option, false);
  // A flag that takes a value only after "=": CLI11 shows the value that it has without one.
  if (const std::size_t brace = head.find('{'); brace != head.npos) {
    head.replace(brace, head.npos, "[=VALUE]");
  }
  const std::string value = value_name(*option);
  if (!value.empty()) head += " " + value;
  if (option->get_expected_max() == CLI::detail::expected_max_vector_size) head += " …";
  // A description that names its default knows better what it means.
  if (!option->get_default_str().empty() && !text.ends_with(']')) {
    text += format(" [default: {}]", option->get_default_str());
  }
  return row(head, text);
}

std::string HelpText::make_subcommand(const CLI::App* app) const {
  return row(app->get_name(), app->get_description());
}

std::string HelpText::row(const std::string& head, std::string_view text) const {
  std::string line = "  " + head;
  if (text.empty()) return line + "\n";
  const std::size_t cells = cells_of(line);
  if (cells + 2 > kHeadWidth) {
    line += "\n" + std::string(kHeadWidth, ' ');
  } else {
    line.append(kHeadWidth - cells, ' ');
  }
  return line + wrapped_help(text, kHeadWidth, width_) + "\n";
}

std::string value_name(const CLI::Option& option) {
  if (option.get_type_size() == 0) return {};
  const std::string type_name = option.get_type_name();
  const ValueType type = value_type(type_name);
  if (!type.choices.empty()) return alternatives(type.choices);
  return std::string(type.name);
}

std::string wrapped_help(std::string_view text, std::size_t indent, std::size_t width) {
  std::string result;
  std::size_t used = indent;
  while (!text.empty()) {
    const std::string_view word = base::take_part(text, ' ');
    const std::size_t cells = cells_of(word);
    if (used > indent && used + 1 + cells > width) {
      result += "\n" + std::string(indent, ' ');
      used = indent;
    } else if (used > indent) {
      result += ' ';
      ++used;
    }
    result += word;
    used += cells;
  }
  return result;
}

}  // namespace planex::cli
