#include "drive/openvino_driver/infer.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <openvino/openvino.hpp>
#include <set>
#include <utility>

#include "arrays/sample_folder.h"
#include "base/files.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/inference_files.h"
#include "drive/openvino_driver/openvino_error.h"
#include "drive/openvino_driver/options.h"
#include "drive/openvino_driver/processor.h"
#include "drive/openvino_driver/run.h"
#include "drive/openvino_driver/running_model.h"
#include "drive/openvino_driver/stored_tensor.h"
#include "drive/openvino_driver/value_sums.h"
#include "onnx/check.h"
#include "onnx/read.h"

namespace planex::drive {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMaxBins = 1 << 20;

// How much of the whole job is done. A compilation counts as this many inferences.
class JobProgress {
 public:
  JobProgress(const Report& report, const InferenceJob& job, std::size_t samples)
      : report_(report) {
    for (const InferencePass& pass : job.passes) {
      const std::size_t sweeps = pass.histogram_bins > 0 && !pass.observed.empty() ? 2 : 1;
      all_ += pass.models.size() * (kCompile + sweeps * samples);
    }
  }
  void compiling() { tell("compile"); }
  void compiled() { done_ += kCompile; }
  void inferred(std::size_t models) {
    done_ += models;
    if (Clock::now() - told_ > kInterval) tell("infer");
  }

 private:
  static constexpr std::size_t kCompile = 10;
  static constexpr std::chrono::milliseconds kInterval{100};

  void tell(std::string_view phase) {
    told_ = Clock::now();
    report_(phase, all_ == 0
                       ? 1.0
                       : std::min(1.0, static_cast<double>(done_) / static_cast<double>(all_)));
  }

  const Report& report_;
  std::size_t all_ = 0, done_ = 0;
  Clock::time_point told_;
};

// An error for a job that does not make sense.
Failure bad_job(std::string message) { return fail(ErrorCode::kBadInput, std::move(message)); }

const InferenceModel* find_model(const InferencePass& pass, std::string_view id) {
  const auto found = std::ranges::find(pass.models, id, &InferenceModel::id);
  return found == pass.models.end() ? nullptr : &*found;
}

Result<void> check_pass(const InferencePass& pass) {
  std::set<std::string_view> ids;
  for (const InferenceModel& model : pass.models) {
    if (!ids.insert(model.id).second) {
      return bad_job(base::format("two models of one pass are called {}", base::quoted(model.id)));
    }
  }
  if (pass.histogram_bins < 0 || pass.histogram_bins > kMaxBins) {
    return bad_job(
        base::format("the histogram has {} bins, expected 0 to {}", pass.histogram_bins, kMaxBins));
  }
  std::vector<const TensorOf*> all;
  for (const TensorOf& tensor : pass.observed) all.push_back(&tensor);
  for (const TensorOf& tensor : pass.stored) all.push_back(&tensor);
  for (const auto& [reference, subject] : pass.compared) {
    all.insert(all.end(), {&reference, &subject});
  }
  for (const TensorOf* tensor : all) {
    if (!ids.contains(tensor->model)) {
      return bad_job(
          base::format("no model of the pass is called {}", base::quoted(tensor->model)));
    }
  }
  return {};
}

// All tensors of a model that its pass requests, each once.
std::vector<std::string> all_taps(const InferencePass& pass, const InferenceModel& model) {
  std::vector<std::string> taps;
  std::set<std::string_view> known;
  const auto add = [&](const std::string& name) {
    if (known.insert(name).second) taps.push_back(name);
  };
  const auto add_of = [&](const TensorOf& tensor) {
    if (tensor.model == model.id) add(tensor.tensor);
  };
  for (const std::string& name : model.taps) add(name);
  for (const TensorOf& tensor : pass.observed) add_of(tensor);
  for (const auto& [reference, subject] : pass.compared) {
    add_of(reference);
    add_of(subject);
  }
  for (const TensorOf& tensor : pass.stored) add_of(tensor);
  return taps;
}

// Everything that a compiled model depends on.
std::string key_of(const InferenceModel& model, const std::vector<std::string>& taps) {
  std::string key;
  const auto add = [&](std::string_view text) { key += base::format("{}:{};", text.size(), text); };
  add(model.path);
  add(std::to_string(static_cast<int>(model.arithmetic)));
  for (const auto& [name, value] : model.config) {
    add(name);
    add(value);
  }
  add("taps");
  for (const std::string& tap : taps) add(tap);
  return key;
}

std::vector<std::int64_t> shape_of(const ov::Tensor& tensor) {
  const ov::Shape& shape = tensor.get_shape();
  return {shape.begin(), shape.end()};
}

class SampleSet {
 public:
  static Result<SampleSet> open(const InferenceJob& job) {
    SampleSet set;
    PLANEX_ASSIGN(set.reader_, arrays::SampleReader::open(job.samples));
    const std::size_t there = set.reader_->index().samples.size();
    set.first_ = job.first_sample;
    if (job.first_sample >= there) {
      return about(job.samples, base::format("has {}, but sample {} was requested",
                                             base::counted(there, "sample"), job.first_sample));
    }
    set.count_ = job.sample_count.value_or(there - job.first_sample);
    if (set.count_ == 0 || set.count_ > there - job.first_sample) {
      return about(job.samples,
                   base::format("has {}, but {} from {} on were requested",
                                base::counted(there, "sample"), set.count_, job.first_sample));
    }
    for (const arrays::SampleInput& input : set.reader_->index().inputs) {
      set.sample_.emplace_back(element_of(input.type),
                               ov::Shape(input.shape.begin(), input.shape.end()));
    }
    return set;
  }

