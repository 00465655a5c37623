// Writes described results into structs: values that the Sink receives are stored in the members of
// the same names.
//
//   results::Lint lint;
//   fill(lint, lint_document().fields.record(), &result, &result);
//
// The struct has a static each_member(self, visit) that calls visit(name, member) for each member,
// like those of planex/results.h. A value without a member of its name is dropped: the description
// is newer than the struct. A null leaves a member as it is, which is std::nullopt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "record/fields.h"
#include "record/value.h"

namespace planex::record {

struct SlotType;

// A destination for a value. Without a type the value is dropped.
struct Slot {
  const SlotType* type = nullptr;
  void* at = nullptr;
};

struct SlotMember {
  std::string_view name;
  const SlotType* type;
  std::size_t offset;
};

// How one C++ type stores a value; a null function is a kind that it does not accept.
struct SlotType {
  void (*boolean)(void* at, bool truth) = nullptr;
  void (*integer)(void* at, std::int64_t number) = nullptr;
  void (*real)(void* at, double number) = nullptr;
  void (*text)(void* at, std::string_view text) = nullptr;
  // A list: the destination of the next item.
  Slot (*item)(void* at) = nullptr;
  // A map: the destination of the value with this name.
  Slot (*entry)(void* at, std::string_view name) = nullptr;
  // An object: its members, in order.
  std::span<const SlotMember> (*members)() = nullptr;
  // An optional: its content, newly created.
  Slot (*inside)(void* at) = nullptr;
};

template <typename T>
const SlotType* slot_type();

template <typename T>
Slot slot_of(T& value) {
  return {slot_type<T>(), &value};
}

template <typename T>
concept HasMembers = requires(T& value) { T::each_member(value, [](std::string_view, auto&) {}); };

template <typename T>
std::span<const SlotMember> members_of() {
  static const std::vector<SlotMember> kMembers = [] {
    std::vector<SlotMember> members;
    T sample;
    T::each_member(sample, [&]<typename Member>(std::string_view name, Member& member) {
      const auto* begin = reinterpret_cast<const char*>(&sample);
      const auto* place = reinterpret_cast<const char*>(&member);
      members.push_back({name, slot_type<Member>(), static_cast<std::size_t>(place - begin)});
    });
    return members;
  }();
  return kMembers;
}

template <typename T>
struct SlotTypeOf;

template <>
struct SlotTypeOf<bool> {
  static constexpr SlotType kType = {
      .boolean = [](void* at, bool truth) { *static_cast<bool*>(at) = truth; }};
};

template <>
struct SlotTypeOf<std::int64_t> {
  static constexpr SlotType kType = {
      .integer = [](void* at, std::int64_t number) { *static_cast<std::int64_t*>(at) = number; }};
};

// Whole numbers arrive as integers.
template <>
struct SlotTypeOf<double> {
  static constexpr SlotType kType = {
      .integer =
          [](void* at, std::int64_t number) {
            *static_cast<double*>(at) = static_cast<double>(number);
          },
      .real = [](void* at, double number) { *static_cast<double*>(at) = number; }};
};

template <>
struct SlotTypeOf<std::string> {
  static constexpr SlotType kType = {
      .text = [](void* at, std::string_view text) { *static_cast<std::string*>(at) = text; }};
};

template <>
struct SlotTypeOf<std::variant<std::monostate, std::int64_t, double, std::string>> {
  using Scalar = std::variant<std::monostate, std::int64_t, double, std::string>;
  static constexpr SlotType kType = {
      .boolean = [](void* at,
                    bool truth) { *static_cast<Scalar*>(at) = std::int64_t{truth ? 1 : 0}; },
      .integer = [](void* at, std::int64_t number) { *static_cast<Scalar*>(at) = number; },
      .real = [](void* at, double number) { *static_cast<Scalar*>(at) = number; },
      .text = [](void* at,
                 std::string_view text) { *static_cast<Scalar*>(at) = std::string(text); }};
};

template <typename T>
struct SlotTypeOf<std::optional<T>> {
  static constexpr SlotType kType = {
      .inside = [](void* at) { return slot_of(static_cast<std::optional<T>*>(at)->emplace()); }};
};

template <typename T>
struct SlotTypeOf<std::vector<T>> {
  static constexpr SlotType kType = {
      .item = [](void* at) { return slot_of(static_cast<std::vector<T>*>(at)->emplace_back()); }};
};

template <typename T>
struct SlotTypeOf<std::vector<std::pair<std::string, T>>> {
  static constexpr SlotType kType = {.entry = [](void* at, std::string_view name) {
    auto& map = *static_cast<std::vector<std::pair<std::string, T>>*>(at);
    return slot_of(map.emplace_back(std::string(name), T{}).second);
  }};
};

template <HasMembers T>
struct SlotTypeOf<T> {
  static constexpr SlotType kType = {.members = [] { return members_of<T>(); }};
};

template <typename T>
const SlotType* slot_type() {
  return &SlotTypeOf<T>::kType;
}

class StructSink final : public Sink {
 public:
  explicit StructSink(Slot root) : next_(root) {}

  void null() override;
  void boolean(bool truth) override;
  void integer(std::int64_t number) override;
  void real(double number) override;
  void text(std::string_view text) override;
  void begin_list() override;
  void end_list() override;
  void begin_object() override;
  void key(std::string_view name) override;
  void end_object() override;

 private:
  struct Open {
    Slot slot;
    // For an object: the member that is expected next.
    std::size_t next_member = 0;
    bool is_list = false;
  };

  // The destination of the next value; containers for it are created.
  Slot take();

  std::vector<Open> open_;
  // The destination of the value after a key, or of the whole.
  Slot next_;
};

template <HasMembers T>
void fill(T& into, const Record& record, const void* object, const void* context) {
  StructSink sink(slot_of(into));
  record.put_object(object, context, sink);
}

}  // namespace planex::record
