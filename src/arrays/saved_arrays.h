// What files of saved tensors have, whichever program wrote them.
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

// "Polygraphy outputs", for people.
std::string_view to_string(ArraysFormat format);

// The tensors of one inference, in the file's order. A name may come twice.
struct Iteration {
  std::vector<NamedArray> arrays;
};

struct ArrayRun {
  std::string runner;  // as Polygraphy calls who ran it; else empty
  std::vector<Iteration> iterations;
};

struct SavedArrays {
  ArraysFormat format = ArraysFormat::kNpy;
  std::vector<ArrayRun> runs;
  // Names are those of files, in which a program puts _ for what files must not be called.
  bool has_file_names = false;
  // What was left out, or taken another way than one may think: a sentence each.
  std::vector<std::string> remarks;
};

}  // namespace planex::arrays