  const arrays::SampleIndex& index() const { return reader_->index(); }
  std::size_t count() const { return count_; }

  // Valid until the next call.
  Result<const Sample*> read(std::size_t number) {
    for (std::size_t i = 0; i < sample_.size(); ++i) {
      PLANEX_TRY(reader_->read(
          first_ + number, i, {static_cast<char*>(sample_[i].data()), sample_[i].get_byte_size()}));
    }
    return &sample_;
  }

 private:
  static Failure about(const std::string& folder, std::string message) {
    Error error;
    error.code = ErrorCode::kBadInput;
    error.file = folder;
    error.message = std::move(message);
    return fail(std::move(error));
  }

  std::unique_ptr<arrays::SampleReader> reader_;
  std::size_t first_ = 0, count_ = 0;
  Sample sample_;
};

// Models as read, as long as later passes need them, and compiled models from one pass to the next.
class ModelStore {
 public:
  ModelStore(ov::Core& core, const InferenceJob& job) : core_(core), job_(job) {
    for (const InferencePass& pass : job.passes) {
      for (const InferenceModel& model : pass.models) ++uses_[model.path];
    }
  }

  Result<std::shared_ptr<RunningModel>> get(const InferenceModel& model,
                                            const std::vector<std::string>& taps,
                                            const SampleSet& samples) {
    std::string key = key_of(model, taps);
    if (const auto found = compiled_.find(key); found != compiled_.end()) {
      if (--uses_[model.path] == 0) read_.erase(model.path);
      return found->second;
    }
    PLANEX_ASSIGN(const auto source, read(model.path));
    PLANEX_ASSIGN(auto made, RunningModel::compile(core_, *source, model, taps, samples.index(),
                                                   job_.threads));
    if (--uses_[model.path] == 0) read_.erase(model.path);
    std::shared_ptr<RunningModel> running = std::move(made);
    compiled_.emplace(std::move(key), running);
    return running;
  }

  // Frees the compiled models that this pass does not use.
  void keep_for(const InferencePass& pass) {
    std::set<std::string> keys;
    for (const InferenceModel& model : pass.models)
      keys.insert(key_of(model, all_taps(pass, model)));
    std::erase_if(compiled_, [&](const auto& entry) { return !keys.contains(entry.first); });
  }

 private:
  Result<std::shared_ptr<ov::Model>> read(const std::string& path) {
    if (const auto found = read_.find(path); found != read_.end()) return found->second;
    if (base::disk().kind(path) != base::PathKind::kFile) {
      Error error;
      error.code = ErrorCode::kNotFound;
      error.message = "there is no such model file";
      error.file = path;
      return fail(std::move(error));
    }
    const auto model = caught(path, [&]() -> Result<std::shared_ptr<ov::Model>> {
      PLANEX_ASSIGN(const auto bytes, base::disk().read(path, base::Access::kSparse));
      const auto source = onnx::read_model(bytes->view());
      if (source && bytes->is_intact()) PLANEX_TRY(onnx::check_for_engines(*source));
      return core_.read_model(path);
    });
    if (model && uses_[path] > 1) read_[path] = *model;
    return model;
  }

