#include "model/capsule.h"

#include <algorithm>

namespace planex::model {

std::string_view to_string(MemberState state) {
  switch (state) {
    case MemberState::kIntact:
      return "intact";
    case MemberState::kAltered:
      return "altered";
    case MemberState::kMissing:
      return "missing";
    case MemberState::kDamaged:
      return "damaged";
    case MemberState::kNotListed:
      break;
  }
  return "not-listed";
}

bool CapsuleCheck::is_intact() const {
  return std::ranges::all_of(
      members, [](const CheckedMember& member) { return member.state == MemberState::kIntact; });
}

}  // namespace planex::model
