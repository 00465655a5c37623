#include "tune/bisect.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "quantize/thresholds.h"
#include "tune/calibrate.h"
#include "tune/joined_output.h"
#include "tune/stored.h"

namespace planex::tune {
namespace {

using drive::Arithmetic;
using drive::InferencePass;
using quantize::Bisection;
using quantize::ExistingPair;

// Calibration methods do not differ by more than this where a model works at all; a scale that is
// twice too large costs 6 dB.
constexpr double kMisfitDb = 6;
// How many scales are tried in float: one that fits badly may cost the outputs nothing.
constexpr std::size_t kMaxSuspects = 4;
// Another suspect counts if it leaves less than this share of the noise that the previous one
// leaves: 0.05 dB.
constexpr double kLessShare = 0.99;
// Weights on 8 bits have 35 dB and more, on 7 bits 6 dB less; with one scale per tensor 20 is
// possible.
constexpr double kPoorWeightDb = 15;

// A tensor with its scale compared to the best scale.
struct ScaleFit {
  std::size_t pair = 0;
  std::string part;  // the joined part; empty: the whole tensor
  double scale = 0, best_scale = 0;
  double own_db = 0, best_db = 0;
  double misfit_db() const { return best_db - own_db; }
};

std::string node_text(const onnx::Model& model, onnx::Index node) {
  const onnx::Node& found = model.nodes[node];
  if (!found.name.empty()) return std::string(found.name);
  const auto outputs = model.outputs_of(found);
  return outputs.empty() ? std::string() : std::string(outputs.front());
}

class Search {
 public:
  Search(Comparison& comparison, const PairsOfSubject& pairs)
      : comparison_(comparison), pairs_(pairs) {}

  Result<Bisection> run() {
    found_.before_db = quantize::least_db(comparison_.result().simulated);
    PLANEX_ASSIGN(const std::vector<ScaleFit> fits, fit_scales());
    PLANEX_TRY(try_scales(fits));
    if (found_.kind != Bisection::Kind::kNone) return std::move(found_);
    if (!fits.empty() && fits.front().misfit_db() < kMisfitDb) {
      found_.steps.push_back(base::format(
          "scales: each of {} fits its values; the worst, of {}, keeps {:.1f} dB where {:.1f} are "
          "possible",
          base::counted(fits.size(), "tensor"), pairs_.existing.pairs[fits.front().pair].tensor,
          fits.front().own_db, fits.front().best_db));
    }
    take_weight();
    if (found_.kind != Bisection::Kind::kNone) {
      PLANEX_ASSIGN(found_.after_db, output_db(kept_, "prove"));
      return std::move(found_);
    }
    PLANEX_TRY(halve());
    return std::move(found_);
  }

 private:
  // Of the scales that don't fit, the one that costs the outputs most; where none costs them
  // anything, the one that fits least.
  Result<void> try_scales(const std::vector<ScaleFit>& fits) {
    const Bisection before = found_;
    std::optional<Bisection> worst;
    for (const ScaleFit& fit : std::span(fits).first(std::min(fits.size(), kMaxSuspects))) {
      if (fit.misfit_db() < kMisfitDb) break;
      Bisection tried = std::exchange(found_, before);
      if (worst) {
        found_.steps = std::move(tried.steps);
        found_.compile_count = tried.compile_count;
      }
      take_scale(fit);
      PLANEX_ASSIGN(found_.after_db, output_db(kept_, "prove"));
      found_.steps.push_back(base::format("with {} in float the worst output has {}", found_.tensor,
                                          db_words(found_.after_db)));
      if (!worst || noise_of(found_.after_db) < kLessShare * noise_of(worst->after_db)) {
        worst = found_;
      }
    }
    if (!worst) return {};
    worst->steps = std::move(found_.steps);
    worst->compile_count = found_.compile_count;
    found_ = *std::move(worst);
    return {};
  }

  static std::string db_words(const std::optional<double>& db) {
    return db ? base::format("{:.1f} dB", *db) : std::string("no noise");
  }

