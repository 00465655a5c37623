#include "ingest/planex/plan_layers.h"

#include <algorithm>

#include "base/text.h"
#include "base/try.h"
#include "ingest/families.h"

namespace planex::ingest::planex_files {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using base::Lifetime;
using base::StringId;
using model::LayerId;
using model::ValueType;

}  // namespace

Result<void> PlanLayers::read(ondemand::value& value, const JsonPlace& place) {
  const LayerId layer = builder_.add_layer(StringId());
  for (Ports& ports : ports_) {
    ports.list.clear();
    ports.is_seen = false;
  }
  cells_.clear_lists();
  has_name_ = has_role_ = has_family_ = false;
  PLANEX_TRY(
      json_.each_field(value, place, "a layer",
                       [&](std::string_view key, ondemand::value& field, const JsonPlace& at) {
                         return read_field(layer, key, field, at);
                       }));
  if (!has_name_) {
    return fail(
        json_.input().wrong_value(place.pointer() + "/name", "missing", "the layer's name"));
  }
  for (const Ports& ports : ports_) add_ports(layer, ports);
  model::LayersTable& layers = builder_.model().layers;
  const std::size_t row = layer.index();
  const std::string_view type = builder_.strings().view(layers.type[row]);
  if (!has_role_) layers.role.set(row, role_of(type));
  if (!has_family_ && !layers.type.is_null(row)) layers.family.set(row, family_of(type));
  return {};
}

Result<void> PlanLayers::read_field(LayerId layer, std::string_view key, ondemand::value& value,
                                    const JsonPlace& place) {
  if (key == "attributes") return read_attributes(layer, value, place);
  if (key == "sources") {
    if (JsonRecords::is_null(value)) return {};
    std::size_t index = 0;
    return json_.each_item(value, place, "a list of operations",
                           [&](ondemand::value& item, const JsonPlace& at) {
                             return read_source(layer, item, at, index++);
                           });
  }
  const auto ports = std::ranges::find(ports_, key, &Ports::key);
  if (ports != ports_.end()) return read_ports(layer, *ports, value, place);
  const model::PlanColumn* column = layers_.find(key);
  if (column == nullptr) return keep_unknown(layer, key, std::string(key), value, place);
  if (column->name == "name") {
    has_name_ = true;
    if (JsonRecords::is_null(value)) return {};
    PLANEX_ASSIGN(const JsonText name, json_.text(value, place));
    // Few names repeat, so searching for equal ones would only cost time.
    builder_.model().layers.name.set(layer.index(),
                                     builder_.strings().add(name.view, name.lifetime));
    return {};
  }
  has_role_ = has_role_ || (column->name == "role" && !JsonRecords::is_null(value));
  has_family_ = has_family_ || column->name == "family";
  has_detail_ = has_detail_ || column->name == "type";
  return cells_.set(layers_, *column, layer.index(), value, place);
}

Result<void> PlanLayers::read_ports(LayerId layer, Ports& ports, ondemand::value& value,
                                    const JsonPlace& place) {
  if (ports.is_seen) {
    return fail(json_.input().wrong_value(place.pointer(), "repeated", "one list"));
  }
  ports.is_seen = true;
  has_detail_ = true;
  if (JsonRecords::is_null(value)) return {};
  return json_.each_item(value, place, "a list of tensors",
                         [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
                           Port& port = ports.list.emplace_back();
                           if (JsonRecords::is_text(item)) {
                             PLANEX_ASSIGN(port.tensor, json_.text(item, at));
                             return {};
                           }
                           const std::string record =
                               format("{}/{}", ports.key, ports.list.size() - 1);
                           return read_port(layer, port, item, at, record);
                         });
}

Result<void> PlanLayers::read_port(LayerId layer, Port& port, ondemand::value& value,
                                   const JsonPlace& place, const std::string& record) {
  bool has_tensor = false;
  PLANEX_TRY(json_.each_field(
      value, place, "a tensor",
      [&](std::string_view key, ondemand::value& field, const JsonPlace& at) -> Result<void> {
        has_tensor = has_tensor || key == "tensor";
        return read_port_field(layer, port, key, field, at, record);
      }));
  if (has_tensor) return {};
  return fail(
      json_.input().wrong_value(place.pointer() + "/tensor", "missing", "the tensor's name"));
}

Result<void> PlanLayers::read_port_field(LayerId layer, Port& port, std::string_view key,
                                         ondemand::value& value, const JsonPlace& place,
                                         const std::string& record) {
  if (key == "tensor") {
    PLANEX_ASSIGN(port.tensor, json_.text(value, place));
  } else if (key == "dims") {
    PLANEX_ASSIGN(port.dims, cells_.list(value, place));
  } else if (key == "dtype") {
    PLANEX_ASSIGN(port.dtype, cells_.dtype(value, place));
  } else if (key == "layout") {
    PLANEX_ASSIGN(port.layout, cells_.layout(value, place));
  } else if (key == "raw_format") {
    PLANEX_ASSIGN(port.raw_format, cells_.word(value, place));
  } else if (key == "strides") {
    PLANEX_ASSIGN(port.strides, cells_.list(value, place));
  } else if (key == "location") {
    PLANEX_ASSIGN(port.location, cells_.word(value, place));
  } else if (key == "data_bytes") {
    PLANEX_ASSIGN(port.data_bytes, cells_.size(value, place));
  } else if (key == "bytes") {
    PLANEX_ASSIGN(port.bytes, cells_.size(value, place));
  } else {
    return keep_unknown(layer, key, format("{}/{}", record, key), value, place);
  }
  return {};
}

