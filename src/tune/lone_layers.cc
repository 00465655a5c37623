#include "tune/lone_layers.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "quantize/cure.h"
#include "quantize/suspects.h"

namespace planex::tune {
namespace {

using drive::Arithmetic;
using drive::InferencePass;
using quantize::Cause;
using quantize::Fault;
using quantize::JudgedTensor;
using quantize::LayerAccuracy;
using quantize::QuantizedLayer;

// Layers per job: their files exist at the same time.
constexpr std::size_t kAtOnce = 8;

const arrays::Difference* worst_of(const std::vector<JudgedTensor>& outputs) {
  const JudgedTensor* worst = nullptr;
  std::optional<double> least;
  for (const JudgedTensor& output : outputs) {
    const auto db = quantize::db_or_infinite(output.difference);
    if (!db || (least && *db >= *least)) continue;
    least = db;
    worst = &output;
  }
  return worst == nullptr ? nullptr : &worst->difference;
}

struct Ran {
  std::optional<arrays::Difference> simulated, engine;
};

// For variants that differ in one thing from the model without Q/DQ.
class Variants {
 public:
  explicit Variants(Comparison& comparison, const PairsOfSubject& pairs)
      : comparison_(comparison), pairs_(pairs) {}

  // A layer alone, with or without a cure. Its cause is kUnknown; null where the cure changes
  // nothing.
  Result<bool> add(const QuantizedLayer& layer, Cause cure) {
    const quantize::ModelView subject = comparison_.subject_view();
    onnx::Edit edit;
    quantize::keep_only(subject, pairs_.existing, pairs_.weights, quantize::Kept::layer(layer),
                        edit);
    bool is_changed = cure == Cause::kNone;
    if (cure == Cause::kSaturation || cure == Cause::kBoth) {
      PLANEX_ASSIGN(
          const auto narrowed,
          quantize::narrow_weights(subject, pairs_.existing, pairs_.weights, layer.weights, edit));
      is_changed = !narrowed.empty();
      if (!is_changed && cure == Cause::kBoth) return false;
    }
    if (cure == Cause::kSign || cure == Cause::kBoth) {
      is_changed = !quantize::make_unsigned(subject, pairs_.existing, layer.pairs, edit).empty();
    }
    if (!is_changed) return false;
    PLANEX_ASSIGN(std::string path,
                  comparison_.write_variant(edit, base::format("alone_{}", paths_.size())));
    paths_.push_back(std::move(path));
    return true;
  }

  std::size_t size() const { return paths_.size(); }

  // In the order of add(). The files are deleted afterwards.
  Result<std::vector<Ran>> run(const std::string& step) {
    std::vector<InferencePass> passes;
    const TensorNames outputs = comparison_.output_names();
    for (const std::string& path : paths_) {
      InferencePass pass;
      add_model(pass, "float", pairs_.base_path, Arithmetic::kFloat, outputs);
      add_model(pass, "simulated", path, Arithmetic::kSimulated, outputs);
      add_model(pass, "engine", path, Arithmetic::kEngine, outputs);
      add_comparison(pass, "float", "simulated", outputs);
      add_comparison(pass, "float", "engine", outputs);
      passes.push_back(std::move(pass));
    }
    const auto seen = comparison_.infer(std::move(passes), step, kLoneSamples);
    for (const std::string& path : paths_) {
      std::error_code code;
      std::filesystem::remove(path, code);
    }
    paths_.clear();
    if (!seen) return fail(seen.error());
    std::vector<Ran> ran;
    for (const drive::PassResult& pass : seen->passes) {
      Ran one;
      const auto simulated = comparison_.judged(pass, "float", "simulated");
      const auto engine = comparison_.judged(pass, "float", "engine");
      if (const auto* worst = worst_of(simulated)) one.simulated = *worst;
      if (const auto* worst = worst_of(engine)) one.engine = *worst;
      ran.push_back(one);
    }
    return ran;
  }

 private:
  Comparison& comparison_;
  const PairsOfSubject& pairs_;
  std::vector<std::string> paths_;
};

class LoneLayers {
 public:
  LoneLayers(Comparison& comparison, const PairsOfSubject& pairs)
      : comparison_(comparison), pairs_(pairs), result_(comparison.result()) {}

  Result<void> run() {
    choose();
    if (chosen_.empty()) return {};
    PLANEX_TRY(check_base());
    for (std::size_t first = 0; first < chosen_.size(); first += kAtOnce) {
      const std::size_t end = std::min(first + kAtOnce, chosen_.size());
      Variants variants(comparison_, pairs_);
      for (std::size_t i = first; i < end; ++i) {
        PLANEX_TRY(variants.add(*chosen_[i].second, Cause::kNone));
      }
      PLANEX_ASSIGN(const std::vector<Ran> ran,
                    variants.run(base::format("layers alone, {} to {} of {}", first + 1, end,
                                              chosen_.size())));
      for (std::size_t i = first; i < end; ++i) take(*chosen_[i].first, ran[i - first]);
    }
    for (const auto& [layer, quantized] : chosen_) {
      if (layer->fault == Fault::kEngine || layer->fault == Fault::kBoth) {
        PLANEX_TRY(find_cause(*layer, *quantized));
      }
    }
    return {};
  }