  ov::Core& core_;
  const InferenceJob& job_;
  std::map<std::string, std::size_t> uses_;  // that are still pending
  std::map<std::string, std::shared_ptr<ov::Model>> read_;
  std::map<std::string, std::shared_ptr<RunningModel>> compiled_;
};

class PassRun {
 public:
  PassRun(const InferenceJob& job, const InferencePass& pass, SampleSet& samples,
          std::set<std::string>& stored_names, JobProgress& progress, std::string& phase)
      : job_(job),
        pass_(pass),
        samples_(samples),
        stored_names_(stored_names),
        progress_(progress),
        phase_(phase) {}

  Result<PassResult> run(ModelStore& store) {
    phase_ = "compile";
    for (const InferenceModel& model : pass_.models) {
      progress_.compiling();
      PLANEX_ASSIGN(auto running, store.get(model, all_taps(pass_, model), samples_));
      progress_.compiled();
      running_.push_back({.model = std::move(running), .digest = {}, .inferences = 0, .ms = 0});
    }
    phase_ = "infer";
    prepare();
    for (std::size_t number = 0; number < samples_.count(); ++number) {
      PLANEX_TRY(infer(number, false));
      PLANEX_TRY(look());
    }
    PLANEX_TRY(histograms());
    return finish();
  }

 private:
  struct Running {
    std::shared_ptr<RunningModel> model;
    std::unique_ptr<base::Sha256> digest = std::make_unique<base::Sha256>();
    std::size_t inferences = 0;
    double ms = 0;
  };
  struct Observed {
    const TensorOf* tensor;
    RangeSums sums;
    std::string type;
    std::vector<std::int64_t> shape;
    std::vector<std::uint64_t> histogram, negative_histogram;
  };
  struct Compared {
    const TensorOf *reference, *subject;
    arrays::DifferenceSums sums;
    std::optional<arrays::SliceSums> slices;
    std::optional<arrays::Agreement> agreement;
    std::string mismatch;
  };
  struct Stored {
    const TensorOf* tensor;
    StoredTensorWriter writer;
  };

  RunningModel& model_of(const TensorOf& tensor) {
    const InferenceModel* model = find_model(pass_, tensor.model);
    return *running_[static_cast<std::size_t>(model - pass_.models.data())].model;
  }
  bool is_missing(const TensorOf& tensor) {
    const auto& missing = model_of(tensor).missing_taps();
    return std::ranges::find(missing, tensor.tensor) != missing.end();
  }
  // Of the last sample. Missing tensors were left out before.
  ov::Tensor value_of(const TensorOf& tensor) { return *model_of(tensor).tensor(tensor.tensor); }

  std::optional<arrays::SliceSums> slices_of(const std::string& tensor) const {
    const auto found = std::ranges::find(pass_.splits, tensor, &SplitTensor::tensor);
    if (found == pass_.splits.end()) return std::nullopt;
    return arrays::SliceSums(found->split);
  }

  void prepare() {
    for (Running& running : running_) running.digest = std::make_unique<base::Sha256>();
    for (const TensorOf& tensor : pass_.observed) {
      if (is_missing(tensor)) continue;
      observed_.push_back({.tensor = &tensor,
                           .sums = {},
                           .type = {},
                           .shape = {},
                           .histogram = {},
                           .negative_histogram = {}});
    }
    for (const auto& [reference, subject] : pass_.compared) {
      if (is_missing(reference) || is_missing(subject)) continue;
      compared_.push_back({.reference = &reference,
                           .subject = &subject,
                           .sums = arrays::DifferenceSums(job_.tolerance),
                           .slices = slices_of(reference.tensor),
                           .agreement = {},
                           .mismatch = {}});
    }
    for (const TensorOf& tensor : pass_.stored) {
      if (is_missing(tensor)) continue;
      const std::string name = stored_name(tensor.model, tensor.tensor, stored_names_);
      stored_.push_back(
          {&tensor, StoredTensorWriter(base::join_path(job_.output_dir, name), samples_.count())});
    }
  }

