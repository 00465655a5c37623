#include "ingest/tensorrt/graph_reader.h"

#include <array>
#include <charconv>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "ingest/json_input.h"
#include "ingest/tensorrt/source_names.h"
#include "ingest/tensorrt/vocabulary.h"

namespace planex::ingest::tensorrt {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using base::Lifetime;
using base::StringId;
using model::Direction;
using model::DType;
using model::LayerId;
using model::Severity;
using model::ValueType;

// Keys that have a place of their own. All others become attributes.
enum class Field : std::uint8_t {
  kOther,
  kName,
  kLayerType,
  kParameterType,
  kInputs,
  kOutputs,
  kTacticName,
  kStreamId,
  kMetadata,
  kOrigin,
  kWeights,
  kHasDynamicFilter,
};

struct FieldName {
  std::string_view key;
  Field field;
};
constexpr std::array<FieldName, 19> kFieldNames = {{
    {"Name", Field::kName},
    {"LayerType", Field::kLayerType},
    {"ParameterType", Field::kParameterType},
    {"Inputs", Field::kInputs},
    {"Outputs", Field::kOutputs},
    {"TacticName", Field::kTacticName},
    {"StreamId", Field::kStreamId},
    {"Metadata", Field::kMetadata},
    {"Origin", Field::kOrigin},
    // {"Type": "Half", "Count": 9408}: all of these are stored with the engine.
    {"Weights", Field::kWeights},
    {"weights", Field::kWeights},
    {"Bias", Field::kWeights},
    {"ConvWeights", Field::kWeights},
    {"ConvBias", Field::kWeights},
    {"Scale", Field::kWeights},
    {"Shift", Field::kWeights},
    {"Power", Field::kWeights},
    {"HasDynamicFilter", Field::kHasDynamicFilter},
    {"ConvHasDynamicFilter", Field::kHasDynamicFilter},
}};

constexpr std::string_view kWhat = "a layer file";

// One tensor of the record being read; its dims are in GraphReader::dims_.
struct PendingPort {
  JsonText tensor;
  StringId raw_format;
  StringId location;
  std::size_t first_dim = 0;
  std::size_t dim_count = 0;
  bool has_dims = false;
};

class GraphReader {
 public:
  GraphReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact),
        builder_(builder),
        input_(artefact, kWhat),
        keys_(builder.strings()),
        words_(builder.strings()),
        vocabulary_(builder, artefact.path) {}

  Result<void> read() {
    PLANEX_TRY(input_.open());
    intern_keys();
    reserve();
    ondemand::object root;
    if (const auto code = input_.document().get_object().get(root)) {
      return fail(with_hint(input_.broken("", code, "an object with a list \"Layers\"")));
    }
    bool has_layers = false;
    for (auto entry : root) {
      ondemand::field field;
      if (const auto code = std::move(entry).get(field))
        return fail(input_.broken("", code, "a key"));
      const std::string_view key = JsonInput::key_of(field);
      ondemand::value value = field.value();
      if (key == "Layers") {
        has_layers = true;
        PLANEX_TRY(read_layers(value));
      } else if (key == "Bindings") {
        PLANEX_TRY(read_bindings(value));
      } else {
        PLANEX_TRY(read_unknown_root_key(key, value));
      }
    }
    if (!has_layers) {
      return fail(with_hint({.code = ErrorCode::kBadInput,
                             .message = format("not {}: there is no list \"Layers\"", kWhat),
                             .file = artefact_.path}));
    }
    input_.report_trailing(builder_);
    finish();
    return {};
  }

 private:
  static Error with_hint(Error error) {
    error.hint =
        "a layer file comes from `trtexec --exportLayerInfo=FILE --profilingVerbosity=detailed`";
    return error;
  }

  // The known keys come first in the pool, so that a key's id finds its field in one step.
  void intern_keys() {
    for (const FieldName& entry : kFieldNames) {
      const StringId id = builder_.strings().intern(entry.key);
      if (id.index() >= field_of_.size()) field_of_.resize(id.index() + 1, Field::kOther);
      field_of_[id.index()] = entry.field;
    }
  }

