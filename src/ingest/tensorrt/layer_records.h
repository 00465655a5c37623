// One layer of the engine inspector: an object with everything known about it, or just a name.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ingest/json_input.h"
#include "ingest/tensorrt/control_flow.h"
#include "ingest/tensorrt/layer_keys.h"
#include "ingest/tensorrt/producer_version.h"
#include "ingest/tensorrt/tensor_records.h"
#include "ingest/tensorrt/vocabulary.h"
#include "model/builder.h"

namespace planex::ingest::tensorrt {

class LayerRecords {
 public:
  // Interns the keys of records, so the string pool should still be empty.
  LayerRecords(const Artefact& artefact, model::ModelBuilder& builder);

  // Adds the layer of an object. `place` is the object's location. The builder keeps the input's
  // bytes. Errors: kBadInput.
  Result<void> read(JsonInput& input, simdjson::ondemand::object& object, const JsonPlace& place);

  // Adds a layer of which only the name is known.
  void add_name(const JsonText& name);

  // Call after the last layer: resolves references to layers that were added later.
  void finish();

  std::size_t object_count() const { return object_count_; }
  std::size_t name_count() const { return name_count_; }
  // Whether any layer's name says which optimization profile it belongs to.
  bool saw_profile_mark() const { return saw_profile_mark_; }

  Era era() const;

  // Whether a layer names another one that it jumps to, which finish() looks up.
  bool has_jumps() const { return !jumps_.empty(); }
  // Adds the counts of another reader, which must not have found jumps.
  void append(const LayerRecords& other);

 private:
  // The known parts of the record being read.
  struct Record {
    model::LayerId layer;
    base::StringId layer_type, parameter_type, metadata;
    CountedWeights weights;
    bool has_repeated_key = false;
    std::optional<std::int64_t> event_id;
    JumpRecord jump;
  };

  Result<void> read_fields(JsonInput& input, simdjson::ondemand::object& object,
                           const JsonPlace& place, Record& record);
  Result<void> read_field(JsonInput& input, LayerField kind, base::StringId key,
                          std::string_view key_text, simdjson::ondemand::value& value,
                          const JsonPlace& place, Record& record);
  Result<base::StringId> word(JsonInput& input, simdjson::ondemand::value& value,
                              const JsonPlace& place, std::string_view key);
  Result<std::optional<std::int64_t>> integer(JsonInput& input, simdjson::ondemand::value& value,
                                              const JsonPlace& place, std::string_view key);
  Result<void> read_attribute(JsonInput& input, base::StringId key, std::string_view key_text,
                              simdjson::ondemand::value& value, const JsonPlace& place,
                              const Record& record);
  Result<void> read_weights(JsonInput& input, base::StringId key, std::string_view key_text,
                            simdjson::ondemand::value& value, const JsonPlace& place,
                            Record& record);
  void add_weights(std::string_view json, std::string_view key, const JsonPlace& place,
                   Record& record);
  void set_name(model::LayerId layer, const JsonText& name);

  // The key of a field. `last_key` is the key of the field before it, null for the first.
  base::StringId key_of(simdjson::ondemand::field& field, base::StringId last_key);
  // Whether the record already had this key.
  bool comes_again(base::StringId key);
  Result<void> sort_out_repeated_keys(JsonInput& input, simdjson::ondemand::object& object,
                                      const JsonPlace& place, Record& record);
  void put_last_values_first(model::LayerId layer,
                             const std::unordered_map<std::uint32_t, bool>& repeated);

  void finish_record(const JsonPlace& place, const Record& record);
  void report(std::string_view code, std::string_view message, const JsonPlace& place,
              std::string_view key);
  LayerField field_of(base::StringId key) const {
    if (key.index() < kUsualKeys) return field_of_key_[key.index()];
    // Only if other readers filled the pool before.
    return layer_field(builder_.model().text(key));
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  // Separate, so that keys do not displace types and formats.
  base::InternCache keys_;
  base::InternCache words_;
  Vocabulary vocabulary_;
  TensorRecords tensors_;

  // The keys of all releases come first in the pool, so that a key's id finds its field, and the
  // record that last had it, in one step.
  static constexpr std::size_t kUsualKeys = 160;
  std::array<LayerField, kUsualKeys> field_of_key_;
  std::array<std::uint32_t, kUsualKeys> last_record_of_key_{};
  // The key that followed each one, and at the end the first of a record.
  std::array<base::StringId, kUsualKeys + 1> next_key_{};
  std::unordered_map<std::uint32_t, std::uint32_t> last_record_of_odd_key_;
  std::uint32_t record_number_ = 0;

  std::vector<JumpRecord> jumps_;
  std::size_t object_count_ = 0;
  std::size_t name_count_ = 0;
  bool saw_profile_mark_ = false;
  Era era_;
};

}  // namespace planex::ingest::tensorrt
