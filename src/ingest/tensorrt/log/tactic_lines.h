// What the builder tried: tactics, their times, and which it chose, from the lines of a verbose
// log.
//
// Up to 8.4 a kernel's name is on a line before its time, from 8.5 on beside it; up to 8.2 tactics
// are signed decimals, then hexadecimal:
//
//   *************** Autotuning format combination: Float(784,1) -> Half(10,1) ***************
//   --------------- Timing Runner: conv (CaskConvolution[0x80000009])     (without [..] up to 8.5)
//   conv Set Tactic Name: sm80_xmma_f16 Tactic: -4337                     (up to 8.4)
//   Tactic: -4337 Time: 0.0115
//   Tactic Name: sm80_xmma_f16 Tactic: 0xf6 Time: 0.0077                  (8.5 on)
//   Tactic: 0x01 skipped. Scratch requested: 200704, available: 1024
//   conv (CaskConvolution[0x80000009]) profiling completed in 0.14 seconds. Fastest Tactic: …
//   >>>>>>>>>>>>>>> Chose Runner Type: CaskConvolution Tactic: 0xf6
//   conv [Float(784,1) -> Half(10,1)] got cached result: CaskConvolution, tactic 0xf6, 0.002 ms
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ingest/reader.h"
#include "ingest/tensorrt/log/log_lines.h"
#include "ingest/tensorrt/log/tactic_join.h"

namespace planex::ingest::tensorrt {

// Rows are made as the lines come, because a log may have millions. Texts are views of the log,
// which the builder keeps.
class TacticLines {
 public:
  explicit TacticLines(model::ModelBuilder& builder)
      : model_(builder.model()), strings_(builder.strings()), words_(builder.strings()) {}

  // Call for every line, in order, except [I] averages. Lines are not withheld from other readers:
  // some also belong to memory and messages. O(line) while formats are being chosen, otherwise
  // O(1).
  void look_at(const LogLine& line);

  // Call when the layers are in the model. Returns the number of choices.
  std::size_t finish();

 private:
  enum class Kind : std::uint8_t { kLayer, kReformat, kOperation };
  struct Candidate {
    std::string_view tactic, name;
    std::optional<double> time_ms;
    std::string_view outcome;
    std::optional<std::int64_t> requested_bytes, available_bytes;
  };

  void look_at_verbose(std::string_view text);
  void look_at_open(std::string_view text);
  void open_formats(std::string_view text, Kind kind);
  std::size_t open_choice(Kind kind);
  void set_kind(std::size_t choice, Kind kind);
  void close_choice();
  void close_layer();
  void set_layer(std::size_t choice, std::string_view name);
  void start_runner(std::string_view text);
  bool take_tactic(std::string_view text);
  bool take_set_name(std::string_view text);
  bool take_profiled(std::string_view text);
  bool take_cached(std::string_view text);
  bool take_subgraph(std::string_view text);
  void take_choice(std::string_view text);
  void take_reformat_layer(std::string_view text);
  void take_skip_message(std::string_view text);
  void close_version(bool is_done);
  void add_candidate(std::size_t choice, const Candidate& candidate);
  void choose(std::size_t row);
  void note_name(std::string_view tactic, std::string_view name);
  void name_kernels();

  model::PlanModel& model_;
  base::StringPool& strings_;
  base::InternCache words_;
  // Kernels by the id of their tactic; an empty name where two kernels share one.
  std::unordered_map<std::string_view, std::string_view> kernel_of_tactic_;
  std::vector<FormatAtBorder> borders_;  // of reformat layers that the builder inserted

  bool is_open_ = false;  // between the first formats of a version and their selection
  std::string_view layer_;
  // The log marks where a layer begins, from 8.2 on: lines without a name belong to that layer.
  bool is_layer_marked_ = false;
  std::size_t layer_begin_ = 0;        // first choice of the layer
  std::optional<std::size_t> choice_;  // the open one
  Kind kind_ = Kind::kLayer;
  bool is_silent_ = false;           // there is nothing between its formats and the next ones
  std::size_t first_candidate_ = 0;  // of the open choice
  std::optional<std::size_t> operation_;
  bool in_operation_table_ = false;
  std::string_view runner_;
  // "Set Tactic Name" of 8.0 to 8.4, until its time follows.
  std::string_view named_tactic_, tactic_name_;
  // "Tactic Device request: 448MB Available: 425MB.", until the skipped tactic is named.
  std::optional<std::int64_t> device_request_mib_, device_available_mib_;
  std::int64_t version_ = 0;
  std::vector<bool> is_version_dropped_;
  bool choice_is_told_ = false;
};

}  // namespace planex::ingest::tensorrt
