// INT8 where it is faster: layers whose INT8 kernels take longer than those in float stay in float.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyze/optimize/outcome.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "jobs/optimize/proposals.h"
#include "jobs/optimize/quantized_models.h"
#include "onnx/node_names.h"
#include "quantize/float_regions.h"
#include "quantize/measured_engine.h"
#include "quantize/placement.h"
#include "quantize/placement_options.h"
#include "quantize/timed_parts.h"
#include "tune/model_file.h"

namespace planex::jobs {
namespace {

using quantize::PartSet;
using quantize::PartTimes;

// Of each engine.
constexpr int kRuns = 2;
// Of the time of all parts: differences below that are none.
constexpr double kMinShare = 0.005;

// The float model and what its layers are, for engines of it and of models made of it.
class Parts {
 public:
  static Result<std::unique_ptr<Parts>> open(const ProposalNeeds& needs, const Recipe& from) {
    std::unique_ptr<Parts> parts(new Parts(needs));
    PLANEX_ASSIGN(parts->file_, tune::ModelFile::open(from.model));
    PLANEX_ASSIGN(
        const quantize::Placement placement,
        quantize::place(parts->file_->model(), parts->file_->links(), {.target = *needs.target}));
    parts->parts_ = quantize::parts_of(parts->file_->model(), parts->file_->links(), placement);
    return parts;
  }

  std::size_t count() const { return parts_.layers.size(); }
  PartSet all() const {
    PartSet parts(count());
    std::iota(parts.begin(), parts.end(), 0U);
    return parts;
  }
  const std::vector<quantize::SharedTensor>& tensors() const { return parts_.tensors; }

  std::vector<std::string> names_of(const PartSet& parts) const {
    const onnx::NodeNames names(file_->model());
    std::vector<std::string> words;
    for (const std::uint32_t part : parts) {
      words.push_back(quantize::word_of_node(names, parts_.layers[part]));
    }
    return words;
  }

  Result<PartTimes> measure(const Recipe& recipe) const {
    PLANEX_TRY(still_in_time(needs_));
    PLANEX_ASSIGN(const quantize::MeasuredEngine engine, needs_.measure_layers(recipe));
    if (!engine.untimed_reason.empty()) return fail(ErrorCode::kUnsupported, engine.untimed_reason);
    PLANEX_ASSIGN(const auto file, tune::ModelFile::open(recipe.model));
    const quantize::FloatNodes nodes(file->model(), file->links(), file_->model(), file_->links());
    PartTimes times = quantize::part_times(engine, parts_, nodes);
    if (std::ranges::none_of(times.ms, [](const auto& ms) { return ms.has_value(); })) {
      return fail(ErrorCode::kUnsupported, "the engine gives no times of layers");
    }
    return times;
  }

  // What tensors between the two types cost, if all of them together cost this. `sizes`: of the
  // engine in float.
  void spread_conversions(double ms, const PartSet& in_float, const PartTimes& sizes) {
    std::vector<double> bytes;
    double converted = 0;
    for (std::size_t place = 0; place < parts_.tensors.size(); ++place) {
      const auto maker = parts_.maker_of[place];
      bytes.push_back(maker ? static_cast<double>(sizes.written_bytes[*maker]) : 0);
      const auto count = std::ranges::count_if(parts_.tensors[place].parts, [&](auto part) {
        return std::ranges::binary_search(in_float, part);
      });
      if (count > 0 && count < std::ssize(parts_.tensors[place].parts)) converted += bytes.back();
    }
    for (std::size_t place = 0; place < bytes.size(); ++place) {
      parts_.tensors[place].conversion_ms = converted > 0 ? ms * bytes[place] / converted : 0;
    }
  }

 private:
  explicit Parts(const ProposalNeeds& needs) : needs_(needs) {}

