#include "analyze/align/grouping.h"

namespace planex::analyze::matching {

GroupId Grouping::match(Spot a, Spot b, MatchBy by, double certainty) {
  const auto group = static_cast<GroupId>(groups_.size());
  groups_.push_back({.a = {a}, .b = {b}, .by = by, .certainty = certainty});
  of_a_[a] = group;
  of_b_[b] = group;
  return group;
}

void Grouping::add_a(GroupId group, Spot a) {
  groups_[group].a.push_back(a);
  of_a_[a] = group;
}

void Grouping::add_b(GroupId group, Spot b) {
  groups_[group].b.push_back(b);
  of_b_[b] = group;
}

void Grouping::merge(GroupId to, GroupId from) {
  for (const Spot a : groups_[from].a) add_a(to, a);
  for (const Spot b : groups_[from].b) add_b(to, b);
  groups_[from] = {};
}

void Grouping::unmatch(GroupId group) {
  for (const Spot a : groups_[group].a) of_a_[a] = kNoGroup;
  for (const Spot b : groups_[group].b) of_b_[b] = kNoGroup;
  groups_[group] = {};
}

}  // namespace planex::analyze::matching
