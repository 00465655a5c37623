#include "render/json/json_writer.h"

#include <rapidjson/prettywriter.h>
#include <rapidjson/writer.h>
#include <utf8proc.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "render/words/column_format.h"

namespace planex::render {
namespace {

constexpr std::size_t kHandOverBytes = std::size_t{1} << 18;

// A stream for RapidJSON. It takes one character at a time, which is slow with a std::string.
class StringStream {
 public:
  using Ch = char;

  StringStream() = default;
  StringStream(const StringStream&) = delete;  // it points into itself
  StringStream& operator=(const StringStream&) = delete;

  void Put(char c) {
    if (at_ == end_) grow();
    *at_++ = c;
  }
  void Flush() {}

  std::size_t size() const { return static_cast<std::size_t>(at_ - room_.data()); }
  std::string_view view() const { return {room_.data(), size()}; }
  std::string take() {
    room_.resize(size());
    std::string text = std::exchange(room_, {});
    at_ = end_ = room_.data();
    return text;
  }
  void clear() { at_ = room_.data(); }

 private:
  void grow() {
    constexpr std::size_t kFirstBytes = 256;
    const std::size_t used = size();
    room_.resize(std::max(kFirstBytes, 2 * used));
    at_ = room_.data() + used;
    end_ = room_.data() + room_.size();
  }

  std::string room_;
  char* at_ = room_.data();
  char* end_ = at_;
};

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<signed char>(c) >= 0; });
}

// Valid UTF-8 with U+FFFD for each byte that is not.
std::string repaired(std::string_view text) {
  constexpr std::string_view kReplacement = "\uFFFD";
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    utf8proc_int32_t value = 0;
    const utf8proc_ssize_t length =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                         static_cast<utf8proc_ssize_t>(text.size()), &value);
    const std::size_t used = length > 0 ? static_cast<std::size_t>(length) : 1;
    result += length > 0 ? text.substr(0, used) : kReplacement;
    text.remove_prefix(used);
  }
  return result;
}

// A path begins after a character that can't be part of one.
bool may_begin_path(std::string_view text, std::size_t at) {
  constexpr std::string_view kBefore = " \t\n\"'`=:,;([{<";
  return at == 0 || kBefore.find(text[at - 1]) != kBefore.npos;
}

// The longest of the folders comes first, because one can be inside another.
std::string without_folders(std::string_view text, const std::vector<std::string>& folders) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto hidden = std::ranges::find_if(folders, [&](const std::string& folder) {
      return text.substr(at).starts_with(folder) && may_begin_path(text, at);
    });
    if (hidden != folders.end()) {
      at += hidden->size();
    } else {
      result += text[at++];
    }
  }
  return result;
}

using Compact = rapidjson::Writer<StringStream>;
using Pretty = rapidjson::PrettyWriter<StringStream>;

}  // namespace

class JsonWriter::Impl {
 public:
  explicit Impl(JsonStyle style) {
    if (style == JsonStyle::kPretty) {
      constexpr unsigned kIndent = 2;
      writer_.emplace<Pretty>(stream_).SetIndent(' ', kIndent);
    } else {
      writer_.emplace<Compact>(stream_);
    }
  }
  Impl(const Impl&) = delete;  // the writer points to the stream
  Impl& operator=(const Impl&) = delete;