  // Detailed files have a layer every 1350 bytes, an attribute every 67 and a port every 570; a
  // vector that grows by doubling would touch its memory twice.
  void reserve() {
    const std::size_t bytes = artefact_.bytes->view().size();
    builder_.reserve({.layers = bytes / 1200,
                      .attributes = bytes / 60,
                      .ports = bytes / 500,
                      .strings = bytes / 50});
  }

  Field field_of(StringId key) const {
    return key.index() < field_of_.size() ? field_of_[key.index()] : Field::kOther;
  }

  std::string place(std::string_view key) const {
    return format("/Layers/{}/{}", index_, pointer_token(key));
  }
  std::string place(Direction direction, std::size_t port, std::string_view key) const {
    return format("/Layers/{}/{}/{}/{}", index_,
                  direction == Direction::kInput ? "Inputs" : "Outputs", port, pointer_token(key));
  }

  Error in_layer(Error error) const {
    if (!current_name_.empty()) error.context = format("in layer {}", base::quoted(current_name_));
    return error;
  }

  Result<void> read_layers(ondemand::value& value) {
    ondemand::array layers;
    if (const auto code = value.get_array().get(layers)) {
      return fail(with_hint(input_.broken("/Layers", code, "a list of layers")));
    }
    for (auto entry : layers) {
      ondemand::value record;
      if (const auto code = entry.get(record)) {
        return fail(input_.broken(pointer_to("Layers", index_), code, "a layer"));
      }
      ondemand::json_type type{};
      if (const auto code = record.type().get(type)) {
        return fail(input_.broken(pointer_to("Layers", index_), code, "a layer"));
      }
      current_name_ = {};
      if (type == ondemand::json_type::object) {
        PLANEX_TRY(read_record(record));
        ++object_count_;
      } else if (type == ondemand::json_type::string) {
        PLANEX_TRY(read_name_only(record));
        ++name_count_;
      } else {
        return fail(input_.wrong_value(pointer_to("Layers", index_), JsonInput::found_text(record),
                                       "a layer: an object, or a name"));
      }
      ++index_;
    }
    return {};
  }

  Result<void> read_name_only(ondemand::value& record) {
    JsonText name;
    if (const auto code = JsonInput::text_of(record).get(name)) {
      return fail(input_.broken(pointer_to("Layers", index_), code, "a layer name"));
    }
    const StringId kept = builder_.strings().add(name.view, name.lifetime);
    add_sources_of_name(builder_.add_layer(kept), builder_.strings().view(kept), builder_);
    return {};
  }

  // `where` makes the JSON pointer, which is only needed when something is wrong.
  template <typename Where>
  Result<JsonText> text(ondemand::value& value, Where where) {
    JsonText result;
    if (const auto code = JsonInput::text_of(value).get(result)) {
      return fail(in_layer(code == simdjson::INCORRECT_TYPE
                               ? input_.wrong_value(where(), JsonInput::found_text(value), "a text")
                               : input_.broken(where(), code, "a text")));
    }
    return result;
  }

  // A text that many records share.
  template <typename Where>
  Result<StringId> word(ondemand::value& value, Where where) {
    PLANEX_ASSIGN(const JsonText result, text(value, where));
    return words_.intern(result.view, result.lifetime);
  }

