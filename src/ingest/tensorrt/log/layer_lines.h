// The layers of an engine as listed in a log: with verbosity DETAILED one complete record each,
// otherwise one line each with types, inputs and outputs, or just names.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ingest/reader.h"
#include "ingest/tensorrt/log/layer_block.h"
#include "ingest/tensorrt/log/log_lines.h"
#include "ingest/tensorrt/log/log_records.h"

namespace planex::ingest::tensorrt {

// A log may list the layers of an engine more than once: the most detailed list is read. A model
// that already has layers keeps them; if it has only their names, the log adds the rest.
class LayerLines {
 public:
  LayerLines(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder), log_(artefact.bytes->view()) {}

  // Whether take() may consume a line that begins like this: a cheap check, for filtering lines.
  // Bare lines after a consumed line belong to it.
  static bool wants(std::string_view text);

  // Consumes a line if it is of this kind, and returns whether it did.
  bool take(const LogLine& line);
  // Call after the last line, and after the parser's lines, so that sources find their operations.
  // `has_names`: other lines of the log contain the layers' names.
  // Errors: kUsage if the engine does not have the requested optimization profile.
  Result<void> finish(bool has_names = false);

 private:
  bool take_block(const LogLine& line);
  bool take_origin(const LogLine& line);
  void note_network_binding(const LogLine& line);
  const LayerBlock* best_block() const;
  Result<void> read_layers(const LayerBlock& block);
  void add_layers(const LayerBlock& block, const std::vector<std::string_view>& records);
  bool enrich_layers(const LayerBlock& block, const std::vector<std::string_view>& records);
  void fill(LogRecords& reader, LayerBlock::Detail detail, model::LayerId layer,
            std::string_view record) const;
  void set_producer(std::string_view rtx_layer);
  void report(std::string_view code, model::Severity severity, std::string message,
              std::optional<std::uint64_t> offset = std::nullopt);

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  std::string_view log_;
  // Lines before this position belong to a block or message that was consumed as a whole.
  std::uint64_t taken_until_ = 0;
  std::vector<LayerBlock> blocks_;
  // The sources of opaque layers, which the builder prints while it makes the engine.
  LogRecords::Origins origins_;
  std::vector<std::string_view> network_inputs_, network_outputs_;
  // Signs that distinguish TensorRT from TensorRT-RTX.
  bool has_trtexec_banner_ = false;
  bool has_rtx_banner_ = false;
  bool has_convergence_line_ = false;
};

// Fills sources.op_type from the operations of the same names.
void fill_source_types(model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
