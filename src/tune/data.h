// Turns the user's data (pictures, arrays) into samples that an engine accepts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drive/inference.h"
#include "planex/error.h"
#include "tune/model_file.h"

namespace planex::tune {

struct DataRequest {
  // A folder of pictures, or of folders of pictures named after their labels; an .npy or .npz, or a
  // folder of them; inputs that Polygraphy saved; "raw:DIR", files with the bytes of one sample
  // each.
  std::string path;
  std::string preparation;  // preparation.h
  // Shapes of inputs whose dimensions the model leaves open.
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> shapes;
  // Maximum number of samples, chosen by `seed`; 0: all.
  std::size_t limit = 0;
  std::uint64_t seed = 1;
  // A file of labels, one line per sample: "LABEL" in the order of the samples in the data
  // (pictures by their paths), or "NAME,LABEL" by the name of the picture, or the file and number
  // of an array's sample ("lines.npz#12"); a tab can replace the comma. Empty: pictures are in
  // folders named after their labels, or there are no labels.
  std::string labels;
  // How many of the chosen samples come last because they are for another use: the ends of blocks
  // of the data. Neighbors are similar, like frames of a video or lines of a page.
  std::function<std::size_t(std::size_t all)> held_back;
  bool is_ordered = false;  // samples stay in the order of the data, the first of them, unshuffled
  std::string preview_dir;  // the first pictures as the model sees them, as PNG; empty: none
};

struct Data {
  std::string folder;  // folder of the samples: arrays/sample_folder.h
  std::size_t sample_count = 0;
  std::size_t found_count = 0;  // before the limit
  // The last of the samples; and of how many blocks of the data they are the ends.
  std::size_t held_back_count = 0, block_count = 0;
  bool are_labelled = false;
  std::vector<std::string> preparation;  // key=value; empty: arrays
  // Files rejected as samples, and why.
  std::vector<drive::RefusedPicture> refused;
  // Widest and narrowest range of a sample's values, over all inputs: they reveal outliers.
  std::vector<std::string> notes;
};

// What the steps of a job share: the program that runs models, and a folder for intermediate files.
struct Workshop {
  std::string program;  // planex-openvino
  std::string folder;   // folder of this run, removed at its end
  int threads = 1;
  // Outputs are judged as the model returns them (judged_outputs()).
  bool judges_as_returned = false;
  // The current step of the job, and how much of it is done: 0 to 1.
  std::function<void(std::string_view step, double done)> progress;
  drive::Cancellation cancellation;

  // For one step, whatever the program reports.
  drive::InferenceProgress progress_of(std::string step) const;
};

// Samples are in an order that the seed decides, those that are held back last. Writes them to
// `name` in the workshop's folder. Errors: kNotFound, kBadInput (no samples; shapes that don't fit;
// labels for others), kUsage, kIo, kExternalTool,
//         kCancelled.
Result<Data> load_data(const DataRequest& request, const std::vector<ModelInput>& inputs,
                       const std::string& name, const Workshop& workshop);

// The samples to use, as places in the data: chosen and ordered by the seed, or the first;
// held-back samples come last.
struct ChosenSamples {
  std::vector<std::size_t> places;
  std::size_t held_back_count = 0, block_count = 0;
};
ChosenSamples chosen_samples(const DataRequest& request, std::size_t count);

// Numbers 0 to count - 1 in an order that only the seed decides, the same on every machine.
std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed);

}  // namespace planex::tune
