#include "ingest/tensorrt/log/engine_tensors.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "ingest/tensorrt/format.h"
#include "ingest/tensorrt/io_tensors.h"
#include "ingest/tensorrt/log/record_line.h"
#include "ingest/tensorrt/optimization_profiles.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;
using base::Lifetime;
using model::Direction;
using model::Severity;
using model::TensorId;

class EngineTensors {
 public:
  EngineTensors(const Artefact& artefact, const LayerBlock& block, model::ModelBuilder& builder)
      : artefact_(artefact),
        block_(block),
        builder_(builder),
        model_(builder.model()),
        vocabulary_(builder, artefact.path) {}

  Result<void> add(LayersFrom from, const NetworkBindings& network) {
    add_io_tensors();
    if (model_.bindings.row_count() == 0) {
      if (!block_.bindings.empty()) {
        add_listed_bindings();
      } else {
        add_network_bindings(network);
      }
    }
    add_engine_metadata();
    // The log may belong to another engine.
    if (from == LayersFrom::kLayerFile && !model_.engine.profile_count.is_null(0)) return {};
    const bool saw_mark = std::ranges::any_of(
        model_.layers.name.values(),
        [&](base::StringId name) { return profile_mark(model_.text(name)).has_value(); });
    return assign_profiles({.saw_mark = saw_mark, .listed_count = listed_count_}, artefact_.path,
                           builder_);
  }

 private:
  void add_io_tensors() {
    constexpr std::string_view kHead = " Name: ";
    const bool has_profiles = model_.profiles.row_count() > 0;
    const bool has_bindings = model_.bindings.row_count() > 0;
    RecordLine line;
    for (const std::string_view record : split_records(block_.io_tensors, kHead)) {
      if (!line.split(record)) {
        builder_.add_diagnostic(
            {.code = "log-record-broken",
             .message =
                 format("a record of \"I/O Tensors\" breaks off: expected {}", line.expected()),
             .file = artefact_.path,
             .byte_offset = offset_of(record.data() + line.broken_at())});
      }
      const IoTensor tensor = tensor_of(line);
      if (tensor.name.empty()) continue;
      listed_count_ = std::max(listed_count_, static_cast<std::int64_t>(tensor.profiles.size()));
      if (!has_bindings) {
        add_io_binding(tensor, {.file = artefact_.path, .byte_offset = offset_of(record.data())},
                       vocabulary_, builder_);
      }
      if (!has_profiles) add_io_profiles(tensor, artefact_.path, builder_);
    }
  }

  IoTensor tensor_of(const RecordLine& line) {
    IoTensor tensor;
    for (const RecordField& field : line.fields()) {
      if (field.key == "Name") {
        tensor.name = field.value;
      } else if (field.key == "IOMode") {
        tensor.mode = field.value;
      } else if (field.key == "DataType") {
        tensor.dtype = parse_type(field.value);
      } else if (field.key == "Dimensions") {
        tensor.dims = integers(field.value);
      } else if (field.key == "ProfileInfo") {
        read_profiles(line, field, tensor);
      } else {
        tensor.others.push_back({std::string(field.key), kept(field.value)});
      }
    }
    return tensor;
  }

  void read_profiles(const RecordLine& line, const RecordField& list, IoTensor& tensor) {
    for (const RecordObject& object : line.objects_of(list)) {
      IoTensor::Range range;
      for (const RecordField& member : line.fields_of(object)) {
        if (member.key == "MinShape") {
          range.min = integers(member.value);
        } else if (member.key == "OptShape") {
          range.opt = integers(member.value);
        } else if (member.key == "MaxShape") {
          range.max = integers(member.value);
        } else if (member.key == "Format") {
          range.format = kept(member.value);
        } else {
          tensor.others.push_back({format("{}/{}/{}", list.key, tensor.profiles.size(), member.key),
                                   kept(member.value)});
        }
      }
      tensor.profiles.push_back(std::move(range));
    }
  }

  static std::optional<std::vector<std::int64_t>> integers(std::string_view text) {
    std::vector<std::int64_t> values;
    return read_integers(text, values) ? std::optional(std::move(values)) : std::nullopt;
  }
  base::StringId kept(std::string_view text) {
    return builder_.strings().intern(text, Lifetime::kBorrow);
  }
  std::uint64_t offset_of(const char* at) const {
    return static_cast<std::uint64_t>(at - artefact_.bytes->view().data());
  }

  // A program may continue printing right after the list: names after the last known tensor are
  // dropped if tensors are known.
  void add_listed_bindings() {
    std::vector<std::string_view> names = split_lines(block_.bindings);
    if (model_.ports.row_count() > 0) {
      while (!names.empty() && builder_.find_tensor(names.back()).is_null()) names.pop_back();
    }
    for (const std::string_view name : names) builder_.add_binding(name, Direction::kNull);
  }

  // Without a list of bindings, the parser's inputs and outputs are used; a network that no parser
  // made has its inputs where layers read tensors that none writes.
  void add_network_bindings(const NetworkBindings& network) {
    if (model_.ports.row_count() == 0) return;
    const auto add = [&](std::string_view name, Direction direction) {
      if (!builder_.find_tensor(name).is_null()) builder_.add_binding(name, direction);
    };
    for (const std::string_view name : network.inputs) add(name, Direction::kInput);
    for (const std::string_view name : network.outputs) add(name, Direction::kOutput);
    if (model_.bindings.row_count() > 0) return;
    const model::TensorsTable& tensors = model_.tensors;
    for (std::size_t row = 0; row < tensors.row_count(); ++row) {
      const std::string_view name = model_.text(tensors.name[row]);
      if (name.starts_with("(Unnamed Layer*") || profile_mark(name)) continue;
      if (tensors.producers[row] == 0) builder_.add_binding(name, Direction::kInput);
      if (tensors.consumers[row] == 0) builder_.add_binding(name, Direction::kOutput);
    }
    builder_.add_diagnostic(
        {.code = "bindings-guessed",
         .severity = Severity::kInfo,
         .message = "the log does not list the engine's inputs and outputs: tensors that are read "
                    "but not written, or written but not read, are shown instead",
         .file = artefact_.path});
  }

  void add_engine_metadata() {
    for (const std::string_view line : split_lines(block_.engine_metadata)) {
      const std::size_t colon = std::min(line.find(':'), line.size());
      builder_.add_metadata("engine metadata", base::trimmed(line.substr(0, colon)),
                            base::trimmed(line.substr(std::min(colon + 1, line.size()))),
                            artefact_.path);
    }
  }

  const Artefact& artefact_;
  const LayerBlock& block_;
  model::ModelBuilder& builder_;
  model::PlanModel& model_;
  Vocabulary vocabulary_;
  // The number of optimization profiles for which inputs and outputs list shapes.
  std::int64_t listed_count_ = 0;
};

}  // namespace

Result<void> add_engine_tensors(const Artefact& artefact, const LayerBlock& block, LayersFrom from,
                                const NetworkBindings& network, model::ModelBuilder& builder) {
  return EngineTensors(artefact, block, builder).add(from, network);
}

}  // namespace planex::ingest::tensorrt
