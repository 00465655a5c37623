#include "ingest/tensorrt/graph_documents.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "base/try.h"
#include "ingest/json_documents.h"
#include "ingest/tensorrt/kept_values.h"

namespace planex::ingest::tensorrt {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using model::Severity;

constexpr std::string_view kExpected = "an object with a list \"Layers\"";
constexpr std::array<std::string_view, 4> kRootKeys = {"Layers", "Bindings", "I/O Tensors",
                                                       "Engine Metadata"};

bool is_root_key(std::string_view key) {
  return std::ranges::find(kRootKeys, key) != kRootKeys.end();
}

// A text that contains a layer or an engine as JSON, rather than the name of a layer.
bool holds_json(std::string_view text) {
  text = base::trimmed(text);
  return begins_as_json(text) &&
         (text.find("\"Name\"") != text.npos || text.find("\"Layers\"") != text.npos);
}

}  // namespace

Error with_layer_file_hint(Error error) {
  if (!error.hint.empty()) return error;
  error.hint =
      "create a layer file with `trtexec --exportLayerInfo=FILE --profilingVerbosity=detailed`";
  return error;
}

Error no_layers_error(const Artefact& artefact) {
  return with_layer_file_hint({.code = ErrorCode::kBadInput,
                               .message = format("not {}: it has no list \"Layers\"", kLayerFile),
                               .file = artefact.path});
}

Result<DocumentKind> GraphDocuments::read(JsonInput& input, const JsonPlace& place,
                                          int text_depth) {
  ondemand::document& document = input.document();
  ondemand::json_type type{};
  if (const auto code = document.type().get(type)) {
    return fail(with_layer_file_hint(input.broken(place.pointer(), code, kExpected)));
  }
  switch (type) {
    case ondemand::json_type::object: {
      const std::string_view key = first_key(input.rest().value_or(""));
      ondemand::object object;
      if (const auto code = document.get_object().get(object)) {
        return fail(with_layer_file_hint(input.broken(place.pointer(), code, kExpected)));
      }
      return read_object(input, object, key, place);
    }
    case ondemand::json_type::array: {
      ondemand::array list;
      if (const auto code = document.get_array().get(list)) {
        return fail(with_layer_file_hint(input.broken(place.pointer(), code, kExpected)));
      }
      const std::size_t count_before = record_count();
      PLANEX_TRY(read_list(input, list, place, text_depth, ListOf::kLayersOrEngines));
      return record_count() == count_before ? DocumentKind::kNothing : DocumentKind::kList;
    }
    case ondemand::json_type::string: {
      const auto offset = input.offset();
      std::string_view text;
      if (const auto code = document.get_string().get(text)) {
        Error error = with_layer_file_hint(input.broken(place.pointer(), code, kExpected));
        error.byte_offset = offset;
        return fail(std::move(error));
      }
      return read_text(input, text, offset, place, text_depth);
    }
    default:
      return fail(
          with_layer_file_hint(input.broken(place.pointer(), simdjson::INCORRECT_TYPE, kExpected)));
  }
}

// A text at `offset` that should contain a document.
Result<DocumentKind> GraphDocuments::read_text(JsonInput& input, std::string_view text,
                                               std::optional<std::uint64_t> offset,
                                               const JsonPlace& place, int text_depth) {
  const bool is_json = holds_json(text) || base::trimmed(text).starts_with('"');
  if (!is_json || text_depth == kMaxTextDepth) {
    return fail(
        with_layer_file_hint(input.wrong_value(place.pointer(), base::quoted(text), kExpected)));
  }
  return read_inner(text, offset, text_depth);
}

