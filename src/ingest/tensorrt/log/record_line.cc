#include "ingest/tensorrt/log/record_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <unordered_set>

#include "base/text.h"

namespace planex::ingest::tensorrt {
namespace {

// What can follow the name of a layer, a tensor or a binding.
constexpr std::array<std::string_view, 4> kAfterName = {"LayerType", "Location", "Dimensions",
                                                        "IOMode"};
constexpr std::size_t kLongestKey = 64;

// A tenth of the time to read a log is spent on keys, so their characters use a lookup table.
constexpr std::array<bool, 256> kKeyChars = [] {
  std::array<bool, 256> chars{};
  for (const char c : std::string_view("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789/_-")) {
    chars[static_cast<unsigned char>(c)] = true;
  }
  return chars;
}();

bool is_key_char(char c) { return kKeyChars[static_cast<unsigned char>(c)]; }

// The key at `at`: a word, a colon, and a blank or the end; empty if there is none.
std::string_view key_in(std::string_view text, std::size_t at) {
  std::size_t end = at;
  const std::size_t limit = std::min(text.size(), at + kLongestKey);
  while (end < limit && is_key_char(text[end])) ++end;
  if (end == at || end >= text.size() || text[end] != ':') return {};
  const bool ends = end + 1 == text.size() || text[end + 1] == ' ' || text[end + 1] == '\n' ||
                    text[end + 1] == '\r';
  return ends ? text.substr(at, end - at) : std::string_view{};
}

}  // namespace

bool RecordLine::fail_at(std::size_t at, std::string_view expected) {
  broken_at_ = at;
  expected_ = expected;
  return false;
}

void RecordLine::skip_blanks() {
  while (at(' ')) ++at_;
}

bool RecordLine::key_at(std::size_t at) const { return !key_in(text_, at).empty(); }

// The position of the ", " before the next key, or the end.
std::size_t RecordLine::next_key(std::size_t from) const {
  for (std::size_t at = text_.find(',', from); at < text_.size(); at = text_.find(',', at + 1)) {
    if (at + 1 < text_.size() && text_[at + 1] == ' ' && key_at(at + 2)) return at;
  }
  return text_.size();
}

bool RecordLine::read_key(RecordField& field) {
  field.key = key_in(text_, at_);
  if (field.key.empty()) return fail_at(at_, "a key");
  at_ += field.key.size() + 1;
  skip_blanks();
  return true;
}

bool RecordLine::read_name(std::string_view& value) {
  const std::size_t first = at_;
  for (std::size_t end = next_key(first); end < text_.size(); end = next_key(end + 2)) {
    if (std::ranges::find(kAfterName, key_in(text_, end + 2)) == kAfterName.end()) continue;
    value = text_.substr(first, end - first);
    at_ = end;
    return true;
  }
  // So that a truncated name is still usable.
  value = text_.substr(first, std::min(text_.find(", ", first), text_.find('\n', first)) - first);
  return fail_at(text_.size(), "LayerType or Dimensions after the name");
}

// "[ONNX Layer: a]<0x1F>[ONNX Layer: b]": closed only by a bracket before the end, or before a key
// that the record does not have yet.
bool RecordLine::read_metadata(std::string_view& value) {
  const std::size_t first = at_;
  const bool bracketed = at('[');
  std::size_t end = next_key(first);
  if (bracketed && end < text_.size()) {
    std::unordered_set<std::string_view> keys;
    for (const RecordField& field : fields_) keys.insert(field.key);
    while (end < text_.size() && (text_[end - 1] != ']' || keys.contains(key_in(text_, end + 2)))) {
      end = next_key(end + 2);
    }
  }
  value = text_.substr(first, end - first);
  at_ = end;
  // What follows on another line was printed by the program right after the record.
  if (!bracketed) value = value.substr(0, value.find('\n'));
  value = base::trimmed(value);
  if (!bracketed || value.ends_with(']')) return true;
  return fail_at(text_.size(), "a bracket that closes Metadata");
}

// A list or an object of plain values, including quoted texts.
bool RecordLine::read_list(std::string_view& value) {
  const std::size_t first = at_;
  std::size_t depth = 0;
  bool quoted = false;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (quoted) {
      if (c == '\\') ++at_;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if ((c == ']' || c == '}') && --depth == 0) {
      ++at_;
      value = text_.substr(first, at_ - first);
      return true;
    }
  }
  at_ = text_.size();
  value = text_.substr(first);
  return fail_at(at_, "a closing bracket");
}

void RecordLine::read_word(std::string_view& value, bool in_object) {
  const std::size_t first = at_;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '}' && in_object) break;
    if (c == ',' && text_.substr(at_, 2) == ", " && key_at(at_ + 2)) break;
  }
  value = text_.substr(first, at_ - first);
  while (value.ends_with(' ') || value.ends_with('\r') || value.ends_with('\n')) {
    value.remove_suffix(1);
  }
}

