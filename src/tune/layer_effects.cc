#include "tune/layer_effects.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "arrays/difference.h"
#include "arrays/sample_folder.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "quantize/existing.h"
#include "quantize/only.h"
#include "quantize/switches.h"
#include "tune/stored.h"

namespace planex::tune {
namespace {

using onnx::Index;
using quantize::LayerErrors;
using quantize::Score;

// Inferences for one sample: all off, each switch alone, all on.
struct Runs {
  std::size_t switch_count = 0;

  std::size_t count() const { return switch_count + 2; }
  std::size_t alone(std::size_t which) const { return which + 1; }
  std::size_t all() const { return switch_count + 1; }
  // The values of the switches in a run.
  std::string values(std::size_t run) const {
    std::vector<float> values(switch_count, run == all() ? 1.0F : 0.0F);
    if (run > 0 && run < all()) values[run - 1] = 1;
    return onnx::raw_of(values);
  }
};

// The node of the quantized model that computes what a node of the float one does; through the pair
// that a target wants on outputs, and a normalization that was folded. kNoIndex: none.
Index node_in(const ModelFile& file, const ModelFile& quantized, Index layer) {
  const onnx::Model& model = file.model();
  const onnx::Node& node = model.nodes[layer];
  std::string_view output = model.outputs_of(node).front();
  for (int step = 0; step < 2; ++step) {
    const onnx::Link* made = quantized.links().find(output);
    for (int back = 0; back < 2 && made != nullptr && made->node != onnx::kNoIndex; ++back) {
      const onnx::Node& maker = quantized.model().nodes[made->node];
      if (maker.op_type != "DequantizeLinear" && maker.op_type != "QuantizeLinear") break;
      made = quantized.links().find(quantized.model().inputs_of(maker).front());
    }
    if (made != nullptr && made->node != onnx::kNoIndex &&
        quantized.model().nodes[made->node].op_type == node.op_type) {
      return made->node;
    }
    const onnx::Link* link = file.links().find(output);
    if (link == nullptr || link->readers.size() != 1) break;
    const onnx::Node& reader = model.nodes[link->readers.front().node];
    if (reader.op_type != "BatchNormalization") break;
    output = model.outputs_of(reader).front();
  }
  return onnx::kNoIndex;
}

// The values of a stored tensor that are looked at: all, or evenly many of a large one.
class SparseValues {
 public:
  explicit SparseValues(std::size_t all) {
    constexpr std::size_t kMost = std::size_t{1} << 16;
    // Odd, so that rows of a picture are not met at the same columns.
    step_ = all <= kMost ? 1 : (all / kMost) | 1;
    count_ = (all + step_ - 1) / step_;
  }
  std::size_t count() const { return count_; }
  std::size_t place(std::size_t number) const { return number * step_; }

 private:
  std::size_t step_ = 1, count_ = 0;
};

// Which part of an output each of the values that are looked at belongs to.
std::vector<std::size_t> parts_of(const std::vector<std::int64_t>& shape,
                                  const std::vector<arrays::Slice>& slices,
                                  const SparseValues& looked) {
  std::vector<std::size_t> parts(looked.count());
  if (slices.empty()) return parts;
  const auto axis = static_cast<std::size_t>(slices.front().axis);
  std::size_t inner = 1;
  for (std::size_t dim = axis + 1; dim < shape.size(); ++dim) {
    inner *= static_cast<std::size_t>(shape[dim]);
  }
  const auto size = static_cast<std::size_t>(axis < shape.size() ? shape[axis] : 1);
  for (std::size_t number = 0; number < parts.size(); ++number) {
    const auto channel = static_cast<std::int64_t>(looked.place(number) / inner % size);
    parts[number] = slices.size();  // in none of them
    for (std::size_t part = 0; part < slices.size(); ++part) {
      if (channel >= slices[part].first && channel <= slices[part].last) parts[number] = part;
    }
  }
  return parts;
}

// Products of the errors at one output, part by part, over all samples.
class ErrorProducts {
 public:
  ErrorProducts(const JudgedOutput& output, Runs runs, std::size_t layer_count)
      : output_(output), runs_(runs), layer_count_(layer_count) {}

  void add(const StoredSamples& stored, std::size_t sample_count, std::vector<Score>& alone) {
    find_parts(stored, sample_count);
    for (std::size_t sample = 0; sample < sample_count; ++sample) add_sample(stored, sample, alone);
  }

  // The share of the signal; a part without a signal says nothing.
  void give_to(LayerErrors& errors) {
    for (std::size_t part = 0; part < products_.size(); ++part) {
      if (!(signals_[part] > 0)) continue;
      for (double& product : products_[part]) product /= signals_[part];
      errors.add_output(std::move(products_[part]));
    }
  }

 private:
  arrays::Array at(const StoredSamples& stored, std::size_t sample, std::size_t run) const {
    return stored.sample(sample * runs_.count() + run);
  }