// The document in a text at `offset`.
Result<DocumentKind> GraphDocuments::read_inner(std::string_view text,
                                                std::optional<std::uint64_t> offset,
                                                int text_depth) {
  Artefact artefact{.path = artefact_.path,
                    .bytes = base::make_bytes(base::trimmed(text)),
                    .file_row = artefact_.file_row};
  builder_.keep(artefact.bytes);
  if (!said_json_in_text_) {
    said_json_in_text_ = true;
    builder_.add_diagnostic(
        {.code = "json-in-text",
         .severity = Severity::kInfo,
         .message = "the JSON is a string inside JSON, as if written twice; locations in it are "
                    "reported as the location of the string",
         .file = artefact_.path,
         .byte_offset = offset});
  }
  JsonInput inner(artefact, kLayerFile);
  inner.set_inside(offset);
  PLANEX_TRY(inner.open_part({0, artefact.bytes->view().size()}, builder_));
  auto kind = read(inner, JsonPlace(), text_depth + 1);
  inner.report_not_a_number(builder_);
  return kind;
}

Result<DocumentKind> GraphDocuments::read_object(JsonInput& input, ondemand::object& object,
                                                 std::string_view key, const JsonPlace& place) {
  DocumentKind kind = DocumentKind::kEngine;
  if (!is_root_key(key)) {
    PLANEX_ASSIGN(kind, kind_of(input, object, place));
  }
  switch (kind) {
    case DocumentKind::kEngine:
      PLANEX_TRY(read_engine(input, object, place));
      saw_engine_ = true;
      break;
    case DocumentKind::kLayer:
      PLANEX_TRY(records_.read(input, object, place));
      break;
    default:
      break;
  }
  return kind;
}

// Visits all keys, for documents that do not begin as usual.
Result<DocumentKind> GraphDocuments::kind_of(JsonInput& input, ondemand::object& object,
                                             const JsonPlace& place) {
  bool has_root_key = false, has_name = false, has_layer_key = false;
  for (auto entry : object) {
    ondemand::field field;
    if (const auto code = std::move(entry).get(field)) {
      return fail(input.broken(place.pointer(), code, "a key"));
    }
    const std::string_view key = JsonInput::key_of(field);
    has_root_key = has_root_key || key == kRootKeys.front();
    has_name = has_name || key == "Name";
    has_layer_key = has_layer_key || key == "LayerType" || key == "Inputs" || key == "Outputs";
    std::string_view skipped;
    ondemand::value value = field.value();
    if (const auto code = JsonInput::raw_of(value).get(skipped)) {
      return fail(input.broken(JsonPlace(place, key).pointer(), code, "a value"));
    }
  }
  bool is_empty = false;
  if (const auto code = object.reset().get(is_empty)) {
    return fail(input.broken(place.pointer(), code, "an object"));
  }
  if (has_root_key) return DocumentKind::kEngine;
  return has_name && has_layer_key ? DocumentKind::kLayer : DocumentKind::kNothing;
}

Result<void> GraphDocuments::read_engine(JsonInput& input, ondemand::object& root,
                                         const JsonPlace& place) {
  bool has_layers = false;
  std::size_t key_count = 0;
  std::vector<std::string_view> keys;
  for (auto entry : root) {
    ondemand::field field;
    if (const auto code = std::move(entry).get(field)) {
      return fail(input.broken(place.pointer(), code, "a key"));
    }
    const std::string_view key = JsonInput::key_of(field);
    ondemand::value value = field.value();
    ++key_count;
    if (is_root_key(key)) {
      report_repeated_root_key(keys, key, place);
      keys.push_back(key);
    }
    if (key == "Layers") {
      has_layers = true;
      PLANEX_TRY(read_layers(input, value, place));
    } else if (key == "Bindings") {
      PLANEX_TRY(io_tensors_.read_bindings(input, value, place));
    } else if (key == "I/O Tensors" || key == R"(I\/O Tensors)") {
      PLANEX_TRY(io_tensors_.read_io_tensors(input, value, place));
    } else if (key == "Engine Metadata") {
      PLANEX_TRY(io_tensors_.read_engine_metadata(input, value, place));
    } else {
      PLANEX_TRY(keep_unknown_key(input, key, value, place));
    }
  }
  engine_key_count_ = key_count;
  return has_layers ? Result<void>() : fail(no_layers_error(artefact_));
}

