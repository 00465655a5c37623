#include "analyze/align/predecessor_rules.h"

#include <array>
#include <deque>
#include <unordered_map>

namespace planex::analyze::matching {
namespace {

using model::Direction;

Key dims_key(const model::PlanModel& model, std::size_t port) {
  const auto dims = model.ports.dims[port];
  Key key = key_of("port");
  for (const std::int64_t dim : dims.subspan(dims.empty() ? 0 : 1)) {
    key = mixed(key, static_cast<Key>(dim));
  }
  return key;
}

struct Signature {
  Key as_is = 0;
  // All inputs, in this order and swapped; 0 for what can't be swapped.
  Key straight = 0, swapped = 0;
};

Signature signature_of(const Side& side, Spot spot, AlignRule rule) {
  const model::PlanModel& model = *side.model;
  const model::LayerId layer = side.layers[spot];
  std::vector<Key> inputs, outputs;
  const model::RowRange ports = model.ports_of(layer);
  for (std::size_t port = ports.first; port < ports.end(); ++port) {
    const Direction direction = model.ports.direction[port];
    if (direction == Direction::kInput) inputs.push_back(dims_key(model, port));
    if (direction == Direction::kOutput) outputs.push_back(dims_key(model, port));
  }
  Signature signature;
  const Key type = side.traits[spot].type;
  if (model.text(model.layers.type[layer.index()]) == "PointWise" && inputs.size() == 2 &&
      outputs.size() == 1) {
    const Key start = mixed(type, outputs[0]);
    signature.straight = mixed(mixed(start, inputs[0]), inputs[1]);
    signature.swapped = mixed(mixed(start, inputs[1]), inputs[0]);
  }
  signature.as_is = type;
  for (auto* list : {&inputs, &outputs}) {
    if (rule == AlignRule::kFirstShapes && list->size() > 1)
      list->erase(list->begin() + 1, list->end());
    signature.as_is = mixed(signature.as_is, list->size());
    for (const Key key : *list) signature.as_is = mixed(signature.as_is, key);
  }
  return signature;
}

// The layers of one engine that are not matched yet, by signature.
class Queues {
 public:
  Queues(const Side& side, AlignRule rule) : is_taken_(side.size()) {
    for (Spot spot = 0; spot < side.size(); ++spot) {
      signatures_.push_back(signature_of(side, spot, rule));
      as_is_[signatures_.back().as_is].push_back(spot);
      if (signatures_.back().straight != 0) straight_[signatures_.back().straight].push_back(spot);
    }
  }

  // The first free layer, or kNoSpot.
  Spot head() {
    while (next_ < is_taken_.size() && is_taken_[next_]) ++next_;
    return next_ < is_taken_.size() ? static_cast<Spot>(next_) : kNoSpot;
  }
  // The first free layer that fits, or kNoSpot.
  Spot first_fitting(const Signature& signature) {
    const Spot as_is = first_of(as_is_, signature.as_is);
    const Spot swapped = signature.swapped == 0 ? kNoSpot : first_of(straight_, signature.swapped);
    return std::min(as_is, swapped);
  }
  void take(Spot spot) { is_taken_[spot] = true; }
  const Signature& signature(Spot spot) const { return signatures_[spot]; }

 private:
  using Queue = std::unordered_map<Key, std::deque<Spot>>;

  Spot first_of(Queue& queue, Key key) {
    const auto found = queue.find(key);
    if (found == queue.end()) return kNoSpot;
    std::deque<Spot>& spots = found->second;
    while (!spots.empty() && is_taken_[spots.front()]) spots.pop_front();
    return spots.empty() ? kNoSpot : spots.front();
  }

  std::vector<Signature> signatures_;
  Queue as_is_, straight_;
  std::vector<bool> is_taken_;
  std::size_t next_ = 0;
};

}  // namespace

void match_by_predecessor(Grouping& grouping, AlignRule rule) {
  Queues a(grouping.a(), rule), b(grouping.b(), rule);
  const auto match = [&](Spot x, Spot y) { grouping.match(x, y, MatchBy::kShape, 1); };
  while (true) {
    const Spot head_a = a.head();
    if (head_a == kNoSpot || b.head() == kNoSpot) return;
    const Spot fitting_b = b.first_fitting(a.signature(head_a));
    a.take(head_a);
    if (fitting_b != kNoSpot) {
      b.take(fitting_b);
      match(head_a, fitting_b);
    }
    const Spot head_b = b.head();
    if (head_b == kNoSpot || a.head() == kNoSpot) return;
    const Spot fitting_a = a.first_fitting(b.signature(head_b));
    b.take(head_b);
    if (fitting_a != kNoSpot) {
      a.take(fitting_a);
      match(fitting_a, head_b);
    }
  }
}

}  // namespace planex::analyze::matching
