#include "render/svg/svg_writer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace planex::render {

void append_number(std::string& text, double number) {
  if (!std::isfinite(number)) number = 0;
  auto hundredths = static_cast<std::int64_t>(std::llround(number * 100));
  if (hundredths < 0) {
    text += '-';
    hundredths = -hundredths;
  }
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), hundredths / 100);
  text.append(digits.data(), end.ptr);
  const std::int64_t rest = hundredths % 100;
  if (rest == 0) return;
  text += '.';
  text += static_cast<char>('0' + rest / 10);
  if (rest % 10 != 0) text += static_cast<char>('0' + rest % 10);
}

void SvgWriter::end_tag() {
  if (!is_tag_open_) return;
  text_ += '>';
  is_tag_open_ = false;
}

void SvgWriter::escape(std::string_view words, bool in_attribute) {
  for (const char c : words) {
    switch (c) {
      case '&':
        text_ += "&amp;";
        break;
      case '<':
        text_ += "&lt;";
        break;
      case '>':
        text_ += "&gt;";
        break;
      case '"':
        text_ += "&quot;";
        break;
      case '\n':
        // A line break in an attribute would be read as a blank.
        text_ += in_attribute ? std::string_view("&#10;") : std::string_view("\n");
        break;
      default:
        text_ += c;
    }
  }
}

SvgWriter& SvgWriter::open(std::string_view element) {
  end_tag();
  hand_on();
  text_ += '<';
  text_ += element;
  elements_.push_back(element);
  is_tag_open_ = true;
  return *this;
}

SvgWriter& SvgWriter::attribute(std::string_view name, std::string_view value) {
  text_ += ' ';
  text_ += name;
  text_ += "=\"";
  escape(value, true);
  text_ += '"';
  return *this;
}

SvgWriter& SvgWriter::attribute(std::string_view name, double number) {
  text_ += ' ';
  text_ += name;
  text_ += "=\"";
  append_number(text_, number);
  text_ += '"';
  return *this;
}

SvgWriter& SvgWriter::text(std::string_view words) {
  end_tag();
  escape(words, false);
  return *this;
}

SvgWriter& SvgWriter::close() {
  const std::string_view element = elements_.back();
  elements_.pop_back();
  if (is_tag_open_) {
    text_ += "/>";
    is_tag_open_ = false;
    return *this;
  }
  text_ += "</";
  text_ += element;
  text_ += '>';
  return *this;
}

SvgWriter& SvgWriter::title(std::string_view words) {
  if (words.empty()) return *this;
  return open("title").text(words).close();
}

SvgWriter& SvgWriter::new_line() {
  end_tag();
  text_ += '\n';
  return *this;
}

void SvgWriter::hand_on() {
  if (text_.size() < kPieceBytes) return;
  if (state_) state_ = sink_(text_);
  text_.clear();
}

Result<void> SvgWriter::finish() {
  if (state_ && !text_.empty()) state_ = sink_(text_);
  text_.clear();
  return state_;
}

}  // namespace planex::render
