// Writes and reads structs as JSON by one description of their fields:
//
//   void describe(auto& io, Point& point) {
//     io.field("x", point.x);
//     io.optional("label", point.label);
//   }
//
// describe() is a function of this namespace. A field must be there when read; an optional one
// keeps its value if it is missing or null.
#pragma once

#include <simdjson.h>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "drive/json_field.h"
#include "planex/error.h"

// Without the definitions of its target, its classes have other members, and the program crashes.
#ifndef SIMDJSON_THREADS_ENABLED
#error "link planex_simdjson (THIRD_PARTY)"
#endif

namespace planex::drive {

class DescriptionWriter {
 public:
  explicit DescriptionWriter(JsonFileWriter& json) : json_(json) {}

  template <typename T>
  void field(const char* key, T& value) {
    json_.Key(key);
    put(value);
  }
  template <typename T>
  void optional(const char* key, T& value) {
    field(key, value);
  }
  // An enum by its words, in the order of its values.
  template <typename T>
  void word(const char* key, T& value, std::span<const std::string_view> words) {
    json_.Key(key);
    write_text(json_, words[static_cast<std::size_t>(value)]);
  }
  // Keys and values of one object, in their order.
  void object(const char* key, std::vector<std::pair<std::string, std::string>>& pairs) {
    json_.Key(key);
    json_.StartObject();
    for (const auto& [name, value] : pairs) {
      const std::string valid = base::valid_utf8(name);
      json_.Key(valid.data(), static_cast<rapidjson::SizeType>(valid.size()));
      write_text(json_, value);
    }
    json_.EndObject();
  }

 private:
  void put(std::string& text) { write_text(json_, text); }
  void put(bool value) { json_.Bool(value); }
  void put(double value) {
    // JSON has neither NaN nor infinity.
    if (std::isfinite(value)) {
      json_.Double(value);
    } else {
      json_.Null();
    }
  }
  template <std::integral T>
  void put(T value) {
    if constexpr (std::is_signed_v<T>) {
      json_.Int64(value);
    } else {
      json_.Uint64(value);
    }
  }
  template <typename T>
  void put(std::optional<T>& value) {
    if (value) {
      put(*value);
    } else {
      json_.Null();
    }
  }
  template <typename T>
  void put(std::vector<T>& list) {
    json_.StartArray();
    for (T& item : list) put(item);
    json_.EndArray();
  }
  template <typename T>
    requires std::is_class_v<T>
  void put(T& value) {
    json_.StartObject();
    describe(*this, value);
    json_.EndObject();
  }

  JsonFileWriter& json_;
};

// The first mismatch is kept as the error; after it nothing is read.
class DescriptionReader {
 public:
  DescriptionReader(simdjson::dom::object object, std::string pointer, std::optional<Error>& error)
      : object_(object), pointer_(std::move(pointer)), error_(error) {}

