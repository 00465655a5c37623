#include "ingest/tensorrt/log/message_lines.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "ingest/tensorrt/log/failures.h"
#include "ingest/tensorrt/log/log_numbers.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;
using model::Severity;

constexpr std::size_t kMaxKinds = 500;
constexpr std::size_t kMaxText = 600;

struct KnownWarning {
  std::string_view start;
  std::string_view code;
  Severity severity;
  std::string_view consequence;
};
constexpr std::array<KnownWarning, 19> kWarnings = {{
    {"* Throughput may be bound by Enqueue Time", "enqueue-bound", Severity::kWarning,
     "the host takes about as long to start an inference as the GPU to run it, so the GPU waits; a "
     "CUDA graph helps"},
    {"* Throughput may be bound by host-to-device", "transfer-bound", Severity::kWarning,
     "copying the inputs takes longer than the inference"},
    {"* Throughput may be bound by device-to-host", "transfer-bound", Severity::kWarning,
     "copying the outputs takes longer than the inference"},
    {"* GPU compute time is unstable", "unstable-latency", Severity::kWarning,
     "times of single inferences scatter, so small differences between runs are not significant; "
     "lock the GPU's clocks"},
    {"* Multiple inference streams", "parallel-inferences", Severity::kWarning,
     "inferences ran side by side: the throughput is right, latencies are longer than alone"},
    {"Skip layer timing collection in CUDA graph", "profiled-with-cuda-graph", Severity::kWarning,
     "times of layers and CUDA graphs exclude one another: some inferences have no layer times"},
    {"Failed to collect layer timing info", "profiled-with-cuda-graph", Severity::kWarning,
     "some inferences have no layer times"},
    {"The CUDA graph capture on the stream has failed", "cuda-graph-failed", Severity::kWarning,
     "the times are without a CUDA graph, although one was asked for"},
    {"CUDA graph capture failed", "cuda-graph-failed", Severity::kWarning,
     "the times are without a CUDA graph, although one was asked for"},
    {"The built TensorRT engine contains operations that are not permitted under",
     "cuda-graph-failed", Severity::kWarning,
     "the times are without a CUDA graph, although one was asked for"},
    {"The built engine contains operations that are not permitted under", "cuda-graph-failed",
     Severity::kWarning, "the times are without a CUDA graph, although one was asked for"},
    {"The specified --useCudaGraph flag has been ignored", "cuda-graph-failed", Severity::kWarning,
     "the times are without a CUDA graph, although one was asked for"},
    {"Dynamic dimensions required for input", "shape-assumed", Severity::kWarning,
     "trtexec chose the shape: engine and times are for it"},
    {"Shape missing for input with dynamic shape", "shape-assumed", Severity::kWarning,
     "trtexec chose the shape: the times are for it"},
    {"Using an engine plan file across different models of devices", "other-device",
     Severity::kWarning,
     "the engine was built for another GPU: its kernels were picked by that one's times"},
    {"Some tactics do not have sufficient workspace memory", "workspace-too-small",
     Severity::kWarning,
     "faster kernels may have been left out: raise --memPoolSize=workspace:MIB (before TensorRT "
     "8.4 --workspace=MIB)"},
    {"Skipping tactic", "tactics-skipped", Severity::kWarning,
     "a kernel was left out, perhaps the fastest"},
    {"UNSUPPORTED_STATE: Skipping tactic", "tactics-skipped", Severity::kWarning,
     "a kernel was left out, perhaps the fastest"},
    {" (foreignNode) Warning: this engine will not be able to run on target", "target-left-out",
     Severity::kWarning, "the engine does not run on every target it was built for"},
}};

// "The engine uses 2 auxiliary streams, so the "Total" latency may not be accurate ..."
bool is_about_parallel_layers(std::string_view text) {
  return text.starts_with("The engine uses ") && text.find("auxiliary stream") != text.npos;
}

// Texts that differ in numbers only are of one kind.
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

// TensorRT 7's parser printed its complaints without a prefix.
LogSeverity bare_severity(std::string_view text) {
  if (text.starts_with("WARNING: ")) return LogSeverity::kWarning;
  if (text.starts_with("ERROR: ") || text.starts_with("While parsing node number")) {
    return LogSeverity::kError;
  }
  // trtexec and CUDA checks print these to stderr as they stand.
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
  for (const KnownWarning& known : kWarnings) {
    if (is_error || !text.starts_with(known.start)) continue;
    message.code = known.code;
    message.severity = known.severity;
    message.consequence = known.consequence;
    break;
  }
  if (!is_error && is_about_parallel_layers(text)) {
    message.code = "parallel-layers";
    message.consequence =
        "layers ran side by side on several streams, so that their times add up to more than the "
        "inference takes";
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

std::string MessageLines::failure() const {
  const Message* worst = nullptr;
  // An error that nobody knows is a cause, too: the first of them, before all known consequences.
  const std::size_t unknown = first_consequence();
  std::size_t rank = known_failures().size() + 1;
  for (const Message& message : messages_) {
    if (message.severity != Severity::kError) continue;
    std::size_t found = find_failure(message.text);
    if (found >= unknown) ++found;
    if (found > known_failures().size()) found = unknown;
    if (found >= rank) continue;
    rank = found;
    worst = &message;
  }
  if (worst == nullptr) return {};
  const std::string quoted = base::quoted(worst->text, 300);
  if (operators_.any()) return format("{}. The error is {}", operators_.sentence(), quoted);
  if (rank == unknown) return format("the first error is {}", quoted);
  if (rank > unknown) --rank;
  const KnownFailure& known = known_failures()[rank];
  return format("{}; {}. The error is {}", known.words, known.advice, quoted);
}

void MessageLines::add_diagnostics(const Artefact& artefact, model::ModelBuilder& builder) const {
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
             "the builder left {} out for lack of workspace: the greatest wants {} "
             "bytes and {} were allowed; --memPoolSize=workspace:MIB (before TensorRT "
             "8.4 --workspace=MIB) raises that",
             base::counted(skipped_.count, "kernel"), skipped_.max_bytes, skipped_.available_bytes),
         .file = artefact.path,
         .byte_offset = skipped_.byte_offset});
  }
}

}  // namespace planex::ingest::tensorrt
