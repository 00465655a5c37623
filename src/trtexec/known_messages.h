// Messages that TensorRT and trtexec print, in plain words: what each means, and what to do. The
// only place for them: readers of logs find them here, and docs/reference/messages.md is generated
// from them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace planex::trtexec {

enum class MessageKind : std::uint8_t {
  kDevice,       // GPU, driver, CUDA
  kLoad,         // an engine file could not be loaded
  kModel,        // the model was not understood, or can't be built
  kMemory,       // too little memory
  kCommand,      // options and files of the command
  kRun,          // an engine exists but could not be run
  kAccuracy,     // the engine computes something other than the model
  kMeasurement,  // times that are not the engine's own
};
std::string_view to_string(MessageKind kind);

struct KnownMessage {
  // Part of the message, or its start.
  std::string_view text;
  // Of the diagnostic; errors of builds and runs share one code.
  std::string_view code;
  MessageKind kind = MessageKind::kModel;
  // What went wrong, or what follows: a clause without a full stop.
  std::string_view cause;
  // What to do; empty if nothing is to be done.
  std::string_view cure;
  // Releases of TensorRT that print it, if not all do.
  std::string_view versions = {};
};

// Errors that end a run. Most telling first: an early entry is a cause, a late one follows from it.
std::span<const KnownMessage> known_errors();
// Position in known_errors() of the first entry that follows from an error before it.
std::size_t first_consequence();
// Position in known_errors() of the first entry whose text is in `error`; their number if there is
// none.
std::size_t find_error(std::string_view error);

// Warnings that begin with their text.
std::span<const KnownMessage> known_warnings();
// Null if no entry's text begins `warning`.
const KnownMessage* find_warning(std::string_view warning);

// Warnings about accuracy, which contain their text at any place; the most telling first.
std::span<const KnownMessage> accuracy_warnings();
// Null if no entry's text is in `warning`.
const KnownMessage* find_accuracy_warning(std::string_view warning);
// The first with this code; null if there is none.
const KnownMessage* accuracy_warning_of(std::string_view code);

}  // namespace planex::trtexec