 private:
  void choose() {
    const std::size_t limit = comparison_.request().alone;
    for (const quantize::Suspicion& one :
         quantize::suspects(comparison_.reference().model(), result_.layers, result_.fault)) {
      if (chosen_.size() < limit) add(one.layer);
    }
    for (std::size_t i = 0; i < result_.layers.size() && limit >= result_.layers.size(); ++i) {
      add(i);
    }
    // In the order of the model: as many as there are compile the float one next to each.
    std::ranges::sort(chosen_, {}, [](const auto& one) { return one.second->node; });
  }

  void add(std::size_t place) {
    LayerAccuracy& layer = result_.layers[place];
    const QuantizedLayer* quantized = layer_of(comparison_, pairs_, layer);
    if (quantized == nullptr) return;
    const auto is_known = [&](const auto& one) { return one.second == quantized; };
    if (std::ranges::none_of(chosen_, is_known)) chosen_.emplace_back(&layer, quantized);
  }

  // The quantized model without Q/DQ must be the float model: else something other than Q/DQ
  // differs.
  Result<void> check_base() {
    constexpr double kSameDb = 60;
    const TensorNames outputs = comparison_.output_names();
    InferencePass pass;
    add_model(pass, "float", comparison_.request().reference, Arithmetic::kFloat, outputs);
    add_model(pass, "base", pairs_.base_path, Arithmetic::kFloat, outputs);
    add_comparison(pass, "float", "base", outputs);
    PLANEX_ASSIGN(const auto seen, comparison_.infer({pass}, "without Q/DQ", kLoneSamples));
    const auto db = quantize::least_db(comparison_.judged(seen.passes.front(), "float", "base"));
    const auto unknown = std::ranges::count_if(
        pairs_.weights, [](const auto& weight) { return weight.is_dequantized; });
    if (unknown > 0) {
      result_.notes.push_back(base::format(
          "{} of the quantized model were not found in the float model: their loss does not show "
          "in layers alone",
          base::counted(static_cast<std::size_t>(unknown), "weight")));
    }
    if (db && *db < kSameDb) {
      result_.notes.push_back(base::format(
          "without its Q/DQ the quantized model is {:.1f} dB from the float model, so they differ "
          "in more than Q/DQ{}",
          *db, unknown > 0 ? " and those weights" : ""));
    }
    return {};
  }

  static void take(LayerAccuracy& layer, const Ran& ran) {
    layer.alone_simulated = ran.simulated;
    layer.alone_engine = ran.engine;
    const auto gap = layer.alone_gap_db();
    const auto own = quantize::db_or_infinite(layer.alone_simulated);
    if (!gap || !own) return;
    const bool is_model = *own < quantize::kModelFaultDb;
    const bool is_engine = *gap >= quantize::kLayerFaultDb;
    layer.fault = is_model ? (is_engine ? Fault::kBoth : Fault::kModel)
                           : (is_engine ? Fault::kEngine : Fault::kNone);
  }

  Result<void> find_cause(LayerAccuracy& layer, const QuantizedLayer& quantized) {
    layer.cause = Cause::kUnknown;
    Variants variants(comparison_, pairs_);
    std::vector<Cause> tried;
    for (const Cause cause : {Cause::kSaturation, Cause::kSign, Cause::kBoth}) {
      PLANEX_ASSIGN(const bool is_changed, variants.add(quantized, cause));
      if (is_changed) tried.push_back(cause);
    }
    if (tried.empty()) return {};
    PLANEX_ASSIGN(const std::vector<Ran> ran,
                  variants.run(base::format("try cures for {}", layer.tensor)));
    const double before = *layer.alone_gap_db();
    for (std::size_t i = 0; i < tried.size(); ++i) {
      LayerAccuracy cured;
      cured.alone_simulated = ran[i].simulated;
      cured.alone_engine = ran[i].engine;
      const auto gap = cured.alone_gap_db();
      // Most of the gap is gone, and the rest is not a fault.
      constexpr double kPart = 0.25;
      if (!gap || *gap >= quantize::kLayerFaultDb || *gap > before * kPart) continue;
      layer.cause = tried[i];
      layer.cured_engine = ran[i].engine;
      break;
    }
    return {};
  }

  Comparison& comparison_;
  const PairsOfSubject& pairs_;
  quantize::LayerAccuracies& result_;
  std::vector<std::pair<LayerAccuracy*, const QuantizedLayer*>> chosen_;
};

// What a cured model changes.
struct Cures {
  std::vector<std::size_t> weights, pairs;
};

class Curer {
 public:
  Curer(Comparison& comparison, const PairsOfSubject& pairs)
      : comparison_(comparison), pairs_(pairs), result_(comparison.result()) {}

