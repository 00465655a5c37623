// Describes values, and how a value of each C++ type is passed on.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/ids.h"

namespace planex::record {

struct Record;

enum class Kind : std::uint8_t {
  kBool,
  kInteger,
  kReal,
  kText,
  kScalar,   // one of these, as the row has it
  kList,     // of `item`
  kMap,      // names that are data, each with an `item`
  kRecord,   // the fields of `record`
  kColumns,  // for each field of `record` the list of its values, over all rows
  kTable,    // rows of `record`, which writers lay out as suits them
  kPacked,   // anything: a form of its own, described elsewhere
};

struct Type {
  Kind kind = Kind::kText;
  // The value can be unknown, and is then written as null.
  bool nullable = false;
  // kText: all possible words, if the list is fixed.
  std::vector<std::string> words;
  std::shared_ptr<const Type> item;
  std::shared_ptr<const Record> record;
};

// Receives a value piece by piece: each piece is one call, a list or object is its pieces between
// two calls.
class Sink {
 public:
  virtual ~Sink() = default;

  virtual void null() = 0;
  virtual void boolean(bool truth) = 0;
  virtual void integer(std::int64_t number) = 0;
  virtual void real(double number) = 0;
  virtual void text(std::string_view text) = 0;
  virtual void begin_list() = 0;
  virtual void end_list() = 0;
  virtual void begin_object() = 0;
  // Before each value in an object.
  virtual void key(std::string_view name) = 0;
  virtual void end_object() = 0;

  // Rows that belong together, each an object of the record: a list of them, unless the sink has
  // another form for tables.
  using RowAt = std::function<const void*(std::size_t)>;
  virtual void table(const Record& record, std::size_t row_count, const RowAt& row,
                     const void* context);
};

// A number that is written as an integer where it is whole: counts and sizes among averages.
struct Number {
  std::optional<double> value;
};

// A text or word; the empty one means "unknown".
template <typename T>
struct Maybe {
  T value;
};

// By C++ type: `type()`, and `put()`, which passes a value to a sink.
template <typename T>
struct ValueOf;

template <typename T>
concept Worded = requires(const T& value) {
  { to_string(value) } -> std::convertible_to<std::string_view>;
};
template <typename T>
concept TextLike = std::convertible_to<const T&, std::string_view> && !std::is_null_pointer_v<T>;

template <>
struct ValueOf<bool> {
  static Type type() { return {.kind = Kind::kBool}; }
  static void put(Sink& sink, bool truth) { sink.boolean(truth); }
};

template <std::integral T>
  requires(!std::same_as<T, bool>)
struct ValueOf<T> {
  static Type type() { return {.kind = Kind::kInteger}; }
  static void put(Sink& sink, T number) { sink.integer(static_cast<std::int64_t>(number)); }
};

template <>
struct ValueOf<double> {
  // A value that is not finite is unknown.
  static Type type() { return {.kind = Kind::kReal}; }
  static void put(Sink& sink, double number) { sink.real(number); }
};

template <>
struct ValueOf<Number> {
  static Type type() { return {.kind = Kind::kReal, .nullable = true}; }
  static void put(Sink& sink, const Number& number);
};

template <TextLike T>
struct ValueOf<T> {
  static Type type() { return {.kind = Kind::kText}; }
  static void put(Sink& sink, const T& text) { sink.text(std::string_view(text)); }
};

// Enumerations, and what else has a word for each value.
template <Worded T>
  requires(!TextLike<T>)
struct ValueOf<T> {
  static Type type() {
    Type type{.kind = Kind::kText};
    if constexpr (std::is_enum_v<T>) {
      // Past the last enumerator there is no word, or the default one: to_string() accepts any
      // value.
      constexpr int kMaxEnumerators = 64;
      for (int i = 0; i < kMaxEnumerators; ++i) {
        const std::string_view word = to_string(static_cast<T>(i));
        const bool is_new =
            !word.empty() && std::ranges::find(type.words, word) == type.words.end();
        if (is_new) type.words.emplace_back(word);
      }
    }
    return type;
  }
  static void put(Sink& sink, const T& value) { sink.text(to_string(value)); }
};

template <typename T>
struct ValueOf<Maybe<T>> {
  static Type type() {
    Type type = ValueOf<T>::type();
    type.nullable = true;
    return type;
  }
  static void put(Sink& sink, const Maybe<T>& maybe) {
    if constexpr (TextLike<T>) {
      const std::string_view text(maybe.value);
      text.empty() ? sink.null() : sink.text(text);
    } else {
      const std::string_view text = to_string(maybe.value);
      text.empty() ? sink.null() : sink.text(text);
    }
  }
};

template <typename Tag>
struct ValueOf<base::Id<Tag>> {
  static Type type() { return {.kind = Kind::kInteger, .nullable = true}; }
  static void put(Sink& sink, base::Id<Tag> id) {
    id.is_null() ? sink.null() : sink.integer(static_cast<std::int64_t>(id.index()));
  }
};

template <typename T>
struct ValueOf<std::optional<T>> {
  static Type type() {
    Type type = ValueOf<T>::type();
    type.nullable = true;
    return type;
  }
  static void put(Sink& sink, const std::optional<T>& maybe) {
    maybe ? ValueOf<T>::put(sink, *maybe) : sink.null();
  }
};

template <>
struct ValueOf<std::variant<std::monostate, std::int64_t, double, std::string>> {
  using Value = std::variant<std::monostate, std::int64_t, double, std::string>;
  static Type type() { return {.kind = Kind::kScalar, .nullable = true}; }
  static void put(Sink& sink, const Value& value);
};

template <std::ranges::input_range T>
  requires(!TextLike<T>)
struct ValueOf<T> {
  using Item = std::remove_cvref_t<std::ranges::range_value_t<T>>;
  static Type type() {
    return {.kind = Kind::kList, .item = std::make_shared<const Type>(ValueOf<Item>::type())};
  }
  static void put(Sink& sink, const T& list) {
    sink.begin_list();
    for (const auto& item : list) ValueOf<Item>::put(sink, item);
    sink.end_list();
  }
};

// Names that are data, with one value each.
template <typename T>
using Map = std::vector<std::pair<std::string, T>>;

template <typename T>
struct ValueOf<Map<T>> {
  static Type type() {
    return {.kind = Kind::kMap, .item = std::make_shared<const Type>(ValueOf<T>::type())};
  }
  static void put(Sink& sink, const Map<T>& map) {
    sink.begin_object();
    for (const auto& [name, value] : map) {
      sink.key(name);
      ValueOf<T>::put(sink, value);
    }
    sink.end_object();
  }
};

}  // namespace planex::record
