#include "tune/data.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "tune/array_data.h"
#include "tune/label_file.h"
#include "tune/preparation.h"

namespace planex::tune {
namespace {

constexpr std::array<std::string_view, 4> kPictureEndings = {".jpg", ".jpeg", ".png", ".webp"};

bool is_picture_name(std::string_view path) {
  const std::string name = base::lower(base::file_name_of(path));
  return std::ranges::any_of(kPictureEndings,
                             [&](std::string_view ending) { return name.ends_with(ending); });
}

struct Picture {
  std::string path, label;
};

// Directly in the folder, else in folders named after their labels.
Result<std::vector<Picture>> find_pictures(const std::string& folder) {
  std::vector<Picture> pictures;
  const auto add = [&](const std::string& from, const std::string& label) -> Result<void> {
    PLANEX_ASSIGN(const auto files, base::disk().list(from));
    for (const base::FileEntry& file : files) {
      if (is_picture_name(file.path)) pictures.push_back({file.path, label});
    }
    return {};
  };
  PLANEX_TRY(add(folder, {}));
  if (!pictures.empty()) return pictures;
  PLANEX_ASSIGN(const auto folders, base::disk().list_folders(folder));
  for (const std::string& label : folders) {
    PLANEX_TRY(add(label, std::string(base::file_name_of(label))));
  }
  return pictures;
}

// The chosen places in the order of the data are cut into blocks, and the ends of the blocks,
// `count` places in total, go last; otherwise the order stays. Returns the number of blocks.
// Several, as data may be sorted by class; few, as each has a border at which neighbors are
// separated.
std::size_t put_ends_of_blocks_last(std::vector<std::size_t>& order, std::size_t count) {
  constexpr std::size_t kUsualEnd = 4, kMinBlocks = 3, kMaxBlocks = 8;
  const std::size_t blocks = std::clamp(count / kUsualEnd, std::min(count, kMinBlocks), kMaxBlocks);
  std::vector<std::size_t> sorted = order;
  std::ranges::sort(sorted);
  std::vector<std::size_t> held;
  for (std::size_t block = 1; block <= blocks; ++block) {
    const std::size_t end = sorted.size() * block / blocks;
    const std::size_t size = count * block / blocks - count * (block - 1) / blocks;
    held.insert(held.end(), sorted.begin() + static_cast<std::ptrdiff_t>(end - size),
                sorted.begin() + static_cast<std::ptrdiff_t>(end));
  }
  std::ranges::stable_partition(
      order, [&](std::size_t place) { return !std::ranges::binary_search(held, place); });
  return blocks;
}

Result<Data> load_pictures(const DataRequest& request, std::vector<Picture> found,
                           const std::vector<ModelInput>& inputs, const std::string& name,
                           const Workshop& workshop) {
  if (!request.labels.empty()) {
    std::vector<std::string> names, labels;
    for (const Picture& picture : found) names.push_back(picture.path);
    PLANEX_ASSIGN(labels, read_labels(request.labels, names));
    for (std::size_t place = 0; place < found.size(); ++place) {
      found[place].label = std::move(labels[place]);
    }
  }
  if (inputs.size() != 1) {
    return fail(ErrorCode::kBadInput,
                base::format("the model has {}, but pictures need a model with one",
                             base::counted(inputs.size(), "input")),
                "provide the samples as arrays: --data FILE.npz with one array per input, named "
                "like it");
  }
  const ModelInput& input = inputs.front();
  PLANEX_ASSIGN(const drive::Preparation preparation,
                parse_preparation(request.preparation, input));
  PLANEX_TRY(sample_shape(preparation, input));
  drive::PictureJob job;
  job.preparation = preparation;
  job.input_name = input.name;
  job.input_type = to_string(input.type);
  job.output_dir = base::join_path(workshop.folder, name);
  job.preview_dir = request.preview_dir;
  constexpr std::size_t kPreviews = 16;
  if (!job.preview_dir.empty()) job.preview_count = kPreviews;
  const ChosenSamples chosen = chosen_samples(request, found.size());
  for (const std::size_t place : chosen.places) {
    job.pictures.push_back(found[place].path);
    job.labels.push_back(found[place].label);
  }
  PLANEX_ASSIGN(drive::PictureResult result,
                drive::prepare_pictures(job, workshop.program, workshop.progress_of("samples"),
                                        workshop.cancellation));
  Data data;
  data.folder = job.output_dir;
  data.sample_count = result.sample_count;
  data.found_count = found.size();
  data.are_labelled =
      std::ranges::any_of(found, [](const Picture& one) { return !one.label.empty(); });
  data.preparation = describe(preparation);
  const auto held = std::span(job.pictures).last(chosen.held_back_count);
  const auto refused = std::ranges::count_if(result.refused, [&](const auto& picture) {
    return std::ranges::find(held, picture.path) != held.end();
  });
  data.held_back_count = chosen.held_back_count - static_cast<std::size_t>(refused);
  data.block_count = chosen.block_count;
  data.refused = std::move(result.refused);
  if (!says_values(request.preparation)) {
    data.notes.emplace_back(
        "--prep does not say how pixels become values: 0 to 255 became 0 to 1. If the model was "
        "trained differently (imagenet, signed, raw), scales and results are wrong");
  }
  return data;
}

}  // namespace

drive::InferenceProgress Workshop::progress_of(std::string step) const {
  if (!progress) return [](std::string_view, double) {};
  return [this, step = std::move(step)](std::string_view, double done) { progress(step, done); };
}

ChosenSamples chosen_samples(const DataRequest& request, std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!request.is_ordered) order = shuffled(count, request.seed);
  if (request.limit > 0 && order.size() > request.limit) order.resize(request.limit);
  ChosenSamples chosen;
  if (request.held_back) chosen.held_back_count = request.held_back(order.size());
  if (chosen.held_back_count > 0) {
    chosen.block_count = put_ends_of_blocks_last(order, chosen.held_back_count);
  }
  chosen.places = std::move(order);
  return chosen;
}

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  // SplitMix64 (Steele, Lea, Flood 2014) and Fisher-Yates: the shuffles of standard libraries
  // differ.
  const auto next = [&seed] {
    std::uint64_t value = (seed += 0x9E3779B97F4A7C15);
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
  };
  for (std::size_t left = count; left > 1; --left) std::swap(order[left - 1], order[next() % left]);
  return order;
}

Result<Data> load_data(const DataRequest& request, const std::vector<ModelInput>& inputs,
                       const std::string& name, const Workshop& workshop) {
  if (base::disk().kind(request.path) == base::PathKind::kFolder) {
    PLANEX_ASSIGN(const std::vector<Picture> pictures, find_pictures(request.path));
    if (!pictures.empty()) return load_pictures(request, pictures, inputs, name, workshop);
  } else if (is_picture_name(request.path)) {
    return load_pictures(request, {{request.path, {}}}, inputs, name, workshop);
  }
  if (!request.preparation.empty() || !request.preview_dir.empty()) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = base::format("there are no pictures here, and {} applies to pictures",
                                         request.preparation.empty() ? "--preview" : "--prep"),
                 .file = request.path,
                 .hint = "Pictures end in .jpg, .jpeg, .png or .webp; arrays are used as they "
                         "are."});
  }
  return load_arrays(request, inputs, name, workshop);
}

}  // namespace planex::tune
