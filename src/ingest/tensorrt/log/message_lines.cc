#include "ingest/tensorrt/log/message_lines.h"

#include <algorithm>

#include "base/text.h"
#include "ingest/tensorrt/log/log_numbers.h"
#include "trtexec/known_messages.h"
#include "trtexec/refused_option.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;
using model::Severity;

constexpr std::size_t kMaxKinds = 500;
constexpr std::size_t kMaxText = 600;

// "The engine uses 2 auxiliary streams, so the "Total" latency may not be accurate ..."
bool is_about_parallel_layers(std::string_view text) {
  return text.starts_with("The engine uses ") && text.find("auxiliary stream") != text.npos;
}

// Texts that differ only in numbers are of one kind.
std::string kind_of(std::string_view text) {
  std::string kind;
  kind.reserve(std::min(text.size(), kMaxText));
  for (const char c : text.substr(0, kMaxText)) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) {
      kind += c;
    } else if (kind.empty() || kind.back() != '#') {
      kind += '#';
    }
  }
  return kind;
}

// "fp16" from "Unknown option: --fp16 "; with a value after a blank if there is one.
std::string option_refused_by(std::string_view text) {
  constexpr std::string_view kUnknown = "Unknown option: ";
  const std::size_t at = text.find(kUnknown);
  if (at == text.npos) return {};
  std::string_view option = base::trimmed(text.substr(at + kUnknown.size()));
  option = option.substr(0, option.find_first_of(" ="));
  option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
  return std::string(option);
}

// TensorRT 7's parser printed its complaints without a prefix.
LogSeverity bare_severity(std::string_view text) {
  if (text.starts_with("WARNING: ")) return LogSeverity::kWarning;
  if (text.starts_with("ERROR: ") || text.starts_with("While parsing node number")) {
    return LogSeverity::kError;
  }
  // trtexec and CUDA checks print these to stderr unchanged.
  if (text.starts_with("Cuda failure") || text.starts_with("Assertion failure")) {
    return LogSeverity::kError;
  }
  return LogSeverity::kNone;
}

}  // namespace

void MessageLines::append_to_last(std::string_view text) {
  if (last_ == nullptr) return;
  text = base::trimmed(text);
  if (text.empty() || last_->count > 1 || last_->text.size() + text.size() > kMaxText) return;
  last_->text += last_->text.ends_with(':') || last_->text.ends_with('.') ? " " : "; ";
  last_->text += text;
}

void MessageLines::take_message(const LogLine& line) {
  std::string_view text = line.text;
  const LogSeverity severity =
      line.severity == LogSeverity::kNone ? bare_severity(text) : line.severity;
  const bool is_error = severity == LogSeverity::kError || severity == LogSeverity::kFatal;
  error_count_ += is_error ? 1u : 0u;
  if (is_error && refused_option_.empty()) refused_option_ = option_refused_by(text);
  // "  If not already in use, ..." is the second line of the warning before it.
  if (!is_error && text.starts_with("  ") && last_ != nullptr) {
    append_to_last(text);
    return;
  }
  Message message{.code = is_error ? "trt-error" : "trt-warning",
                  .severity = is_error ? Severity::kError : Severity::kWarning,
                  .consequence = {},
                  .text = std::string(base::trimmed(text.substr(0, kMaxText))),
                  .count = 1,
                  .byte_offset = line.byte_offset};
  if (message.text.empty()) return;
  if (const auto* known = is_error ? nullptr : trtexec::find_warning(text)) {
    message.code = known->code;
    message.consequence = known->cause;
  }
  if (!is_error && is_about_parallel_layers(text)) {
    message.code = "parallel-layers";
    message.consequence =
        "layers ran in parallel on several streams, so their times add up to more than the "
        "inference time";
  }
  std::string kind = kind_of(text);
  if (const auto known = message_of_kind_.find(kind); known != message_of_kind_.end()) {
    last_ = &messages_[known->second];
    ++last_->count;
    return;
  }
  if (messages_.size() >= kMaxKinds) {
    ++unlisted_;
    last_ = nullptr;
    return;
  }
  message_of_kind_.emplace(std::move(kind), messages_.size());
  messages_.push_back(std::move(message));
  last_ = &messages_.back();
}

// "Tactic: 0x12 skipped. Scratch requested: 2164224, available: 1024"
bool MessageLines::take_skipped_tactic(const LogLine& line) {
  constexpr std::string_view kRequested = " skipped. Scratch requested: ";
  if (!line.text.starts_with("Tactic: ")) return false;
  const auto requested = count_of(word_after(line.text, kRequested));
  if (!requested) return false;
  if (skipped_.count++ == 0) skipped_.byte_offset = line.byte_offset;
  if (*requested > skipped_.max_bytes) {
    skipped_.max_bytes = *requested;
    skipped_.available_bytes = count_of(word_after(line.text, ", available: ")).value_or(0);
  }
  return true;
}

