// The layout of --help: the purpose of the verb, examples, then its flags in groups, wrapped.
#pragma once

#include <CLI/CLI.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace planex::cli {

// All widths give the same text except for line breaks; 0 is the width of a page.
class HelpText final : public CLI::Formatter {
 public:
  explicit HelpText(std::size_t width);

  // `examples`: one per line.
  static std::string footer_of(std::string_view examples);

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* app) const override;

 private:
  // "  head      text", with the text wrapped below itself.
  std::string row(const std::string& head, std::string_view text) const;

  std::size_t width_;
};

// What follows a flag: "FILE", "N", or the choices as "text|json". Nothing for a switch.
std::string value_name(const CLI::Option& option);

// Wraps a text into lines of at most `width` cells; the first line starts at cell `indent`.
std::string wrapped_help(std::string_view text, std::size_t indent, std::size_t width);

}  // namespace planex::cli