  // With `only_observed`: only the models that have observed tensors.
  Result<void> infer(std::size_t number, bool only_observed) {
    PLANEX_ASSIGN(const Sample* sample, samples_.read(number));
    for (std::size_t i = 0; i < running_.size(); ++i) {
      const auto is_of = [&](const Observed& observed) {
        return observed.tensor->model == pass_.models[i].id;
      };
      if (only_observed && std::ranges::none_of(observed_, is_of)) continue;
      Running& running = running_[i];
      PLANEX_TRY(running.model->infer(*sample));
      ++running.inferences;
      running.ms += running.model->last_infer_ms();
    }
    progress_.inferred(running_.size());
    return {};
  }

  // Processes the results of one sample.
  Result<void> look() {
    return caught({}, [&]() -> Result<void> {
      for (Running& running : running_) running.model->digest_outputs(*running.digest);
      for (Observed& observed : observed_) PLANEX_TRY(named(*observed.tensor, observe(observed)));
      for (Compared& compared : compared_) PLANEX_TRY(named(*compared.subject, compare(compared)));
      for (Stored& stored : stored_) {
        PLANEX_TRY(named(*stored.tensor, stored.writer.add(value_of(*stored.tensor))));
      }
      ++looked_at_;
      return {};
    });
  }

  static Result<void> named(const TensorOf& tensor, Result<void> done) {
    if (!done && done.error().code == ErrorCode::kUnsupported) {
      done.error().message =
          base::format("tensor {}: {}", base::quoted(tensor.tensor), done.error().message);
    }
    return done;
  }

  Result<void> observe(Observed& observed) {
    const ov::Tensor tensor = value_of(*observed.tensor);
    if (looked_at_ == 0) {
      observed.shape = shape_of(tensor);
      const auto type = element_of(tensor.get_element_type());
      observed.type =
          type ? std::string(arrays::to_string(*type)) : tensor.get_element_type().get_type_name();
    }
    PLANEX_ASSIGN(const auto values, float_values(tensor, scratch_));
    observed.sums.add(values);
    return {};
  }

  Result<void> compare(Compared& compared) {
    if (!compared.mismatch.empty()) return {};
    const ov::Tensor reference = value_of(*compared.reference);
    const ov::Tensor subject = value_of(*compared.subject);
    if (reference.get_size() != subject.get_size()) {
      compared.mismatch =
          base::format("{} and {} of sample {}", arrays::shape_text(shape_of(reference)),
                       arrays::shape_text(shape_of(subject)), looked_at_);
      compared.sums = arrays::DifferenceSums(job_.tolerance);
      compared.slices.reset();
      compared.agreement.reset();
      return {};
    }
    PLANEX_ASSIGN(const auto first, float_values(reference, scratch_));
    PLANEX_ASSIGN(const auto second, float_values(subject, second_scratch_));
    compared.sums.add(first, second);
    if (compared.slices) compared.slices->add(first, second, shape_of(reference));
    const ov::Shape& shape = reference.get_shape();
    if (pass_.has_classes && !shape.empty() && shape.back() > 0) {
      if (!compared.agreement) compared.agreement.emplace();
      arrays::add_agreement(first, second, shape.back(), *compared.agreement);
    }
    return {};
  }

  Result<void> histograms() {
    if (pass_.histogram_bins == 0 || observed_.empty()) return {};
    const auto bins = static_cast<std::size_t>(pass_.histogram_bins);
    std::vector<Histogram> histograms;
    for (const Observed& observed : observed_) {
      histograms.emplace_back(bins, observed.sums.max_abs());
    }
    for (std::size_t number = 0; number < samples_.count(); ++number) {
      PLANEX_TRY(infer(number, true));
      PLANEX_TRY(caught({}, [&]() -> Result<void> {
        for (std::size_t i = 0; i < observed_.size(); ++i) {
          const ov::Tensor tensor = value_of(*observed_[i].tensor);
          PLANEX_ASSIGN(const auto values, float_values(tensor, scratch_));
          histograms[i].add(values);
        }
        return {};
      }));
    }
    for (std::size_t i = 0; i < observed_.size(); ++i) {
      observed_[i].histogram = histograms[i].counts();
      // All zero if no value is negative.
      if (observed_[i].sums.min() < 0) {
        observed_[i].negative_histogram = histograms[i].negative_counts();
      }
    }
    return {};
  }

