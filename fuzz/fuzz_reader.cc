#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "fuzz_model.h"
#include "fuzz_targets.h"
#include "model/builder.h"
#include "onnx/read.h"

namespace planex::fuzz {
namespace {

// What is in the model already when the file is read.
enum class Before : std::uint8_t {
  kNothing,
  kLayers,        // of an engine that the file may be about, or not
  kTraceOfModel,  // the layers that ONNX Runtime makes of the input, a model
};

void add_some_layers(model::ModelBuilder& builder) {
  // To join: times, twice the same name, and one that needs an escape in JSON.
  for (const std::string_view name : {"a", "b", "a", "conv1", "x\"y"}) {
    const model::LayerId layer = builder.add_layer(builder.strings().add(name));
    const std::array<std::int64_t, 4> dims = {1, 2, 3, 4};
    builder.add_port(layer, model::Direction::kInput,
                     {.tensor = "in", .dims = dims, .dtype = model::DType::kFp32});
    builder.add_port(layer, model::Direction::kOutput,
                     {.tensor = name, .dims = dims, .dtype = model::DType::kFp16});
    builder.add_source(layer, name, {}, model::Evidence::kName);
  }
}

void add_layers_of_model(std::string_view input, model::ModelBuilder& builder) {
  constexpr std::size_t kMaxLayers = 100;
  const auto source = onnx::read_model(input);
  builder.model().engine.producer.set(0, builder.strings().intern("onnxruntime"));
  if (!source) return;
  for (std::size_t i = 0; i < source->nodes.size() && i < kMaxLayers; ++i) {
    const onnx::Node& node = source->nodes[i];
    const model::LayerId layer = builder.add_layer(builder.strings().add(node.name));
    builder.model().layers.raw_type.set(layer.index(), builder.strings().add(node.op_type));
    const std::array<std::int64_t, 2> dims = {1, static_cast<std::int64_t>(i)};
    for (const model::Direction direction : {model::Direction::kInput, model::Direction::kOutput}) {
      builder.add_port(layer, direction, {.tensor = {}, .dims = dims});
    }
    builder.add_source(layer, node.name, node.op_type, model::Evidence::kName);
  }
}

std::string read(const ingest::ReaderInfo& reader, std::string_view input, Before before,
                 const model::BuilderLimits& limits = {}) {
  model::ModelBuilder builder(limits);
  ingest::Artefact artefact{.path = "input", .bytes = base::make_bytes(input)};
  artefact.is_build_only = before == Before::kLayers;
  artefact.is_engine = before == Before::kNothing;
  artefact.file_row = builder.add_file("input", reader.id, "fuzzed", input.size());
  if (before == Before::kLayers) add_some_layers(builder);
  if (before == Before::kTraceOfModel) add_layers_of_model(input, builder);
  const auto done = reader.read(artefact, builder);
  artefact.bytes.reset();  // the model keeps what it borrows
  if (const auto limit = builder.exceeded_limit("input")) return check(*limit);
  return done ? use(builder.finish()) : check(done.error());
}

}  // namespace

std::string run_reader(const ingest::ReaderInfo& reader, std::string_view input) {
  const std::string_view head = input.substr(0, ingest::kSniffBytes);
  (void)reader.sniff(head);
  if (reader.runs != nullptr) {
    (void)reader.runs(head);
    (void)reader.runs(input);
  }
  const bool can_stand_alone = reader.part == ingest::Part::kGraph ||
                               reader.part == ingest::Part::kSource || reader.engine_rank > 0;
  std::string wrong;
  if (can_stand_alone) wrong = read(reader, input, Before::kNothing);
  // The limits of the model, where a small file can reach them.
  const model::BuilderLimits few = {.layers = 3, .ports = 5, .iterations = 4};
  if (wrong.empty()) wrong = read(reader, input, Before::kNothing, few);
  if (wrong.empty() && reader.part != ingest::Part::kGraph) {
    wrong = read(reader, input, Before::kLayers);
  }
  if (wrong.empty() && reader.part == ingest::Part::kSource) {
    wrong = read(reader, input, Before::kTraceOfModel);
  }
  return wrong;
}

}  // namespace planex::fuzz
