#include "ingest/tensorrt/log/tactic_lines.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "ingest/tensorrt/log/log_numbers.h"

namespace planex::ingest::tensorrt {
namespace {

using base::Lifetime;

constexpr std::string_view kBetweenFormats = " -> ";
constexpr std::int64_t kMib = std::int64_t{1} << 20;

// The text up to `end`, which is removed together with it; false if it is not there.
bool split_at(std::string_view& text, std::string_view end, std::string_view& before) {
  const std::size_t at = text.find(end);
  if (at == text.npos) return false;
  before = text.substr(0, at);
  text.remove_prefix(at + end.size());
  return true;
}

// "conv (CaskConvolution[0x80000009])" to a name and a runner.
bool split_runner(std::string_view text, std::string_view& name, std::string_view& runner) {
  if (!text.ends_with(')')) return false;
  text.remove_suffix(1);
  if (text.ends_with(']')) text = text.substr(0, text.rfind('['));
  const std::size_t open = text.rfind(" (");
  if (open == text.npos) return false;
  name = text.substr(0, open);
  runner = text.substr(open + 2);
  return true;
}

// The builder's names for the conversion of a tensor, up to 7 and from 8 on.
bool is_conversion(std::string_view name) {
  return name == "<reformat>" || name.starts_with("Optimizer Reformat");
}

// "448MB" to 448.
std::optional<std::int64_t> mib_of(std::string_view word) {
  if (!word.ends_with("MB")) return std::nullopt;
  return count_of(word.substr(0, word.size() - 2));
}

}  // namespace

void TacticLines::look_at(const LogLine& line) {
  const std::string_view text = line.text;
  if (text.empty()) return;
  if (line.severity == LogSeverity::kVerbose) return look_at_verbose(text);
  if (!is_open_) {
    if (line.severity == LogSeverity::kInfo && text.starts_with("Engine generation completed")) {
      close_version(true);
    }
    return;
  }
  if (line.severity == LogSeverity::kWarning || line.severity == LogSeverity::kError) {
    take_skip_message(text);
  }
}

void TacticLines::look_at_verbose(std::string_view text) {
  constexpr std::string_view kStars = "*************** Autotuning ";
  constexpr std::string_view kDashes = "--------------- Timing Runner: ";
  constexpr std::string_view kCosts = "=============== Computing costs for ";
  constexpr std::string_view kReformats = "=============== Computing reformatting costs";
  std::string_view rest = text;
  switch (text.front()) {
    case '*':
      if (!take_start(rest, kStars)) break;
      is_open_ = true;
      if (take_start(rest, "format combination:")) return open_formats(rest, Kind::kLayer);
      if (take_start(rest, "Reformat:")) return open_formats(rest, Kind::kReformat);
      return;
    case '-':
      if (take_start(rest, kDashes)) return start_runner(rest);
      break;
    case '=':
      if (take_start(rest, kCosts)) {
        close_layer();
        is_open_ = true;
        is_layer_marked_ = true;
        kind_ = Kind::kLayer;
        layer_ = rest;
        return;
      }
      if (text.starts_with(kReformats)) {
        close_layer();
        kind_ = Kind::kReformat;
        is_open_ = true;
        return;
      }
      break;
    case '>':
      return take_choice(text);
    case 'E':
      if (text.starts_with("Engine generation completed")) return close_version(true);
      break;
    case 'F':
      if (text.starts_with("Formats and tactics selection completed")) {
        close_layer();
        is_open_ = false;
        return;
      }
      break;
    case 'A':
      if (text.starts_with("Adding reformat layer: ")) return take_reformat_layer(text);
      break;
    case 'U':
      if (text.starts_with("Use backend strategy")) {
        choice_is_told_ = true;
        return;
      }
      break;
    case 'S':
      // The version before was not faster than the kept one.
      if (text.starts_with("Skip backend strategy")) {
        choice_is_told_ = true;
        if (version_ > 0) is_version_dropped_[static_cast<std::size_t>(version_) - 1] = true;
        return;
      }
      break;
    default:
      break;
  }
  if (is_open_) {
    look_at_open(text);
  } else {
    // The engine's own tactics again, when its runners are made.
    take_set_name(text);
  }
}

void TacticLines::look_at_open(std::string_view text) {
  if (text.starts_with(" (foreignNode)")) {
    if (!take_subgraph(text)) in_operation_table_ = false;
    return;
  }
  in_operation_table_ = false;
  if (take_tactic(text) || take_set_name(text) || take_profiled(text) || take_cached(text)) return;
  // "Skipping CaskConvolution: No valid tactics for conv", about runners that 10 does not even
  // time.
  if (text.starts_with("Skipping ") && text.find(": No valid tactics") != text.npos) {
    is_silent_ = false;
    return;
  }
  take_skip_message(text);
}

void TacticLines::set_kind(std::size_t choice, Kind kind) {
  constexpr std::string_view kWords[] = {"layer", "reformat", "operation"};
  model_.tactic_choices.kind.set(
      choice, words_.intern(kWords[static_cast<std::size_t>(kind)], Lifetime::kBorrow));
}

std::size_t TacticLines::open_choice(Kind kind) {
  model::TacticChoicesTable& choices = model_.tactic_choices;
  const std::size_t row = choices.add_row();
  choices.choice_id.set(row, model::ChoiceId(row));
  set_kind(row, kind);
  choices.version.set(row, version_);
  choices.candidates.set(row, 0);
  return row;
}

// "Float(784,1), Int32(1) -> Half(10,1) ***************"; a blank precedes it from 8.2 on, and
// either side may be empty.
void TacticLines::open_formats(std::string_view text, Kind kind) {
  close_choice();
  if (kind == Kind::kReformat && kind_ != Kind::kReformat) close_layer();
  if (kind == Kind::kLayer && kind_ == Kind::kReformat) close_layer();
  kind_ = kind;
  if (const std::size_t stars = text.rfind(" ***"); stars != text.npos) {
    text = text.substr(0, stars);
  }
  choice_ = open_choice(kind);
  is_silent_ = true;
  first_candidate_ = model_.tactics.row_count();
  std::string_view inputs, outputs = text;
  if (!split_at(outputs, kBetweenFormats, inputs)) return;
  model::TacticChoicesTable& choices = model_.tactic_choices;
  inputs = base::trimmed(inputs);
  outputs = base::trimmed(outputs);
  if (!inputs.empty()) {
    choices.input_formats.set(*choice_, words_.intern(inputs, Lifetime::kBorrow));
  }
  if (!outputs.empty()) {
    choices.output_formats.set(*choice_, words_.intern(outputs, Lifetime::kBorrow));
  }
}

void TacticLines::set_layer(std::size_t choice, std::string_view name) {
  if (name.empty()) return;
  model_.tactic_choices.layer.set(choice, words_.intern(name, Lifetime::kBorrow));
}

void TacticLines::start_runner(std::string_view text) {
  std::string_view name;
  if (!split_runner(text, name, runner_)) return;
  named_tactic_ = {};
  is_open_ = true;
  is_silent_ = false;
  if (!choice_) {  // TensorRT 7 times tactics without printing the formats
    kind_ = is_conversion(name) ? Kind::kReformat : Kind::kLayer;
    choice_ = open_choice(kind_);
    first_candidate_ = model_.tactics.row_count();
  }
  // Up to 8.6 a layer's name first occurs here; 8.0 does not mark where a layer begins.
  if (kind_ == Kind::kLayer && layer_ != name) {
    if (!layer_.empty()) layer_begin_ = *choice_;
    layer_ = name;
  }
  set_layer(*choice_, name);
  // A layer that only converts is treated like a conversion of a tensor.
  if (kind_ == Kind::kReformat && !is_conversion(name)) set_kind(*choice_, Kind::kLayer);
}

// Choices for a layer whose formats were in the timing cache lack the line with the layer's name
// that the others have.
void TacticLines::close_layer() {
  close_choice();
  const model::TacticChoicesTable& choices = model_.tactic_choices;
  for (std::size_t row = layer_begin_; is_layer_marked_ && row < choices.row_count(); ++row) {
    if (choices.layer.is_null(row)) set_layer(row, layer_);
  }
  layer_begin_ = choices.row_count();
  layer_ = {};
  is_layer_marked_ = false;
}

void TacticLines::close_choice() {
  operation_.reset();
  in_operation_table_ = false;
  runner_ = {};
  named_tactic_ = {};
  if (!choice_) return;
  model::TacticChoicesTable& choices = model_.tactic_choices;
  const std::size_t choice = *choice_;
  choice_.reset();
  if (kind_ == Kind::kReformat && choices.answer.is_null(choice)) {
    // Reformats have no line that says which one was chosen: it is the fastest.
    const model::TacticsTable& tactics = model_.tactics;
    std::optional<std::size_t> best;
    for (std::size_t row = first_candidate_; row < tactics.row_count(); ++row) {
      if (tactics.time_ms.is_null(row)) continue;
      if (!best || tactics.time_ms[row] < tactics.time_ms[*best]) best = row;
    }
    if (best) choose(*best);
  }
  if (choices.answer.is_null(choice)) {
    choices.answer.set(choice, words_.intern(is_silent_ ? "silent" : "none", Lifetime::kBorrow));
  }
}

void TacticLines::add_candidate(std::size_t choice, const Candidate& candidate) {
  model::TacticsTable& tactics = model_.tactics;
  const std::size_t row = tactics.add_row();
  tactics.choice_id.set(row, model::ChoiceId(choice));
  if (!runner_.empty()) tactics.runner.set(row, words_.intern(runner_, Lifetime::kBorrow));
  tactics.tactic.set(row, words_.intern(candidate.tactic, Lifetime::kBorrow));
  if (!candidate.name.empty()) {
    tactics.tactic_name.set(row, strings_.intern(candidate.name, Lifetime::kBorrow));
  }
  tactics.time_ms.set(row, candidate.time_ms);
  tactics.outcome.set(row, words_.intern(candidate.outcome, Lifetime::kBorrow));
  tactics.requested_bytes.set(row, candidate.requested_bytes);
  tactics.available_bytes.set(row, candidate.available_bytes);
  model::TacticChoicesTable& choices = model_.tactic_choices;
  choices.candidates.set(choice, choices.candidates[choice] + 1);
}

// Makes a candidate the result of its choice.
void TacticLines::choose(std::size_t row) {
  model::TacticsTable& tactics = model_.tactics;
  model::TacticChoicesTable& choices = model_.tactic_choices;
  const std::size_t choice = tactics.choice_id[row].index();
  choices.runner.set(choice, tactics.runner[row]);
  choices.tactic.set(choice, tactics.tactic[row]);
  choices.tactic_name.set(choice, tactics.tactic_name[row]);
  choices.time_ms.set(choice, tactics.time_ms.get(row));
  choices.answer.set(choice, tactics.outcome[row]);
  for (std::size_t other = first_candidate_; other < tactics.row_count(); ++other) {
    if (tactics.choice_id[other].index() == choice) tactics.is_chosen.set(other, 0);
  }
  tactics.is_chosen.set(row, 1);
}

// "Tactic: 0x1 Time: 0.1", "Tactic Name: x Tactic: 0x1 Time: 0.1", "Tactic: 1 time 0.1" (7),
// "Tactic: 0x1 skipped. Scratch requested: 2, available: 1",
// "Tactic: 0 is the only option, timing skipped".
bool TacticLines::take_tactic(std::string_view text) {
  constexpr std::string_view kName = "Tactic Name: ", kTactic = "Tactic: ";
  Candidate candidate;
  if (take_start(text, kName)) {
    if (!split_at(text, " Tactic: ", candidate.name)) return false;
  } else if (!take_start(text, kTactic)) {
    return false;
  }
  if (!choice_) return true;
  if (!split_at(text, " ", candidate.tactic)) return true;
  note_name(candidate.tactic, candidate.name);
  if (candidate.name.empty() && candidate.tactic == named_tactic_) candidate.name = tactic_name_;
  if (take_start(text, "Time: ") || take_start(text, "time ")) {
    candidate.time_ms = real_of(number_word(text));
    // "inf" is the time of a tactic that could not run.
    candidate.outcome = candidate.time_ms ? "timed" : "skipped-error";
  } else if (take_start(text, "skipped. Scratch requested: ")) {
    candidate.outcome = "skipped-workspace";
    candidate.requested_bytes = count_of(number_word(text));
    candidate.available_bytes = count_of(word_after(text, "available: "));
  } else if (text.starts_with("is the only option")) {
    candidate.outcome = "untimed";
  } else {
    return true;
  }
  add_candidate(*choice_, candidate);
  return true;
}

// "conv Set Tactic Name: sm80_xmma Tactic: -12": the name of the next tactic.
bool TacticLines::take_set_name(std::string_view text) {
  constexpr std::string_view kSet = " Set Tactic Name: ", kTactic = " Tactic: ";
  const std::size_t set = text.find(kSet);
  if (set == text.npos) return false;
  text.remove_prefix(set + kSet.size());
  if (split_at(text, kTactic, tactic_name_)) {
    named_tactic_ = text;
    note_name(named_tactic_, tactic_name_);
  }
  return true;
}

void TacticLines::note_name(std::string_view tactic, std::string_view name) {
  // Shorter ones are numbers that each runner counts for itself, not ids of kernels.
  constexpr std::size_t kShortestId = 8;
  if (tactic.size() < kShortestId || name.empty()) return;
  const auto [found, is_new] = kernel_of_tactic_.try_emplace(tactic, name);
  if (!is_new && found->second != name) found->second = {};
}

// A layer of a short list has only the id of its tactic.
void TacticLines::name_kernels() {
  const base::StringId key = model_.strings.find("TacticValue");
  if (kernel_of_tactic_.empty() || key.is_null()) return;
  const model::AttributesTable& attributes = model_.attributes;
  for (std::size_t row = 0; row < attributes.row_count(); ++row) {
    if (attributes.key[row] != key) continue;
    const std::size_t layer = attributes.layer_id[row].index();
    if (!model_.layers.tactic.is_null(layer)) continue;
    const auto found = kernel_of_tactic_.find(model_.text(attributes.value[row]));
    if (found == kernel_of_tactic_.end() || found->second.empty()) continue;
    model_.layers.tactic.set(layer, strings_.intern(found->second, Lifetime::kBorrow));
  }
}

bool TacticLines::take_profiled(std::string_view text) {
  constexpr std::string_view kProfiled = " profiling completed in ";
  const std::size_t at = text.find(kProfiled);
  if (at == text.npos) return false;
  const auto seconds = real_of(number_word(text.substr(at + kProfiled.size())));
  if (!seconds || !choice_) return true;
  // Runner by runner.
  model::Real& sum = model_.tactic_choices.profiling_s;
  sum.set(*choice_, sum.get(*choice_).value_or(0) + *seconds);
  return true;
}

// "conv [Float(784,1) -> Half(10,1)] got cached result: CaskConvolution, tactic 0xf6, 0.002 ms"
bool TacticLines::take_cached(std::string_view text) {
  constexpr std::string_view kGot = "] got cached result: ";
  const std::size_t got = text.rfind(kGot);
  if (got == text.npos) return false;
  std::string_view formats = text.substr(0, got), result = text.substr(got + kGot.size());
  const std::size_t open = formats.rfind(" [");
  if (open == formats.npos) return true;
  const std::string_view name = formats.substr(0, open);
  open_formats(formats.substr(open + 2), is_conversion(name) ? Kind::kReformat : Kind::kLayer);
  set_layer(*choice_, name);
  Candidate candidate{.outcome = "cached"};
  if (!split_at(result, ", tactic ", runner_) || !split_at(result, ", ", candidate.tactic)) {
    return true;
  }
  candidate.time_ms = real_of(number_word(result));
  add_candidate(*choice_, candidate);
  choose(model_.tactics.row_count() - 1);
  close_choice();
  return true;
}

// " (foreignNode) Autotuning op gemm: [ONNX Layer: gemm]", a head, and rows "30, 0.013, 1.0, 1.35,
// sm80_xmma_gemm, 0x2c59, ": cost in ms, of the fastest, correlation, kernel, hash, parameters.
bool TacticLines::take_subgraph(std::string_view text) {
  constexpr std::string_view kFrom = " (foreignNode) ", kOp = "Autotuning op ";
  if (!choice_ || !take_start(text, kFrom)) return false;
  if (take_start(text, kOp)) {
    operation_ = open_choice(Kind::kOperation);
    model::TacticChoicesTable& choices = model_.tactic_choices;
    choices.layer.set(*operation_, choices.layer[*choice_]);
    choices.version.set(*operation_, version_);
    choices.answer.set(*operation_, words_.intern("none", Lifetime::kBorrow));
    choices.input_formats.set(*operation_, choices.input_formats[*choice_]);
    choices.output_formats.set(*operation_, choices.output_formats[*choice_]);
    std::string_view name = text;
    if (!split_at(text, ": [", name)) name = text;
    choices.operation.set(*operation_, words_.intern(name, Lifetime::kBorrow));
    return true;
  }
  if (text.starts_with("Sorted table of all evaluated tactics")) return true;
  if (text.starts_with("tactic_id, cost(in ms)")) {
    in_operation_table_ = operation_.has_value();
    return true;
  }
  if (!in_operation_table_ || !operation_) return false;
  std::string_view word;
  Candidate candidate{.outcome = "timed"};
  text = base::trimmed(text);
  if (!split_at(text, ", ", word) || !count_of(word)) return false;
  if (!split_at(text, ", ", word)) return false;
  candidate.time_ms = real_of(word);
  if (!candidate.time_ms) return false;
  for (int skipped = 0; skipped < 2; ++skipped) {
    if (!split_at(text, ", ", word)) return false;
  }
  if (!split_at(text, ", ", candidate.name)) return false;
  candidate.tactic = number_word(text);
  const std::string_view runner = std::exchange(runner_, std::string_view{});
  add_candidate(*operation_, candidate);
  runner_ = runner;
  model_.tactic_choices.answer.set(*operation_, words_.intern("timed", Lifetime::kBorrow));
  return true;
}

// ">>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: 0xf6"
void TacticLines::take_choice(std::string_view text) {
  constexpr std::string_view kChose = " Chose Runner Type: ", kTactic = " Tactic: ";
  const std::size_t chose = text.find(kChose);
  if (chose == text.npos || !choice_) return;
  std::string_view tactic = text.substr(chose + kChose.size()), runner;
  if (!split_at(tactic, kTactic, runner)) return;
  const model::TacticsTable& tactics = model_.tactics;
  const base::StringId runner_id = words_.intern(runner, Lifetime::kBorrow);
  const base::StringId tactic_id = words_.intern(tactic, Lifetime::kBorrow);
  for (std::size_t row = tactics.row_count(); row > first_candidate_; --row) {
    const bool is_of_it = tactics.choice_id[row - 1].index() == *choice_;
    if (!is_of_it || tactics.runner[row - 1] != runner_id || tactics.tactic[row - 1] != tactic_id) {
      continue;
    }
    choose(row - 1);
    close_choice();
    return;
  }
  runner_ = runner;
  add_candidate(*choice_, {.tactic = tactic, .outcome = "untimed"});
  choose(tactics.row_count() - 1);
  close_choice();
}

// "Adding reformat layer: Reformatted Input Tensor 0 to conv (x) from Float(1,1) to Half(1,1)":
// what the layer conv reads, or writes where it says Output.
void TacticLines::take_reformat_layer(std::string_view text) {
  constexpr std::string_view kTensor = " Tensor ", kTo = " to ", kFrom = " from ";
  const std::size_t kind = text.find(kTensor);
  const std::size_t to = text.rfind(kTo), from = text.rfind(kFrom, to);
  if (kind == text.npos || to == text.npos || from == text.npos || from < kind) return;
  const bool is_input = text.substr(0, kind).ends_with("Input");
  std::string_view middle = text.substr(kind + kTensor.size(), from - kind - kTensor.size()), index;
  if (!split_at(middle, kTo, index)) return;
  const auto number = count_of(index);
  const std::size_t tensor = middle.rfind(" (");
  if (!number || tensor == middle.npos) return;
  borders_.push_back({.layer = middle.substr(0, tensor),
                      .version = version_,
                      .is_input = is_input,
                      .index = static_cast<std::size_t>(*number),
                      .format = is_input
                                    ? text.substr(to + kTo.size())
                                    : text.substr(from + kFrom.size(), to - from - kFrom.size())});
}

// "Tactic Device request: 448MB Available: 425MB. Device memory is insufficient to use tactic.",
// "Skipping tactic 3 due to insuficient memory on requested size of 448 detected for tactic 4."
// (8.0 to 8.2, MiB), "UNSUPPORTED_STATE: Skipping tactic 0 due to insufficient memory on requested
// size of 1048576000 detected for tactic 0x6e." (bytes), "Skipping tactic 0x1 due to Myelin error".
void TacticLines::take_skip_message(std::string_view text) {
  constexpr std::string_view kRequest = "Tactic Device request: ", kSkipping = "Skipping tactic ";
  if (text.starts_with(kRequest)) {
    device_request_mib_ = mib_of(word_after(text, kRequest));
    std::string_view available = word_after(text, "Available: ");
    if (available.ends_with('.')) available.remove_suffix(1);
    device_available_mib_ = mib_of(available);
    return;
  }
  const std::size_t skipping = text.find(kSkipping);
  if (skipping == text.npos || !choice_) return;
  std::string_view rest = text.substr(skipping + kSkipping.size());
  Candidate candidate{.tactic = number_word(rest), .outcome = "skipped-error"};
  constexpr std::string_view kSize = "requested size of ", kFor = " detected for tactic ";
  if (const std::size_t size = rest.find(kSize); size != rest.npos) {
    candidate.outcome = "skipped-memory";
    rest.remove_prefix(size + kSize.size());
    const auto requested = count_of(number_word(rest));
    if (const std::size_t at = rest.find(kFor); at != rest.npos) {
      std::string_view tactic = number_word(rest.substr(at + kFor.size()));
      if (tactic.ends_with('.')) tactic.remove_suffix(1);
      candidate.tactic = tactic;
    }
    // The request in MiB shows the unit of the other number.
    if (requested && device_request_mib_) {
      const bool is_mib = *requested == *device_request_mib_;
      if (is_mib || *requested / kMib == *device_request_mib_) {
        candidate.requested_bytes = *device_request_mib_ > (INT64_MAX / kMib)
                                        ? std::nullopt
                                        : std::optional(is_mib ? *requested * kMib : *requested);
      }
      if (device_available_mib_ && *device_available_mib_ <= INT64_MAX / kMib) {
        candidate.available_bytes = *device_available_mib_ * kMib;
      }
    } else if (requested && text.find("UNSUPPORTED_STATE") != text.npos) {
      candidate.requested_bytes = requested;  // with that wording the number was in bytes
    }
  }
  device_request_mib_.reset();
  device_available_mib_.reset();
  add_candidate(*choice_, candidate);
}

void TacticLines::close_version(bool is_done) {
  close_layer();
  is_open_ = false;
  if (!is_done) return;
  ++version_;
  is_version_dropped_.push_back(false);
}

std::size_t TacticLines::finish() {
  close_version(false);
  model::TacticChoicesTable& choices = model_.tactic_choices;
  // What comes after the last finished version is not a version of the engine.
  std::optional<std::int64_t> kept;
  const bool lists_engine = model_.layers.row_count() > 0;
  if (version_ == 1 || (version_ == 0 && lists_engine)) {
    kept = 0;
  } else if (choice_is_told_) {
    for (std::int64_t version = 0; version < version_; ++version) {
      if (!is_version_dropped_[static_cast<std::size_t>(version)]) kept = version;
    }
  }
  for (std::size_t row = 0; kept && row < choices.row_count(); ++row) {
    choices.is_kept.set(row, choices.version[row] == *kept ? 1 : 0);
  }
  name_kernels();
  join_tactics(borders_, model_);
  return choices.row_count();
}

}  // namespace planex::ingest::tensorrt
