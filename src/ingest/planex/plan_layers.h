// The list "layers" of planex.plan/1: records with their ports, sources and attributes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/planex/plan_cells.h"

namespace planex::ingest::planex_files {

class PlanLayers {
 public:
  PlanLayers(JsonRecords& json, PlanCells& cells, model::ModelBuilder& builder)
      : json_(json), cells_(cells), builder_(builder), keys_(builder.strings()) {}

  // One element of the list.
  Result<void> read(simdjson::ondemand::value& value, const JsonPlace& place);

  // Whether a layer had more than just a name.
  bool has_detail() const { return has_detail_; }

 private:
  // One port of a layer, until the record is complete: inputs come before outputs in the model, in
  // whatever order the file has them.
  struct Port {
    JsonText tensor;
    IntRange dims, strides;
    model::DType dtype = model::DType::kNull;
    model::Layout layout;
    base::StringId raw_format, location;
    std::optional<std::int64_t> data_bytes, bytes;
  };
  struct Ports {
    model::Direction direction = model::Direction::kInput;
    std::string_view key;
    std::vector<Port> list;
    bool is_seen = false;
  };

  Result<void> read_field(model::LayerId layer, std::string_view key,
                          simdjson::ondemand::value& value, const JsonPlace& place);
  Result<void> read_ports(model::LayerId layer, Ports& ports, simdjson::ondemand::value& value,
                          const JsonPlace& place);
  Result<void> read_port(model::LayerId layer, Port& port, simdjson::ondemand::value& value,
                         const JsonPlace& place, const std::string& record);
  Result<void> read_port_field(model::LayerId layer, Port& port, std::string_view key,
                               simdjson::ondemand::value& value, const JsonPlace& place,
                               const std::string& record);
  void add_ports(model::LayerId layer, const Ports& ports);
  base::StringId operation(const JsonText& name);
  Result<void> read_source(model::LayerId layer, simdjson::ondemand::value& value,
                           const JsonPlace& place, std::size_t index);
  Result<void> read_attributes(model::LayerId layer, simdjson::ondemand::value& value,
                               const JsonPlace& place);
  Result<void> read_attribute(model::LayerId layer, base::StringId key,
                              simdjson::ondemand::value& value, const JsonPlace& place);
  Result<void> keep_unknown(model::LayerId layer, std::string_view key, const std::string& kept_as,
                            simdjson::ondemand::value& value, const JsonPlace& place);

  JsonRecords& json_;
  PlanCells& cells_;
  model::ModelBuilder& builder_;
  base::InternCache keys_;
  PlanTable layers_{"layers"};
  PlanTable sources_{"sources"};

  // The record being read.
  std::array<Ports, 3> ports_ = {{{model::Direction::kInput, "inputs", {}, false},
                                  {model::Direction::kConstant, "constants", {}, false},
                                  {model::Direction::kOutput, "outputs", {}, false}}};
  bool has_name_ = false, has_role_ = false, has_family_ = false;

  bool has_detail_ = false;
};

}  // namespace planex::ingest::planex_files