  const ProposalNeeds& needs_;
  std::unique_ptr<tune::ModelFile> file_;
  quantize::ModelParts parts_;
};

// Whatever disturbs a run makes it longer.
void take_shorter(PartTimes& times, PartTimes others) {
  if (times.ms.empty()) {
    times = std::move(others);
    return;
  }
  for (std::size_t part = 0; part < others.ms.size(); ++part) {
    if (!others.ms[part]) continue;
    times.ms[part] = std::min(times.ms[part].value_or(*others.ms[part]), *others.ms[part]);
  }
}

Result<PartTimes> repeated(const Parts& parts, const Recipe& recipe) {
  PartTimes times;
  for (int run = 0; run < kRuns; ++run) {
    PLANEX_ASSIGN(PartTimes one, parts.measure(recipe));
    take_shorter(times, std::move(one));
  }
  return times;
}

// Unknown in one of them: no difference.
std::vector<quantize::TimedPart> timed_parts(const PartTimes& in_float, const PartTimes& in_int8) {
  std::vector<quantize::TimedPart> parts(in_float.ms.size());
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (!in_float.ms[part] || !in_int8.ms[part]) continue;
    parts[part] = {.float_ms = *in_float.ms[part], .int8_ms = *in_int8.ms[part]};
  }
  double all_ms = 0;
  for (const quantize::TimedPart& part : parts) all_ms += part.int8_ms;
  for (quantize::TimedPart& part : parts) {
    if (std::abs(part.int8_ms - part.float_ms) < kMinShare * all_ms) part.float_ms = part.int8_ms;
  }
  return parts;
}

// Of each part in the mixed engine; where that is unknown, as in the engine that it is like. Parts
// that can't be compared are left out.
std::vector<double> mixed_ms(const PartTimes& mixed, std::span<const quantize::TimedPart> parts,
                             const PartSet& in_float) {
  std::vector<double> ms;
  for (std::uint32_t part = 0; part < parts.size(); ++part) {
    const bool is_float = std::ranges::binary_search(in_float, part);
    const double alike_ms = is_float ? parts[part].float_ms : parts[part].int8_ms;
    ms.push_back(alike_ms > 0 ? mixed.ms[part].value_or(alike_ms) : 0);
  }
  return ms;
}

double sum_of(const std::vector<double>& ms) { return std::accumulate(ms.begin(), ms.end(), 0.0); }

// What to keep in float after `in_float` was built: conversions cost what it took longer than its
// parts by themselves, and regions that lost go back.
PartSet again(const PartSet& in_float, std::vector<quantize::TimedPart> timed,
              const std::vector<double>& mixed, const PartTimes& sizes, Parts& parts) {
  constexpr double kNever = 1e5;  // ms
  std::vector<double> int8_ms;
  double expected_ms = 0;
  for (std::uint32_t part = 0; part < timed.size(); ++part) {
    const bool is_float = std::ranges::binary_search(in_float, part);
    int8_ms.push_back(timed[part].int8_ms);
    expected_ms += is_float ? timed[part].float_ms : timed[part].int8_ms;
  }
  parts.spread_conversions(std::max(sum_of(mixed) - expected_ms, 0.0), in_float, sizes);
  const PartSet stay = quantize::those_that_gained(in_float, int8_ms, mixed, parts.tensors());
  for (const std::uint32_t part : in_float) {
    if (!std::ranges::binary_search(stay, part)) timed[part].float_ms = kNever;
  }
  return quantize::fastest_in_float(timed, parts.tensors());
}

}  // namespace

Result<Made> make_int8_where_faster(const ProposalNeeds& needs, const Recipe& best,
                                    const std::string& folder) {
  if (needs.aim == analyze::Aim::kMemory) {
    return Made{.reason = "layers in float take more memory, even if they are faster"};
  }
  if (!needs.measure_layers) return Made{.reason = "layers can't be measured here"};
  const Recipe from = float_recipe(best);
  auto opened = Parts::open(needs, from);
  if (!opened) return unchanged(opened.error());
  Parts& parts = **opened;
  if (parts.count() < 2) return Made{.reason = "it has only one layer that can be in INT8"};
  PLANEX_ASSIGN(const MadeInt8 int8, int8_of(needs, from, base::join_path(folder, "int8")));
  if (int8.recipe.model.empty()) return Made{.reason = int8.reason};

  PartTimes in_float, in_int8;
  for (int run = 0; run < kRuns; ++run) {
    auto one = parts.measure(from);
    if (!one) return unchanged(one.error());
    auto two = parts.measure(int8.recipe);
    if (!two) return unchanged(two.error());
    take_shorter(in_float, *std::move(one));
    take_shorter(in_int8, *std::move(two));
  }
  // At first as if conversions cost nothing, as they do where they run inside of other layers.
  const std::vector<quantize::TimedPart> timed = timed_parts(in_float, in_int8);
  PartSet kept = quantize::fastest_in_float(timed, parts.tensors());
  if (kept.empty()) return Made{.reason = "no layer is faster in float"};
  if (kept.size() == parts.count()) return Made{.reason = "every layer is faster in float"};

  const auto make = [&](const PartSet& layers, const std::string& name) {
    return make_int8_except(needs, from, base::join_path(folder, name), parts.names_of(layers),
                            int8.method);
  };
  PLANEX_ASSIGN(Made made, make(kept, "first"));
  if (!made.recipe) return made;
  PLANEX_ASSIGN(const PartTimes first, repeated(parts, *made.recipe));
  const std::vector<double> first_ms = mixed_ms(first, timed, kept);
  double mixed_sum_ms = sum_of(first_ms);
  const PartSet better = again(kept, timed, first_ms, in_float, parts);
  if (!better.empty() && better != kept) {
    PLANEX_ASSIGN(Made other, make(better, "second"));
    if (other.recipe) {
      PLANEX_ASSIGN(const PartTimes second, repeated(parts, *other.recipe));
      const double second_sum_ms = sum_of(mixed_ms(second, timed, better));
      if (second_sum_ms < mixed_sum_ms) {
        made = std::move(other);
        kept = better;
        mixed_sum_ms = second_sum_ms;
      }
    }
  }
  // All of them take that long in INT8, and in float.
  if (mixed_sum_ms >= sum_of(mixed_ms(in_int8, timed, {}))) {
    return Made{.reason =
                    base::format("{} faster in float, but conversions cost what that gains",
                                 kept.size() == 1 ? std::string("1 layer is")
                                                  : base::format("{} layers are", kept.size()))};
  }
  if (mixed_sum_ms >= sum_of(mixed_ms(in_float, timed, parts.all()))) {
    return Made{.reason = "conversions cost more than its layers in INT8 gain"};
  }
  needs.made->slower_from = from.model;
  needs.made->slower = parts.names_of(kept);
  return made;
}

}  // namespace planex::jobs
