#include "tune/array_data.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "arrays/open_arrays.h"
#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "tune/label_file.h"

namespace planex::tune {
namespace {

using arrays::Array;
using arrays::ElementType;
using arrays::NamedArray;

Failure bad(const std::string& file, std::string message, std::string hint = {}) {
  return fail({.code = ErrorCode::kBadInput,
               .message = std::move(message),
               .file = file,
               .hint = std::move(hint)});
}

// Prefix of a folder whose files contain nothing but values.
constexpr std::string_view kRaw = "raw:";

// Each iteration of a run is a set of arrays for all inputs; most files have one.
using ArraySets = std::vector<std::vector<NamedArray>>;

Result<ArraySets> read_arrays(const std::string& path) {
  PLANEX_ASSIGN(arrays::SavedArrays saved, arrays::open_arrays(path, base::disk()));
  ArraySets sets;
  for (arrays::ArrayRun& run : saved.runs) {
    for (arrays::Iteration& iteration : run.iterations) sets.push_back(std::move(iteration.arrays));
  }
  return sets;
}

// Several samples of one input, one after another.
struct Samples {
  Array array;
  std::vector<std::int64_t> shape;  // of one sample
  std::size_t count = 0;

  std::size_t sample_bytes() const { return count == 0 ? 0 : array.data.size() / count; }
};

// Samples of each input, in the model's order.
struct Batch {
  std::vector<Samples> inputs;
  std::size_t count = 0;
};

class ArrayLoader {
 public:
  ArrayLoader(const DataRequest& request, const std::vector<ModelInput>& inputs)
      : request_(request), inputs_(inputs) {}

  // The content of one file.
  Result<std::vector<Batch>> read(const std::string& path) {
    PLANEX_ASSIGN(ArraySets sets, is_raw() ? read_raw(path) : read_arrays(path));
    std::vector<Batch> batches;
    for (std::vector<NamedArray>& found : sets) {
      PLANEX_ASSIGN(Batch batch, batch_of(found, path));
      batches.push_back(std::move(batch));
    }
    return batches;
  }

 private:
  Result<Batch> batch_of(std::vector<NamedArray>& found, const std::string& path) {
    Batch batch;
    for (const ModelInput& input : inputs_) {
      PLANEX_ASSIGN(NamedArray * array, find(found, input, path));
      PLANEX_ASSIGN(Samples samples, split(std::move(array->array), input, path));
      if (!batch.inputs.empty() && samples.count != batch.count) {
        return bad(path, base::format("input {} has {}, but the inputs before it have {}",
                                      base::quoted(input.name),
                                      base::counted(samples.count, "sample"), batch.count));
      }
      batch.count = samples.count;
      batch.inputs.push_back(std::move(samples));
    }
    return batch;
  }

  bool is_raw() const { return request_.path.starts_with(kRaw); }

  // The bytes of one sample of the only input, nothing else.
  Result<ArraySets> read_raw(const std::string& path) const {
    if (inputs_.size() != 1) {
      return bad(path, base::format("the model has {}, but raw files need a model with one",
                                    base::counted(inputs_.size(), "input")));
    }
    const ModelInput& input = inputs_.front();
    std::vector<std::int64_t> shape = wanted_dims(input).value_or(std::vector<std::int64_t>{-1});
    if (!shape.empty() && shape.front() < 0) shape.front() = 1;
    const auto count = arrays::element_count(shape);
    if (!count) {
      return bad(path,
                 base::format("input {} is {}: the shape of the raw files is not specified",
                              base::quoted(input.name), shape_text(input)),
                 base::format("--shape {}=1x3x224x224", input.name));
    }
    PLANEX_ASSIGN(const auto bytes, base::disk().read(path));
    const std::size_t wanted =
        static_cast<std::size_t>(*count) * arrays::bytes_per_element(input.type);
    if (bytes->view().size() != wanted) {
      return bad(path, base::format("it has {} bytes, but a sample of input {} has {} ({} of {})",
                                    bytes->view().size(), base::quoted(input.name), wanted,
                                    arrays::shape_text(shape), to_string(input.type)));
    }
    NamedArray array{input.name, {input.type, std::move(shape), std::string(bytes->view())}};
    ArraySets sets(1);
    sets.front().push_back(std::move(array));
    return sets;
  }

