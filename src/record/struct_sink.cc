#include "record/struct_sink.h"

#include <cmath>

namespace planex::record {
namespace {

// The value inside an optional, created if missing.
Slot unwrapped(Slot slot) {
  while (slot.type != nullptr && slot.type->inside != nullptr) slot = slot.type->inside(slot.at);
  return slot;
}

Slot member_of(const Slot& object, std::size_t& next, std::string_view name) {
  const auto members = object.type->members();
  // Usually they come in the order of the members.
  for (std::size_t i = 0; i < members.size(); ++i) {
    const SlotMember& member = members[(next + i) % members.size()];
    if (member.name != name) continue;
    next = (next + i + 1) % members.size();
    return {member.type, static_cast<char*>(object.at) + member.offset};
  }
  return {};
}

}  // namespace

Slot StructSink::take() {
  if (!open_.empty() && open_.back().is_list) {
    const Slot& list = open_.back().slot;
    return list.type != nullptr && list.type->item != nullptr ? list.type->item(list.at) : Slot{};
  }
  return std::exchange(next_, {});
}

void StructSink::null() { take(); }

void StructSink::boolean(bool truth) {
  const Slot slot = unwrapped(take());
  if (slot.type != nullptr && slot.type->boolean != nullptr) slot.type->boolean(slot.at, truth);
}

void StructSink::integer(std::int64_t number) {
  const Slot slot = unwrapped(take());
  if (slot.type != nullptr && slot.type->integer != nullptr) slot.type->integer(slot.at, number);
}

void StructSink::real(double number) {
  // A value that is not finite is unknown, as in JSON.
  if (!std::isfinite(number)) return null();
  const Slot slot = unwrapped(take());
  if (slot.type != nullptr && slot.type->real != nullptr) slot.type->real(slot.at, number);
}

void StructSink::text(std::string_view text) {
  const Slot slot = unwrapped(take());
  if (slot.type != nullptr && slot.type->text != nullptr) slot.type->text(slot.at, text);
}

void StructSink::begin_list() { open_.push_back({.slot = unwrapped(take()), .is_list = true}); }

void StructSink::end_list() { open_.pop_back(); }

void StructSink::begin_object() { open_.push_back({.slot = unwrapped(take())}); }

void StructSink::key(std::string_view name) {
  Open& object = open_.back();
  next_ = {};
  if (object.slot.type == nullptr) return;
  if (object.slot.type->members != nullptr) {
    next_ = member_of(object.slot, object.next_member, name);
  } else if (object.slot.type->entry != nullptr) {
    next_ = object.slot.type->entry(object.slot.at, name);
  }
}

void StructSink::end_object() { open_.pop_back(); }

}  // namespace planex::record
