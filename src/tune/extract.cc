#include "tune/extract.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "arrays/npz.h"
#include "arrays/sample_folder.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/subprocess.h"
#include "onnx/cut.h"
#include "tune/lone_layers.h"
#include "tune/stored.h"

namespace planex::tune {
namespace {

using drive::Arithmetic;
using drive::InferencePass;
using quantize::Bisection;
using quantize::Fault;
using quantize::JudgedTensor;
using quantize::LayerAccuracy;
using quantize::QuantizedLayer;

constexpr std::string_view kEnding = ".onnx";

// From the smallest on. After the last, the part is the whole model.
constexpr std::array<onnx::CutReach, 17> kReaches = {{{0, 0},
                                                      {1, 0},
                                                      {1, 1},
                                                      {2, 0},
                                                      {2, 2},
                                                      {3, 0},
                                                      {4, 0},
                                                      {4, 4},
                                                      {6, 0},
                                                      {8, 0},
                                                      {8, 8},
                                                      {12, 0},
                                                      {16, 0},
                                                      {16, 16},
                                                      {32, 32},
                                                      {64, 64},
                                                      {1 << 20, 1 << 20}}};

std::optional<onnx::DataType> data_type_of(arrays::ElementType type) {
  using arrays::ElementType;
  using onnx::DataType;
  switch (type) {
    case ElementType::kBool:
      return DataType::kBool;
    case ElementType::kInt8:
      return DataType::kInt8;
    case ElementType::kUint8:
      return DataType::kUint8;
    case ElementType::kInt32:
      return DataType::kInt32;
    case ElementType::kInt64:
      return DataType::kInt64;
    case ElementType::kFloat16:
      return DataType::kFloat16;
    case ElementType::kFloat32:
      return DataType::kFloat;
    case ElementType::kFloat64:
      return DataType::kDouble;
    default:
      return std::nullopt;
  }
}

std::string text_of(std::string_view text) { return std::string(text); }

// The outputs of nodes, each of which has at least one.
std::vector<std::string_view> made_by(const onnx::Model& model,
                                      const std::vector<onnx::Index>& nodes) {
  std::vector<std::string_view> names;
  for (const onnx::Index node : nodes) {
    const auto outputs = model.outputs_of(model.nodes[node]);
    names.insert(names.end(), outputs.begin(), outputs.end());
  }
  return names;
}

// What to cut out, and around what.
struct Suspect {
  quantize::Kept kept;
  std::vector<std::string> tensors;  // whose makers are in the middle
  std::string tensor, node;          // for display
  Fault fault = Fault::kUnknown;
};

// A part of the quantized model, and the same part of the float one.
struct Part {
  onnx::Cut subject, reference;
  std::vector<std::string_view> outputs;  // outputs of both
};

class Extractor {
 public:
  Extractor(Comparison& comparison, const PairsOfSubject& pairs)
      : comparison_(comparison), pairs_(pairs), result_(comparison.result()) {}

  Result<void> run() {
    PLANEX_TRY(choose_suspect());
    onnx::Edit edit;
    quantize::keep_only(comparison_.subject_view(), pairs_.existing, pairs_.weights, suspect_.kept,
                        edit);
    PLANEX_ASSIGN(const std::string path, comparison_.write_variant(edit, "suspect"));
    PLANEX_ASSIGN(subject_, ModelFile::open(path));
    PLANEX_ASSIGN(reference_, ModelFile::open(pairs_.base_path));
    PLANEX_TRY(choose_sample());
    find_parts();
    PLANEX_TRY(read_tensors());
    for (const Part& part : parts_) {
      PLANEX_ASSIGN(const bool is_shown, shows(part));
      if (is_shown) return write(part);
    }
    return fail({.code = ErrorCode::kUnsupported,
                 .message = base::format("no part of the model shows the fault of {} by itself",
                                         base::quoted(suspect_.tensor)),
                 .file = comparison_.request().subject,
                 .hint = "hand over the whole model and the output of planex accuracy"});
  }