  Result<NamedArray*> find(std::vector<NamedArray>& found, const ModelInput& input,
                           const std::string& path) const {
    if (found.size() == 1 && inputs_.size() == 1) return &found.front();
    const auto match = std::ranges::find(found, input.name, &NamedArray::name);
    if (match != found.end()) return &*match;
    std::vector<std::string_view> names;
    for (const NamedArray& array : found) names.push_back(array.name);
    return bad(path,
               base::format("there is no array for input {} ({})", base::quoted(input.name),
                            shape_text(input)),
               names.size() == 1 && names.front().empty()
                   ? "for a model with several inputs, use an .npz whose arrays have the names of "
                     "the inputs"
                   : base::format("The file has {}.", base::join_words(names)));
  }

  // The required dimensions of a sample; -1: any.
  std::optional<std::vector<std::int64_t>> wanted_dims(const ModelInput& input) const {
    for (const auto& [name, dims] : request_.shapes) {
      if (name == input.name) return dims;
    }
    if (input.has_shape) return input.dims;
    return std::nullopt;
  }

  Result<Samples> split(Array array, const ModelInput& input, const std::string& path) const {
    Samples samples;
    std::vector<std::int64_t> dims = array.shape;
    const auto wanted = wanted_dims(input);
    if (!wanted || dims.size() == wanted->size() + 1) {
      // A leading dimension of samples. With an unknown rank there is always one.
      if (dims.empty()) return misfit(array, input, path);
      samples.count = static_cast<std::size_t>(dims.front());
      dims.erase(dims.begin());
    } else if (dims.size() == wanted->size()) {
      const std::int64_t batch = dims.empty() ? 1 : std::max<std::int64_t>(1, wanted->front());
      if (dims.empty()) {
        samples.count = 1;
      } else {
        if (dims.front() % batch != 0) return misfit(array, input, path);
        samples.count = static_cast<std::size_t>(dims.front() / batch);
        dims.front() = batch;
      }
    } else {
      return misfit(array, input, path);
    }
    for (std::size_t place = 0; wanted && place < dims.size(); ++place) {
      const std::int64_t dim = (*wanted)[place];
      if (dim >= 0 && dim != dims[place]) return misfit(array, input, path);
    }
    if (samples.count == 0) {
      return bad(path, base::format("the array for input {} is empty", base::quoted(input.name)));
    }
    samples.shape = std::move(dims);
    PLANEX_ASSIGN(samples.array, converted(std::move(array), input, path));
    return samples;
  }

  Failure misfit(const Array& array, const ModelInput& input, const std::string& path) const {
    const auto wanted = wanted_dims(input);
    ModelInput shown = input;
    if (wanted) shown.dims = *wanted;
    return bad(path,
               base::format("the array is {}, but input {} is {}", arrays::shape_text(array.shape),
                            base::quoted(input.name), shape_text(shown)),
               "one sample has the input's shape; several are stacked along the first dimension, "
               "or along an extra one in front");
  }

  // Conversions that lose nothing important: doubles to floats, narrow integers to wide ones.
  static Result<Array> converted(Array array, const ModelInput& input, const std::string& path) {
    if (array.type == input.type) return array;
    if (arrays::is_float(array.type) && input.type == ElementType::kFloat32) {
      const std::vector<float> values = arrays::floats_of(array);
      array.type = input.type;
      array.data.assign(reinterpret_cast<const char*>(values.data()),
                        values.size() * sizeof(float));
      return array;
    }
    if (array.type == ElementType::kInt32 && input.type == ElementType::kInt64) {
      std::string wide;
      wide.reserve(array.data.size() * 2);
      for (std::size_t at = 0; at < array.data.size(); at += sizeof(std::int32_t)) {
        std::int32_t narrow = 0;
        std::memcpy(&narrow, array.data.data() + at, sizeof narrow);
        const std::int64_t value = narrow;
        wide.append(reinterpret_cast<const char*>(&value), sizeof value);
      }
      array.type = input.type;
      array.data = std::move(wide);
      return array;
    }
    return bad(path, base::format("the array is {}, but input {} takes {}", to_string(array.type),
                                  base::quoted(input.name), to_string(input.type)));
  }

