// INT8 where it is faster: layers whose INT8 kernels take longer than those in float stay in float.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

// Of a float value that is read or written, and its share of one byte that is the other side.
constexpr double kBytesOfConversion = 1.25;

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
  const std::vector<quantize::SharedTensor>& tensors() const { return parts_.tensors; }

  std::vector<std::string> names_of(const PartSet& parts) const {
    const onnx::NodeNames names(file_->model());
    std::vector<std::string> words;
    for (const std::uint32_t part : parts) {
      words.push_back(quantize::word_of_node(names, parts_.layers[part]));
    }
    return words;
  }

  // Runs the engine. What it shows of conversions is kept for add_costs().
  Result<PartTimes> measure(const Recipe& recipe) {
    PLANEX_TRY(still_in_time(needs_));
    PLANEX_ASSIGN(const quantize::MeasuredEngine engine, needs_.measure_layers(recipe));
    if (!engine.untimed_reason.empty()) return fail(ErrorCode::kUnsupported, engine.untimed_reason);
    conversion_rate_ = quantize::conversion_rate(engine);
    PLANEX_ASSIGN(const auto file, tune::ModelFile::open(recipe.model));
    const quantize::FloatNodes nodes(file->model(), file->links(), file_->model(), file_->links());
    PartTimes times = quantize::part_times(engine, parts_, nodes);
    if (std::ranges::none_of(times.ms, [](const auto& ms) { return ms.has_value(); })) {
      return fail(ErrorCode::kUnsupported, "the engine gives no times of layers");
    }
    return times;
  }

  // What it costs to go from one type to the other, at the pace of the engine that was measured
  // last. `in_float`: of the engine in float, which knows sizes.
  void add_costs(const PartTimes& in_float) {
    for (std::size_t place = 0; place < parts_.tensors.size(); ++place) {
      const auto maker = parts_.maker_of[place];
      const double bytes = maker ? static_cast<double>(in_float.written_bytes[*maker]) : 0;
      parts_.tensors[place].conversion_ms = bytes * kBytesOfConversion * conversion_rate_;
    }
  }

 private:
  explicit Parts(const ProposalNeeds& needs) : needs_(needs) {}

  const ProposalNeeds& needs_;
  std::unique_ptr<tune::ModelFile> file_;
  quantize::ModelParts parts_;
  double conversion_rate_ = 0;
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

// Unknown in one of them: no difference.
std::vector<quantize::TimedPart> timed_parts(const PartTimes& in_float, const PartTimes& in_int8) {
  std::vector<quantize::TimedPart> parts(in_float.ms.size());
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (!in_float.ms[part] || !in_int8.ms[part]) continue;
    parts[part] = {.float_ms = *in_float.ms[part], .int8_ms = *in_int8.ms[part]};
  }
  return parts;
}

// A region that gained nothing once it was built goes back to INT8.
PartSet without_losers(const PartSet& in_float, const PartTimes& int8, const PartTimes& mixed,
                       const Parts& parts) {
  std::vector<double> before(parts.count()), after(parts.count());
  for (std::size_t part = 0; part < parts.count(); ++part) {
    if (!int8.ms[part] || !mixed.ms[part]) continue;
    before[part] = *int8.ms[part];
    after[part] = *mixed.ms[part];
  }
  return quantize::those_that_gained(in_float, before, after, parts.tensors());
}

}  // namespace

Result<Made> make_int8_where_faster(const ProposalNeeds& needs, const Recipe& best,
                                    const std::string& folder) {
  if (!needs.measure_layers) return Made{.reason = "layers can't be measured here"};
  const Recipe from = float_recipe(best);
  auto opened = Parts::open(needs, from);
  if (!opened) return unchanged(opened.error());
  Parts& parts = **opened;
  if (parts.count() < 2) return Made{.reason = "it has only one layer that can be in INT8"};
  PLANEX_ASSIGN(const MadeInt8 int8, int8_of(needs, from, base::join_path(folder, "int8")));
  if (int8.recipe.model.empty()) return Made{.reason = int8.reason};

  constexpr int kRuns = 2;
  PartTimes in_float, in_int8;
  for (int run = 0; run < kRuns; ++run) {
    auto one = parts.measure(from);
    if (!one) return unchanged(one.error());
    auto two = parts.measure(int8.recipe);
    if (!two) return unchanged(two.error());
    take_shorter(in_float, *std::move(one));
    take_shorter(in_int8, *std::move(two));
  }
  parts.add_costs(in_float);
  PartSet kept = quantize::fastest_in_float(timed_parts(in_float, in_int8), parts.tensors());
  if (kept.empty()) return Made{.reason = "no layer is faster in float"};
  if (kept.size() == parts.count()) return Made{.reason = "every layer is faster in float"};

  const auto make = [&](const std::string& name) {
    return make_int8_except(needs, from, base::join_path(folder, name), parts.names_of(kept),
                            int8.method);
  };
  PLANEX_ASSIGN(Made made, make("first"));
  if (made.recipe) {
    PLANEX_ASSIGN(const PartTimes mixed, parts.measure(*made.recipe));
    const PartSet stay = without_losers(kept, in_int8, mixed, parts);
    if (!stay.empty() && stay.size() < kept.size()) {
      kept = stay;
      PLANEX_ASSIGN(made, make("second"));
    }
  }
  needs.made->slower_from = from.model;
  needs.made->slower = parts.names_of(kept);
  return made;
}

}  // namespace planex::jobs