  Result<void> read_record(ondemand::value& record) {
    ondemand::object object;
    if (const auto code = record.get_object().get(object)) {
      return fail(input_.broken(pointer_to("Layers", index_), code, "a layer"));
    }
    const LayerId layer = builder_.add_layer(StringId());
    const std::size_t row = layer.index();
    model::LayersTable& layers = builder_.model().layers;
    dims_.clear();
    inputs_.clear();
    outputs_.clear();
    StringId layer_type, parameter_type, metadata;
    WeightSum weights;
    for (auto entry : object) {
      ondemand::field field;
      if (const auto code = std::move(entry).get(field)) {
        return fail(in_layer(input_.broken(pointer_to("Layers", index_), code, "a key")));
      }
      const std::string_view key_text = JsonInput::key_of(field);
      const StringId key = keys_.intern(key_text, Lifetime::kBorrow);
      ondemand::value value = field.value();
      const auto where = [&] { return place(key_text); };
      switch (field_of(key)) {
        case Field::kName: {
          PLANEX_ASSIGN(const JsonText name, text(value, where));
          layers.name.set(row, builder_.strings().add(name.view, name.lifetime));
          current_name_ = builder_.strings().view(layers.name[row]);
          break;
        }
        case Field::kLayerType: {
          PLANEX_ASSIGN(layer_type, word(value, where));
          break;
        }
        case Field::kParameterType: {
          PLANEX_ASSIGN(parameter_type, word(value, where));
          break;
        }
        case Field::kInputs:
          PLANEX_TRY(read_tensors(value, Direction::kInput, inputs_));
          break;
        case Field::kOutputs:
          PLANEX_TRY(read_tensors(value, Direction::kOutput, outputs_));
          break;
        case Field::kTacticName: {
          PLANEX_ASSIGN(const StringId tactic, word(value, where));
          if (!builder_.strings().view(tactic).empty()) layers.tactic.set(row, tactic);
          break;
        }
        case Field::kStreamId: {
          std::int64_t stream = 0;
          if (const auto code = value.get_int64().get(stream)) {
            return fail(in_layer(input_.broken(where(), code, "an integer")));
          }
          layers.stream.set(row, stream);
          seen_stream_id_ = true;
          break;
        }
        case Field::kMetadata: {
          PLANEX_ASSIGN(const JsonText text_value, text(value, where));
          metadata = builder_.strings().add(text_value.view, text_value.lifetime);
          seen_stream_id_ = true;
          builder_.add_attribute(layer, key, metadata, ValueType::kString);
          break;
        }
        case Field::kOrigin: {
          PLANEX_ASSIGN(const StringId origin, word(value, where));
          layers.origin.set(row, origin);
          builder_.add_attribute(layer, key, origin, ValueType::kString);
          break;
        }
        case Field::kWeights:
          PLANEX_TRY(read_weights(layer, key, value, weights));
          break;
        case Field::kHasDynamicFilter:
          seen_dynamic_filter_ = true;
          [[fallthrough]];
        case Field::kOther:
          PLANEX_TRY(read_attribute(layer, key, key_text, value));
          break;
      }
    }
    finish_record(layer, layer_type, parameter_type, metadata);
    // Myelin, plugins and the like don't tell what they store; everything else would have said.
    const bool tells = weights.any || (!parameter_type.is_null() || !is_opaque(layer));
    if (weights.known && tells) layers.weight_bytes.set(row, weights.bytes);
    return {};
  }

  struct WeightSum {
    std::int64_t bytes = 0;
    bool any = false;
    bool known = true;
  };

  bool is_opaque(LayerId layer) {
    const model::LayersTable& layers = builder_.model().layers;
    switch (layers.family[layer.index()]) {
      case model::Family::kReformat:
      case model::Family::kPool:
      case model::Family::kShuffle:
        return false;
      default:
        return layers.role[layer.index()] == model::Role::kWork;
    }
  }

  // Key order is free in JSON, so ports are added when the whole record is known: inputs first.
  void finish_record(LayerId layer, StringId layer_type, StringId parameter_type,
                     StringId metadata) {
    model::LayersTable& layers = builder_.model().layers;
    const std::size_t row = layer.index();
    if (layers.name.is_null(row)) {
      report("layer-without-name", "the layer has no Name; it is shown without one", "Name");
    }
    if (layer_type.is_null() && parameter_type.is_null()) {
      report("layer-without-type", "the layer has no LayerType; its kind is not known",
             "LayerType");
    }
    const TypeFacts& facts = vocabulary_.type(layer_type, parameter_type);
    vocabulary_.set_type(layer, facts);
    for (const PendingPort& port : inputs_) add_port(layer, Direction::kInput, port);
    for (const PendingPort& port : outputs_) add_port(layer, Direction::kOutput, port);
    const std::string_view origin_text = builder_.strings().view(metadata);
    if (!origin_text.empty()) {
      add_sources_of_metadata(layer, origin_text, builder_);
    } else if (facts.family != model::Family::kReformat && facts.role == model::Role::kWork) {
      add_sources_of_name(layer, builder_.strings().view(layers.name[row]), builder_);
    }
  }

