#include "ingest/openvino/graph_reader.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/find.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/families.h"
#include "ingest/openvino/bindings.h"
#include "ingest/openvino/layer_writer.h"
#include "ingest/openvino/parameters.h"
#include "ingest/openvino/schemas.h"
#include "ingest/openvino/version.h"

namespace planex::ingest::openvino {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using base::Lifetime;
using base::StringId;
using model::Direction;
using model::DType;
using model::Evidence;
using model::LayerId;
using model::Role;
using model::Severity;
using model::ValueType;

// Keys with their own place. All others become attributes.
enum class Field : std::uint8_t {
  kOther,
  kName,
  kRole,
  kLayerType,
  kPrimitiveType,
  kRuntimePrecision,
  kInputs,
  kOutputs,
  kSources,
  kWeights,
  kParameters,
  kMacs,
  kRuntimeInfo,
};

struct FieldName {
  std::string_view key;
  Field field;
};
constexpr std::array<FieldName, 12> kFieldNames = {{
    {"name", Field::kName},
    {"role", Field::kRole},
    {"layer_type", Field::kLayerType},
    {"primitive_type", Field::kPrimitiveType},
    {"runtime_precision", Field::kRuntimePrecision},
    {"inputs", Field::kInputs},
    {"outputs", Field::kOutputs},
    {"sources", Field::kSources},
    {"weights", Field::kWeights},
    {"parameters", Field::kParameters},
    {"macs", Field::kMacs},
    {"rt_info", Field::kRuntimeInfo},
}};

Field field_of(std::string_view key) {
  const FieldName* found = base::find(kFieldNames, key, &FieldName::key);
  return found == nullptr ? Field::kOther : found->field;
}

constexpr std::array<Role, 6> kRoles = {Role::kWork,  Role::kNoOp,   Role::kConstant,
                                        Role::kInput, Role::kOutput, Role::kShape};

class GraphReader {
 public:
  GraphReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact),
        builder_(builder),
        json_(artefact, kGraphSchema),
        writer_(artefact, builder) {}

