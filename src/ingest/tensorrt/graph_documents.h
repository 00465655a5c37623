// The documents that a layer file can consist of: an engine, a list of layers, one layer, a text
// that contains one of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ingest/json_input.h"
#include "ingest/tensorrt/io_tensors.h"
#include "ingest/tensorrt/layer_records.h"

namespace planex::ingest::tensorrt {

// The name of such a file in messages.
inline constexpr std::string_view kLayerFile = "a layer file";

// How many times JSON can be nested as a string in JSON.
inline constexpr int kMaxTextDepth = 3;

// What a document turned out to be.
enum class DocumentKind : std::uint8_t {
  kNothing,  // JSON that contains no layers
  kEngine,   // {"Layers": [...], ...}
  kLayer,    // {"Name": ..., ...}
  kList      // [{"Name": ..., ...}, ...] or names
};

// How to make such a file, for an error that has no hint of its own.
Error with_layer_file_hint(Error error);
// The error that it has no list of layers.
Error no_layers_error(const Artefact& artefact);

class GraphDocuments {
 public:
  GraphDocuments(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact),
        builder_(builder),
        records_(artefact, builder),
        io_tensors_(artefact, builder) {}

  // Reads the document that `input` has opened into the builder, which keeps the input's bytes.
  // Errors: kBadInput.
  Result<DocumentKind> read(JsonInput& input) { return read(input, JsonPlace(), 0); }

  // The same for a document that continues the list of layers of the last one.
  Result<DocumentKind> read_more(JsonInput& input) {
    first_index_ = record_count();
    return read(input);
  }

  // Keys of the last engine that was read, adjacent to each other: "Layers", "Bindings".
  std::size_t engine_key_count() const { return engine_key_count_; }

  // Adds the counts of another reader of the same list, for a later part of it.
  void append(const GraphDocuments& other) {
    records_.append(other.records_);
    saw_engine_ = saw_engine_ || other.saw_engine_;
  }

  // Adds a layer of which only the name is known.
  void add_name(const JsonText& name) { records_.add_name(name); }

  LayerRecords& records() { return records_; }
  const IoTensors& io_tensors() const { return io_tensors_; }
  std::size_t record_count() const { return records_.object_count() + records_.name_count(); }
  bool saw_engine() const { return saw_engine_; }

 private:
  enum class ListOf : std::uint8_t { kLayers, kLayersOrEngines };

  // `text_depth` counts the strings around the document.
  Result<DocumentKind> read(JsonInput& input, const JsonPlace& place, int text_depth);
  Result<DocumentKind> read_text(JsonInput& input, std::string_view text,
                                 std::optional<std::uint64_t> offset, const JsonPlace& place,
                                 int text_depth);
  Result<DocumentKind> read_inner(std::string_view text, std::optional<std::uint64_t> offset,
                                  int text_depth);
  Result<DocumentKind> read_object(JsonInput& input, simdjson::ondemand::object& object,
                                   std::string_view key, const JsonPlace& place);
  Result<DocumentKind> kind_of(JsonInput& input, simdjson::ondemand::object& object,
                               const JsonPlace& place);
  Result<void> read_engine(JsonInput& input, simdjson::ondemand::object& root,
                           const JsonPlace& place);
  Result<void> read_layers(JsonInput& input, simdjson::ondemand::value& value,
                           const JsonPlace& place);
  Result<void> read_list(JsonInput& input, simdjson::ondemand::array& layers,
                         const JsonPlace& list_place, int text_depth, ListOf items);
  Result<void> read_name_or_text(JsonInput& input, simdjson::ondemand::value& record,
                                 const JsonPlace& place, int text_depth);
  Result<void> keep_unknown_key(JsonInput& input, std::string_view key,
                                simdjson::ondemand::value& value, const JsonPlace& place);
  void report_repeated_root_key(const std::vector<std::string_view>& keys, std::string_view key,
                                const JsonPlace& place);

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  LayerRecords records_;
  IoTensors io_tensors_;
  std::size_t first_index_ = 0;  // of the next list
  std::size_t engine_key_count_ = 0;
  bool saw_engine_ = false;
  bool said_json_in_text_ = false;
};

}  // namespace planex::ingest::tensorrt
