#include "drive/inference_files.h"

#include <array>
#include <string_view>
#include <utility>

#include "arrays/difference.h"
#include "base/text.h"
#include "drive/json_description.h"

namespace planex::drive {
namespace {

constexpr std::string_view kInferenceJob = "planex.inference-job/1";
constexpr std::string_view kInferenceResult = "planex.inference-result/1";
constexpr std::string_view kPictureJob = "planex.picture-job/1";
constexpr std::string_view kPictureResult = "planex.picture-result/1";

constexpr std::array<std::string_view, 3> kArithmetics = {"float", "simulated", "engine"};
constexpr std::array<std::string_view, 3> kFits = {"stretch", "pad", "crop"};
constexpr std::array<std::string_view, 3> kColors = {"rgb", "bgr", "gray"};
constexpr std::array<std::string_view, 2> kLayouts = {"nchw", "nhwc"};

// A pair has no names of its own.
struct TensorPair {
  TensorOf reference, subject;
};

}  // namespace

template <typename Io>
void describe(Io& io, arrays::Tolerance& tolerance) {
  io.optional("absolute", tolerance.absolute);
  io.optional("relative", tolerance.relative);
}

template <typename Io>
void describe(Io& io, arrays::Slice& slice) {
  auto& [axis, first, last, name, count, nonfinite_mismatch_count, is_equal, sqnr_db,
         reference_max_abs, max_abs] = slice;
  io.field("axis", axis);
  io.field("first", first);
  io.field("last", last);
  io.optional("name", name);
  io.field("count", count);
  io.field("nonfinite_mismatch_count", nonfinite_mismatch_count);
  io.field("is_equal", is_equal);
  io.field("sqnr_db", sqnr_db);
  io.field("reference_max_abs", reference_max_abs);
  io.field("max_abs", max_abs);
}

template <typename Io>
void describe(Io& io, arrays::Difference& difference) {
  // By position, so that a field added there can't be forgotten here: this would not compile.
  auto& [count, reference_nan_count, reference_inf_count, subject_nan_count, subject_inf_count,
         nonfinite_mismatch_count, is_equal, sqnr_db, psnr_db, cosine, max_abs, mean_abs, max_rel,
         mean_rel, outside_ratio, slices] = difference;
  io.field("count", count);
  io.field("reference_nan_count", reference_nan_count);
  io.field("reference_inf_count", reference_inf_count);
  io.field("subject_nan_count", subject_nan_count);
  io.field("subject_inf_count", subject_inf_count);
  io.field("nonfinite_mismatch_count", nonfinite_mismatch_count);
  io.field("is_equal", is_equal);
  io.field("sqnr_db", sqnr_db);
  io.field("psnr_db", psnr_db);
  io.field("cosine", cosine);
  io.field("max_abs", max_abs);
  io.field("mean_abs", mean_abs);
  io.field("max_rel", max_rel);
  io.field("mean_rel", mean_rel);
  io.field("outside_ratio", outside_ratio);
  io.optional("slices", slices);
}

template <typename Io>
void describe(Io& io, arrays::Agreement& agreement) {
  io.field("rows", agreement.rows);
  io.field("top1_count", agreement.top1_count);
  io.field("top5_count", agreement.top5_count);
}

template <typename Io>
void describe(Io& io, TensorOf& tensor) {
  io.field("model", tensor.model);
  io.field("tensor", tensor.tensor);
}

template <typename Io>
void describe(Io& io, TensorPair& pair) {
  io.field("reference", pair.reference);
  io.field("subject", pair.subject);
}

template <typename Io>
void describe(Io& io, InferenceModel& model) {
  io.field("id", model.id);
  io.field("path", model.path);
  io.word("arithmetic", model.arithmetic, kArithmetics);
  io.optional("taps", model.taps);
  io.object("config", model.config);
}

template <typename Io>
void describe(Io& io, SplitTensor& one) {
  io.field("tensor", one.tensor);
  io.optional("axis", one.split.axis);
  io.optional("sizes", one.split.sizes);
  io.optional("names", one.split.names);
}

template <typename Io>
void describe(Io& io, InferencePass& pass) {
  io.field("models", pass.models);
  io.optional("observed", pass.observed);
  io.optional("histogram_bins", pass.histogram_bins);
  std::vector<TensorPair> pairs;
  for (const auto& [reference, subject] : pass.compared) pairs.push_back({reference, subject});
  io.optional("compared", pairs);
  pass.compared.clear();
  for (TensorPair& pair : pairs) {
    pass.compared.emplace_back(std::move(pair.reference), std::move(pair.subject));
  }
  io.optional("splits", pass.splits);
  io.optional("has_classes", pass.has_classes);
  io.optional("stored", pass.stored);
}

template <typename Io>
void describe(Io& io, InferenceJob& job) {
  io.field("samples", job.samples);
  io.optional("first_sample", job.first_sample);
  io.optional("sample_count", job.sample_count);
  io.optional("threads", job.threads);
  io.optional("isa", job.isa);
  io.optional("output_dir", job.output_dir);
  io.optional("tolerance", job.tolerance);
  io.field("passes", job.passes);
}

template <typename Io>
void describe(Io& io, ObservedTensor& observed) {
  describe(io, observed.tensor);
  io.field("type", observed.type);
  io.field("shape", observed.shape);
  io.field("count", observed.count);
  io.field("nan_count", observed.nan_count);
  io.field("inf_count", observed.inf_count);
  io.field("zero_count", observed.zero_count);
  // Null if no value is finite.
  std::optional<double> min, max;
  if (observed.finite_count() > 0) {
    min = observed.min;
    max = observed.max;
  }
  io.field("min", min);
  io.field("max", max);
  observed.min = min.value_or(0);
  observed.max = max.value_or(0);
  io.field("histogram", observed.histogram);
  io.optional("negative_histogram", observed.negative_histogram);
  io.field("sample_max_abs", observed.sample_max_abs);
}

template <typename Io>
void describe(Io& io, ComparedTensor& compared) {
  io.field("reference", compared.reference);
  io.field("subject", compared.subject);
  io.field("difference", compared.difference);
  io.field("agreement", compared.agreement);
  io.field("mismatch", compared.mismatch);
}

template <typename Io>
void describe(Io& io, RanModel& model) {
  io.field("id", model.id);
  io.field("compile_ms", model.compile_ms);
  io.field("mean_infer_ms", model.mean_infer_ms);
  io.field("layer_count", model.layer_count);
  io.field("output_digest", model.output_digest);
  io.field("missing_taps", model.missing_taps);
}

template <typename Io>
void describe(Io& io, StoredTensor& stored) {
  describe(io, stored.tensor);
  io.field("path", stored.path);
}

template <typename Io>
void describe(Io& io, PassResult& pass) {
  io.field("models", pass.models);
  io.field("observed", pass.observed);
  io.field("compared", pass.compared);
  io.field("stored", pass.stored);
}

template <typename Io>
void describe(Io& io, InferenceResult& result) {
  io.field("runtime_version", result.runtime_version);
  io.field("isa", result.isa);
  io.field("has_vnni", result.has_vnni);
  io.field("passes", result.passes);
}

template <typename Io>
void describe(Io& io, Preparation& preparation) {
  io.field("height", preparation.height);
  io.field("width", preparation.width);
  io.word("fit", preparation.fit, kFits);
  io.word("color", preparation.color, kColors);
  io.word("layout", preparation.layout, kLayouts);
  io.optional("fill", preparation.fill);
  io.optional("mean", preparation.mean);
  io.optional("scale", preparation.scale);
}

template <typename Io>
void describe(Io& io, PictureJob& job) {
  io.field("pictures", job.pictures);
  io.optional("labels", job.labels);
  io.field("preparation", job.preparation);
  io.field("input_name", job.input_name);
  io.optional("input_type", job.input_type);
  io.field("output_dir", job.output_dir);
  io.optional("preview_dir", job.preview_dir);
  io.optional("preview_count", job.preview_count);
}

template <typename Io>
void describe(Io& io, RefusedPicture& refused) {
  io.field("path", refused.path);
  io.field("why", refused.why);
}

template <typename Io>
void describe(Io& io, PictureResult& result) {
  io.field("sample_count", result.sample_count);
  io.field("refused", result.refused);
}

std::string result_file_of(std::string_view job_file) {
  constexpr std::string_view kEnding = ".json";
  if (job_file.ends_with(kEnding)) job_file.remove_suffix(kEnding.size());
  return base::format("{}.result.json", job_file);
}

std::string job_json(InferenceJob job) { return described_document(kInferenceJob, job); }
std::string result_json(InferenceResult result) {
  return described_document(kInferenceResult, result);
}
std::string job_json(PictureJob job) { return described_document(kPictureJob, job); }
std::string result_json(PictureResult result) { return described_document(kPictureResult, result); }

Result<InferenceJob> read_inference_job(const base::Bytes& bytes, const std::string& file) {
  return read_described<InferenceJob>(bytes, kInferenceJob, file);
}
Result<InferenceResult> read_inference_result(const base::Bytes& bytes, const std::string& file) {
  return read_described<InferenceResult>(bytes, kInferenceResult, file);
}
Result<PictureJob> read_picture_job(const base::Bytes& bytes, const std::string& file) {
  return read_described<PictureJob>(bytes, kPictureJob, file);
}
Result<PictureResult> read_picture_result(const base::Bytes& bytes, const std::string& file) {
  return read_described<PictureResult>(bytes, kPictureResult, file);
}

}  // namespace planex::drive