  Result<void> read() {
    // A real file has a port every 700 bytes and an attribute every 400.
    const std::size_t bytes = artefact_.bytes->view().size();
    builder_.reserve({.attributes = bytes / 400, .ports = bytes / 600, .strings = bytes / 200});
    PLANEX_TRY(json_.read_document(
        [this](std::string_view key, ondemand::value& value, const JsonPlace& place) {
          return read_root_field(key, value, place);
        }));
    if (!has_layers_) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = format("not {}: it has no list \"layers\"", kGraphSchema.what),
                   .file = artefact_.path,
                   .json_pointer = "/layers"});
    }
    json_.input().report_trailing(builder_);
    finish();
    return {};
  }

 private:
  Result<void> read_root_field(std::string_view key, ondemand::value& value,
                               const JsonPlace& place) {
    if (key == "engine") return read_engine(value, place);
    if (key == "inputs") return read_model_ports(value, place, inputs_of_model_);
    if (key == "outputs") return read_model_ports(value, place, outputs_of_model_);
    if (key == "fused") return read_fused(value, place);
    if (key == "layers") {
      has_layers_ = true;
      return json_.each_item(value, place, "a list of layers",
                             [this](ondemand::value& record, const JsonPlace& at) -> Result<void> {
                               auto read = read_layer(record, at);
                               if (read) return {};
                               Error error = std::move(read).error();
                               if (!layer_.name.is_null()) {
                                 error.context =
                                     format("in layer {}", base::quoted(view(layer_.name)));
                               }
                               return fail(std::move(error));
                             });
    }
    PLANEX_ASSIGN(const JsonText text, json_.written(value, place));
    builder_.add_metadata("openvino graph", key, text.view, artefact_.path);
    report(Severity::kInfo, "unknown-key",
           format("the key {} was kept as metadata and not read", base::quoted(key)), &place);
    return {};
  }

  std::string_view view(StringId id) { return builder_.strings().view(id); }

  void report(Severity severity, std::string_view code, std::string message,
              const JsonPlace* place = nullptr) {
    builder_.add_diagnostic({.code = code,
                             .severity = severity,
                             .message = std::move(message),
                             .file = artefact_.path,
                             .json_pointer = place == nullptr ? "" : place->pointer()});
  }

  Result<StringId> word(ondemand::value& value, const JsonPlace& place) {
    PLANEX_ASSIGN(const JsonText text, json_.text(value, place));
    return builder_.strings().intern(text.view, text.lifetime);
  }

  // Null if the value is null.
  Result<StringId> optional_word(ondemand::value& value, const JsonPlace& place) {
    if (JsonRecords::is_null(value)) return StringId();
    return word(value, place);
  }

  // Appends to `dims`; false if the value is null.
  Result<bool> read_dims(ondemand::value& value, const JsonPlace& place,
                         std::vector<std::int64_t>& dims) {
    if (JsonRecords::is_null(value)) return false;
    PLANEX_TRY(json_.each_item(value, place, "a list of integers, or null",
                               [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
                                 PLANEX_ASSIGN(const auto dim, json_.integer(item, at));
                                 dims.push_back(dim.value_or(-1));
                                 return {};
                               }));
    return true;
  }

  // --- The engine ---

  Result<void> read_engine(ondemand::value& value, const JsonPlace& place) {
    model::EngineTable& engine = builder_.model().engine;
    std::string asked, used;
    PLANEX_TRY(json_.each_field(
        value, place, "an object of facts",
        [&](std::string_view key, ondemand::value& item, const JsonPlace& at) -> Result<void> {
          if (JsonRecords::is_null(item)) return {};
          PLANEX_ASSIGN(const JsonText text, json_.written(item, at));
          builder_.add_metadata("engine", key, text.view, artefact_.path);
          if (key == "device" && !text.view.empty()) {
            engine.device.set(0, builder_.strings().intern(text.view));
          } else if (key == "producer_version") {
            set_producer_version(text.view, builder_);
          } else if (key == "precision") {
            asked = text.view;
          } else if (key == "precision_used") {
            used = text.view;
          }
          return {};
        }));
    if (!asked.empty() && !used.empty() && asked != used) {
      report(Severity::kWarning, "precision-not-available",
             format("{} was requested; OpenVINO used {}, as this processor has no {}", asked, used,
                    asked),
             &place);
    }
    return {};
  }

  Result<void> read_model_ports(ondemand::value& value, const JsonPlace& place,
                                std::vector<ModelPort>& ports) {
    return json_.each_item(
        value, place, "a list of tensors",
        [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
          ModelPort port;
          PLANEX_TRY(json_.each_field(
              item, at, "a tensor",
              [&](std::string_view key, ondemand::value& part, const JsonPlace& where) {
                return read_model_port_field(key, part, where, port);
              }));
          if (port.name.is_null() && !port.names.empty()) port.name = port.names.front();
          if (port.name.is_null()) {
            report(Severity::kWarning, "binding-without-name",
                   "the input or output has no name; it is shown without one", &at);
            port.name = builder_.strings().intern("");
          }
          port.names.push_back(port.name);
          ports.push_back(std::move(port));
          return {};
        });
  }

  Result<void> read_model_port_field(std::string_view key, ondemand::value& value,
                                     const JsonPlace& place, ModelPort& port) {
    if (key == "name") {
      PLANEX_ASSIGN(port.name, word(value, place));
    } else if (key == "dims") {
      PLANEX_ASSIGN(port.has_dims, read_dims(value, place, port.dims));
    } else if (key == "element_type") {
      PLANEX_ASSIGN(port.element_type, optional_word(value, place));
    } else if (key == "names") {
      return json_.each_item(value, place, "a list of names",
                             [&](ondemand::value& name, const JsonPlace& at) -> Result<void> {
                               PLANEX_ASSIGN(const StringId id, word(name, at));
                               port.names.push_back(id);
                               return {};
                             });
    }
    return {};
  }

  Result<void> read_fused(ondemand::value& value, const JsonPlace& place) {
    return json_.each_item(
        value, place, "a list of operations",
        [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
          StringId name, type;
          PLANEX_TRY(json_.each_field(item, at, "an operation",
                                      [&](std::string_view key, ondemand::value& part,
                                          const JsonPlace& where) -> Result<void> {
                                        if (key == "name") {
                                          PLANEX_ASSIGN(name, word(part, where));
                                        } else if (key == "type") {
                                          PLANEX_ASSIGN(type, word(part, where));
                                        }
                                        return {};
                                      }));
          builder_.add_metadata("fused operations", view(name), view(type), artefact_.path);
          return {};
        });
  }

  // --- One layer ---

  Result<void> read_layer(ondemand::value& record, const JsonPlace& place) {
    layer_.clear();
    role_ = {};
    parameters_.clear();
    ++layer_count_;
    const LayerId layer = builder_.add_layer(StringId());
    PLANEX_TRY(
        json_.each_field(record, place, "a layer",
                         [&](std::string_view key, ondemand::value& value, const JsonPlace& at) {
                           return read_layer_field(layer, key, value, at);
                         }));
    finish_layer(layer, place);
    return {};
  }

  Result<void> read_layer_field(LayerId layer, std::string_view key, ondemand::value& value,
                                const JsonPlace& place) {
    switch (field_of(key)) {
      case Field::kName: {
        PLANEX_ASSIGN(layer_.name, word(value, place));
        return {};
      }
      case Field::kRole: {
        PLANEX_ASSIGN(role_, optional_word(value, place));
        return {};
      }
      case Field::kLayerType: {
        PLANEX_ASSIGN(layer_.type, optional_word(value, place));
        return {};
      }
      case Field::kPrimitiveType: {
        PLANEX_ASSIGN(layer_.primitive, optional_word(value, place));
        return {};
      }
      case Field::kRuntimePrecision: {
        PLANEX_ASSIGN(layer_.runtime_precision, optional_word(value, place));
        return keep_word(layer, key, layer_.runtime_precision);
      }
      case Field::kInputs:
        return read_ports(value, place, layer_.inputs);
      case Field::kOutputs:
        return read_ports(value, place, layer_.outputs);
      case Field::kSources:
        return read_sources(layer, value, place);
      case Field::kWeights:
        return read_weights(layer, key, value, place);
      case Field::kParameters:
        return json_.each_field(
            value, place, "an object of parameters",
            [&](std::string_view name, ondemand::value& item, const JsonPlace& at) -> Result<void> {
              Parameter parameter{.key = name};
              PLANEX_TRY(read_value(item, at, parameter.value, parameter.type));
              parameters_.push_back(parameter);
              return {};
            });
      case Field::kMacs: {
        PLANEX_ASSIGN(const auto macs, json_.integer(value, place));
        if (macs && *macs < 0) {
          report(Severity::kWarning, "negative-count",
                 format("{} multiply-accumulates; treated as unknown", *macs), &place);
        } else {
          builder_.model().layers.macs.set(layer.index(), macs);
        }
        return {};
      }
      case Field::kRuntimeInfo:
        return json_.each_field(
            value, place, "an object of texts",
            [&](std::string_view name, ondemand::value& item, const JsonPlace& at) {
              return read_attribute(layer, name, item, at);
            });
      case Field::kOther:
        break;
    }
    return read_attribute(layer, key, value, place);
  }

  Result<void> keep_word(LayerId layer, std::string_view key, StringId value) {
    if (view(value).empty()) return {};
    builder_.add_attribute(layer, builder_.strings().intern(key, Lifetime::kBorrow), value,
                           ValueType::kString);
    return {};
  }

  // Nulls and empty texts contain nothing and are left out.
  Result<void> read_attribute(LayerId layer, std::string_view key, ondemand::value& value,
                              const JsonPlace& place) {
    StringId text;
    ValueType type = ValueType::kNull;
    PLANEX_TRY(read_value(value, place, text, type));
    if (type == ValueType::kJsonNull || view(text).empty()) return {};
    builder_.add_attribute(layer, builder_.strings().intern(key, Lifetime::kBorrow), text, type);
    return {};
  }

  Result<void> read_value(ondemand::value& value, const JsonPlace& place, StringId& text,
                          ValueType& type) {
    const bool is_text = JsonRecords::is_text(value);
    PLANEX_ASSIGN(const JsonText written, json_.written(value, place));
    text = builder_.strings().add(written.view, written.lifetime);
    if (is_text) {
      type = ValueType::kString;
      return {};
    }
    switch (written.view.front()) {
      case '[':
        type = ValueType::kArray;
        break;
      case '{':
        type = ValueType::kObject;
        break;
      case 'n':
        type = ValueType::kJsonNull;
        break;
      case 't':
      case 'f':
        type = ValueType::kBoolean;
        break;
      default:
        type = ValueType::kNumber;
        break;
    }
    return {};
  }

  Result<void> read_ports(ondemand::value& value, const JsonPlace& place,
                          std::vector<PortRecord>& ports) {
    ports.clear();
    return json_.each_item(
        value, place, "a list of tensors",
        [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
          PortRecord port;
          PLANEX_TRY(json_.each_field(
              item, at, "a tensor",
              [&](std::string_view key, ondemand::value& part, const JsonPlace& where) {
                return read_port_field(key, part, where, port);
              }));
          if (port.tensor.is_null()) {
            report(Severity::kWarning, "tensor-without-name",
                   "the tensor has no name; it is not connected to another layer", &at);
            port.tensor = builder_.strings().add(at.pointer());
          }
          ports.push_back(port);
          return {};
        });
  }

  Result<void> read_port_field(std::string_view key, ondemand::value& value, const JsonPlace& place,
                               PortRecord& port) {
    if (key == "tensor") {
      PLANEX_ASSIGN(port.tensor, word(value, place));
    } else if (key == "dims") {
      port.first_dim = layer_.dims.size();
      PLANEX_ASSIGN(port.has_dims, read_dims(value, place, layer_.dims));
      port.dim_count = layer_.dims.size() - port.first_dim;
      if (port.dim_count >= model::IntList::kNullLength) port.has_dims = false;
    } else if (key == "element_type") {
      PLANEX_ASSIGN(port.element_type, optional_word(value, place));
    } else if (key == "layout") {
      PLANEX_ASSIGN(port.tag, optional_word(value, place));
    } else if (key == "constant") {
      PLANEX_ASSIGN(port.is_constant, json_.boolean(value, place));
    } else {
      PLANEX_TRY(json_.raw(value, place));
      report(Severity::kInfo, "unknown-key",
             format("the tensor's key {} is not read", base::quoted(key)), &place);
    }
    return {};
  }

  Result<void> read_sources(LayerId layer, ondemand::value& value, const JsonPlace& place) {
    return json_.each_item(
        value, place, "a list of operations",
        [&](ondemand::value& item, const JsonPlace& at) -> Result<void> {
          StringId name, type, evidence;
          PLANEX_TRY(json_.each_field(item, at, "an operation",
                                      [&](std::string_view key, ondemand::value& part,
                                          const JsonPlace& where) -> Result<void> {
                                        if (key == "op_name") {
                                          PLANEX_ASSIGN(name, word(part, where));
                                        } else if (key == "op_type") {
                                          PLANEX_ASSIGN(type, optional_word(part, where));
                                        } else if (key == "evidence") {
                                          PLANEX_ASSIGN(evidence, optional_word(part, where));
                                        }
                                        return {};
                                      }));
          builder_.add_source(
              layer, view(name), view(type),
              view(evidence) == "provenance" ? Evidence::kProvenance : Evidence::kName);
          return {};
        });
  }

  // --- Weights ---

  // Also kept as an attribute: names and dimensions are nowhere else.
  Result<void> read_weights(LayerId layer, std::string_view key, ondemand::value& value,
                            const JsonPlace& place) {
    layer_.has_weight_list = true;
    bool any = false;
    std::string_view written;
    PLANEX_TRY(json_.each_item(value, place, "a list of constants", written,
                               [&](ondemand::value& item, const JsonPlace& at) {
                                 any = true;
                                 return read_weight(item, at);
                               }));
    if (!any) return {};
    base::StringPool& strings = builder_.strings();
    builder_.add_attribute(layer, strings.intern(key, Lifetime::kBorrow),
                           strings.add(compact_json(written)), ValueType::kArray);
    return {};
  }

  Result<void> read_weight(ondemand::value& value, const JsonPlace& place) {
    StringId name;
    std::optional<std::int64_t> bytes;
    std::vector<std::int64_t> dims;
    bool has_dims = false;
    PLANEX_TRY(json_.each_field(
        value, place, "a constant",
        [&](std::string_view key, ondemand::value& part, const JsonPlace& where) -> Result<void> {
          if (key == "name") {
            PLANEX_ASSIGN(name, word(part, where));
          } else if (key == "bytes") {
            PLANEX_ASSIGN(bytes, json_.integer(part, where));
          } else if (key == "dims") {
            PLANEX_ASSIGN(has_dims, read_dims(part, where, dims));
          }
          return {};
        }));
    // OpenVINO inserts empty constants without a type for missing optional inputs.
    if (!bytes && has_dims && std::ranges::find(dims, 0) != dims.end()) bytes = 0;
    if (!bytes || *bytes < 0) {
      report(Severity::kWarning, "unknown-weights",
             "a constant has an unknown type or size; the layer's weights are not counted", &place);
      layer_.are_weights_known = false;
      return {};
    }
    layer_.weight_bytes += *bytes;
    writer_.weigh(name, *bytes);
    return {};
  }

  // --- After all keys of a layer ---

  void finish_layer(LayerId layer, const JsonPlace& place) {
    if (layer_.name.is_null()) {
      report(Severity::kWarning, "layer-without-name",
             "the layer has no name; it is shown without one", &place);
    }
    if (view(layer_.type).empty()) {
      report(Severity::kWarning, "layer-without-type",
             "the layer has no layer_type; its kind is unknown", &place);
    }
    layer_.role = role_of_layer(place);
    writer_.write(layer, layer_);
    add_parameters(parameters_, channels_of_first_output(), layer, builder_);
  }

  std::optional<std::int64_t> channels_of_first_output() const {
    if (layer_.outputs.empty()) return std::nullopt;
    const PortRecord& output = layer_.outputs.front();
    if (!output.has_dims || output.dim_count < 2) return std::nullopt;
    const std::int64_t channels = layer_.dims_of(output)[1];
    return channels < 0 ? std::nullopt : std::optional(channels);
  }

  Role role_of_layer(const JsonPlace& place) {
    const std::string_view word = view(role_);
    const Role* found = base::find(kRoles, word, [](Role role) { return to_string(role); });
    if (found != nullptr) return *found;
    const Role guess = role_of(view(layer_.type));
    report(Severity::kWarning, "unknown-role",
           word.empty() ? format("the layer has no role; treated as {}", to_string(guess))
                        : format("the role {} is unknown; treated as {}", base::quoted(word),
                                 to_string(guess)),
           &place);
    return guess;
  }

  // --- After the whole file ---

  void finish() {
    model::PlanModel& model = builder_.model();
    model.files.record_count.set(artefact_.file_row, static_cast<std::int64_t>(layer_count_));
    if (layer_count_ == 0) {
      report(Severity::kWarning, "no-layers", "the list \"layers\" is empty");
    }
    writer_.finish();
    add_bindings(inputs_of_model_, Direction::kInput, builder_);
    add_bindings(outputs_of_model_, Direction::kOutput, builder_);
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  JsonRecords json_;
  LayerWriter writer_;

  bool has_layers_ = false;
  std::size_t layer_count_ = 0;
  std::vector<ModelPort> inputs_of_model_, outputs_of_model_;

  // The record being read.
  LayerRecord layer_;
  StringId role_;
  std::vector<Parameter> parameters_;
};

}  // namespace

Confidence sniff_graph(std::string_view head) { return sniff_schema(head, kGraphSchema); }

Result<void> read_graph(const Artefact& artefact, model::ModelBuilder& builder) {
  builder.keep(artefact.bytes);
  return GraphReader(artefact, builder).read();
}

}  // namespace planex::ingest::openvino
