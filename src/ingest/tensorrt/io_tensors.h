// What a layer file says beside the layers: inputs and outputs of the engine, facts of the engine.
//
//   8.2 to 10.x  "Bindings": names
//   11.x         "I/O Tensors": objects with the shapes of every optimisation profile
//                "Engine Metadata": an object of facts
#ifndef PLANEX_INGEST_TENSORRT_IO_TENSORS_H_
#define PLANEX_INGEST_TENSORRT_IO_TENSORS_H_

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ingest/json_input.h"
#include "ingest/tensorrt/vocabulary.h"
#include "model/builder.h"

namespace planex::ingest::tensorrt {

class IoTensors {
 public:
  IoTensors(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder), vocabulary_(builder, artefact.path) {}

  // `place` is that of the object with these keys. A name that was read before, as where a file
  // holds several documents, is left out. Errors: kBadInput.
  Result<void> read_bindings(JsonInput& input, simdjson::ondemand::value& value,
                             const JsonPlace& place);
  Result<void> read_io_tensors(JsonInput& input, simdjson::ondemand::value& value,
                               const JsonPlace& place);
  // Into `metadata`, section "engine metadata".
  Result<void> read_engine_metadata(JsonInput& input, simdjson::ondemand::value& value,
                                    const JsonPlace& place);

  bool saw_io_tensors() const { return saw_io_tensors_; }
  // Optimisation profiles that are listed with shapes; 0 where none is.
  std::int64_t profile_count() const { return profile_count_; }

 private:
  struct Range;
  struct Tensor;
  Result<void> read_tensor(JsonInput& input, simdjson::ondemand::object& object,
                           const JsonPlace& place);
  Result<void> read_profiles(JsonInput& input, simdjson::ondemand::value& value,
                             const JsonPlace& place, Tensor& tensor);
  Result<base::StringId> text(JsonInput& input, simdjson::ondemand::value& value,
                              const JsonPlace& place, std::string_view key);
  void add(const Tensor& tensor, const JsonPlace& place);
  void set_shown_profile(std::size_t row, const Tensor& tensor);
  bool is_new(std::string_view name);

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  Vocabulary vocabulary_;
  std::unordered_set<std::uint32_t> names_;
  bool saw_io_tensors_ = false;
  std::int64_t profile_count_ = 0;
};

}  // namespace planex::ingest::tensorrt

#endif  // PLANEX_INGEST_TENSORRT_IO_TENSORS_H_