  template <typename Call>
  void with(Call call) {
    std::visit(
        [&](auto& writer) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(writer)>, std::monostate>) {
            call(writer);
          }
        },
        writer_);
    // Not at each character: most of a large document is digits.
    if (sink_ && stream_.size() >= kHandOverBytes) hand_over();
  }

  // `text`, or its shortened form, stored in `shortened`.
  std::string_view shown(std::string_view text, std::string& shortened) const {
    if (hidden_.empty()) return text;
    return shortened = without_folders(text, hidden_);
  }

  void text(std::string_view text, bool is_key) {
    std::string shortened;
    if (!is_key) text = shown(text, shortened);
    if (!is_ascii(text)) {
      const std::string valid = repaired(text);
      return valid_text(valid, is_key);
    }
    valid_text(text, is_key);
  }

  void hide_folders(std::vector<std::string> folders) { hidden_ = std::move(folders); }

  std::size_t size() const { return stream_.size(); }

  void set_sink(Sink sink) { sink_ = std::move(sink); }

  void hand_over() {
    if (!sink_) return;
    sink_(stream_.view());
    stream_.clear();
  }

  std::string take() {
    std::string text = stream_.take();
    with([&](auto& writer) { writer.Reset(stream_); });
    return text;
  }

 private:
  void valid_text(std::string_view text, bool is_key) {
    // An empty view may have a null address, and RapidJSON asserts a valid one.
    const char* data = text.empty() ? "" : text.data();
    with([&](auto& writer) {
      const auto length = static_cast<rapidjson::SizeType>(text.size());
      is_key ? writer.Key(data, length) : writer.String(data, length);
    });
  }

  StringStream stream_;
  Sink sink_;
  std::vector<std::string> hidden_;
  std::variant<std::monostate, Compact, Pretty> writer_;
};

JsonWriter::JsonWriter(JsonStyle style) : impl_(std::make_unique<Impl>(style)) {}
JsonWriter::JsonWriter(Sink sink) : JsonWriter(JsonStyle::kCompact) {
  impl_->set_sink(std::move(sink));
}
JsonWriter::JsonWriter(JsonWriter&&) noexcept = default;
JsonWriter& JsonWriter::operator=(JsonWriter&&) noexcept = default;
JsonWriter::~JsonWriter() = default;

void JsonWriter::hide_folders(std::vector<std::string> folders) {
  std::ranges::sort(folders, std::ranges::greater(), &std::string::size);
  impl_->hide_folders(std::move(folders));
}

JsonWriter& JsonWriter::begin_object() {
  impl_->with([](auto& writer) { writer.StartObject(); });
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  impl_->with([](auto& writer) { writer.EndObject(); });
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  impl_->with([](auto& writer) { writer.StartArray(); });
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  impl_->with([](auto& writer) { writer.EndArray(); });
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  impl_->text(name, true);
  return *this;
}

JsonWriter& JsonWriter::null() {
  impl_->with([](auto& writer) { writer.Null(); });
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  impl_->text(text, false);
  return *this;
}

JsonWriter& JsonWriter::value(bool truth) {
  impl_->with([&](auto& writer) { writer.Bool(truth); });
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  // RapidJSON's own digits are not always the fewest. A whole number keeps a mark of being a
  // double, so that a column has one type for readers that distinguish 1 from 1.0.
  std::string digits = shortest(number);
  if (digits.find_first_of(".e") == digits.npos) digits += ".0";
  impl_->with(
      [&](auto& writer) { writer.RawValue(digits.data(), digits.size(), rapidjson::kNumberType); });
  return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t number) {
  impl_->with([&](auto& writer) { writer.Int64(number); });
  return *this;
}

JsonWriter& JsonWriter::unsigned_integer(std::uint64_t number) {
  impl_->with([&](auto& writer) { writer.Uint64(number); });
  return *this;
}

JsonWriter& JsonWriter::value(const model::Value& value_of_table) {
  return std::visit(
      [&](const auto& held) -> JsonWriter& {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) {
          return null();
        } else {
          return value(held);
        }
      },
      value_of_table);
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  std::string shortened;
  json = impl_->shown(json, shortened);
  impl_->with([&](auto& writer) {
    // The kind only matters for keys, which this is not.
    writer.RawValue(json.data(), json.size(), rapidjson::kObjectType);
  });
  return *this;
}

std::size_t JsonWriter::size() const { return impl_->size(); }

std::string JsonWriter::take() { return impl_->take(); }

void JsonWriter::finish() { impl_->hand_over(); }

}  // namespace planex::render