bool MessageLines::take(const LogLine& line) {
  operators_.look_at(line);
  if (accuracy_.take(line)) {
    last_ = nullptr;
    return true;
  }
  switch (line.severity) {
    case LogSeverity::kFatal:
    case LogSeverity::kError:
    case LogSeverity::kWarning:
      take_message(line);
      return true;
    case LogSeverity::kVerbose:
      if (take_skipped_tactic(line)) return true;
      if (!line.text.starts_with(" (foreignNode) Warning")) break;
      take_message(line);
      last_ = nullptr;
      return true;
    case LogSeverity::kInfo:
      last_ = nullptr;
      if (!line.text.starts_with("Some tactics do not have sufficient workspace")) return false;
      take_message(line);
      last_ = nullptr;
      return true;
    case LogSeverity::kNone:
      if (bare_severity(line.text) != LogSeverity::kNone) {
        take_message(line);
        return true;
      }
      // Only errors have continuations worth keeping: the node that was not understood.
      if (!awaits_more()) return false;
      append_to_last(line.text);
      return true;
  }
  last_ = nullptr;
  return false;
}

RunFailure MessageLines::failure() const {
  const Message* worst = nullptr;
  // An unknown error is also a cause: the first of them, before all known consequences.
  const std::span<const trtexec::KnownMessage> known_errors = trtexec::known_errors();
  const std::size_t unknown = trtexec::first_consequence();
  std::size_t rank = known_errors.size() + 1;
  for (const Message& message : messages_) {
    if (message.severity != Severity::kError) continue;
    std::size_t found = trtexec::find_error(message.text);
    if (found >= unknown) ++found;
    if (found > known_errors.size()) found = unknown;
    if (found >= rank) continue;
    rank = found;
    worst = &message;
  }
  if (worst == nullptr) return {};
  const std::string quoted = base::quoted(worst->text, 300);
  if (operators_.any()) {
    return {format("{}. The error is {}", operators_.sentence(), quoted), MessageKind::kModel};
  }
  const trtexec::KnownMessage* known =
      rank == unknown ? nullptr : &known_errors[rank > unknown ? rank - 1 : rank];
  // An error that only names the parser, or one of its checks, has its cause in the parser's own
  // lines.
  const bool is_of_parser = known == nullptr || rank > unknown ||
                            known->text == "While parsing node" || known->text == "Invalid Node" ||
                            known->text == "Assertion fail" ||
                            known->text == "Network must have at least one output";
  if (parser_.any() && is_of_parser) {
    return {format("{}; simplify or export the model again, perhaps with another opset. The error "
                   "is {}",
                   parser_.sentence(), base::quoted(parser_.reason_line(), 300)),
            MessageKind::kModel};
  }
  if (!refused_option_.empty() && known != nullptr && known->text == "Unknown option") {
    return {format("{}. The error is {}", trtexec::refused_option_words(refused_option_), quoted),
            MessageKind::kCommand};
  }
  if (known == nullptr) return {format("the first error is {}", quoted), MessageKind::kModel};
  return {format("{}; {}. The error is {}", known->cause, known->cure, quoted), known->kind};
}

void MessageLines::add_diagnostics(const Artefact& artefact, model::ModelBuilder& builder) const {
  accuracy_.add_diagnostics(artefact, builder);
  for (const Message& message : messages_) {
    const std::string text = base::quoted(message.text, kMaxText);
    std::string words = message.consequence.empty() ? format("the log says: {}", text)
                                                    : format("{}: {}", message.consequence, text);
    if (message.count > 1) words += format(" ({} times)", message.count);
    builder.add_diagnostic({.code = message.code,
                            .severity = message.severity,
                            .message = std::move(words),
                            .file = artefact.path,
                            .byte_offset = message.byte_offset});
  }
  if (unlisted_ > 0) {
    builder.add_diagnostic(
        {.code = "trt-warning",
         .message = format("{} more warnings and errors of other kinds are not listed", unlisted_),
         .file = artefact.path});
  }
  if (skipped_.count > 0) {
    builder.add_diagnostic(
        {.code = "tactics-skipped",
         .severity = Severity::kInfo,
         .message = format(
             "the builder skipped {} for lack of workspace: the largest needs {} bytes but {} were "
             "allowed; --memPoolSize=workspace:MIB (before TensorRT 8.4 --workspace=MIB) raises "
             "that",
             base::counted(skipped_.count, "kernel"), skipped_.max_bytes, skipped_.available_bytes),
         .file = artefact.path,
         .byte_offset = skipped_.byte_offset});
  }
}

}  // namespace planex::ingest::tensorrt
