#include "ingest/discover/producers.h"

#include "base/text.h"

namespace planex::ingest {
namespace {

using base::format;

std::string_view producer_name(const ReaderInfo& reader) {
  if (reader.importer == "tensorrt" || reader.importer == "trex") return "TensorRT";
  if (reader.importer == "openvino") return "OpenVINO";
  if (reader.importer == "onnxruntime") return "ONNX Runtime";
  if (reader.importer == "olive") return "Olive";
  return reader.importer;
}

}  // namespace

bool fits(const ReaderInfo& reader, const ReaderInfo& graph) {
  return reader.importer == graph.importer || reader.part == Part::kSource ||
         reader.importer == "planex" ||
         (graph.importer == "tensorrt" &&
          (reader.importer == "trex" || reader.part == Part::kKernels)) ||
         (graph.importer == "planex" && reader.part == Part::kKernels);
}

bool is_of_other_producer(const ReaderInfo& reader, const ReaderInfo& graph) {
  const bool is_measured =
      reader.part == Part::kProfile || reader.part == Part::kTimes || reader.part == Part::kLog;
  return is_measured && graph.importer != "planex" && !fits(reader, graph);
}

std::string why_left_out(const ReaderInfo& reader, const ReaderInfo& graph) {
  return format("left out: it is from {}, but the engine is from {}", producer_name(reader),
                producer_name(graph));
}

model::DiagnosticFacts left_to_other_producer(const std::string& path, const ReaderInfo& reader,
                                              const ReaderInfo& graph) {
  return {.code = "other-producer",
          .severity = model::Severity::kInfo,
          .message = format("the {} was left out: it is from {}, but the layers are from {}",
                            reader.label, producer_name(reader), producer_name(graph)),
          .file = path};
}

Error other_producer_error(const std::string& path, const ReaderInfo& reader,
                           const std::string& graph_path, const ReaderInfo& graph) {
  return {.code = ErrorCode::kBadInput,
          .message = format("{} from {}, but the engine is from {}: its times belong to another "
                            "engine",
                            reader.label, producer_name(reader), producer_name(graph)),
          .file = path,
          .hint = format("`planex compare {} {}` shows both side by side",
                         base::shell_word(graph_path), base::shell_word(path))};
}

}  // namespace planex::ingest
