// The tensors of a layer's record: lists "Inputs", "Constants" and "Outputs", in the formats of all
// releases.
//
//   8.2 to 10.x  Name, Location, Dimensions, Format/Datatype
//   11.x         Name, Dimensions, Strides, StrideOrder, Datatype, Format
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ingest/json_input.h"
#include "ingest/tensorrt/vocabulary.h"
#include "ingest/tensorrt/weights.h"
#include "model/builder.h"

namespace planex::ingest::tensorrt {

// Whether StrideOrder, the rank of each axis by its stride (0: innermost), adds nothing to the
// strides: of equal strides the last axis is the innermost.
bool follows_from_strides(std::span<const std::int64_t> stride_order,
                          std::span<const std::int64_t> strides);

// Adds a port as TensorRT describes it, with its size if the strides don't determine it. `lifetime`
// is that of `facts.tensor`.
void add_tensor_port(model::LayerId layer, model::Direction direction,
                     const model::PortFacts& facts, base::Lifetime lifetime,
                     model::ModelBuilder& builder);

class TensorRecords {
 public:
  TensorRecords(const Artefact& artefact, model::ModelBuilder& builder, Vocabulary& vocabulary)
      : artefact_(artefact),
        builder_(builder),
        words_(builder.strings()),
        vocabulary_(vocabulary) {}

  // Forgets the tensors of the last record.
  void clear();

  // Reads the list `key` of the record at `place`. It replaces an earlier list of this direction.
  // Keys without a column become attributes of the layer: "Inputs/0/Key".
  // Errors: kBadInput.
  Result<void> read(JsonInput& input, simdjson::ondemand::value& value, model::LayerId layer,
                    model::Direction direction, std::string_view key, const JsonPlace& place);

  // Key order is free in JSON, so ports are added when the whole record is known: inputs,
  // constants, outputs. A StrideOrder that does not follow from the strides becomes an attribute.
  void add_ports(model::LayerId layer);

  // Bytes of the constants of the ports added last, each name once. Nothing if the record has no
  // list of constants, or the size of one is unknown.
  std::optional<std::int64_t> constant_bytes() const { return constant_bytes_; }
  bool lists_constants() const { return lists_constants_; }

  // Whether any tensor so far was in the format of 11.x.
  bool saw_strides() const { return saw_strides_; }

 private:
  // Part of integers_.
  struct List {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  struct Tensor {
    JsonText name;
    base::StringId datatype, layout, location;
    List dims, strides, stride_order;
    bool has_dims = false;
    // Bits of the keys that were read.
    unsigned keys = 0;
  };

  std::vector<Tensor>& tensors_of(model::Direction direction);
  Result<void> read_tensor(JsonInput& input, simdjson::ondemand::object& object,
                           model::LayerId layer, const JsonPlace& list, std::string_view list_key,
                           std::size_t index, Tensor& tensor);
  Result<void> read_field(JsonInput& input, simdjson::ondemand::field& field, model::LayerId layer,
                          const JsonPlace& place, std::string_view prefix, std::size_t index,
                          Tensor& tensor);
  Result<void> keep_field(JsonInput& input, std::string_view key, simdjson::ondemand::value& value,
                          model::LayerId layer, const JsonPlace& place, std::string_view list_key,
                          std::size_t index);
  Result<void> keep_earlier_fields(JsonInput& input, simdjson::ondemand::object& object,
                                   model::LayerId layer, const JsonPlace& place,
                                   std::string_view list_key, std::size_t index);
  Result<base::StringId> word(JsonInput& input, simdjson::ondemand::value& value,
                              const JsonPlace& place, std::string_view key);
  Result<List> integers(JsonInput& input, simdjson::ondemand::value& value, const JsonPlace& place,
                        std::string_view key);
  std::span<const std::int64_t> view(List list) const {
    return std::span(integers_).subspan(list.first, list.count);
  }
  void add_port(model::LayerId layer, model::Direction direction, const Tensor& tensor);
  void add_stride_orders(model::LayerId layer, std::string_view key,
                         const std::vector<Tensor>& tensors);

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  base::InternCache words_;
  Vocabulary& vocabulary_;

  std::vector<Tensor> inputs_, constants_, outputs_;
  std::vector<std::int64_t> integers_;
  bool lists_constants_ = false;
  std::optional<std::int64_t> constant_bytes_;
  ConstantSum constant_sum_;
  bool saw_strides_ = false;
};

}  // namespace planex::ingest::tensorrt
