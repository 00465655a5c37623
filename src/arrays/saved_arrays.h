// The contents of files of saved tensors, whichever program wrote them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arrays/array.h"

namespace planex::arrays {

enum class ArraysFormat : std::uint8_t {
  kNpy,
  kNpz,
  kPolygraphyOutputs,
  kPolygraphyInputs,
  kTrtexecOutput,
  kRawBindings,  // of trtexec
};

// "Polygraphy outputs", for display.
std::string_view to_string(ArraysFormat format);

// The tensors of one inference, in the file's order. A name can occur twice.
struct Iteration {
  std::vector<NamedArray> arrays;
};

struct ArrayRun {
  std::string runner;  // Polygraphy's name for the program that ran it; else empty
  std::vector<Iteration> iterations;
};

struct SavedArrays {
  ArraysFormat format = ArraysFormat::kNpy;
  std::vector<ArrayRun> runs;
  // Names are file names, in which a program writes _ for characters that file names must not
  // contain.
  bool has_file_names = false;
  // What was left out, or read differently than expected: one sentence each.
  std::vector<std::string> remarks;
};

}  // namespace planex::arrays
