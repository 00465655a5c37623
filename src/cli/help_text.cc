#include "cli/help_text.h"

#include <algorithm>

#include "base/text.h"

namespace planex::cli {
namespace {

using base::format;

constexpr std::size_t kPageWidth = 100;
constexpr std::size_t kMinWidth = 60;
constexpr std::size_t kHeadWidth = 28;

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
  text += make_groups(app, mode);
  text += make_subcommands(app, mode);
  if (!is_verb) text += app->get_footer();
  return text;
}

std::string HelpText::make_option(const CLI::Option* option, bool is_positional) const {
  return row(make_option_name(option, is_positional) + make_option_opts(option),
             make_option_desc(option));
}

std::string HelpText::make_subcommand(const CLI::App* app) const {
  return row(app->get_name(), app->get_description());
}

std::string HelpText::row(const std::string& head, std::string_view text) const {
  std::string line = "  " + head;
  if (text.empty()) return line + "\n";
  if (line.size() + 2 > kHeadWidth) {
    line += "\n" + std::string(kHeadWidth, ' ');
  } else {
    line.append(kHeadWidth - line.size(), ' ');
  }
  return line + wrapped_help(text, kHeadWidth, width_) + "\n";
}

std::string wrapped_help(std::string_view text, std::size_t indent, std::size_t width) {
  std::string result;
  std::size_t used = indent;
  while (!text.empty()) {
    const std::string_view word = base::take_part(text, ' ');
    // Characters, as none of ours is wide.
    const auto cells = static_cast<std::size_t>(std::ranges::count_if(
        word, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
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
