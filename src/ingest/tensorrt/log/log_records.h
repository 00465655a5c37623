// Fills layers from their records in a log: types, tactics, ports, attributes, sources, weights.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ingest/reader.h"
#include "ingest/tensorrt/control_flow.h"
#include "ingest/tensorrt/log/engine_layer_line.h"
#include "ingest/tensorrt/log/record_line.h"
#include "ingest/tensorrt/vocabulary.h"
#include "ingest/tensorrt/weights.h"

namespace planex::ingest::tensorrt {

// Call one after another, by ascending layer. Records are views of the artefact's bytes, which the
// builder keeps.
class LogRecords {
 public:
  LogRecords(const Artefact& artefact, model::ModelBuilder& builder);

  // A record "Name: …, LayerType: …". The layer's name is set if it has none.
  void fill(model::LayerId layer, std::string_view record);
  // A line "Layer(Type): …". `origins`: the sources of opaque layers according to the log, by name.
  using Origins = std::unordered_map<std::string_view, std::string_view>;
  void fill_opaque(model::LayerId layer, std::string_view record, const Origins& origins);
  // Just a name.
  void fill_name(model::LayerId layer, std::string_view record);

  // The jumps in the records so far.
  const std::vector<JumpRecord>& jumps() const { return jumps_; }
  // A layer type or tactic that only TensorRT-RTX has, for which the device's own compiler makes
  // the kernels; empty if there is none.
  std::string_view rtx_evidence() const { return rtx_evidence_; }
  // The same value from a reader of later layers.
  void note_rtx_evidence(std::string_view evidence) {
    if (rtx_evidence_.empty()) rtx_evidence_ = evidence;
  }

 private:
  // Parts of a record that are combined when all of it is known.
  struct Pending {
    base::StringId layer_type, parameter_type;
    std::string_view metadata;
    const RecordField* inputs = nullptr;
    const RecordField* constants = nullptr;
    const RecordField* outputs = nullptr;
    const RecordField* event_id = nullptr;
    JumpRecord jump;
    CountedWeights weights;
  };

  void read_field(model::LayerId layer, const RecordField& field, Pending& pending);
  void add_attribute(model::LayerId layer, const RecordField& field);
  void add_ports(model::LayerId layer, model::Direction direction, const RecordField* list);
  void add_port(model::LayerId layer, model::Direction direction, const RecordField& list,
                std::size_t index);
  void add_tensor_attribute(model::LayerId layer, std::string_view list, std::size_t index,
                            const RecordField& member);
  std::optional<std::int64_t> read_integer(const RecordField& field, std::string_view consequence);
  void note_rtx(std::string_view word);
  void report(std::string_view code, std::string message, std::string_view at,
              model::Severity severity = model::Severity::kWarning);
  std::uint64_t offset_of(std::string_view at) const;

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  base::InternCache words_;
  base::InternCache keys_;
  Vocabulary vocabulary_;

  RecordLine line_;
  EngineLayerLine engine_line_;
  std::vector<std::int64_t> dims_, strides_, stride_order_;
  ConstantSum constant_sum_;
  std::vector<JumpRecord> jumps_;
  std::string_view rtx_evidence_;
};

}  // namespace planex::ingest::tensorrt