  void find_parts(const StoredSamples& stored, std::size_t sample_count) {
    arrays::SliceSums sums(output_.split);
    for (std::size_t sample = 0; sample < sample_count; ++sample) {
      sums.add(at(stored, sample, 0), at(stored, sample, runs_.all()));
    }
    slices_ = sums.result();
    products_.resize(std::max<std::size_t>(slices_.size(), 1));
    signals_.resize(products_.size());
    const std::size_t width = layer_count_ + 1;
    for (auto& products : products_) products.resize(width * width);
  }

  void add_sample(const StoredSamples& stored, std::size_t sample, std::vector<Score>& alone) {
    const std::vector<float> reference = arrays::floats_of(at(stored, sample, 0));
    const SparseValues looked(reference.size());
    const std::vector<std::size_t> parts = parts_of(stored.shape(), slices_, looked);
    // The errors of all switches: that of a layer, then that of the rest.
    std::vector<std::vector<float>> errors;
    for (std::size_t which = 0; which < runs_.switch_count; ++which) {
      const std::vector<float> values = arrays::floats_of(at(stored, sample, runs_.alone(which)));
      std::vector<float>& error = errors.emplace_back();
      for (std::size_t number = 0; number < looked.count(); ++number) {
        error.push_back(values[looked.place(number)] - reference[looked.place(number)]);
      }
      if (which < layer_count_ && output_.has_classes)
        count_classes(reference, values, alone[which], stored);
    }
    for (std::size_t part = 0; part < products_.size(); ++part) {
      add_part(reference, looked, parts, part, errors);
    }
  }

  static void count_classes(const std::vector<float>& reference, const std::vector<float>& values,
                            Score& score, const StoredSamples& stored) {
    arrays::Agreement agreement;
    const auto& shape = stored.shape();
    arrays::add_agreement(reference, values,
                          static_cast<std::size_t>(shape.empty() ? 0 : shape.back()), agreement);
    score.top1_count += agreement.top1_count;
    score.row_count += agreement.rows;
  }

  void add_part(const std::vector<float>& reference, const SparseValues& looked,
                const std::vector<std::size_t>& parts, std::size_t part,
                const std::vector<std::vector<float>>& errors) {
    std::vector<std::size_t> numbers;
    for (std::size_t number = 0; number < parts.size(); ++number) {
      if (parts[number] != part) continue;
      numbers.push_back(number);
      const auto value = static_cast<double>(reference[looked.place(number)]);
      signals_[part] += value * value;
    }
    // Errors one after another without gaps: the products are most of the work.
    std::vector<std::vector<float>> packed(errors.size());
    for (std::size_t which = 0; which < errors.size(); ++which) {
      for (const std::size_t number : numbers) packed[which].push_back(errors[which][number]);
    }
    const std::size_t width = layer_count_ + 1;
    for (std::size_t row = 0; row < packed.size(); ++row) {
      for (std::size_t column = row; column < packed.size(); ++column) {
        const double product = product_of(packed[row], packed[column]);
        products_[part][row * width + column] += product;
        if (row != column) products_[part][column * width + row] += product;
      }
    }
  }

  static double product_of(const std::vector<float>& one, const std::vector<float>& two) {
    // Blocks in float, their sum in double: quick, and exact enough for large tensors.
    constexpr std::size_t kBlock = 256;
    double sum = 0;
    for (std::size_t first = 0; first < one.size(); first += kBlock) {
      const std::size_t end = std::min(first + kBlock, one.size());
      float block = 0;
      for (std::size_t place = first; place < end; ++place) block += one[place] * two[place];
      sum += static_cast<double>(block);
    }
    return sum;
  }

  const JudgedOutput& output_;
  Runs runs_;
  std::size_t layer_count_;
  std::vector<arrays::Slice> slices_;
  std::vector<std::vector<double>> products_;  // of each part
  std::vector<double> signals_;
};

class Effects {
 public:
  Effects(ModelFile& file, const EffectsRequest& request, Runner& runner)
      : file_(file), request_(request), runner_(runner) {}

  Result<LayerEffects> run() {
    PLANEX_TRY(write_model());
    PLANEX_TRY(write_samples());
    auto result = measure();
    std::error_code code;  // what stays goes with the folder of the whole run
    std::filesystem::remove_all(samples_, code);
    std::filesystem::remove_all(outputs_, code);
    std::filesystem::remove(model_, code);
    return result;
  }

 private:
  Result<void> write_model() {
    PLANEX_ASSIGN(const auto quantized, ModelFile::open(request_.quantized));
    std::vector<Index> nodes;
    for (const Index layer : request_.layers) {
      nodes.push_back(node_in(file_, *quantized, layer));
      if (nodes.back() != onnx::kNoIndex) continue;
      return fail(ErrorCode::kUnsupported, base::format("{} was not found in the quantized model",
                                                        node_name(file_.model(), layer)));
    }
    const quantize::ModelView view{quantized->model(), quantized->links(), quantized->values()};
    PLANEX_ASSIGN(const quantize::Existing existing,
                  quantize::read_existing(view.model, view.links, view.values));
    PLANEX_ASSIGN(
        const auto weights,
        quantize::float_weights(view, existing, {file_.model(), file_.links(), file_.values()}));
    onnx::Edit edit;
    PLANEX_ASSIGN(switches_, quantize::add_switches(view, existing, weights, nodes, edit));
    runs_.switch_count = switches_.count;
    model_ = base::join_path(runner_.workshop().folder, "switched.onnx");
    return quantized->write(edit, model_);
  }

