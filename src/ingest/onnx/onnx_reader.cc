#include "ingest/onnx/onnx_reader.h"

#include <map>
#include <set>
#include <string>

#include "base/text.h"
#include "base/try.h"
#include "base/utf8.h"
#include "ingest/onnx/known_tensors.h"
#include "ingest/onnx/model_layers.h"
#include "ingest/onnx/operations.h"
#include "ingest/onnx/origins.h"
#include "ingest/onnx/runtime_ports.h"
#include "onnx/likeness.h"
#include "onnx/node_names.h"
#include "onnx/read.h"

namespace planex::ingest::onnx {
namespace {

using base::format;
using model::Severity;
using planex::onnx::Index;
using planex::onnx::kNoIndex;
using planex::onnx::Model;

constexpr std::string_view kSection = "source model";

class ModelReader {
 public:
  ModelReader(const Artefact& artefact, model::ModelBuilder& builder, const Model& source)
      : artefact_(artefact), builder_(builder), source_(source), tensors_(source), names_(source) {}

  // For the model that another one was made from, which was read before.
  void read_origin() {
    const std::size_t count = add_origins(source_, names_, builder_);
    builder_.model().files.record_count.set(artefact_.file_row,
                                            static_cast<std::int64_t>(source_.nodes.size()));
    builder_.model().files.joined_count.set(artefact_.file_row, static_cast<std::int64_t>(count));
    if (count > 0 || builder_.model().layers.row_count() == 0) return;
    report("source-model-mismatch", Severity::kWarning,
           "no layer writes a tensor of this model: it may belong to another engine, and none of "
           "its nodes is assigned to a layer");
  }

  // For a model that no engine was compiled from.
  void read_alone() {
    ModelLayers layers(artefact_.bytes->view(), source_, tensors_, builder_);
    layers.add(names_);
    add_operations(source_, tensors_, names_, builder_);
    layers.complete_operations();
    report_assumptions(layers);
    report_tensors();
    add_facts();
    const auto count = static_cast<std::int64_t>(source_.nodes.size());
    builder_.model().files.record_count.set(artefact_.file_row, count);
    builder_.model().files.joined_count.set(artefact_.file_row, count);
  }

  void read() {
    if (builder_.model().text(builder_.model().engine.producer[0]) == "onnxruntime") {
      take_runtime_names();
    }
    resolve_sources();
    const OperationCounts counts = add_operations(source_, tensors_, names_, builder_);
    report_operations(counts);
    report_tensors();
    add_facts();
    builder_.model().files.record_count.set(artefact_.file_row,
                                            static_cast<std::int64_t>(source_.nodes.size()));
  }

 private:
  void report(std::string_view code, Severity severity, std::string message,
              std::optional<std::uint64_t> byte_offset = std::nullopt) {
    builder_.add_diagnostic({.code = code,
                             .severity = severity,
                             .message = std::move(message),
                             .file = artefact_.path,
                             .byte_offset = byte_offset});
  }

  void take_runtime_names() {
    const RuntimePorts found = take_tensor_names(source_, tensors_, names_, builder_);
    if (found.is_optimised_model || builder_.model().layers.row_count() == 0) return;
    report(
        "model-not-optimized", Severity::kInfo,
        format("{} of the trace, such as {}, {} not in this model, so it is not the one that ONNX "
               "Runtime ran: layers have no tensor names and are not connected. Set "
               "SessionOptions.optimized_model_filepath to save the right one",
               base::counted(found.missing_count, "layer"),
               base::quoted(builder_.model().text(found.example)),
               found.missing_count == 1 ? "is" : "are"));
  }

  // Layers name their source operations; the model knows the types of those.
  void resolve_sources() {
    model::SourcesTable& sources = builder_.model().sources;
    std::size_t found_count = 0, missing_count = 0;
    std::string_view example;
    std::set<base::StringId> seen;  // of the missing ones
    for (std::size_t row = 0; row < sources.row_count(); ++row) {
      const std::string_view name = builder_.model().text(sources.op_name[row]);
      const Index node = names_.find(name);
      if (node == kNoIndex) {
        // Names of fused layers also list the weights.
        if (tensors_.find(0, name) != nullptr) {
          ++found_count;
        } else if (seen.insert(builder_.strings().intern(name, base::Lifetime::kBorrow)).second) {
          if (missing_count++ == 0) example = name;
        }
        continue;
      }
      ++found_count;
      if (names_.name_of(node).empty()) names_.tell(name, node);
      if (!sources.op_type.is_null(row)) continue;
      const std::string_view type = source_.nodes[node].op_type;
      sources.op_type.set(row, builder_.strings().intern(base::valid_utf8(type)));
    }
    builder_.model().files.joined_count.set(artefact_.file_row,
                                            static_cast<std::int64_t>(found_count));
    if (missing_count == 0) return;
    if (found_count == 0) {
      report(
          "source-model-mismatch", Severity::kWarning,
          format("none of the {} that layers come from is in this model, for instance {}: it may "
                 "belong to another engine, and none of its nodes is assigned to a layer",
                 base::counted(missing_count, "operation"), base::quoted(example)));
    } else {
      report("source-not-in-model", Severity::kInfo,
             format("{} that layers come from {} not in this model, for instance {}",
                    base::counted(missing_count, "operation"), missing_count == 1 ? "is" : "are",
                    base::quoted(example)));
    }
  }