 private:
  Result<void> choose_suspect() {
    const auto& bisection = result_.bisection;
    const bool is_engine = has_engine_fault(result_) && !comparison_.request().bisects;
    bool is_found = false;
    if (is_engine) {
      is_found = take_layer(worst_layer());
    } else if (bisection) {
      suspect_.fault = Fault::kModel;
      suspect_.tensor = bisection->tensor;
      suspect_.node = bisection->node;
      if (bisection->kind == Bisection::Kind::kScale) is_found = take_scale();
      if (bisection->kind == Bisection::Kind::kWeight) is_found = take_weight();
      if (bisection->kind == Bisection::Kind::kLayer) is_found = take_node();
    }
    if (is_found) return {};
    return fail({.code = ErrorCode::kUnsupported,
                 .message = "there is no fault that could be extracted",
                 .file = comparison_.request().subject,
                 .hint = "run more layers alone: --alone all"});
  }

  const LayerAccuracy& worst_layer() const {
    return *std::ranges::max_element(result_.layers, {}, [](const LayerAccuracy& layer) {
      const bool is_engine = layer.fault == Fault::kEngine || layer.fault == Fault::kBoth;
      return is_engine ? layer.alone_gap_db().value_or(0) : -1.0;
    });
  }

  bool take_layer(const LayerAccuracy& layer) {
    const QuantizedLayer* quantized = layer_of(comparison_, pairs_, layer);
    if (quantized == nullptr) return false;
    suspect_ = {.kept = quantize::Kept::layer(*quantized),
                .tensors = {layer.tensor},
                .tensor = layer.tensor,
                .node = layer.node,
                .fault = Fault::kEngine};
    return true;
  }

  bool take_scale() {
    const auto pair = std::ranges::find(pairs_.existing.pairs, suspect_.tensor,
                                        [](const auto& one) { return text_of(one.tensor); });
    if (pair == pairs_.existing.pairs.end()) return false;
    suspect_.kept = {.pair =
                         [this, quantizer = pair->quantizer](std::size_t place, onnx::Reader) {
                           return pairs_.existing.pairs[place].quantizer == quantizer;
                         },
                     .weight = [](std::size_t) { return false; }};
    for (const auto& one : pairs_.existing.pairs) {
      if (one.quantizer == pair->quantizer) add_readers(one.readers);
    }
    return !suspect_.tensors.empty();
  }

  bool take_weight() {
    const auto& weights = pairs_.existing.weights;
    const auto weight = std::ranges::find(weights, suspect_.tensor,
                                          [](const auto& one) { return text_of(one.name); });
    if (weight == weights.end()) return false;
    suspect_.kept = {.pair = [](std::size_t, onnx::Reader) { return false; },
                     .weight = [place = static_cast<std::size_t>(weight - weights.begin())](
                                   std::size_t one) { return one == place; }};
    add_readers(weight->readers);
    return !suspect_.tensors.empty();
  }

  bool take_node() {
    const onnx::Link* link = comparison_.subject().links().find(suspect_.tensor);
    if (link == nullptr) return false;
    const auto layer = std::ranges::find(pairs_.layers, link->node, &QuantizedLayer::node);
    if (layer == pairs_.layers.end()) return false;
    suspect_.kept = quantize::Kept::layer(*layer);
    suspect_.tensors = {suspect_.tensor};
    return true;
  }

  void add_readers(const std::vector<onnx::Reader>& readers) {
    const onnx::Model& model = comparison_.subject().model();
    for (const onnx::Reader& reader : readers) {
      const auto outputs = model.outputs_of(model.nodes[reader.node]);
      if (!outputs.empty()) suspect_.tensors.push_back(text_of(outputs.front()));
    }
  }

