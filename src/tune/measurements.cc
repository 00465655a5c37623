#include "tune/measurements.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "base/files.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/model_files.h"
#include "drive/sha256.h"
#include "quantize/scales.h"

namespace planex::tune {
namespace {

using quantize::Score;

// A variant and the samples that it is judged on, in the form of the state file.
std::string what_of(const Variant& variant, std::size_t sample_count) {
  std::string text = quantize::to_string(variant.method);
  const auto add = [&](std::string_view word, const std::vector<std::string>& nodes) {
    if (nodes.empty()) return;
    text += base::format(" {}", word);
    for (const std::string& node : nodes) text += base::format(" {}", base::quoted(node));
  };
  add("keep", variant.kept);
  add("only", variant.only);
  return text + base::format(" on {}", sample_count);
}

}  // namespace

quantize::Score score_of(const JudgedTensors& tensors) {
  Score score;
  for (const quantize::JudgedTensor& tensor : tensors) {
    if (const auto kept = arrays::kept_db(tensor.difference)) {
      score.sqnr_db = std::min(score.sqnr_db, *kept);
    }
    if (!tensor.agreement) continue;
    score.top1_count += tensor.agreement->top1_count;
    score.row_count += tensor.agreement->rows;
  }
  return score;
}

Result<quantize::Placement> Measurements::place(const Variant& variant) const {
  quantize::PlacementOptions options = request_.placement;
  options.kept.insert(options.kept.end(), variant.kept.begin(), variant.kept.end());
  options.only = variant.only;
  return quantize::place(file_.model(), file_.links(), options);
}

Result<void> Measurements::observe_all(const quantize::Placement& all,
                                       const std::vector<std::string>& layers) {
  std::set<std::string_view> known;
  std::vector<std::string> names;
  const auto add = [&](const quantize::Placement& placement) {
    for (const quantize::PlacedTensor& tensor : placement.tensors) {
      if (known.insert(tensor.name).second) names.emplace_back(tensor.name);
    }
  };
  add(all);
  for (const std::string& layer : layers) {
    PLANEX_ASSIGN(const quantize::Placement alone, place({.only = {layer}}));
    add(alone);
    PLANEX_ASSIGN(const quantize::Placement without, place({.kept = {layer}}));
    add(without);
  }
  return observe(file_, names, split_.calibration, runner_, seen_);
}

Result<std::vector<quantize::QuantizedTensor>> Measurements::tensors_of(
    const quantize::Placement& placement) {
  std::vector<std::string> names;
  for (const quantize::PlacedTensor& tensor : placement.tensors) names.emplace_back(tensor.name);
  PLANEX_TRY(observe(file_, names, split_.calibration, runner_, seen_));
  std::vector<std::string> told_before;
  return calibrated(file_, placement, request_.placement.target, request_.placement.format, seen_,
                    told_before);
}

Result<std::string> Measurements::state_key() const {
  const drive::Cancellation& cancellation = runner_.workshop().cancellation;
  base::Sha256 sum;
  const auto add_file = [&](const std::string& path) -> Result<void> {
    PLANEX_ASSIGN(const drive::FileDigest digest, drive::digest_file(path, cancellation));
    sum.add(digest.sha256);
    return {};
  };
  PLANEX_TRY(add_file(file_.path()));
  const std::string folder(base::folder_of(file_.path()));
  for (const std::string& name : drive::model_data_files(file_.path())) {
    PLANEX_TRY(add_file(base::join_path(folder, name)));
  }
  std::set<std::string> sample_folders = {split_.calibration.folder, split_.judge.folder};
  for (const std::string& samples : sample_folders) {
    PLANEX_ASSIGN(const auto files, base::disk().list(samples));
    for (const base::FileEntry& file : files) PLANEX_TRY(add_file(file.path));
  }
  sum.add(base::format("\n{} {} {} {} {} {} {}\n{} {}", split_.calibration.count,
                       split_.judge.first, split_.judge.count, to_string(request_.placement.target),
                       weight_bits_, request_.opset, runner_.has_vnni(), runner_.runtime_version(),
                       runner_.isa()));
  for (const std::string& node : request_.placement.kept) sum.add("\n" + node);
  if (runner_.workshop().judges_as_returned) sum.add("\nas returned");
  return sum.digits();
}

Result<bool> Measurements::open_state(const std::string& path) {
  if (path.empty()) return false;
  state_path_ = path;
  PLANEX_ASSIGN(state_.key, state_key());
  if (base::disk().kind(path) == base::PathKind::kMissing) return false;
  PLANEX_ASSIGN(const auto bytes, base::disk().read(path));
  auto known = quantize::parse_search_state(bytes->view());
  if (!known) {
    Error error = known.error();
    error.file = path;
    return fail(std::move(error));
  }
  if (known->key != state_.key) return true;
  state_ = std::move(*known);
  for (const auto& [what, score] : state_.measured) is_from_state_[what] = true;
  return false;
}

Result<void> Measurements::save() const {
  if (state_path_.empty()) return {};
  return base::write_file_atomically(state_path_, quantize::write_search_state(state_));
}

std::size_t Measurements::models_at_once() const {
  constexpr std::size_t kMaxModels = 8, kMaxBytes = std::size_t{256} << 20;
  return std::clamp<std::size_t>(kMaxBytes / std::max<std::size_t>(file_.size_bytes(), 1), 1,
                                 kMaxModels);
}

Result<std::vector<Score>> Measurements::measure(const std::vector<Variant>& variants, Judge& judge,
                                                 const std::string& step) {
  std::vector<std::string> all;
  std::vector<std::size_t> missing;
  for (const Variant& variant : variants) {
    all.push_back(what_of(variant, judge.samples().count));
    const auto from_state = is_from_state_.find(all.back());
    if (from_state != is_from_state_.end() && from_state->second) {
      ++known_count_;
      from_state->second = false;  // each is counted once
    }
    if (!state_.measured.contains(all.back())) missing.push_back(all.size() - 1);
  }
  const std::size_t at_once = models_at_once();
  for (std::size_t first = 0; first < missing.size(); first += at_once) {
    const std::size_t count = std::min(at_once, missing.size() - first);
    std::vector<Subject> subjects;
    for (std::size_t place = first; place < first + count; ++place) {
      const std::string id = base::format("variant_{}", place - first);
      const std::string path = base::join_path(runner_.workshop().folder, id + ".onnx");
      PLANEX_TRY(write(variants[missing[place]], path, {}));
      subjects.push_back({.id = id, .path = path});
    }
    const std::string words =
        base::format("{}: {} of {} left", step, base::counted(missing.size() - first, "compile"),
                     variants.size());
    PLANEX_ASSIGN(const auto judged, judge.compare_with_float(subjects, words));
    for (std::size_t place = 0; place < count; ++place) {
      state_.measured[all[missing[first + place]]] = score_of(judged[place]);
    }
    measured_count_ += count;
    PLANEX_TRY(save());
  }
  std::vector<Score> scores;
  for (const std::string& what : all) scores.push_back(state_.measured.at(what));
  return scores;
}

Result<void> Measurements::write(const Variant& variant, const std::string& path,
                                 const std::string& cache) {
  PLANEX_ASSIGN(const quantize::Placement placement, place(variant));
  PLANEX_ASSIGN(auto tensors, tensors_of(placement));
  const auto scales = quantize::choose_scales(tensors, variant.method);
  quantize::RewriteOptions options = quantize::rewrite_options(scales);
  options.weight_bits = weight_bits_;
  options.opset = request_.opset;
  auto weights = write_quantized(file_, placement, options, path);
  if (!weights) return fail(weights.error());
  if (cache.empty()) return {};
  for (std::size_t place = 0; place < scales.size(); ++place) {
    tensors[place].threshold = scales[place].threshold;
  }
  return write_cache(tensors, cache);
}

}  // namespace planex::tune