  // What the Concat that makes the tensor joins, in the model without Q/DQ.
  std::vector<std::string> joined_parts(const ExistingPair& pair) {
    const ModelFile& subject = comparison_.subject();
    std::vector<std::string> parts;
    for (const std::string& name :
         joined_split(subject.model(), subject.links(), pair.tensor).names) {
      const auto found = std::ranges::find(pairs_.existing.pairs, name, &ExistingPair::output);
      parts.emplace_back(found == pairs_.existing.pairs.end() ? std::string_view(name)
                                                              : found->tensor);
    }
    return parts;
  }

  // SQNR of each tensor, and of each joined part of one, from its histogram in the float model.
  // Worst fit first.
  Result<std::vector<ScaleFit>> fit_scales() {
    InferencePass pass;
    pass.histogram_bins = quantize::kHistogramBins;
    TensorNames taps;
    std::map<std::string_view, std::size_t> places;
    // The joined tensor whose scale rounds this one a second time.
    std::multimap<std::string, std::size_t> joined;
    for (std::size_t place = 0; place < pairs_.existing.pairs.size(); ++place) {
      const ExistingPair& pair = pairs_.existing.pairs[place];
      if (pair.scale.bits.size() != 1 || !places.emplace(pair.tensor, place).second) continue;
      taps.emplace_back(pair.tensor);
      for (const std::string& part : joined_parts(pair)) {
        taps.push_back(part);
        joined.emplace(part, place);
      }
    }
    std::ranges::sort(taps);
    taps.erase(std::ranges::unique(taps).begin(), taps.end());
    for (const std::string& tensor : taps) pass.observed.push_back({"float", tensor});
    const TensorNames outputs = comparison_.output_names();
    add_model(pass, "reference", comparison_.request().reference, Arithmetic::kFloat, outputs);
    if (!taps.empty()) add_model(pass, "float", pairs_.base_path, Arithmetic::kFloat, taps);
    PLANEX_ASSIGN(drive::PassResult seen, run(std::move(pass), "reference", "ranges"));
    for (const std::string& output : outputs) {
      PLANEX_ASSIGN(auto stored, find_stored(seen, "reference", output));
      if (stored) reference_[output] = std::move(*stored);
    }
    std::vector<ScaleFit> fits;
    for (const drive::ObservedTensor& tensor : seen.observed) {
      const quantize::Histogram histogram = histogram_of(tensor);
      if (histogram.range == 0) continue;
      const auto add = [&](std::size_t place, std::string part) {
        if (auto fit = fit_of(tensor, histogram, place)) {
          fit->part = std::move(part);
          fits.push_back(*std::move(fit));
        }
      };
      if (const auto own = places.find(tensor.tensor.tensor); own != places.end()) {
        add(own->second, {});
      }
      const auto [first, last] = joined.equal_range(tensor.tensor.tensor);
      for (auto of = first; of != last; ++of) add(of->second, of->first);
    }
    std::ranges::stable_sort(fits, std::ranges::greater{}, &ScaleFit::misfit_db);
    return fits;
  }

  // Null where the values have no signal.
  std::optional<ScaleFit> fit_of(const drive::ObservedTensor& tensor,
                                 const quantize::Histogram& histogram, std::size_t place) const {
    ScaleFit fit{.pair = place, .part = {}};
    const quantize::Levels own = own_levels(pairs_.existing.pairs[place].scale);
    fit.scale = own.scale;
    const quantize::Encoding encoding = encoding_of(own);
    const double best_threshold =
        quantize::threshold(histogram, {.method = quantize::Method::kMse, .percentile = 0},
                            encoding, tensor.min, tensor.max);
    const quantize::Levels best =
        quantize::levels_of(encoding, tensor.min, tensor.max, best_threshold);
    fit.best_scale = best.scale;
    const auto own_db = quantize::judge(histogram, own).sqnr_db;
    const auto best_db = quantize::judge(histogram, best).sqnr_db;
    if (!own_db || !best_db) return std::nullopt;
    fit.own_db = *own_db;
    fit.best_db = *best_db;
    return fit;
  }

  // Stores the outputs of a model, in a folder with the model's name.
  Result<drive::PassResult> run(InferencePass pass, const std::string& model,
                                const std::string& step) {
    for (const std::string& output : comparison_.output_names()) {
      pass.stored.push_back({model, output});
    }
    found_.compile_count += pass.models.size();
    drive::InferenceJob job;
    job.samples = comparison_.samples();
    PLANEX_ASSIGN(job.output_dir, make_folder(comparison_.workshop().folder, "bisect-" + model));
    job.passes.push_back(std::move(pass));
    PLANEX_ASSIGN(drive::InferenceResult seen,
                  comparison_.runner().run(std::move(job), "bisect: " + step));
    return std::move(seen.passes.front());
  }