  // The sample that shows the fault most at the model's outputs.
  Result<void> choose_sample() {
    const TensorNames outputs = comparison_.output_names();
    InferencePass pass;
    add_model(pass, "float", pairs_.base_path, Arithmetic::kFloat, outputs);
    add_model(pass, "simulated", subject_->path(), Arithmetic::kSimulated, outputs);
    add_model(pass, "engine", subject_->path(), Arithmetic::kEngine, outputs);
    for (const std::string& output : outputs) {
      for (const char* model : {"float", "simulated", "engine"}) {
        pass.stored.push_back({model, output});
      }
    }
    drive::InferenceJob job;
    job.samples = comparison_.samples();
    job.sample_count = std::min(kLoneSamples, comparison_.data().sample_count);
    PLANEX_ASSIGN(job.output_dir, make_folder(comparison_.workshop().folder, "extract-outputs"));
    job.passes.push_back(std::move(pass));
    PLANEX_ASSIGN(const drive::InferenceResult seen,
                  comparison_.runner().run(std::move(job), "extract: choose a sample"));
    double most = -std::numeric_limits<double>::infinity();
    for (const std::string& output : outputs) {
      const drive::PassResult& passed = seen.passes.front();
      PLANEX_ASSIGN(const auto reference, find_stored(passed, "float", output));
      PLANEX_ASSIGN(const auto simulated, find_stored(passed, "simulated", output));
      PLANEX_ASSIGN(const auto engine, find_stored(passed, "engine", output));
      if (!reference || !simulated || !engine) continue;
      for (std::size_t sample = 0; sample < reference->count(); ++sample) {
        LayerAccuracy one;
        one.alone_simulated = difference_of_sample(*reference, *simulated, sample);
        one.alone_engine = difference_of_sample(*reference, *engine, sample);
        const auto gap = one.alone_gap_db();
        const auto own = quantize::db_or_infinite(one.alone_simulated);
        const double shown =
            suspect_.fault == Fault::kEngine ? gap.value_or(0) : -own.value_or(1e9);
        if (shown <= most) continue;
        most = shown;
        sample_ = sample;
      }
    }
    if (suspect_.fault == Fault::kEngine) whole_gap_db_ = std::max(most, 0.0);
    PLANEX_ASSIGN(const auto reader, arrays::SampleReader::open(comparison_.samples()));
    sample_name_ = reader->index().samples[sample_].name;
    return {};
  }

  static std::optional<arrays::Difference> difference_of_sample(const StoredSamples& reference,
                                                                const StoredSamples& subject,
                                                                std::size_t sample) {
    const std::vector<float> first = arrays::floats_of(reference.sample(sample));
    const std::vector<float> second = arrays::floats_of(subject.sample(sample));
    if (first.size() != second.size()) return std::nullopt;
    arrays::DifferenceSums sums;
    sums.add(first, second);
    return sums.result();
  }

  void find_parts() {
    const std::vector<std::string_view> middle(suspect_.tensors.begin(), suspect_.tensors.end());
    for (const onnx::CutReach reach : kReaches) {
      Part part;
      part.subject = onnx::cut_around(subject_->model(), subject_->links(), middle, reach);
      if (!parts_.empty() && parts_.back().subject.nodes == part.subject.nodes) continue;
      const auto made = made_by(subject_->model(), part.subject.nodes);
      part.reference = onnx::cut_of(reference_->model(), reference_->links(), made);
      std::ranges::copy_if(
          part.subject.outputs, std::back_inserter(part.outputs), [&](std::string_view name) {
            return std::ranges::find(part.reference.outputs, name) != part.reference.outputs.end();
          });
      if (!part.outputs.empty()) parts_.push_back(std::move(part));
    }
  }

  // The tensors at the borders of all parts, in the float model.
  Result<void> read_tensors() {
    std::set<std::string> names;
    for (const Part& part : parts_) {
      for (const auto* list : {&part.subject.inputs, &part.reference.inputs, &part.outputs}) {
        names.insert(list->begin(), list->end());
      }
    }
    InferencePass pass;
    add_model(pass, "float", pairs_.base_path, Arithmetic::kFloat, {names.begin(), names.end()});
    for (const std::string& name : names) pass.stored.push_back({"float", name});
    drive::InferenceJob job;
    job.samples = comparison_.samples();
    job.first_sample = sample_;
    job.sample_count = 1;
    PLANEX_ASSIGN(job.output_dir, make_folder(comparison_.workshop().folder, "extract-tensors"));
    job.passes.push_back(std::move(pass));
    PLANEX_ASSIGN(const drive::InferenceResult seen,
                  comparison_.runner().run(std::move(job), "extract: tensors"));
    for (const drive::StoredTensor& stored : seen.passes.front().stored) {
      PLANEX_ASSIGN(const StoredSamples samples, StoredSamples::open(stored.path));
      tensors_[stored.tensor.tensor] = samples.sample(0);
    }
    return {};
  }

  // Shapes that a model computes become constants of a part: the sample decides them.
  bool is_fixed(std::string_view name) const {
    const onnx::Link* link = subject_->links().find(name);
    constexpr std::size_t kMaxBytes = 1024;
    const arrays::Array& array = tensors_.at(text_of(name));
    return link != nullptr && link->node != onnx::kNoIndex && !arrays::is_float(array.type) &&
           array.data.size() <= kMaxBytes;
  }