  template <typename T>
  void field(const char* key, T& value) {
    if (error_) return;
    simdjson::dom::element found;
    if (object_[key].get(found) != simdjson::SUCCESS) {
      refuse(pointer_, base::format("{} is missing", base::quoted(key)));
      return;
    }
    take(found, child(key), value);
  }
  template <typename T>
  void optional(const char* key, T& value) {
    simdjson::dom::element found;
    if (error_ || object_[key].get(found) != simdjson::SUCCESS || found.is_null()) return;
    take(found, child(key), value);
  }
  template <typename T>
  void word(const char* key, T& value, std::span<const std::string_view> words) {
    std::string text(words[static_cast<std::size_t>(value)]);
    optional(key, text);
    if (error_) return;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] != text) continue;
      value = static_cast<T>(i);
      return;
    }
    refuse(child(key), base::format("{} is invalid; expected one of {}", base::quoted(text),
                                    base::join_words(words)));
  }
  void object(const char* key, std::vector<std::pair<std::string, std::string>>& pairs) {
    simdjson::dom::element found;
    if (error_ || object_[key].get(found) != simdjson::SUCCESS) return;
    simdjson::dom::object members;
    if (found.get(members) != simdjson::SUCCESS) return expected(found, child(key), "an object");
    pairs.clear();
    for (const auto& member : members) {
      std::string text;
      take(member.value, child(key), text);
      if (error_) return;
      pairs.emplace_back(member.key, std::move(text));
    }
  }

 private:
  // RFC 6901.
  std::string child(std::string_view key) const {
    return base::format("{}/{}", pointer_, key);  // No key of ours has ~ or /.
  }

  void refuse(std::string pointer, std::string message) {
    error_ = Error{.code = ErrorCode::kBadInput,
                   .message = std::move(message),
                   .file = {},
                   .json_pointer = std::move(pointer),
                   .byte_offset = {},
                   .context = {},
                   .hint = {}};
  }
  void expected(simdjson::dom::element found, std::string pointer, std::string_view what) {
    refuse(std::move(pointer), base::format("found {}, expected {}", kind_of(found), what));
  }
  static std::string_view kind_of(simdjson::dom::element element) {
    switch (element.type()) {
      case simdjson::dom::element_type::ARRAY:
        return "an array";
      case simdjson::dom::element_type::OBJECT:
        return "an object";
      case simdjson::dom::element_type::STRING:
        return "a text";
      case simdjson::dom::element_type::BOOL:
        return "a boolean";
      case simdjson::dom::element_type::NULL_VALUE:
        return "null";
      default:
        return "a number of another type";
    }
  }

  void take(simdjson::dom::element found, std::string pointer, std::string& value) {
    std::string_view text;
    if (found.get(text) != simdjson::SUCCESS) {
      return expected(found, std::move(pointer), "a text");
    }
    value = text;
  }
  void take(simdjson::dom::element found, std::string pointer, bool& value) {
    if (found.get(value) != simdjson::SUCCESS) {
      expected(found, std::move(pointer), "true or false");
    }
  }
  void take(simdjson::dom::element found, std::string pointer, double& value) {
    if (found.get(value) != simdjson::SUCCESS) expected(found, std::move(pointer), "a number");
  }
  // Null is a value that is not finite.
  void take(simdjson::dom::element found, std::string pointer, float& value) {
    double wide = std::numeric_limits<double>::quiet_NaN();
    if (!found.is_null() && found.get(wide) != simdjson::SUCCESS) {
      return expected(found, std::move(pointer), "a number or null");
    }
    value = static_cast<float>(wide);
  }
  template <std::integral T>
    requires(!std::is_same_v<T, bool>)
  void take(simdjson::dom::element found, std::string pointer, T& value) {
    std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t> wide = 0;
    if (found.get(wide) != simdjson::SUCCESS || !std::in_range<T>(wide)) {
      return expected(found, std::move(pointer),
                      std::is_signed_v<T> ? "a whole number" : "a non-negative whole number");
    }
    value = static_cast<T>(wide);
  }
  template <typename T>
  void take(simdjson::dom::element found, std::string pointer, std::optional<T>& value) {
    if (found.is_null()) {
      value.reset();
      return;
    }
    take(found, std::move(pointer), value.emplace());
  }
  template <typename T>
  void take(simdjson::dom::element found, std::string pointer, std::vector<T>& list) {
    simdjson::dom::array items;
    if (found.get(items) != simdjson::SUCCESS) {
      return expected(found, std::move(pointer), "an array");
    }
    list.clear();
    for (const simdjson::dom::element item : items) {
      // Thousands of numbers share their array's pointer.
      std::string place =
          std::is_arithmetic_v<T> ? pointer : base::format("{}/{}", pointer, list.size());
      take(item, std::move(place), list.emplace_back());
      if (error_) return;
    }
  }
  template <typename T>
    requires std::is_class_v<T>
  void take(simdjson::dom::element found, std::string pointer, T& value) {
    simdjson::dom::object members;
    if (found.get(members) != simdjson::SUCCESS) {
      return expected(found, std::move(pointer), "an object");
    }
    DescriptionReader inner(members, std::move(pointer), error_);
    describe(inner, value);
  }

  simdjson::dom::object object_;
  std::string pointer_;
  std::optional<Error>& error_;
};

// One document that begins with its schema; arrays of plain values are on one line.
template <typename T>
std::string described_document(std::string_view schema, T& value) {
  rapidjson::StringBuffer buffer;
  JsonFileWriter json(buffer);
  json.SetIndent(' ', 1);
  json.SetFormatOptions(rapidjson::kFormatSingleLineArray);
  json.StartObject();
  write_field(json, "schema", schema);
  DescriptionWriter writer(json);
  describe(writer, value);
  json.EndObject();
  std::string text(buffer.GetString(), buffer.GetSize());
  text += '\n';
  return text;
}

// Errors: kBadInput, kUnsupported (another schema); file is set.
template <typename T>
Result<T> read_described(const base::Bytes& bytes, std::string_view schema,
                         const std::string& file) {
  Error problem;
  problem.code = ErrorCode::kBadInput;
  problem.file = file;
  const auto refuse = [&](std::string message) {
    problem.message = std::move(message);
    return fail(problem);
  };
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  // The bytes are padded.
  const auto code = parser.parse(bytes.view().data(), bytes.view().size(), false).get(document);
  if (!bytes.is_intact()) return fail(base::changed_error(file));
  if (code != simdjson::SUCCESS) {
    return refuse(base::format("is not JSON: {}", simdjson::error_message(code)));
  }
  simdjson::dom::object object;
  if (document.get(object) != simdjson::SUCCESS) {
    return refuse(base::format("is not a JSON object, expected {}", schema));
  }
  std::string_view found;
  if (object["schema"].get(found) != simdjson::SUCCESS) {
    return refuse(base::format("has no \"schema\" string, expected {}", schema));
  }
  if (found != schema) {
    problem.code = ErrorCode::kUnsupported;
    problem.json_pointer = "/schema";
    problem.hint = "planex and planex-openvino must have the same version.";
    return refuse(base::format("is {}, expected {}", base::quoted(found), schema));
  }
  std::optional<Error> error;
  T value;
  DescriptionReader reader(object, {}, error);
  describe(reader, value);
  if (error) {
    error->file = file;
    return fail(std::move(*error));
  }
  return value;
}

}  // namespace planex::drive
