// Messages that TensorRT and trtexec print, in plain words: what each means, and what to do. The
// one place for them: readers of logs find them here, and docs/reference/messages.md is made of
// them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace planex::trtexec {

enum class MessageKind : std::uint8_t {
  kDevice,       // GPU, driver, CUDA
  kLoad,         // an engine file could not be loaded
  kModel,        // the model was not understood, or can't be built
  kMemory,       // too little of it
  kCommand,      // options and files of the command
  kRun,          // an engine is there and could not be run
  kAccuracy,     // the engine computes something else than the model
  kMeasurement,  // times that are not the engine's own
};
std::string_view to_string(MessageKind kind);

struct KnownMessage {
  // Stands in the message, or at its start.
  std::string_view text;
  // Of the diagnostic; errors of builds and runs have one code in common.
  std::string_view code;
  MessageKind kind = MessageKind::kModel;
  // What went wrong, or what follows: a clause without a full stop.
  std::string_view cause;
  // What to do; empty where nothing is to be done.
  std::string_view cure;
  // Releases of TensorRT that print it, where not all do.
  std::string_view versions = {};
};

// What ends a run. Most telling first: an early entry is a cause, a late one follows from it.
std::span<const KnownMessage> known_errors();
// Position in known_errors() of the first entry that follows from an error before it.
std::size_t first_consequence();
// Position in known_errors() of the first entry whose text is in `error`; their number where there
// is none.
std::size_t find_error(std::string_view error);

// Warnings that begin with their text.
std::span<const KnownMessage> known_warnings();
// Null where none begins `warning`.
const KnownMessage* find_warning(std::string_view warning);

// Warnings about accuracy, which have their text somewhere in them; the most telling first.
std::span<const KnownMessage> accuracy_warnings();
// Null where none stands in `warning`.
const KnownMessage* find_accuracy_warning(std::string_view warning);
// The first of this code; null where there is none.
const KnownMessage* accuracy_warning_of(std::string_view code);

}  // namespace planex::trtexec
