// Warnings and errors of a log as diagnostics: each kind once, with how often it occurred.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ingest/reader.h"
#include "ingest/tensorrt/log/accuracy_lines.h"
#include "ingest/tensorrt/log/log_lines.h"
#include "ingest/tensorrt/log/missing_operators.h"
#include "ingest/tensorrt/log/parser_errors.h"
#include "trtexec/known_messages.h"

namespace planex::ingest::tensorrt {

using trtexec::MessageKind;

// What went wrong, in words, and what to do, from the most informative error; empty without errors.
struct RunFailure {
  std::string words;
  MessageKind kind = MessageKind::kModel;
};

class MessageLines {
 public:
  // Call for every line, in order, even if another reader consumes it: tracks where the parser is.
  void look_at(const LogLine& line) { parser_.look_at(line); }
  // Consumes [W], [E] and [F] lines, what belongs to them, and the few others that warn.
  bool take(const LogLine& line);

  // The lines that follow may belong to an error.
  bool awaits_more() const {
    return last_ != nullptr && last_->severity == model::Severity::kError;
  }
  bool has_errors() const { return error_count_ > 0; }

  RunFailure failure() const;
  // The option that trtexec rejected, without dashes; empty if it rejected none.
  std::string_view refused_option() const { return refused_option_; }

  void add_diagnostics(const Artefact& artefact, model::ModelBuilder& builder) const;

 private:
  struct Message {
    std::string_view code;
    model::Severity severity = model::Severity::kWarning;
    // Says what follows from it, if planex knows the message; then comes the text itself.
    std::string_view consequence;
    std::string text;
    std::size_t count = 0;
    std::uint64_t byte_offset = 0;
  };
  struct SkippedTactics {
    std::size_t count = 0;
    std::int64_t max_bytes = 0;
    std::int64_t available_bytes = 0;
    std::uint64_t byte_offset = 0;
  };

  void take_message(const LogLine& line);
  bool take_skipped_tactic(const LogLine& line);
  void append_to_last(std::string_view text);

  std::vector<Message> messages_;
  std::unordered_map<std::string, std::size_t> message_of_kind_;
  // The message that following lines continue.
  Message* last_ = nullptr;
  std::size_t unlisted_ = 0;
  SkippedTactics skipped_;
  MissingOperators operators_;
  ParserErrors parser_;
  AccuracyLines accuracy_;
  std::size_t error_count_ = 0;
  std::string refused_option_;
};

}  // namespace planex::ingest::tensorrt
