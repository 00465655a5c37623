// The node of the model at which the ONNX parser stopped, and why. The lines around a node say that
// it could not be parsed; the cause comes a few lines below them:
//
//   [E] ModelImporter.cpp:140: While parsing node number 1 [Loop -> "lo"]:
//   [E] ModelImporter.cpp:142: --- Begin node ---
//   Node name: myloop
//   [E] ModelImporter.cpp:151: ERROR: ModelImporter.cpp:356 In function parseNode:
//   [5] Assertion failed: (ctx->tensors().count(inputName)): Node input was not registered.
//
// Newer parsers print all of it at once:
//
//   [E] In node 12 with name: conv and operator: Conv (importConv): INVALID_NODE: why
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ingest/tensorrt/log/log_lines.h"

namespace planex::ingest::tensorrt {

class ParserErrors {
 public:
  // Call for every line, in order. O(line) for errors and what follows them, otherwise O(1).
  void look_at(const LogLine& line);

  // A reason was found.
  bool any() const { return !reason_.empty(); }
  // 'the ONNX parser rejected the node "b" (Identity) inside "a" (Loop): why'. Call only if any().
  std::string sentence() const;
  // The line of the log that contains the reason.
  std::string_view reason_line() const { return reason_line_; }

 private:
  struct Node {
    std::string_view name, type;
  };

  void look_at_error(std::string_view text);
  void take_reason(std::string_view text);

  // Views into the log.
  Node parsed_;  // the one that the parser is at, according to its verbose lines
  Node outer_, inner_;
  std::string_view output_;  // of the outer one, if it has no name
  std::string_view reason_, reason_line_;
  bool is_in_block_ = false, awaits_reason_ = false;
  std::size_t error_count_ = 0;
};

}  // namespace planex::ingest::tensorrt
