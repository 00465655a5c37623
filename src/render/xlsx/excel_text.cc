#include "render/xlsx/excel_text.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "render/words/characters.h"

namespace planex::render {
namespace {

bool is_hex_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// "_x0041_" at the start of the text.
bool starts_with_escape(std::string_view text) {
  constexpr std::size_t kLength = 7;
  return text.size() >= kLength && text[0] == '_' && text[1] == 'x' && text[kLength - 1] == '_' &&
         std::ranges::all_of(text.substr(2, 4), is_hex_digit);
}

// Cells may have several lines.
std::string visible_lines(std::string_view text) {
  std::string result;
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += visible(text.substr(0, end));
    if (end == text.size()) return result;
    result += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '_' && starts_with_escape(text.substr(i))) result += "_x005F";
    result += text[i];
  }
  return result;
}

// The longest beginning of that many UTF-16 characters, in bytes.
std::size_t bytes_of_utf16(std::string_view text, std::size_t most) {
  std::size_t at = 0, count = 0;
  while (at < text.size()) {
    const base::CodePoint point = base::first_code_point(text.substr(at));
    count += point.value > 0xFFFF ? 2 : 1;
    if (count > most) break;
    at += point.length;
  }
  return at;
}

std::string cut_at(std::string_view text, std::size_t most, bool& is_cut) {
  // No character has more bytes than UTF-16 characters.
  is_cut = text.size() > most && bytes_of_utf16(text, most) < text.size();
  if (!is_cut) return std::string(text);
  return std::string(text.substr(0, bytes_of_utf16(text, most - 1))) + "…";
}

}  // namespace

ExcelText excel_text(std::string_view text) {
  // Only the beginning of a text of gigabytes is read; a character has four bytes at most.
  constexpr std::size_t kMaxBytes = 4 * (kMaxCellCharacters + 1);
  ExcelText result;
  std::string shown = visible_lines(text.substr(0, kMaxBytes));
  if (shown.find("_x") != std::string::npos) shown = escaped(shown);
  result.text = cut_at(shown, kMaxCellCharacters, result.is_cut);
  result.is_cut = result.is_cut || text.size() > kMaxBytes;
  return result;
}

std::string sheet_name(std::string_view wanted, std::set<std::string>& taken) {
  std::string name = visible(wanted);
  for (char& c : name) {
    if (std::string_view("[]:*?/\\").find(c) != std::string_view::npos) c = '-';
  }
  const auto trim = [](std::string& text) {
    while (text.starts_with('\'')) text.erase(0, 1);
    while (text.ends_with('\'') || text.ends_with(' ')) text.pop_back();
  };
  trim(name);
  if (name.empty() || base::lower(name) == "history") name += "sheet";
  bool is_cut = false;
  const std::string whole = name;
  name = cut_at(whole, kMaxSheetNameCharacters, is_cut);
  for (int number = 2; !taken.insert(base::lower(name)).second; ++number) {
    const std::string ending = base::format(" {}", number);
    name = cut_at(whole, kMaxSheetNameCharacters - ending.size(), is_cut) + ending;
  }
  return name;
}

}  // namespace planex::render
