// Runs models on samples in the process of planex-openvino, and returns what was observed of their
// tensors: ranges, histograms, differences between two models, the tensors themselves.
//
// A job is a file (planex.inference-job/1), its result another (planex.inference-result/1):
// docs/reference/inference-jobs.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays/difference.h"
#include "drive/cancellation.h"
#include "planex/error.h"

namespace planex::drive {

enum class Arithmetic : std::uint8_t {
  kFloat,      // float32 throughout: for a model without Q/DQ its own result
  kSimulated,  // Q/DQ in float32, as the file says, none of it replaced by integer kernels; what
               // the file has in float16 or bfloat16 is computed in float32 and rounded
  kEngine      // what the engine makes of the model
};

struct InferenceModel {
  std::string id;
  std::string path;
  Arithmetic arithmetic = Arithmetic::kFloat;
  // Tensors, by their names in the file, that become outputs in addition to the model's own.
  std::vector<std::string> taps;
  std::vector<std::pair<std::string, std::string>> config;  // of the compiler
};

struct TensorOf {
  std::string model;  // InferenceModel::id
  std::string tensor;
};

struct SplitTensor {
  std::string tensor;
  arrays::Split split;  // without sizes: only by the ranges of its channels
};

// Models that are loaded together and get the same samples one by one.
struct InferencePass {
  std::vector<InferenceModel> models;
  // The range of each of these tensors. With bins, also the histogram of |x| over [0, max |x|], for
  // which the samples run twice. Tensors of this list and the next two need not be among the taps.
  // A tensor that the model does not have is left out (RanModel::missing_taps).
  std::vector<TensorOf> observed;
  int histogram_bins = 0;
  // Pairs to compare: the reference first, then the subject.
  std::vector<std::pair<TensorOf, TensorOf>> compared;
  // Tensors whose slices are compared separately, if they are compared.
  std::vector<SplitTensor> splits;
  // How many classes the last axis has; 0: none.
  bool has_classes = false;
  // Written to InferenceJob::output_dir as MODEL.TENSOR.npy, with a first axis of samples.
  // Characters that don't belong in a file name become "_"; StoredTensor::path has the name.
  std::vector<TensorOf> stored;
};

struct InferenceJob {
  std::string samples;  // folder of arrays/sample_folder.h
  std::size_t first_sample = 0;
  std::optional<std::size_t> sample_count;
  std::vector<InferencePass> passes;
  int threads = 1;
  std::string isa;  // upper limit for kernels, in the words of ONEDNN_MAX_CPU_ISA; empty: no limit
  std::string output_dir;
  arrays::Tolerance tolerance;
};

struct ObservedTensor {
  TensorOf tensor;
  std::string type;                 // "float32", "int64", ... as in the model
  std::vector<std::int64_t> shape;  // of the first sample
  // All values are read as float32.
  std::int64_t count = 0, nan_count = 0, inf_count = 0, zero_count = 0;
  double min = 0, max = 0;  // of finite values; 0 if there are none
  // Over finite |x|: floor(|x| * bins / max |x|), so that bin 0 is [0, width). The last bin
  // includes max |x| itself. If max |x| is 0, all values are in bin 0.
  std::vector<std::uint64_t> histogram;
  // Only the values below 0, in the same bins; empty: there are none.
  std::vector<std::uint64_t> negative_histogram;
  // One per sample, in order: shows outliers among the samples. NaN: no finite value.
  std::vector<float> sample_max_abs;

  std::int64_t finite_count() const { return count - nan_count - inf_count; }
};

struct ComparedTensor {
  TensorOf reference, subject;
  arrays::Difference difference;
  std::optional<arrays::Agreement> agreement;
  // Why there are no figures: "1x10 and 1x12 of sample 0". Tensors of different ranks but the same
  // number of values are compared value by value.
  std::string mismatch;
};

struct RanModel {
  std::string id;
  double compile_ms = 0;
  double mean_infer_ms = 0;               // for one sample, including taps
  std::int64_t layer_count = 0;           // of the compiled model
  std::string output_digest;              // SHA-256 of the model's own outputs for all samples
  std::vector<std::string> missing_taps;  // the compiler's reader knows no such tensor
};

struct StoredTensor {
  TensorOf tensor;
  std::string path;
};

struct PassResult {
  std::vector<RanModel> models;
  std::vector<ObservedTensor> observed;
  std::vector<ComparedTensor> compared;
  std::vector<StoredTensor> stored;
};

struct InferenceResult {
  std::string runtime_version;
  std::string isa;  // what the processor has: "avx2", "avx512_vnni", ...
  bool has_vnni = false;
  std::vector<PassResult> passes;
};

// `phase`: compile, infer, prepare; `done`: 0 to 1 of the whole job.
using InferenceProgress = std::function<void(std::string_view phase, double done)>;

// `program`: planex-openvino. The files exchanged with it are in a temporary folder of their own.
// Stored tensors are put into place all together or not at all.
// Memory: the models of a pass, their taps and one sample; it grows with neither samples nor
// passes. Errors: kNotFound, kBadInput, kUnsupported, kExternalTool (its own words), kIo,
// kCancelled.
Result<InferenceResult> infer(const InferenceJob& job, const std::string& program,
                              const InferenceProgress& progress, const Cancellation& cancellation);

// --- Pictures

// How a picture becomes a sample.
struct Preparation {
  enum class Fit : std::uint8_t {
    kStretch,  // to height and width, ignoring the aspect ratio
    kPad,      // scaled to fit; the rest at the right and bottom is filled with `fill`
    kCrop      // scaled to cover; the middle is kept
  };
  enum class Color : std::uint8_t { kRgb, kBgr, kGray };
  enum class Layout : std::uint8_t { kNchw, kNhwc };
  std::int64_t height = 0, width = 0;
  Fit fit = Fit::kStretch;
  Color color = Color::kRgb;
  Layout layout = Layout::kNchw;
  double fill = 0;  // 0 to 255, before mean and scale
  // (x - mean) * scale per channel, x from 0 to 255. One value: for all channels.
  std::vector<double> mean = {0}, scale = {1.0 / 255};
};

struct PictureJob {
  std::vector<std::string> pictures;  // JPEG, PNG, WebP
  std::vector<std::string> labels;    // empty, or one per picture
  Preparation preparation;
  std::string input_name;
  std::string input_type = "float32";
  std::string output_dir;  // the folder for the samples
  // The first pictures as the model sees them, as PNG; empty: none.
  std::string preview_dir;
  std::size_t preview_count = 0;
};

struct RefusedPicture {
  std::string path;
  std::string why;
};

struct PictureResult {
  std::size_t sample_count = 0;
  // A file that is not a picture is skipped and listed as refused. It is an error if no file is a
  // picture.
  std::vector<RefusedPicture> refused;
};

Result<PictureResult> prepare_pictures(const PictureJob& job, const std::string& program,
                                       const InferenceProgress& progress,
                                       const Cancellation& cancellation);

}  // namespace planex::drive
