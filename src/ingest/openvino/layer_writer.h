// Writes the records of an execution graph into the model: the common part of the driver's JSON and
// OpenVINO's own XML.
//
// Weights are counted where they are read: a constant that a layer counts has no weight of its own,
// so that each layer's figures and the engine's sum are both right. Constant inputs are ports, but
// not part of input_bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/checked.h"
#include "ingest/openvino/format.h"
#include "ingest/reader.h"

namespace planex::ingest::openvino {

struct PortRecord {
  base::StringId tensor, element_type, tag;
  // In LayerRecord::dims.
  std::size_t first_dim = 0, dim_count = 0;
  bool has_dims = false;
  bool is_constant = false;
};

struct LayerRecord {
  base::StringId name, type, primitive, runtime_precision;
  model::Role role = model::Role::kWork;
  std::vector<PortRecord> inputs, outputs;
  std::vector<std::int64_t> dims;
  // Constants that it reads. Not listed: the file doesn't say.
  base::CheckedInt weight_bytes = 0;
  bool has_weight_list = false;
  bool are_weights_known = true;

  // Resets it, but keeps its memory.
  void clear();
  std::span<const std::int64_t> dims_of(const PortRecord& port) const {
    return std::span(dims).subspan(port.first_dim, port.dim_count);
  }
};

// Sets what the name of the kernel says: tactic, subtype, and for working layers the type it
// computes in and whether it uses matrix units.
void set_kernel(model::ModelBuilder& builder, std::size_t layer_row, base::StringId primitive,
                model::Role role);

class LayerWriter {
 public:
  LayerWriter(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder) {}

  // Everything except times, sources and attributes. The tensors' names are borrowed from the
  // model's strings.
  void write(model::LayerId layer, const LayerRecord& record);

  // Records that a layer counts this constant, so that finish() can account for it. `constant` is
  // the interned name of its tensor.
  void weigh(base::StringId constant, std::int64_t bytes);

  // Call after all layers: constants that no layer counts get a weight of their own, and the engine
  // gets its producer.
  void finish();

 private:
  struct FormatFacts {
    base::StringId element_type, tag_text, raw;
    model::DType dtype = model::DType::kNull;
    TagFacts tag;
  };

  std::string_view view(base::StringId id) { return builder_.strings().view(id); }
  void report(model::Severity severity, std::string_view code, std::string message);
  void add_port(model::LayerId layer, model::Direction direction, const LayerRecord& record,
                const PortRecord& port);
  void set_input_bytes(std::size_t layer_row, const LayerRecord& record);
  const FormatFacts& format_facts(const PortRecord& port, std::span<const std::int64_t> dims);
  FormatFacts read_format(const PortRecord& port, std::size_t rank);
  // Once per word.
  void report_format(const FormatFacts& facts);
  bool is_news(base::StringId word);
  bool is_weighed(base::StringId constant) const;
  void weigh_constants();

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  // By element type, tag and rank.
  std::map<std::tuple<base::StringId, base::StringId, std::size_t>, FormatFacts> formats_;
  std::set<base::StringId> reported_;
  // By id of the constant's name.
  std::vector<bool> is_weighed_;
  base::CheckedInt shared_bytes_ = 0;
  std::size_t shared_count_ = 0;
};

}  // namespace planex::ingest::openvino
