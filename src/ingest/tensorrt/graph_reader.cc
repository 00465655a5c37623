#include "ingest/tensorrt/graph_reader.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/try.h"
#include "ingest/json_documents.h"
#include "ingest/json_input.h"
#include "ingest/tensorrt/io_tensors.h"
#include "ingest/tensorrt/kept_values.h"
#include "ingest/tensorrt/layer_records.h"
#include "ingest/tensorrt/optimization_profiles.h"
#include "ingest/tensorrt/producer_version.h"

namespace planex::ingest::tensorrt {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using model::Severity;

constexpr std::string_view kWhat = "a layer file";
constexpr std::array<std::string_view, 4> kRootKeys = {"Layers", "Bindings", "I/O Tensors",
                                                       "Engine Metadata"};
// How often JSON may have been made a text of JSON again.
constexpr int kMaxTextDepth = 3;

// What a document turned out to be.
enum class Kind : std::uint8_t {
  kNothing,  // JSON that tells of no layers
  kEngine,   // {"Layers": [...], ...}
  kLayer,    // {"Name": ..., ...}
  kList      // [{"Name": ..., ...}, ...] or names
};

bool is_root_key(std::string_view key) {
  return std::ranges::find(kRootKeys, key) != kRootKeys.end();
}

// A text that is a layer or an engine written as JSON, and not the name of one.
bool holds_json(std::string_view text) {
  text = base::trimmed(text);
  return begins_as_json(text) &&
         (text.find("\"Name\"") != text.npos || text.find("\"Layers\"") != text.npos);
}

class GraphReader {
 public:
  GraphReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact),
        builder_(builder),
        records_(artefact, builder),
        io_tensors_(artefact, builder) {}

  Result<void> read() {
    reserve();
    PLANEX_TRY(read_documents());
    records_.finish();
    PLANEX_TRY(assign_profiles(
        {.saw_mark = records_.saw_profile_mark(), .listed_count = io_tensors_.profile_count()},
        artefact_.path, builder_));
    finish();
    return {};
  }

 private:
  static Error with_hint(Error error) {
    if (!error.hint.empty()) return error;
    error.hint =
        "a layer file comes from `trtexec --exportLayerInfo=FILE --profilingVerbosity=detailed`";
    return error;
  }