void GraphDocuments::report_repeated_root_key(const std::vector<std::string_view>& keys,
                                              std::string_view key, const JsonPlace& place) {
  if (std::ranges::find(keys, key) == keys.end()) return;
  builder_.add_diagnostic(
      {.code = "duplicate-key",
       .message =
           format("the key {} comes twice; both are read, one after the other", base::quoted(key)),
       .file = artefact_.path,
       .json_pointer = JsonPlace(place, key).pointer()});
}

Result<void> GraphDocuments::read_layers(JsonInput& input, ondemand::value& value,
                                         const JsonPlace& place) {
  const JsonPlace list_place(place, "Layers");
  ondemand::array layers;
  if (const auto code = value.get_array().get(layers)) {
    return fail(with_layer_file_hint(input.broken(list_place.pointer(), code, "a list of layers")));
  }
  return read_list(input, layers, list_place, 0, ListOf::kLayers);
}

Result<void> GraphDocuments::read_list(JsonInput& input, ondemand::array& layers,
                                       const JsonPlace& list_place, int text_depth, ListOf items) {
  std::size_t index = std::exchange(first_index_, 0);
  for (auto entry : layers) {
    const JsonPlace place(list_place, index++);
    ondemand::value record;
    ondemand::json_type type{};
    auto code = entry.get(record);
    if (!code) code = record.type().get(type);
    if (code) return fail(input.broken(place.pointer(), code, "a layer"));
    if (type == ondemand::json_type::object) {
      const bool is_engine =
          items == ListOf::kLayersOrEngines && is_root_key(first_key(input.rest().value_or("")));
      ondemand::object object;
      if (const auto wrong = record.get_object().get(object)) {
        return fail(input.broken(place.pointer(), wrong, "a layer"));
      }
      if (is_engine) {
        PLANEX_TRY(read_engine(input, object, place));
        saw_engine_ = true;
        continue;
      }
      PLANEX_TRY(records_.read(input, object, place));
    } else if (type == ondemand::json_type::string) {
      PLANEX_TRY(read_name_or_text(input, record, place, text_depth));
    } else {
      return fail(input.wrong_value(place.pointer(), JsonInput::found_text(record),
                                    "a layer: an object, or a name"));
    }
  }
  return {};
}

Result<void> GraphDocuments::read_name_or_text(JsonInput& input, ondemand::value& record,
                                               const JsonPlace& place, int text_depth) {
  const bool may_be_json = base::trimmed(record.raw_json_token().substr(1)).starts_with('{');
  const auto offset = may_be_json ? input.offset() : std::nullopt;
  JsonText text;
  if (const auto code = JsonInput::text_of(record).get(text)) {
    return fail(input.broken(place.pointer(), code, "a layer name"));
  }
  // A record as get_layer_information() returns it, in a list of texts.
  if (may_be_json && text_depth < kMaxTextDepth && holds_json(text.view)) {
    PLANEX_ASSIGN(const DocumentKind kind, read_inner(text.view, offset, text_depth));
    if (kind != DocumentKind::kNothing) return {};
  }
  records_.add_name(text);
  return {};
}

Result<void> GraphDocuments::keep_unknown_key(JsonInput& input, std::string_view key,
                                              ondemand::value& value, const JsonPlace& place) {
  PLANEX_ASSIGN(const KeptValue kept, keep_value(input, value, place, key, builder_));
  builder_.add_metadata("layer information", key, builder_.strings().view(kept.text),
                        artefact_.path);
  builder_.add_diagnostic(
      {.code = "unknown-key",
       .severity = Severity::kInfo,
       .message = format("the key {} was kept as metadata and not read", base::quoted(key)),
       .file = artefact_.path,
       .json_pointer = JsonPlace(place, key).pointer()});
  return {};
}

}  // namespace planex::ingest::tensorrt