void PlanLayers::add_ports(LayerId layer, const Ports& ports) {
  for (const Port& port : ports.list) {
    builder_.add_port(layer, ports.direction,
                      {.tensor = port.tensor.view,
                       .dims = cells_.ints(port.dims),
                       .dims_known = port.dims.is_known,
                       .dtype = port.dtype,
                       .layout = port.layout,
                       .raw_format = port.raw_format,
                       .strides = cells_.ints(port.strides),
                       .location = port.location},
                      port.tensor.lifetime);
    model::PortsTable& table = builder_.model().ports;
    const std::size_t row = table.row_count() - 1;
    table.data_bytes.set(row, port.data_bytes);
    table.bytes.set(row, port.bytes);
  }
}

// Operations are compared by their ids, so equal names must have equal ids.
StringId PlanLayers::operation(const JsonText& name) {
  return builder_.strings().intern(name.view, name.lifetime);
}

Result<void> PlanLayers::read_source(LayerId layer, ondemand::value& value, const JsonPlace& place,
                                     std::size_t index) {
  if (JsonRecords::is_text(value)) {
    PLANEX_ASSIGN(const JsonText name, json_.text(value, place));
    builder_.add_source(layer, {}, {}, model::Evidence::kMetadata);
    model::SourcesTable& sources = builder_.model().sources;
    sources.op_name.set(sources.row_count() - 1, operation(name));
    return {};
  }
  builder_.add_source(layer, {}, {}, model::Evidence::kMetadata);
  model::SourcesTable& sources = builder_.model().sources;
  const std::size_t row = sources.row_count() - 1;
  bool has_name = false;
  PLANEX_TRY(json_.each_field(
      value, place, "an operation",
      [&](std::string_view key, ondemand::value& field, const JsonPlace& at) -> Result<void> {
        const model::PlanColumn* column = sources_.find(key);
        if (column == nullptr) {
          return keep_unknown(layer, key, format("sources/{}/{}", index, key), field, at);
        }
        if (column->name != "op_name") return cells_.set(sources_, *column, row, field, at);
        has_name = true;
        PLANEX_ASSIGN(const JsonText name, json_.text(field, at));
        sources.op_name.set(row, operation(name));
        return {};
      }));
  if (has_name) return {};
  return fail(
      json_.input().wrong_value(place.pointer() + "/op_name", "missing", "the operation's name"));
}

Result<void> PlanLayers::read_attributes(LayerId layer, ondemand::value& value,
                                         const JsonPlace& place) {
  if (JsonRecords::is_null(value)) return {};
  ondemand::object object;
  if (const auto code = value.get_object().get(object)) {
    return fail(json_.error_at(value, place, code, "an object of attributes"));
  }
  for (auto entry : object) {
    ondemand::field field;
    if (const auto code = std::move(entry).get(field)) {
      return fail(json_.input().broken(place.pointer(), code, "a key"));
    }
    // Keys of attributes can be anything, so they are decoded.
    const std::string_view written = JsonInput::key_of(field);
    StringId key;
    if (written.find('\\') == written.npos) {
      key = keys_.intern(written, Lifetime::kBorrow);
    } else {
      std::string_view decoded;
      if (const auto code = field.unescaped_key().get(decoded)) {
        return fail(json_.input().broken(place.pointer(), code, "a key"));
      }
      key = builder_.strings().intern(decoded);
    }
    ondemand::value item = field.value();
    PLANEX_TRY(read_attribute(layer, key, item, JsonPlace(place, written)));
  }
  has_detail_ = true;
  return {};
}

Result<void> PlanLayers::read_attribute(LayerId layer, StringId key, ondemand::value& value,
                                        const JsonPlace& place) {
  if (JsonRecords::is_text(value)) {
    PLANEX_ASSIGN(const JsonText text, json_.text(value, place));
    builder_.add_attribute(layer, key, builder_.strings().add(text.view, text.lifetime),
                           ValueType::kString);
    return {};
  }
  // A number needs no second look; simdjson skips it by itself.
  std::string_view raw = base::trimmed(value.raw_json_token());
  if (!is_json_number(raw)) {
    PLANEX_ASSIGN(raw, json_.raw(value, place));
  }
  builder_.add_attribute(layer, key, builder_.strings().add(raw, Lifetime::kBorrow),
                         json_type_of(raw));
  return {};
}

Result<void> PlanLayers::keep_unknown(LayerId layer, std::string_view key,
                                      const std::string& kept_as, ondemand::value& value,
                                      const JsonPlace& place) {
  PLANEX_TRY(read_attribute(layer, keys_.intern(kept_as, Lifetime::kCopy), value, place));
  cells_.report_unknown_key(key, place, "an attribute");
  return {};
}

}  // namespace planex::ingest::planex_files