  void report_operations(const OperationCounts& counts) {
    if (counts.merged + counts.unmatched == 0) return;
    std::string message =
        counts.merged == 1
            ? std::string("1 operation was known from another file and was completed")
            : format("{} operations were known from another file and were completed",
                     counts.merged);
    if (counts.added > 0) {
      message += format("; {} {} added", counts.added, counts.added == 1 ? "was" : "were");
    }
    if (counts.unmatched > 0) {
      message += format("; {} of the other file {} of this model", counts.unmatched,
                        counts.unmatched == 1 ? "is not a node" : "are not nodes");
    }
    report("operations-merged", counts.merged == 0 ? Severity::kWarning : Severity::kInfo,
           std::move(message));
  }

  void report_assumptions(const ModelLayers& layers) {
    if (layers.is_batch_assumed()) {
      report("batch-assumed", Severity::kWarning,
             "the first dimension of the inputs is dynamic: shapes, sizes and work are shown for a "
             "batch of 1");
    }
    if (const auto& open = layers.shapes().open_inputs(); !open.empty()) {
      report("open-inputs", Severity::kWarning,
             format("{}, for instance {}, {} open what shape {} has: shapes and work that depend "
                    "on it are not known",
                    base::counted(open.size(), "input"), base::quoted(open.front()),
                    open.size() == 1 ? "leaves" : "leave", open.size() == 1 ? "it" : "they"));
    }
    if (layers.call_count() > 0) {
      report("function-calls", Severity::kInfo,
             format("{} {} a function of the model: its content is not counted as work",
                    base::counted(layers.call_count(), "layer"),
                    layers.call_count() == 1 ? "calls" : "call"));
    }
  }

  void report_tensors() {
    for (const auto& [type, count] : tensors_.unknown_types()) {
      const std::string_view name = to_string(type);
      report("unknown-type", Severity::kInfo,
             format("{} of type {} {} shown without a type; sizes of weights are still known",
                    base::counted(count, "tensor"),
                    name.empty() ? format("number {}", static_cast<std::int32_t>(type))
                                 : std::string(name),
                    count == 1 ? "is" : "are"));
    }
    if (const auto* tensor = tensors_.first_wrong_size()) {
      report(
          "weight-size", Severity::kWarning,
          format("the data of {}, for instance {}, does not have the length that type and dims "
                 "imply; their sizes are left out",
                 base::counted(tensors_.wrong_size_count(), "weight"), base::quoted(tensor->name)),
          tensor->byte_offset);
    }
  }

  void add_fact(std::string_view key, std::string_view value) {
    // Tools put whole configurations into a model's properties.
    constexpr std::size_t kMaxBytes = 4096;
    std::string text = base::valid_utf8(value.substr(0, kMaxBytes));
    if (value.size() > kMaxBytes) text += format("… ({} bytes)", value.size());
    builder_.add_metadata(kSection, base::valid_utf8(key.substr(0, kMaxBytes)), text,
                          artefact_.path);
  }
  void add_fact_if(std::string_view key, std::string_view value) {
    if (!value.empty()) add_fact(key, value);
  }

  void add_facts() {
    add_fact("file", base::file_name_of(artefact_.path));
    add_fact("ir_version", format("{}", source_.ir_version));
    for (const auto& opset : source_.opsets) {
      const bool own = planex::onnx::is_default_domain(opset.domain);
      add_fact(format("opset {}", own ? "ai.onnx" : opset.domain), format("{}", opset.version));
    }
    add_fact_if("producer", source_.producer_name);
    add_fact_if("producer_version", source_.producer_version);
    add_fact_if("domain", source_.domain);
    if (source_.model_version != 0) add_fact("model_version", format("{}", source_.model_version));
    add_fact_if("graph", source_.graphs.front().name);
    add_fact("nodes", format("{}", source_.nodes.size()));
    const std::size_t subgraphs = source_.graphs.size() - 1 - source_.functions.size();
    if (subgraphs > 0) add_fact("subgraphs", format("{}", subgraphs));
    if (!source_.functions.empty()) add_fact("functions", format("{}", source_.functions.size()));
    add_fact("weights", format("{}", tensors_.weight_count()));
    if (const auto bytes = tensors_.weight_bytes()) {
      add_fact("weight_bytes", format("{}", *bytes));
    }
    if (source_.has_training) add_fact("training_info", "yes");
    add_external_files();
    for (const auto& property : source_.properties) add_fact(property.key, property.value);
  }

  void add_external_files() {
    std::set<std::string_view> files;
    constexpr std::size_t kMaxFiles = 100;  // one file per tensor is possible
    for (const auto& tensor : source_.tensors) {
      if (tensor.storage != planex::onnx::Storage::kExternal) continue;
      if (files.size() < kMaxFiles) files.insert(tensor.location);
    }
    for (const std::string_view file : files) add_fact("external_data", file);
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  const Model& source_;
  KnownTensors tensors_;
  planex::onnx::NodeNames names_;
};

}  // namespace

Confidence sniff_model(std::string_view head) {
  switch (planex::onnx::likeness(head)) {
    case planex::onnx::Likeness::kStrong:
      return Confidence::kSure;
    case planex::onnx::Likeness::kSome:
      return Confidence::kMaybe;
    case planex::onnx::Likeness::kNone:
      break;
  }
  return Confidence::kNo;
}

Result<void> read_model(const Artefact& artefact, model::ModelBuilder& builder) {
  auto source = planex::onnx::read_model(artefact.bytes->view());
  if (!source) {
    Error error = std::move(source).error();
    error.file = artefact.path;
    return fail(std::move(error));
  }
  builder.keep(artefact.bytes);
  ModelReader reader(artefact, builder, *source);
  if (builder.model().source_model != nullptr) {
    reader.read_origin();
    return {};
  }
  builder.model().source_model = artefact.bytes;
  if (artefact.is_engine) {
    reader.read_alone();
  } else {
    reader.read();
  }
  return {};
}

}  // namespace planex::ingest::onnx
