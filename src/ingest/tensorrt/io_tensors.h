// What a layer file contains besides the layers: inputs and outputs of the engine, facts about it.
//
//   8.2 to 10.x  "Bindings": names
//   11.x         "I/O Tensors": objects with the shapes of every optimization profile
//                "Engine Metadata": an object of facts
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ingest/json_input.h"
#include "ingest/tensorrt/vocabulary.h"
#include "model/builder.h"

namespace planex::ingest::tensorrt {

// One element of "I/O Tensors", in a layer file or a log.
struct IoTensor {
  // The shapes of one optimization profile.
  struct Range {
    std::optional<std::vector<std::int64_t>> min, opt, max;
    base::StringId format;
  };
  // A key without a column, with its location: "Location", "ProfileInfo/0/Kind".
  struct Other {
    std::string key;
    base::StringId value;
  };

  std::string_view name, mode;
  bool has_name = false;
  model::DType dtype = model::DType::kNull;
  std::optional<std::vector<std::int64_t>> dims;
  std::vector<Range> profiles;
  std::vector<Other> others;
};

// Adds the binding, with the limits of the requested optimization profile, by default the first. A
// mode that is neither Input nor Output is reported at `place`.
void add_io_binding(const IoTensor& tensor, const model::DiagnosticFacts& place,
                    Vocabulary& vocabulary, model::ModelBuilder& builder);
// Adds its shapes to `profiles`, and the other keys to `metadata`, section "I/O Tensors".
void add_io_profiles(const IoTensor& tensor, const std::string& file, model::ModelBuilder& builder);

class IoTensors {
 public:
  IoTensors(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder), vocabulary_(builder, artefact.path) {}

  // `place` is the location of the object with these keys. A name that was already read is skipped,
  // which happens if a file contains several documents. Errors: kBadInput.
  Result<void> read_bindings(JsonInput& input, simdjson::ondemand::value& value,
                             const JsonPlace& place);
  Result<void> read_io_tensors(JsonInput& input, simdjson::ondemand::value& value,
                               const JsonPlace& place);
  // Into `metadata`, section "engine metadata".
  Result<void> read_engine_metadata(JsonInput& input, simdjson::ondemand::value& value,
                                    const JsonPlace& place);

  bool saw_io_tensors() const { return saw_io_tensors_; }
  // The number of optimization profiles that are listed with shapes; 0 if none is.
  std::int64_t profile_count() const { return profile_count_; }

 private:
  Result<void> read_tensor(JsonInput& input, simdjson::ondemand::object& object,
                           const JsonPlace& place);
  Result<void> read_profiles(JsonInput& input, simdjson::ondemand::value& value,
                             const JsonPlace& place, IoTensor& tensor);
  Result<base::StringId> text(JsonInput& input, simdjson::ondemand::value& value,
                              const JsonPlace& place, std::string_view key);
  void add(const IoTensor& tensor, const JsonPlace& place);
  bool is_new(std::string_view name);

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  Vocabulary vocabulary_;
  std::unordered_set<std::uint32_t> names_;
  bool saw_io_tensors_ = false;
  std::int64_t profile_count_ = 0;
};

}  // namespace planex::ingest::tensorrt
