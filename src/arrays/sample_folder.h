// Samples on disk, as an engine takes them: what calibration and accuracy run on.
//
//   DIR/samples.json   planex.samples/1: inputs (name, type, shape of one sample), how many
//   samples,
//                      where each came from, its label, and how pictures were prepared
//   DIR/0.bin, 1.bin   one file per input: the samples one after another, row-major
//
// All samples have the same shapes. Readers read one sample at a time, so that memory does not grow
// with their number.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arrays/array.h"
#include "planex/error.h"

namespace planex::arrays {

struct SampleInput {
  std::string name;  // of the model's input
  ElementType type = ElementType::kFloat32;
  std::vector<std::int64_t> shape;  // of one sample, with its batch
};

struct SampleSource {
  std::string name;   // file, or file and index: "lines.npz#12"
  std::string label;  // empty: none
};

struct SampleIndex {
  std::vector<SampleInput> inputs;
  std::vector<SampleSource> samples;
  // How pictures were prepared, one "key=value" each; empty for arrays.
  std::vector<std::string> preparation;
};

// Samples are added one at a time; finish() writes the index last, so that a folder without one is
// incomplete.
class SampleWriter {
 public:
  // Creates `folder` where missing. Errors: kIo.
  static Result<std::unique_ptr<SampleWriter>> create(std::string folder,
                                                      std::vector<SampleInput> inputs);
  virtual ~SampleWriter() = default;
  // `data`: for each input, in the order of `inputs`, all bytes of one sample. Errors: kIo;
  // kInternal where a size is wrong.
  virtual Result<void> add(const SampleSource& source, std::span<const std::string_view> data) = 0;
  virtual Result<void> finish(std::vector<std::string> preparation) = 0;
};

class SampleReader {
 public:
  // Errors: kNotFound, kBadInput (index, sizes of the files), kIo.
  static Result<std::unique_ptr<SampleReader>> open(std::string folder);
  virtual ~SampleReader() = default;
  virtual const SampleIndex& index() const = 0;
  // All bytes of input `input` of sample `sample` into `data`, whose size must be right.
  virtual Result<void> read(std::size_t sample, std::size_t input, std::span<char> data) = 0;
};

}  // namespace planex::arrays