  // As many as take some seconds, and fit on the disk.
  std::size_t affordable_count(std::size_t sample_bytes) const {
    constexpr std::int64_t kMacs = 200'000'000'000, kBytes = std::int64_t{1} << 30;
    const auto runs = static_cast<std::int64_t>(runs_.count());
    const std::int64_t macs = std::max<std::int64_t>(request_.macs, 1);
    const auto by_work = kMacs / runs / 2 / macs;
    const auto by_disk =
        kBytes / runs / static_cast<std::int64_t>(std::max<std::size_t>(sample_bytes, 1));
    constexpr std::int64_t kIfUnknown = 2;
    const auto most = std::min(request_.macs > 0 ? by_work : kIfUnknown, by_disk);
    return std::min(static_cast<std::size_t>(std::max<std::int64_t>(most, 1)),
                    request_.samples.count);
  }

  // Each sample once for each run, with the values of the switches.
  Result<void> write_samples() {
    PLANEX_ASSIGN(const auto reader, arrays::SampleReader::open(request_.samples.folder));
    std::vector<arrays::SampleInput> inputs = reader->index().inputs;
    std::vector<std::string> data;
    std::size_t bytes = 0;
    for (const arrays::SampleInput& input : inputs) {
      const auto count = arrays::element_count(input.shape);
      data.emplace_back(
          static_cast<std::size_t>(count.value_or(0)) * arrays::bytes_per_element(input.type),
          '\0');
      bytes += data.back().size();
    }
    inputs.push_back(
        {.name = switches_.input, .shape = {static_cast<std::int64_t>(switches_.count)}});
    sample_count_ = affordable_count(bytes);
    samples_ = base::join_path(runner_.workshop().folder, "switched_samples");
    PLANEX_ASSIGN(const auto writer, arrays::SampleWriter::create(samples_, inputs));
    for (std::size_t sample = 0; sample < sample_count_; ++sample) {
      for (std::size_t input = 0; input < data.size(); ++input) {
        PLANEX_TRY(reader->read(request_.samples.first + sample, input, data[input]));
      }
      for (std::size_t run = 0; run < runs_.count(); ++run) {
        const std::string values = runs_.values(run);
        std::vector<std::string_view> pieces(data.begin(), data.end());
        pieces.push_back(values);
        PLANEX_TRY(
            writer->add({.name = base::format("{}, run {}", sample, run), .label = {}}, pieces));
      }
    }
    return writer->finish({});
  }

  Result<LayerEffects> measure() {
    PLANEX_ASSIGN(outputs_, make_folder(runner_.workshop().folder, "switched_outputs"));
    drive::InferencePass pass;
    drive::InferenceModel model{
        .id = "switched", .path = model_, .arithmetic = drive::Arithmetic::kSimulated};
    for (const JudgedOutput& output : request_.outputs) {
      model.taps.push_back(output.tensor);
      pass.stored.push_back({model.id, output.tensor});
    }
    pass.models.push_back(std::move(model));
    drive::InferenceJob job;
    job.samples = samples_;
    job.output_dir = outputs_;
    job.passes.push_back(std::move(pass));
    PLANEX_ASSIGN(const drive::InferenceResult seen, runner_.run(std::move(job), "layers alone"));
    const std::size_t layers = request_.layers.size();
    LayerEffects effects{.alone = std::vector<Score>(layers),
                         .errors = LayerErrors(layers),
                         .sample_count = sample_count_};
    for (const JudgedOutput& output : request_.outputs) {
      PLANEX_ASSIGN(const auto stored, find_stored(seen.passes.front(), "switched", output.tensor));
      if (!stored || stored->count() != sample_count_ * runs_.count()) {
        return fail(ErrorCode::kUnsupported,
                    base::format("output {} can't be stored", output.tensor));
      }
      ErrorProducts products(output, runs_, layers);
      products.add(*stored, sample_count_, effects.alone);
      products.give_to(effects.errors);
    }
    for (std::size_t layer = 0; layer < layers; ++layer) {
      constexpr double kDecibels = 10;
      const double noise = effects.errors.alone(layer);
      effects.alone[layer].sqnr_db =
          noise > 0 ? -kDecibels * std::log10(noise) : std::numeric_limits<double>::infinity();
    }
    return effects;
  }

  ModelFile& file_;
  const EffectsRequest& request_;
  Runner& runner_;
  quantize::Switches switches_;
  Runs runs_;
  std::size_t sample_count_ = 0;
  std::string model_, samples_, outputs_;
};

}  // namespace

Result<LayerEffects> layer_effects(ModelFile& file, const EffectsRequest& request, Runner& runner) {
  return Effects(file, request, runner).run();
}

}  // namespace planex::tune