  // Null where a tensor at its border could not be seen, or has a type that is not stored as it is.
  Result<std::optional<std::string>> text_of_part(ModelFile& file, const onnx::Cut& cut,
                                                  const Part& part) {
    std::vector<onnx::NewValue> inputs, outputs;
    std::vector<onnx::NewTensor> constants;
    const auto type_of = [&](std::string_view name) -> std::optional<onnx::DataType> {
      const auto found = tensors_.find(text_of(name));
      if (found == tensors_.end()) return std::nullopt;
      const auto type = data_type_of(found->second.type);
      const onnx::Link* link = file.links().find(name);
      const onnx::DataType said = link == nullptr || link->value == onnx::kNoIndex
                                      ? onnx::DataType::kUndefined
                                      : file.model().values[link->value].type;
      return said == onnx::DataType::kUndefined || said == type ? type : std::nullopt;
    };
    for (const std::string_view name : cut.inputs) {
      const auto type = type_of(name);
      if (!type) return std::optional<std::string>();
      const arrays::Array& array = tensors_.at(text_of(name));
      if (is_fixed(name)) {
        constants.push_back({text_of(name), *type, array.shape, array.data});
      } else {
        inputs.push_back({text_of(name), *type, array.shape});
      }
    }
    for (const std::string_view name : part.outputs) {
      const auto type = type_of(name);
      if (!type) return std::optional<std::string>();
      outputs.push_back({text_of(name), *type, tensors_.at(text_of(name)).shape});
    }
    onnx::Edit edit;
    PLANEX_TRY(onnx::cut_out(file.model(), file.links(), file.values(), cut, std::move(inputs),
                             std::move(constants), std::move(outputs), edit));
    PLANEX_ASSIGN(std::string text, file.changed(edit));
    return std::optional(std::move(text));
  }

  // Inputs of both models, without what became constant.
  std::vector<std::string> inputs_of_part(const Part& part) const {
    std::vector<std::string> names;
    for (const auto* list : {&part.subject.inputs, &part.reference.inputs}) {
      for (const std::string_view name : *list) {
        if (std::ranges::find(names, name) == names.end() && !is_fixed(name)) {
          names.emplace_back(name);
        }
      }
    }
    return names;
  }

  Result<std::string> write_samples(const std::vector<std::string>& names) {
    PLANEX_ASSIGN(std::string folder, make_folder(comparison_.workshop().folder, "extract-sample"));
    std::vector<arrays::SampleInput> inputs;
    std::vector<std::string_view> data;
    for (const std::string& name : names) {
      const arrays::Array& array = tensors_.at(name);
      inputs.push_back({name, array.type, array.shape});
      data.push_back(array.data);
    }
    PLANEX_ASSIGN(const auto writer, arrays::SampleWriter::create(folder, std::move(inputs)));
    PLANEX_TRY(writer->add({.name = sample_name_, .label = {}}, data));
    PLANEX_TRY(writer->finish({}));
    return folder;
  }

  Result<bool> shows(const Part& part) {
    PLANEX_ASSIGN(auto subject, text_of_part(*subject_, part.subject, part));
    if (!subject) return false;
    PLANEX_ASSIGN(auto reference, text_of_part(*reference_, part.reference, part));
    if (!reference) return false;
    subject_text_ = std::move(*subject);
    reference_text_ = std::move(*reference);
    const std::string& folder = comparison_.workshop().folder;
    const std::string subject_path = base::join_path(folder, "extract-part.onnx");
    const std::string reference_path = base::join_path(folder, "extract-part.float.onnx");
    PLANEX_TRY(base::write_file_atomically(subject_path, subject_text_));
    PLANEX_TRY(base::write_file_atomically(reference_path, reference_text_));
    PLANEX_ASSIGN(const std::string samples, write_samples(inputs_of_part(part)));
    const TensorNames outputs(part.outputs.begin(), part.outputs.end());
    InferencePass pass;
    add_model(pass, "float", reference_path, Arithmetic::kFloat, {});
    add_model(pass, "simulated", subject_path, Arithmetic::kSimulated, {});
    add_model(pass, "engine", subject_path, Arithmetic::kEngine, {});
    add_comparison(pass, "float", "simulated", outputs);
    add_comparison(pass, "float", "engine", outputs);
    PLANEX_ASSIGN(
        const drive::PassResult seen,
        comparison_.runner().run(
            std::move(pass), {.folder = samples, .first = 0, .count = 1},
            base::format("extract: {}", base::counted(part.subject.nodes.size(), "node"))));
    simulated_.clear();
    engine_.clear();
    for (const drive::ComparedTensor& one : seen.compared) {
      if (!one.mismatch.empty()) return false;
      (one.subject.model == "engine" ? engine_ : simulated_)
          .push_back({one.subject.tensor, one.difference, {}});
    }
    const auto own = quantize::least_db(simulated_), of_engine = quantize::least_db(engine_);
    if (!own || !of_engine) return false;
    if (suspect_.fault != Fault::kEngine) return *own < quantize::kBeyondFloatDb;
    return std::min(*own, quantize::kBeyondFloatDb) - *of_engine >=
           std::max(quantize::kLayerFaultDb, whole_gap_db_ / 2);
  }

