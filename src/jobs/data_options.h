// What the verbs that run models on data share: which samples, and how they become inputs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planex/error.h"
#include "planex/options.h"
#include "session/verbs/option.h"
#include "tune/data.h"

namespace planex::jobs {

// clang-format off
#define PLANEX_DATA_OPTIONS(OPTION)                                                               \
  OPTION(std::string, path, {}, "data", "PATH",                                                   \
         "Samples: a folder of pictures (JPEG, PNG, WebP), or of one folder per label; "          \
         ".npy, .npz, or a folder of them; inputs that Polygraphy saved; raw:DIR",                \
         .reads_all = true, .place = 3)                                                           \
  OPTION(std::string, preparation, {}, "prep", "WORDS",                                           \
         "How to make samples from pictures: resize=HxW, fit=stretch|pad|crop, fill=0..255, "     \
         "color=rgb|bgr|gray, layout=nchw|nhwc, mean=, std=, scale= (for values 0 to 255; three " \
         "values separated by colons); or imagenet, unit, signed, raw",                           \
         .python = "preparation")                                                                 \
  OPTION(std::vector<std::string>, shapes, {}, "shape", "NAME=DIMS",                              \
         "Shape of an input with dynamic dimensions: x=1x3x48x320", .python = "shapes")           \
  OPTION(std::string, labels, {}, "labels", "FILE",                                               \
         "A text file with the label of each sample: one label per line, in "                     \
         "sample order, or NAME,LABEL by file name", .reads = true)                               \
  OPTION(std::uint64_t, seed, 1, "seed", "",                                                      \
         "Seed that chooses the samples and their order")                                         \
  OPTION(std::string, preview, {}, "preview", "DIR",                                              \
         "Write the first pictures as the model sees them to this folder, as PNG",                \
         .writes_folder = true)
// clang-format on

struct DataOptions {
  PLANEX_DATA_OPTIONS(PLANEX_MEMBER)

  bool is_given() const { return !path.empty(); }
};

// Bound to it, which they are not to outlive.
session::Options options_of(DataOptions& request);

// Errors: kUsage (an invalid shape).
Result<tune::DataRequest> data_request(const DataOptions& options);

// Checks the user's own programs. Errors: kUsage (an empty one), kNotFound (a path that does not
// exist).
Result<void> check_metrics(const std::vector<std::string>& metrics);

}  // namespace planex::jobs