  // The levels that the pair rounds to. Signed ones to +-127, as planex and TensorRT write them.
  static quantize::Levels own_levels(const quantize::ExistingScale& scale) {
    quantize::Levels levels{.scale = static_cast<double>(std::bit_cast<float>(scale.bits.front()))};
    if (scale.is_float8) {
      constexpr int kEnd = static_cast<int>(quantize::kFloat8Steps);
      levels.lowest = -kEnd;
      levels.highest = kEnd;
      levels.is_float8 = true;
      return levels;
    }
    const auto zero = static_cast<int>(scale.zero_points.empty() ? 0 : scale.zero_points.front());
    if (scale.is_unsigned) {
      constexpr int kLargest = 255;
      levels.lowest = -zero;
      levels.highest = kLargest - zero;
    } else if (zero != 0) {
      constexpr int kLowest = -128, kHighest = 127;
      levels.lowest = kLowest - zero;
      levels.highest = kHighest - zero;
    }
    return levels;
  }

  // For levels around 0, as those of uint8 around 128 are: symmetric ones.
  static quantize::Encoding encoding_of(const quantize::Levels& levels) {
    if (levels.is_float8) return quantize::Encoding::kFloat8;
    const bool is_even = std::abs(levels.lowest + levels.highest) <= 1;
    return is_even ? quantize::Encoding::kSigned : quantize::Encoding::kShifted;
  }

  void take_scale(const ScaleFit& fit) {
    const ExistingPair& pair = pairs_.existing.pairs[fit.pair];
    found_.kind = Bisection::Kind::kScale;
    found_.tensor = pair.tensor;
    if (pair.maker != onnx::kNoIndex) {
      found_.node = node_text(comparison_.subject().model(), pair.maker);
    }
    found_.scale = fit.scale;
    found_.best_scale = fit.best_scale;
    found_.own_db = fit.own_db;
    found_.best_db = fit.best_db;
    found_.part = fit.part;
    found_.steps.push_back(base::format(
        "scales: that of {} keeps {:.1f} dB of {} where {:.1f} are possible", pair.tensor,
        fit.own_db, fit.part.empty() ? "its tensor" : fit.part + ", which it joins", fit.best_db));
    const onnx::Index quantizer = pair.quantizer;
    kept_ = {.pair =
                 [this, quantizer](std::size_t place, onnx::Reader) {
                   return pairs_.existing.pairs[place].quantizer != quantizer;
                 },
             .weight = [](std::size_t) { return true; }};
  }

  void take_weight() {
    std::optional<std::size_t> worst;
    for (std::size_t place = 0; place < pairs_.weights.size(); ++place) {
      const auto& db = pairs_.weights[place].sqnr_db;
      if (db && *db < kPoorWeightDb && (!worst || *db < *pairs_.weights[*worst].sqnr_db)) {
        worst = place;
      }
    }
    if (!worst) return;
    const quantize::ExistingWeight& weight = pairs_.existing.weights[*worst];
    found_.kind = Bisection::Kind::kWeight;
    found_.tensor = weight.name;
    found_.own_db = pairs_.weights[*worst].sqnr_db;
    if (!weight.readers.empty()) {
      found_.node = node_text(comparison_.subject().model(), weight.readers.front().node);
    }
    found_.steps.push_back(base::format("weights: {} is {:.1f} dB from the float model's weight",
                                        weight.name, *found_.own_db));
    kept_ = {.pair = [](std::size_t, onnx::Reader) { return true; },
             .weight = [place = *worst](std::size_t one) { return one != place; }};
  }