  Result<void> write(const Part& part) {
    const ExtractedFiles files = extracted_files(comparison_.request().extracted);
    const std::vector<std::string> inputs = inputs_of_part(part);
    std::vector<arrays::NamedArray> arrays;
    for (const std::string& name : inputs) arrays.push_back({name, tensors_.at(name)});
    for (const std::string_view name : part.outputs) {
      arrays.push_back({text_of(name), tensors_.at(text_of(name))});
    }
    PLANEX_ASSIGN(const std::string data, arrays::npz_text(arrays, files.data));
    std::vector<base::FileWriter> writers;
    const auto add = [&](const std::string& path, std::string_view text) -> Result<void> {
      PLANEX_ASSIGN(base::FileWriter writer, base::FileWriter::create(path));
      PLANEX_TRY(writer.write(text));
      writers.push_back(std::move(writer));
      return {};
    };
    PLANEX_TRY(add(files.subject, subject_text_));
    PLANEX_TRY(add(files.reference, reference_text_));
    PLANEX_TRY(add(files.data, data));
    PLANEX_TRY(base::FileWriter::finish_all(writers));
    result_.extracted = quantize::ExtractedModel{
        .path = files.subject,
        .reference_path = files.reference,
        .data_path = files.data,
        .tensor = suspect_.tensor,
        .node = suspect_.node,
        .fault = suspect_.fault,
        .sample = sample_name_,
        .node_count = part.subject.nodes.size(),
        .inputs = inputs,
        .outputs = {part.outputs.begin(), part.outputs.end()},
        .simulated = std::move(simulated_),
        .engine = std::move(engine_),
        .command = drive::shell_line(
            {"planex", "accuracy", files.reference, files.subject, "--data", files.data})};
    return {};
  }

  Comparison& comparison_;
  const PairsOfSubject& pairs_;
  quantize::LayerAccuracies& result_;
  Suspect suspect_;
  std::unique_ptr<ModelFile> subject_, reference_;  // the suspect alone, and nothing quantized
  std::size_t sample_ = 0;
  std::string sample_name_;
  double whole_gap_db_ = 0;  // gap of the sample, at the model's outputs
  std::vector<Part> parts_;
  std::map<std::string, arrays::Array> tensors_;
  // Results of the part that was tried last.
  std::string subject_text_, reference_text_;
  std::vector<JudgedTensor> simulated_, engine_;
};

}  // namespace

bool has_engine_fault(const quantize::LayerAccuracies& result) {
  return std::ranges::any_of(result.layers, [](const LayerAccuracy& layer) {
    return layer.fault == Fault::kEngine || layer.fault == Fault::kBoth;
  });
}

ExtractedFiles extracted_files(const std::string& path) {
  std::string_view stem = path;
  if (stem.ends_with(kEnding)) stem.remove_suffix(kEnding.size());
  return {.subject = path,
          .reference = base::format("{}.float.onnx", stem),
          .data = base::format("{}.npz", stem)};
}

Result<void> extract_fault(Comparison& comparison) {
  PLANEX_ASSIGN(const PairsOfSubject* pairs, comparison.pairs());
  if (pairs == nullptr) {
    return fail({.code = ErrorCode::kUnsupported,
                 .message = "the model has no Q/DQ, so there is no fault to extract",
                 .file = comparison.request().subject});
  }
  return Extractor(comparison, *pairs).run();
}

}  // namespace planex::tune