  void add_port(LayerId layer, Direction direction, const PendingPort& port) {
    const Format& format = vocabulary_.format(port.raw_format);
    builder_.add_port(layer, direction,
                      {.tensor = port.tensor.view,
                       .dims = std::span(dims_).subspan(port.first_dim, port.dim_count),
                       .dims_known = port.has_dims,
                       .dtype = format.dtype,
                       .layout = format.layout,
                       .raw_format = port.raw_format,
                       .location = port.location},
                      port.tensor.lifetime);
  }

  void report(std::string_view code, std::string_view message, std::string_view key) {
    builder_.add_diagnostic({.code = code,
                             .severity = Severity::kWarning,
                             .message = std::string(message),
                             .file = artefact_.path,
                             .json_pointer = place(key)});
  }

  Result<void> read_tensors(ondemand::value& value, Direction direction,
                            std::vector<PendingPort>& ports) {
    ports.clear();
    ondemand::array tensors;
    const std::string_view key = direction == Direction::kInput ? "Inputs" : "Outputs";
    if (const auto code = value.get_array().get(tensors)) {
      return fail(in_layer(input_.broken(place(key), code, "a list of tensors")));
    }
    for (auto entry : tensors) {
      ondemand::object tensor;
      if (const auto code = entry.get_object().get(tensor)) {
        return fail(
            in_layer(input_.broken(place(key) + format("/{}", ports.size()), code, "a tensor")));
      }
      PendingPort port;
      for (auto item : tensor) {
        ondemand::field field;
        if (const auto code = std::move(item).get(field)) {
          return fail(
              in_layer(input_.broken(place(key) + format("/{}", ports.size()), code, "a key")));
        }
        PLANEX_TRY(read_tensor_field(field, direction, ports.size(), port));
      }
      if (port.tensor.view.data() == nullptr) {
        report("tensor-without-name", "a tensor has no Name; all such tensors are shown as one",
               key);
      }
      ports.push_back(port);
    }
    return {};
  }

  Result<void> read_tensor_field(ondemand::field& field, Direction direction, std::size_t index,
                                 PendingPort& port) {
    const std::string_view key = JsonInput::key_of(field);
    ondemand::value value = field.value();
    const auto where = [&] { return place(direction, index, key); };
    if (key == "Name") {
      if (const auto code = JsonInput::text_of(value).get(port.tensor)) {
        return fail(in_layer(input_.broken(where(), code, "a text")));
      }
      if (port.tensor.lifetime == Lifetime::kCopy) {
        // A decoded text lives in the parser's buffer only until it fills; the pool keeps it.
        port.tensor.view = builder_.strings().view(builder_.strings().intern(port.tensor.view));
      }
    } else if (key == "Dimensions") {
      ondemand::array dims;
      if (const auto code = value.get_array().get(dims)) {
        return fail(in_layer(input_.broken(where(), code, "a list of integers")));
      }
      port.first_dim = dims_.size();
      for (auto entry : dims) {
        ondemand::value element;
        std::int64_t dim = 0;
        auto code = entry.get(element);
        if (!code) code = element.get_int64().get(dim);
        if (code) {
          const std::string pointer = format("{}/{}", where(), dims_.size() - port.first_dim);
          return fail(in_layer(
              code == simdjson::INCORRECT_TYPE
                  ? input_.wrong_value(pointer, JsonInput::found_text(element), "an integer")
                  : input_.broken(pointer, code, "an integer")));
        }
        dims_.push_back(dim);
      }
      port.dim_count = dims_.size() - port.first_dim;
      port.has_dims = port.dim_count < model::IntList::kNullLength;
    } else if (key == "Format/Datatype" || key == R"(Format\/Datatype)") {
      PLANEX_ASSIGN(port.raw_format, word(value, where));
    } else if (key == "Location") {
      PLANEX_ASSIGN(port.location, word(value, where));
    } else {
      PLANEX_TRY(check_kept(value, where));
      builder_.add_diagnostic(
          {.code = "unknown-key",
           .severity = Severity::kInfo,
           .message = format("the tensor's key {} is not read", base::quoted(key)),
           .file = artefact_.path,
           .json_pointer = where()});
    }
    return {};
  }