  Result<void> run() {
    Cures cures;
    bool saturates = false;
    for (const LayerAccuracy& layer : result_.layers) {
      const QuantizedLayer* quantized = layer_of(comparison_, pairs_, layer);
      if (quantized == nullptr) continue;
      if (layer.cause == Cause::kSaturation || layer.cause == Cause::kBoth) {
        cures.weights.insert(cures.weights.end(), quantized->weights.begin(),
                             quantized->weights.end());
        saturates = true;
      }
      if (layer.cause == Cause::kSign || layer.cause == Cause::kBoth) {
        cures.pairs.insert(cures.pairs.end(), quantized->pairs.begin(), quantized->pairs.end());
      }
    }
    if (cures.weights.empty() && cures.pairs.empty()) {
      return fail({.code = ErrorCode::kUnsupported,
                   .message = "no layer that was run alone has an engine fault with a known cure, "
                              "so there is no cured model to write",
                   .file = comparison_.request().subject,
                   .hint = "run more layers alone: --alone all"});
    }
    PLANEX_TRY(write(cures));
    if (!saturates || is_cured()) return {};
    for (std::size_t place = 0; place < pairs_.existing.weights.size(); ++place) {
      cures.weights.push_back(place);
    }
    return write(cures);
  }

 private:
  Result<void> write(const Cures& cures) {
    const quantize::ModelView subject = comparison_.subject_view();
    onnx::Edit edit;
    const std::set<std::size_t> wanted(cures.weights.begin(), cures.weights.end());
    const std::vector<std::size_t> weights(wanted.begin(), wanted.end());
    PLANEX_ASSIGN(const auto narrowed, quantize::narrow_weights(subject, pairs_.existing,
                                                                pairs_.weights, weights, edit));
    const auto changed = quantize::make_unsigned(subject, pairs_.existing, cures.pairs, edit);
    const std::string path = base::join_path(comparison_.workshop().folder, "cured.onnx");
    PLANEX_TRY(comparison_.subject().write(edit, path));
    const TensorNames outputs = comparison_.output_names();
    InferencePass pass;
    pass.has_classes = true;
    add_model(pass, "float", comparison_.request().reference, Arithmetic::kFloat, outputs);
    add_model(pass, "simulated", path, Arithmetic::kSimulated, outputs);
    add_model(pass, "engine", path, Arithmetic::kEngine, outputs);
    add_comparison(pass, "float", "simulated", outputs);
    add_comparison(pass, "float", "engine", outputs);
    PLANEX_ASSIGN(const auto seen, comparison_.infer({pass}, "judge the cured model"));
    quantize::CuredModel cured;
    cured.path = comparison_.request().cured;
    for (const std::size_t place : narrowed) {
      cured.narrowed.emplace_back(pairs_.existing.weights[place].name);
    }
    std::set<std::string_view> tensors;
    for (const std::size_t place : changed) {
      const std::string_view tensor = pairs_.existing.pairs[place].tensor;
      if (tensors.insert(tensor).second) cured.unsigned_tensors.emplace_back(tensor);
    }
    cured.simulated = comparison_.judged(seen.passes.front(), "float", "simulated");
    cured.engine = comparison_.judged(seen.passes.front(), "float", "engine");
    result_.cured = std::move(cured);
    return comparison_.subject().write(edit, comparison_.request().cured);
  }

  bool is_cured() const {
    return quantize::is_engine_faithful(result_.cured->simulated, result_.cured->engine);
  }

  Comparison& comparison_;
  const PairsOfSubject& pairs_;
  quantize::LayerAccuracies& result_;
};

}  // namespace

const QuantizedLayer* layer_of(Comparison& comparison, const PairsOfSubject& pairs,
                               const LayerAccuracy& layer) {
  const onnx::Link* link = comparison.subject().links().find(layer.tensor);
  if (link == nullptr || link->node == onnx::kNoIndex) return nullptr;
  const auto found = std::ranges::find(pairs.layers, link->node, &QuantizedLayer::node);
  return found == pairs.layers.end() ? nullptr : &*found;
}

Result<void> look_at_lone_layers(Comparison& comparison) {
  if (comparison.request().alone == 0 || comparison.output_names().empty()) return {};
  PLANEX_ASSIGN(const PairsOfSubject* pairs, comparison.pairs());
  if (pairs == nullptr) return {};
  return LoneLayers(comparison, *pairs).run();
}

Result<void> write_cured(Comparison& comparison) {
  PLANEX_ASSIGN(const PairsOfSubject* pairs, comparison.pairs());
  if (pairs == nullptr) {
    return fail({.code = ErrorCode::kUnsupported,
                 .message = "the model has no Q/DQ to cure",
                 .file = comparison.request().subject});
  }
  return Curer(comparison, *pairs).run();
}

}  // namespace planex::tune