  const DataRequest& request_;
  const std::vector<ModelInput>& inputs_;
};

Result<std::vector<std::string>> find_files(std::string path) {
  const bool is_raw = path.starts_with(kRaw);
  if (is_raw) path.erase(0, kRaw.size());
  if (base::disk().kind(path) != base::PathKind::kFolder) return std::vector{path};
  PLANEX_ASSIGN(const auto entries, base::disk().list(path));
  std::vector<std::string> files;
  for (const base::FileEntry& entry : entries) {
    const std::string name = base::lower(entry.path);
    if (is_raw || name.ends_with(".npy") || name.ends_with(".npz")) files.push_back(entry.path);
  }
  if (files.empty()) {
    return bad(path, "there are no samples here",
               "pictures end in .jpg, .jpeg, .png or .webp, arrays in .npy or .npz");
  }
  return files;
}

// The first batch defines the shapes.
Result<void> check_shapes(const Batch& batch, const std::vector<ModelInput>& inputs,
                          const std::string& path, std::vector<std::vector<std::int64_t>>& shapes) {
  if (shapes.empty()) {
    for (const Samples& samples : batch.inputs) shapes.push_back(samples.shape);
    return {};
  }
  for (std::size_t input = 0; input < inputs.size(); ++input) {
    const auto& shape = batch.inputs[input].shape;
    if (shapes[input] == shape) continue;
    return bad(path,
               base::format("samples of input {} are {} here, but {} before",
                            base::quoted(inputs[input].name), arrays::shape_text(shape),
                            arrays::shape_text(shapes[input])),
               "all samples must have the same shape");
  }
  return {};
}

}  // namespace

Result<Data> load_arrays(const DataRequest& request, const std::vector<ModelInput>& inputs,
                         const std::string& name, const Workshop& workshop) {
  PLANEX_ASSIGN(const std::vector<std::string> files, find_files(request.path));
  ArrayLoader loader(request, inputs);
  Data data;
  data.folder = base::join_path(workshop.folder, name);
  // Where each sample of each file goes is known only when all files are counted. Each file is read
  // once for that, and again for its samples, so that only one is in memory.
  struct Place {
    std::size_t file = 0, batch = 0, sample = 0;
    std::size_t number = 0;  // in the file
  };
  std::vector<Place> places;
  std::vector<std::vector<std::int64_t>> shapes;
  for (std::size_t file = 0; file < files.size(); ++file) {
    PLANEX_ASSIGN(const std::vector<Batch> batches, loader.read(files[file]));
    std::size_t number = 0;
    for (std::size_t batch = 0; batch < batches.size(); ++batch) {
      PLANEX_TRY(check_shapes(batches[batch], inputs, files[file], shapes));
      for (std::size_t sample = 0; sample < batches[batch].count; ++sample) {
        places.push_back({file, batch, sample, number++});
      }
    }
  }
  const auto name_of = [&](const Place& place) {
    return base::format("{}#{}", base::file_name_of(files[place.file]), place.number);
  };
  std::vector<std::string> labels(places.size());
  if (!request.labels.empty()) {
    std::vector<std::string> names;
    for (const Place& place : places) names.push_back(name_of(place));
    PLANEX_ASSIGN(labels, read_labels(request.labels, names));
    data.are_labelled = true;
  }
  const ChosenSamples chosen = chosen_samples(request, places.size());
  const std::vector<std::size_t>& order = chosen.places;
  data.held_back_count = chosen.held_back_count;
  data.block_count = chosen.block_count;
  data.found_count = places.size();
  data.sample_count = order.size();

  std::vector<arrays::SampleInput> sample_inputs;
  for (std::size_t input = 0; input < inputs.size(); ++input) {
    sample_inputs.push_back({inputs[input].name, inputs[input].type, shapes[input]});
  }
  PLANEX_ASSIGN(const auto writer, arrays::SampleWriter::create(data.folder, sample_inputs));
  std::vector<Batch> batches;
  std::size_t open_file = files.size();
  for (const std::size_t index : order) {
    const Place place = places[index];
    if (workshop.cancellation.requested()) return fail(ErrorCode::kCancelled, "stopped");
    if (place.file != open_file) {
      PLANEX_ASSIGN(batches, loader.read(files[place.file]));
      open_file = place.file;
    }
    std::vector<std::string_view> pieces;
    for (const Samples& samples : batches[place.batch].inputs) {
      pieces.push_back(std::string_view(samples.array.data)
                           .substr(place.sample * samples.sample_bytes(), samples.sample_bytes()));
    }
    PLANEX_TRY(writer->add({.name = name_of(place), .label = labels[index]}, pieces));
  }
  PLANEX_TRY(writer->finish({}));
  return data;
}

}  // namespace planex::tune
