// What to explain of an engine: the topics of `planex explain`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace planex {

enum class ExplainTopic : std::uint8_t {
  kReformats,     // which producer and consumer disagree, what it costs, whether it is avoidable
  kSpeed,         // how near to the device's limits each layer runs
  kMemory,        // what is held when, and who holds the peak
  kPrecision,     // where precision changes, and what forces it
  kBlocks,        // repeated blocks, and the odd one out
  kOperations,    // time by operation of the source model
  kKernels,       // what layers launch, from a trace of the device
  kQuantization,  // what the model quantizes, what runs quantized, what fell back and why
  kTactics,       // which kernels the builder tried for each layer, and which it chose
};

struct ExplainRequest {
  ExplainTopic topic = ExplainTopic::kReformats;
  // Every row in the text, not only those that matter most.
  bool all = false;
  // kSpeed: a device table of the user's own; else the one that planex has.
  std::optional<std::string> devices = {};
  // kSpeed: the row of the table; else the one that fits what the engine says.
  std::optional<std::string> device = {};
  // kSpeed: hold an engine that ran on a CPU against this machine's, whatever its files say.
  // Without it that is done where they name this machine.
  bool probe = false;
  // kSpeed: this machine may be measured, and the figures kept in a file for later. Without it only
  // figures that are kept already count, and nothing is written.
  bool may_measure = true;
  // kTactics: the layer of this name or id alone, with all that was tried for it.
  std::optional<std::string> layer = {};
  // Told what is going on before something that takes a moment; may be empty.
  std::function<void(std::string_view)> tell = {};
};

}  // namespace planex