  Error no_layers() const {
    return with_hint({.code = ErrorCode::kBadInput,
                      .message = format("not {}: there is no list \"Layers\"", kWhat),
                      .file = artefact_.path});
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

  // --- Which documents there are ---

  Result<void> read_documents() {
    const std::string_view text = artefact_.bytes->view();
    if (const std::string_view content = base::trimmed(text); content.starts_with('"')) {
      if (const std::size_t end = content.find('\n'); end == content.npos) {
        return read_only_text();
      }
    }
    JsonInput input(artefact_, kWhat);
    if (!begins_as_json(text) && JsonDocuments(text).next()) return read_several(0, Kind::kNothing);
    PLANEX_TRY(input.open(builder_));
    PLANEX_ASSIGN(const Kind kind, read_document(input, JsonPlace(), 0));
    input.report_not_a_number(builder_);
    if (kind == Kind::kNothing) return fail(no_layers());
    if (const auto end = input.trailing_offset()) return read_several(*end, kind);
    return {};
  }

  // The whole file is one text, which holds the document.
  Result<void> read_only_text() {
    JsonInput input(artefact_, kWhat);
    const std::string_view text = artefact_.bytes->view();
    PLANEX_TRY(input.open_part({0, text.size()}, builder_));
    PLANEX_ASSIGN(const Kind kind, read_document(input, JsonPlace(), 0));
    return kind == Kind::kNothing ? fail(no_layers()) : Result<void>();
  }

  // From `at` on: documents that follow one another, and other text between them. Behind a whole
  // engine only documents of that kind, or of layers, count; everything else is text.
  Result<void> read_several(std::size_t at, Kind first) {
    const std::string_view text = artefact_.bytes->view();
    JsonDocuments documents(text, at);
    JsonInput input(artefact_, kWhat);
    std::size_t count = first == Kind::kNothing ? 0 : 1;
    std::size_t end = at;
    std::optional<std::size_t> unread;
    const auto note_unread = [&](std::size_t from, std::size_t to) {
      if (!unread && has_content(text.substr(from, to - from))) {
        unread = text.find_first_not_of(" \t\r\n", from);
      }
    };
    bool lenient = first == Kind::kEngine || first == Kind::kList;
    bool has_texts = false;
    while (const auto part = documents.next()) {
      const std::string_view document = text.substr(part->first, part->size);
      if (lenient && !check_json_value(document)) continue;
      // A line in quotation marks is only something where it holds JSON.
      if (document.starts_with('"') && document.find("\\\"") == document.npos) {
        has_texts = true;
        continue;
      }
      auto kind = read_part(input, *part, count);
      if (!kind) return fail(std::move(kind).error());
      if (*kind == Kind::kNothing) continue;
      lenient = lenient || *kind != Kind::kLayer;
      ++count;
      note_unread(end, part->first);
      end = part->first + part->size;
    }
    if (count == 0 && has_texts) return read_lines_of_names();
    input.report_not_a_number(builder_);
    if (documents.unclosed() && !lenient) {
      return fail(with_hint({.code = ErrorCode::kBadInput,
                             .message = format("not {}: document {} has no end, so the JSON is cut",
                                               kWhat, count + 1),
                             .file = artefact_.path,
                             .byte_offset = *documents.unclosed(),
                             .hint = "the file was cut: write it again"}));
    }
    if (count == 0) return fail(no_layers());
    if (count > 1) {
      builder_.add_diagnostic(
          {.code = "several-documents",
           .severity = Severity::kInfo,
           .message = format("{} JSON documents follow one another; read as one engine", count),
           .file = artefact_.path});
    }
    report_text_around(text, unread, end);
    return {};
  }

  // Lines with the name of a layer each, which is what get_layer_information() returns of an engine
  // that knows no more.
  Result<void> read_lines_of_names() {
    const std::string_view text = artefact_.bytes->view();
    JsonDocuments documents(text);
    JsonInput input(artefact_, kWhat);
    while (const auto part = documents.next()) {
      if (text[part->first] != '"') continue;
      PLANEX_TRY(input.open_part(*part, builder_));
      std::string_view name;
      if (const auto code = input.document().get_string().get(name)) {
        Error error = with_hint(input.broken("", code, "a layer name"));
        error.byte_offset = part->first;
        return fail(std::move(error));
      }
      records_.add_name({name, base::Lifetime::kCopy});
      ++record_count_;
    }
    return {};
  }

  void report_text_around(std::string_view text, std::optional<std::size_t> unread,
                          std::size_t end) {
    if (unread) {
      builder_.add_diagnostic({.code = "leading-text",
                               .severity = Severity::kInfo,
                               .message = "text before or between the JSON documents was not read",
                               .file = artefact_.path,
                               .byte_offset = *unread});
    }
    if (has_content(text.substr(end))) {
      builder_.add_diagnostic({.code = "trailing-text",
                               .message = "text after the end of the JSON document was not read",
                               .file = artefact_.path,
                               .byte_offset = end});
    }
  }

  Result<Kind> read_part(JsonInput& input, ByteRange part, std::size_t number) {
    auto opened = input.open_part(part, builder_);
    auto kind = opened ? read_document(input, JsonPlace(), 0)
                       : Result<Kind>(fail(std::move(opened).error()));
    if (kind) return kind;
    Error error = std::move(kind).error();
    if (!error.byte_offset) error.byte_offset = part.first;
    error.context = format("{}{}in document {} of the file", error.context,
                           error.context.empty() ? "" : ", ", number + 1);
    return fail(with_hint(std::move(error)));
  }

  // --- What a document is ---

  Result<Kind> read_document(JsonInput& input, const JsonPlace& place, int text_depth) {
    ondemand::document& document = input.document();
    ondemand::json_type type{};
    if (const auto code = document.type().get(type)) {
      return fail(with_hint(input.broken(place.pointer(), code, kExpected)));
    }
    switch (type) {
      case ondemand::json_type::object: {
        const std::string_view key = first_key(input.rest().value_or(""));
        ondemand::object object;
        if (const auto code = document.get_object().get(object)) {
          return fail(with_hint(input.broken(place.pointer(), code, kExpected)));
        }
        return read_object(input, object, key, place);
      }
      case ondemand::json_type::array: {
        ondemand::array list;
        if (const auto code = document.get_array().get(list)) {
          return fail(with_hint(input.broken(place.pointer(), code, kExpected)));
        }
        const std::size_t count_before = record_count_;
        PLANEX_TRY(read_list(input, list, place, text_depth, ListOf::kLayersOrEngines));
        return record_count_ == count_before ? Kind::kNothing : Kind::kList;
      }
      case ondemand::json_type::string: {
        const auto offset = input.offset();
        std::string_view text;
        if (const auto code = document.get_string().get(text)) {
          Error error = with_hint(input.broken(place.pointer(), code, kExpected));
          error.byte_offset = offset;
          return fail(std::move(error));
        }
        return read_text(input, text, offset, place, text_depth);
      }
      default:
        return fail(with_hint(input.broken(place.pointer(), simdjson::INCORRECT_TYPE, kExpected)));
    }
  }

  // A text, at `offset`, that should hold a document.
  Result<Kind> read_text(JsonInput& input, std::string_view text,
                         std::optional<std::uint64_t> offset, const JsonPlace& place,
                         int text_depth) {
    const bool is_json = holds_json(text) || base::trimmed(text).starts_with('"');
    if (!is_json || text_depth == kMaxTextDepth) {
      return fail(with_hint(input.wrong_value(place.pointer(), base::quoted(text), kExpected)));
    }
    return read_inner(text, offset, text_depth);
  }

  // The document in a text that stands at `offset`.
  Result<Kind> read_inner(std::string_view text, std::optional<std::uint64_t> offset,
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
           .message = "the JSON is a text inside of JSON, as if written twice; places in it are "
                      "given as the place of the text",
           .file = artefact_.path,
           .byte_offset = offset});
    }
    JsonInput inner(artefact, kWhat);
    inner.set_inside(offset);
    PLANEX_TRY(inner.open_part({0, artefact.bytes->view().size()}, builder_));
    auto kind = read_document(inner, JsonPlace(), text_depth + 1);
    inner.report_not_a_number(builder_);
    return kind;
  }

  Result<Kind> read_object(JsonInput& input, ondemand::object& object, std::string_view key,
                           const JsonPlace& place) {
    Kind kind = Kind::kEngine;
    if (!is_root_key(key)) {
      PLANEX_ASSIGN(kind, kind_of(input, object, place));
    }
    switch (kind) {
      case Kind::kEngine:
        PLANEX_TRY(read_engine(input, object, place));
        saw_engine_ = true;
        break;
      case Kind::kLayer:
        PLANEX_TRY(records_.read(input, object, place));
        ++record_count_;
        break;
      default:
        break;
    }
    return kind;
  }

  // Goes over all keys, for documents that do not begin as usual.
  Result<Kind> kind_of(JsonInput& input, ondemand::object& object, const JsonPlace& place) {
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
    if (has_root_key) return Kind::kEngine;
    return has_name && has_layer_key ? Kind::kLayer : Kind::kNothing;
  }

  // --- The engine's own document ---

  Result<void> read_engine(JsonInput& input, ondemand::object& root, const JsonPlace& place) {
    bool has_layers = false;
    std::vector<std::string_view> keys;
    for (auto entry : root) {
      ondemand::field field;
      if (const auto code = std::move(entry).get(field)) {
        return fail(input.broken(place.pointer(), code, "a key"));
      }
      const std::string_view key = JsonInput::key_of(field);
      ondemand::value value = field.value();
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
    return has_layers ? Result<void>() : fail(no_layers());
  }

  void report_repeated_root_key(const std::vector<std::string_view>& keys, std::string_view key,
                                const JsonPlace& place) {
    if (std::ranges::find(keys, key) == keys.end()) return;
    builder_.add_diagnostic(
        {.code = "duplicate-key",
         .message = format("the key {} comes twice; both are read, one after the other",
                           base::quoted(key)),
         .file = artefact_.path,
         .json_pointer = JsonPlace(place, key).pointer()});
  }

  Result<void> read_layers(JsonInput& input, ondemand::value& value, const JsonPlace& place) {
    const JsonPlace list_place(place, "Layers");
    ondemand::array layers;
    if (const auto code = value.get_array().get(layers)) {
      return fail(with_hint(input.broken(list_place.pointer(), code, "a list of layers")));
    }
    return read_list(input, layers, list_place, 0, ListOf::kLayers);
  }

  enum class ListOf : std::uint8_t { kLayers, kLayersOrEngines };

  Result<void> read_list(JsonInput& input, ondemand::array& layers, const JsonPlace& list_place,
                         int text_depth, ListOf items) {
    std::size_t index = 0;
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
        ++record_count_;
      } else if (type == ondemand::json_type::string) {
        PLANEX_TRY(read_name_or_text(input, record, place, text_depth));
      } else {
        return fail(input.wrong_value(place.pointer(), JsonInput::found_text(record),
                                      "a layer: an object, or a name"));
      }
    }
    return {};
  }

  Result<void> read_name_or_text(JsonInput& input, ondemand::value& record, const JsonPlace& place,
                                 int text_depth) {
    const bool may_be_json = base::trimmed(record.raw_json_token().substr(1)).starts_with('{');
    const auto offset = may_be_json ? input.offset() : std::nullopt;
    JsonText text;
    if (const auto code = JsonInput::text_of(record).get(text)) {
      return fail(input.broken(place.pointer(), code, "a layer name"));
    }
    // A record as get_layer_information() returns it, in a list of texts.
    if (may_be_json && text_depth < kMaxTextDepth && holds_json(text.view)) {
      PLANEX_ASSIGN(const Kind kind, read_inner(text.view, offset, text_depth));
      if (kind != Kind::kNothing) return {};
    }
    records_.add_name(text);
    ++record_count_;
    return {};
  }

  Result<void> keep_unknown_key(JsonInput& input, std::string_view key, ondemand::value& value,
                                const JsonPlace& place) {
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

  // --- The engine ---

  void finish() {
    model::PlanModel& model = builder_.model();
    base::StringPool& strings = builder_.strings();
    model.engine.producer.set(0, strings.intern("tensorrt"));
    model.files.record_count.set(artefact_.file_row, static_cast<std::int64_t>(record_count_));
    const bool names_only = records_.object_count() == 0 && records_.name_count() > 0;
    model.engine.detail.set(0, strings.intern(names_only ? "names-only" : "full"));
    if (names_only) {
      builder_.add_diagnostic(
          {.code = "names-only",
           .severity = Severity::kWarning,
           .message = "the file has layer names and nothing else: the engine was built with "
                      "profiling verbosity layer_names_only",
           .file = artefact_.path});
    } else if (records_.name_count() > 0) {
      builder_.add_diagnostic({.code = "mixed-detail",
                               .message = format("{} with a name and nothing else",
                                                 base::counted(records_.name_count(), "layer")),
                               .file = artefact_.path});
    }
    if (!saw_engine_ && record_count_ > 0) {
      builder_.add_diagnostic(
          {.code = "layers-without-engine",
           .severity = Severity::kInfo,
           .message = "the file lists layers and nothing of the engine around them: its inputs and "
                      "outputs are not known",
           .file = artefact_.path});
    }
    if (record_count_ == 0) {
      builder_.add_diagnostic(
          {.code = "no-layers", .message = "the list \"Layers\" is empty", .file = artefact_.path});
    }
    set_producer_version({.era = records_.era(),
                          .saw_io_tensors = io_tensors_.saw_io_tensors(),
                          .saw_records = records_.object_count() > 0},
                         builder_);
  }

  static constexpr std::string_view kExpected = "an object with a list \"Layers\"";

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  LayerRecords records_;
  IoTensors io_tensors_;
  std::size_t record_count_ = 0;
  bool saw_engine_ = false;
  bool said_json_in_text_ = false;
};

}  // namespace

Result<void> read_graph(const Artefact& artefact, model::ModelBuilder& builder) {
  builder.keep(artefact.bytes);
  return GraphReader(artefact, builder).read();
}

}  // namespace planex::ingest::tensorrt
