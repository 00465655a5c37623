#include "quantize/accuracy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace planex::quantize {

namespace {

template <typename Enum>
std::string_view word_of(Enum value, std::span<const std::string_view> words) {
  const auto place = static_cast<std::size_t>(value);
  return place < words.size() ? words[place] : std::string_view();
}

}  // namespace

std::string_view to_string(Tap tap) {
  constexpr std::array<std::string_view, 4> kWords = {"verified", "disturbed", "missing", "none"};
  return word_of(tap, kWords);
}

std::string_view to_string(Fault fault) {
  constexpr std::array<std::string_view, 5> kWords = {"none", "model", "engine", "both", "unknown"};
  return word_of(fault, kWords);
}

std::string_view to_string(Cause cause) {
  constexpr std::array<std::string_view, 5> kWords = {"none", "saturation", "sign", "both",
                                                      "unknown"};
  return word_of(cause, kWords);
}

std::string_view to_string(Bisection::Kind kind) {
  constexpr std::array<std::string_view, 4> kWords = {"scale", "weight", "layer", "none"};
  return word_of(kind, kWords);
}

std::optional<double> db_or_infinite(const std::optional<arrays::Difference>& difference) {
  return difference ? arrays::kept_db(*difference) : std::nullopt;
}

std::optional<double> LayerAccuracy::alone_gap_db() const {
  const auto own = db_or_infinite(alone_simulated), of_engine = db_or_infinite(alone_engine);
  if (!own || !of_engine) return std::nullopt;
  // Two that lose nothing count as equal.
  return std::min(*own, kBeyondFloatDb) - std::clamp(*of_engine, -kBeyondFloatDb, kBeyondFloatDb);
}

std::optional<double> least_db(const std::vector<JudgedTensor>& outputs) {
  std::optional<double> least;
  for (const JudgedTensor& output : outputs) {
    const auto db = db_or_infinite(output.difference);
    if (db && (!least || *db < *least)) least = db;
  }
  return least;
}

bool is_engine_faithful(const std::vector<JudgedTensor>& simulated,
                        const std::vector<JudgedTensor>& engine) {
  constexpr double kSameDb = 1.5;
  const auto own = least_db(simulated), of_engine = least_db(engine);
  return own && of_engine && *of_engine >= *own - kSameDb;
}

Fault fault_of(const std::vector<JudgedTensor>& simulated,
               const std::vector<JudgedTensor>& engine) {
  const auto own = least_db(simulated), of_engine = least_db(engine);
  if (!own || !of_engine) return Fault::kUnknown;
  const bool is_model = *own < kModelFaultDb;
  const bool is_engine = *of_engine < *own - kEngineFaultDb;
  if (is_model) return is_engine ? Fault::kBoth : Fault::kModel;
  // Engine noise that nobody can notice is not a fault.
  constexpr double kPlenty = 60;
  return is_engine && *of_engine < kPlenty ? Fault::kEngine : Fault::kNone;
}

}  // namespace planex::quantize