  // The raw text of a value that is kept as written, after checking that it is JSON.
  template <typename Where>
  Result<std::string_view> check_kept(ondemand::value& value, Where where) {
    std::string_view raw;
    if (const auto code = JsonInput::raw_of(value).get(raw)) {
      return fail(in_layer(input_.broken(where(), code, "a value")));
    }
    if (!check_json_value(raw)) {
      return fail(
          in_layer(input_.wrong_value(where(), base::quoted(raw, 40),
                                      format("a JSON value nested at most {} deep", kMaxDepth))));
    }
    return raw;
  }

  Result<void> read_attribute(LayerId layer, StringId key, std::string_view key_text,
                              ondemand::value& value) {
    std::string_view raw = base::trimmed(value.raw_json_token());
    if (raw.starts_with('"')) {
      JsonText string;
      if (const auto code = JsonInput::text_of(value).get(string)) {
        return fail(in_layer(input_.broken(place(key_text), code, "a text")));
      }
      builder_.add_attribute(layer, key, builder_.strings().add(string.view, string.lifetime),
                             ValueType::kString);
      return {};
    }
    ValueType type = ValueType::kNumber;
    if (!is_json_number(raw)) {
      PLANEX_ASSIGN(raw, check_kept(value, [&] { return place(key_text); }));
      switch (raw.front()) {
        case '[':
          type = ValueType::kArray;
          break;
        case '{':
          type = ValueType::kObject;
          break;
        case 'n':
          type = ValueType::kJsonNull;
          break;
        default:
          type = ValueType::kBoolean;
          break;
      }
    }
    builder_.add_attribute(layer, key, builder_.strings().add(raw, Lifetime::kBorrow), type);
    return {};
  }

  // {"Type": "Half", "Count": 9408}. Kept as an attribute too.
  Result<void> read_weights(LayerId layer, StringId key, ondemand::value& value, WeightSum& sum) {
    const std::string_view key_text = builder_.strings().view(key);
    if (!value.raw_json_token().starts_with('{')) {
      return read_attribute(layer, key, key_text, value);
    }
    PLANEX_ASSIGN(const std::string_view raw, check_kept(value, [&] { return place(key_text); }));
    builder_.add_attribute(layer, key, builder_.strings().add(raw, Lifetime::kBorrow),
                           ValueType::kObject);
    const auto bytes = parse_weights(raw);
    sum.any = true;
    if (!bytes) {
      report("unknown-weights",
             "weights of a type or count that is not known; their size is not counted", key_text);
    }
    sum.known = sum.known && bytes && !__builtin_add_overflow(sum.bytes, *bytes, &sum.bytes);
    return {};
  }

  // Bytes of {"Type": T, "Count": N}; nothing where either is missing or unknown.
  std::optional<std::int64_t> parse_weights(std::string_view raw) const {
    constexpr std::string_view kType = "\"Type\"";
    constexpr std::string_view kCount = "\"Count\"";
    const std::size_t type_at = raw.find(kType);
    const std::size_t count_at = raw.find(kCount);
    if (type_at == raw.npos || count_at == raw.npos) return std::nullopt;
    const std::size_t open = raw.find('"', type_at + kType.size());
    const std::size_t close = open == raw.npos ? raw.npos : raw.find('"', open + 1);
    if (close == raw.npos) return std::nullopt;
    std::size_t digit = count_at + kCount.size();
    constexpr std::string_view kBlanks = " \t\r\n";
    const auto is_in = [&](std::string_view set) {
      return digit < raw.size() && set.find(raw[digit]) != set.npos;
    };
    while (is_in(kBlanks) || is_in(":")) ++digit;
    std::int64_t count = -1;
    const auto parsed = std::from_chars(raw.data() + digit, raw.data() + raw.size(), count);
    digit = static_cast<std::size_t>(parsed.ptr - raw.data());
    if (parsed.ec != std::errc() || count < 0 || !(is_in(kBlanks) || is_in(",}"))) {
      return std::nullopt;
    }
    const DType type = parse_type(raw.substr(open + 1, close - open - 1));
    if (count == 0) return 0;
    const std::array<std::int64_t, 1> dims = {count};
    return model::data_bytes(dims, type);
  }