// [ { Name: x, Dimensions: [1,2] }, { … }]
bool RecordLine::read_objects(RecordField& field) {
  field.first_object = objects_.size();
  const std::size_t first = at_;
  ++at_;
  skip_blanks();
  while (!at(']')) {
    if (!at('{')) return fail_at(at_, "a tensor in braces or the end of the list");
    ++at_;
    skip_blanks();
    const std::size_t first_field = object_fields_.size();
    while (!at('}')) {
      RecordField member;
      if (!read_key(member)) return false;
      if (member.key == "Name") {
        if (!read_name(member.value)) return false;
      } else if (at('[')) {
        if (!read_list(member.value)) return false;
      } else {
        read_word(member.value, true);
      }
      object_fields_.push_back(member);
      skip_blanks();
      if (at(',')) {
        ++at_;
        skip_blanks();
      } else if (!at('}')) {
        return fail_at(at_, "a brace that closes the tensor");
      }
    }
    ++at_;
    objects_.push_back({first_field, object_fields_.size() - first_field});
    ++field.object_count;
    skip_blanks();
    if (!at(',')) continue;
    ++at_;
    skip_blanks();
  }
  ++at_;
  field.value = text_.substr(first, at_ - first);
  return true;
}

bool RecordLine::split(std::string_view text) {
  text_ = text;
  while (text_.ends_with('\n') || text_.ends_with('\r')) text_.remove_suffix(1);
  at_ = 0;
  fields_.clear();
  objects_.clear();
  object_fields_.clear();
  skip_blanks();
  while (at_ < text_.size()) {
    RecordField field;
    if (!read_key(field)) return false;
    bool whole = true;
    if (field.key == "Name") {
      whole = read_name(field.value);
    } else if (field.key == "Metadata") {
      whole = read_metadata(field.value);
    } else if (at('[') && (text_.substr(at_, 3) == "[ {" || text_.substr(at_, 2) == "[{")) {
      whole = read_objects(field);
    } else if (at('[') || at('{')) {
      whole = read_list(field.value);
    } else {
      read_word(field.value, false);
    }
    fields_.push_back(field);
    if (!whole) return false;
    skip_blanks();
    if (at_ == text_.size()) return true;
    if (!at(',')) return fail_at(at_, "a comma and the next key");
    ++at_;
    skip_blanks();
  }
  return fail_at(at_, "a key");
}

std::string_view RecordLine::value_of(std::string_view key) const {
  const auto found = std::ranges::find(fields_, key, &RecordField::key);
  return found == fields_.end() ? std::string_view{} : found->value;
}

bool read_integers(std::string_view text, std::vector<std::int64_t>& values) {
  values.clear();
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return false;
  const char* at = text.data() + 1;
  const char* const end = text.data() + text.size() - 1;
  while (at < end && *at == ' ') ++at;
  if (at == end) return true;
  for (;;) {
    std::int64_t value = 0;
    const auto parsed = std::from_chars(at, end, value);
    if (parsed.ec != std::errc()) return false;
    values.push_back(value);
    at = parsed.ptr;
    while (at < end && *at == ' ') ++at;
    if (at == end) return true;
    if (*at++ != ',') return false;
    while (at < end && *at == ' ') ++at;
  }
}

}  // namespace planex::ingest::tensorrt