  // The first `count` layers in float.
  quantize::Kept without_first(std::size_t count) const {
    const auto is_float = [this, count](onnx::Index node) {
      const auto found = std::ranges::find(pairs_.layers, node, &quantize::QuantizedLayer::node);
      return found - pairs_.layers.begin() < static_cast<std::ptrdiff_t>(count);
    };
    return {.pair = [is_float](std::size_t, onnx::Reader reader) { return !is_float(reader.node); },
            .weight =
                [this, count](std::size_t weight) {
                  return std::none_of(pairs_.layers.begin(),
                                      pairs_.layers.begin() + static_cast<std::ptrdiff_t>(count),
                                      [&](const quantize::QuantizedLayer& layer) {
                                        return std::ranges::find(layer.weights, weight) !=
                                               layer.weights.end();
                                      });
                }};
  }

  // Noise powers nearly add up: putting the first layers in float removes the noise that they made.
  Result<void> halve() {
    const onnx::Model& model = comparison_.subject().model();
    std::size_t first = 0, end = pairs_.layers.size();
    std::optional<double> before = found_.before_db, after;
    while (end - first > 1) {
      const std::size_t middle = first + (end - first) / 2;
      PLANEX_ASSIGN(const auto db, output_db(without_first(middle), "halve"));
      const double left = noise_of(before) - noise_of(db), right = noise_of(db) - noise_of(after);
      found_.steps.push_back(
          base::format("layers: with all layers before {} in float, the outputs "
                       "have {}",
                       node_text(model, pairs_.layers[middle].node), db_words(db)));
      (left >= right ? end : first) = middle;
      (left >= right ? after : before) = db;
    }
    const quantize::QuantizedLayer& layer = pairs_.layers[first];
    found_.kind = Bisection::Kind::kLayer;
    found_.node = node_text(model, layer.node);
    const auto outputs = model.outputs_of(model.nodes[layer.node]);
    if (!outputs.empty()) found_.tensor = outputs.front();
    PLANEX_ASSIGN(found_.after_db, output_db(all_but(layer), "prove"));
    return {};
  }

  static quantize::Kept all_but(const quantize::QuantizedLayer& layer) {
    return {.pair = [node = layer.node](std::size_t,
                                        onnx::Reader reader) { return reader.node != node; },
            .weight =
                [weights = layer.weights](std::size_t weight) {
                  return std::ranges::find(weights, weight) == weights.end();
                }};
  }

  // As a share of the signal's power; 0 where there is none.
  static double noise_of(const std::optional<double>& db) {
    return db ? std::pow(10.0, -*db / 10) : 0;
  }

  // For the model with what is kept, simulated: the worst output.
  Result<std::optional<double>> output_db(const quantize::Kept& kept, const std::string& step) {
    onnx::Edit edit;
    quantize::keep_only(comparison_.subject_view(), pairs_.existing, pairs_.weights, kept, edit);
    PLANEX_ASSIGN(const std::string path, comparison_.write_variant(edit, "half"));
    const TensorNames outputs = comparison_.output_names();
    InferencePass pass;
    add_model(pass, "simulated", path, Arithmetic::kSimulated, outputs);
    const auto seen = run(std::move(pass), "simulated", step);
    std::error_code code;
    std::filesystem::remove(path, code);
    if (!seen) return fail(seen.error());
    std::vector<quantize::JudgedTensor> judged;
    for (const auto& [output, reference] : reference_) {
      PLANEX_ASSIGN(const auto simulated, find_stored(*seen, "simulated", output));
      if (!simulated) continue;
      const auto judged_output =
          std::ranges::find(comparison_.outputs(), output, &JudgedOutput::tensor);
      const auto apart = difference_of(
          reference, *simulated, std::numeric_limits<std::size_t>::max(),
          judged_output == comparison_.outputs().end() ? nullptr : &judged_output->split);
      if (apart) judged.push_back({output, apart->difference, {}});
    }
    return quantize::least_db(judged);
  }

  Comparison& comparison_;
  const PairsOfSubject& pairs_;
  // The float model's outputs, which every variant is compared with: run once.
  std::map<std::string, StoredSamples> reference_;
  quantize::Kept kept_;
  Bisection found_;
};

}  // namespace

Result<void> bisect(Comparison& comparison) {
  PLANEX_ASSIGN(const PairsOfSubject* pairs, comparison.pairs());
  if (pairs == nullptr) {
    comparison.result().notes.emplace_back("there is nothing to bisect: the model has no Q/DQ");
    return {};
  }
  PLANEX_ASSIGN(comparison.result().bisection, Search(comparison, *pairs).run());
  return {};
}

}  // namespace planex::tune