  Result<PassResult> finish() {
    PassResult result;
    for (std::size_t i = 0; i < running_.size(); ++i) {
      Running& running = running_[i];
      RanModel ran;
      ran.id = pass_.models[i].id;
      ran.compile_ms = running.model->compile_ms();
      ran.mean_infer_ms = running.ms / static_cast<double>(running.inferences);
      ran.layer_count = running.model->layer_count();
      ran.output_digest = running.digest->digits();
      ran.missing_taps = running.model->missing_taps();
      result.models.push_back(std::move(ran));
    }
    for (Observed& observed : observed_) {
      ObservedTensor seen;
      seen.tensor = *observed.tensor;
      seen.type = std::move(observed.type);
      seen.shape = std::move(observed.shape);
      seen.count = observed.sums.count();
      seen.nan_count = observed.sums.nan_count();
      seen.inf_count = observed.sums.inf_count();
      seen.zero_count = observed.sums.zero_count();
      seen.min = static_cast<double>(observed.sums.min());
      seen.max = static_cast<double>(observed.sums.max());
      seen.histogram = std::move(observed.histogram);
      seen.negative_histogram = std::move(observed.negative_histogram);
      seen.sample_max_abs = observed.sums.sample_max_abs();
      result.observed.push_back(std::move(seen));
    }
    for (Compared& compared : compared_) {
      ComparedTensor seen;
      seen.reference = *compared.reference;
      seen.subject = *compared.subject;
      seen.difference = compared.sums.result();
      if (compared.slices) seen.difference.slices = compared.slices->result();
      seen.agreement = compared.agreement;
      seen.mismatch = std::move(compared.mismatch);
      result.compared.push_back(std::move(seen));
    }
    for (Stored& stored : stored_) {
      PLANEX_TRY(stored.writer.finish());
      result.stored.push_back({.tensor = *stored.tensor, .path = stored.writer.path()});
    }
    return result;
  }

  const InferenceJob& job_;
  const InferencePass& pass_;
  SampleSet& samples_;
  std::set<std::string>& stored_names_;
  JobProgress& progress_;
  std::string& phase_;
  std::vector<Running> running_;
  std::vector<Observed> observed_;
  std::vector<Compared> compared_;
  std::vector<Stored> stored_;
  std::vector<float> scratch_, second_scratch_;
  std::size_t looked_at_ = 0;  // samples
};

Result<InferenceResult> run_job(const InferenceJob& job, const Report& report, std::string& phase) {
  for (const InferencePass& pass : job.passes) PLANEX_TRY(check_pass(pass));
  PLANEX_ASSIGN(SampleSet samples, SampleSet::open(job));
  const Processor processor = this_processor();
  InferenceResult result;
  result.runtime_version = runtime_version();
  result.isa = processor.isa;
  result.has_vnni = processor.has_vnni;
  JobProgress progress(report, job, samples.count());
  ov::Core core;
  ModelStore store(core, job);
  std::set<std::string> stored_names;
  for (const InferencePass& pass : job.passes) {
    store.keep_for(pass);
    PLANEX_ASSIGN(PassResult done,
                  PassRun(job, pass, samples, stored_names, progress, phase).run(store));
    result.passes.push_back(std::move(done));
  }
  return result;
}

}  // namespace

Result<void> run_inference_job(const std::string& job_file, const Report& report,
                               std::string& phase) {
  phase = "read";
  PLANEX_ASSIGN(const auto bytes, base::disk().read(job_file));
  PLANEX_ASSIGN(const InferenceJob job, read_inference_job(*bytes, job_file));
  constexpr int kMaxThreads = 4096;
  if (job.threads < 1 || job.threads > kMaxThreads) {
    return bad_job(
        base::format("the job asks for {} threads, expected 1 to {}", job.threads, kMaxThreads));
  }
  // Before OpenVINO starts: oneDNN reads the variable only once.
  if (!job.isa.empty()) {
    PLANEX_TRY(check_isa(job.isa));
    ::setenv("ONEDNN_MAX_CPU_ISA", job.isa.c_str(), 1);
  }
  PLANEX_ASSIGN(InferenceResult result, caught({}, [&] { return run_job(job, report, phase); }));
  phase = "write";
  return base::write_file_atomically(result_file_of(job_file), result_json(std::move(result)));
}

}  // namespace planex::drive