  Result<void> read_bindings(ondemand::value& value) {
    ondemand::array bindings;
    if (const auto code = value.get_array().get(bindings)) {
      return fail(input_.broken("/Bindings", code, "a list of names"));
    }
    std::size_t index = 0;
    for (auto entry : bindings) {
      ondemand::value element;
      JsonText name;
      auto code = entry.get(element);
      if (!code) code = JsonInput::text_of(element).get(name);
      if (code) return fail(input_.broken(pointer_to("Bindings", index), code, "a name"));
      builder_.add_binding(name.view, Direction::kNull);
      ++index;
    }
    return {};
  }

  Result<void> read_unknown_root_key(std::string_view key, ondemand::value& value) {
    const std::string pointer = "/" + pointer_token(key);
    PLANEX_ASSIGN(const std::string_view raw, check_kept(value, [&] { return pointer; }));
    builder_.add_metadata("layer information", key, raw, artefact_.path);
    builder_.add_diagnostic(
        {.code = "unknown-key",
         .severity = Severity::kInfo,
         .message = format("the key {} was kept as metadata and not read", base::quoted(key)),
         .file = artefact_.path,
         .json_pointer = pointer});
    return {};
  }

  void finish() {
    model::PlanModel& model = builder_.model();
    base::StringPool& strings = builder_.strings();
    model.engine.producer.set(0, strings.intern("tensorrt"));
    model.files.record_count.set(artefact_.file_row, static_cast<std::int64_t>(index_));
    const bool names_only = object_count_ == 0 && name_count_ > 0;
    model.engine.detail.set(0, strings.intern(names_only ? "names-only" : "full"));
    if (names_only) {
      builder_.add_diagnostic(
          {.code = "names-only",
           .severity = Severity::kWarning,
           .message = "the file has layer names and nothing else: the engine was built with "
                      "profiling verbosity layer_names_only",
           .file = artefact_.path});
      return;
    }
    if (name_count_ > 0) {
      builder_.add_diagnostic({.code = "mixed-detail",
                               .message = format("{} with a name and nothing else",
                                                 base::counted(name_count_, "layer")),
                               .file = artefact_.path});
    }
    if (index_ == 0) {
      builder_.add_diagnostic(
          {.code = "no-layers", .message = "the list \"Layers\" is empty", .file = artefact_.path});
      return;
    }
    set_version();
  }

  // No release writes its version into the file; the keys it uses tell the era.
  void set_version() {
    std::string_view version, evidence;
    if (seen_stream_id_) {
      version = "8.6+";
      evidence = "StreamId or Metadata keys";
    } else if (seen_dynamic_filter_) {
      version = "8.5";
      evidence = "HasDynamicFilter keys, no StreamId";
    } else {
      version = "8.2–8.4";
      evidence = "neither HasDynamicFilter nor StreamId keys";
    }
    model::EngineTable& engine = builder_.model().engine;
    engine.producer_version.set(0, builder_.strings().intern(version));
    engine.version_evidence.set(0, builder_.strings().intern(evidence));
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  JsonInput input_;

  std::vector<Field> field_of_;
  // Apart, so that keys do not push types and formats out.
  base::InternCache keys_;
  base::InternCache words_;
  Vocabulary vocabulary_;

  // The record being read.
  std::size_t index_ = 0;
  std::string_view current_name_;
  std::vector<PendingPort> inputs_;
  std::vector<PendingPort> outputs_;
  std::vector<std::int64_t> dims_;

  std::size_t object_count_ = 0;
  std::size_t name_count_ = 0;
  bool seen_stream_id_ = false;
  bool seen_dynamic_filter_ = false;
};

}  // namespace

Confidence sniff_graph(std::string_view head) {
  const std::string_view text = base::trimmed(head);
  if (text.empty() || text.front() != '{') return Confidence::kNo;
  return text.find("\"Layers\"") != std::string_view::npos ? Confidence::kSure : Confidence::kNo;
}

Result<void> read_graph(const Artefact& artefact, model::ModelBuilder& builder) {
  builder.keep(artefact.bytes);
  return GraphReader(artefact, builder).read();
}

}  // namespace planex::ingest::tensorrt
