#include "ingest/discover/registry.h"

#include <algorithm>
#include <utility>

#include "ingest/nsight/nsight_reader.h"
#include "ingest/olive/footprint_reader.h"
#include "ingest/onnx/onnx_reader.h"
#include "ingest/onnxruntime/placement_log_reader.h"
#include "ingest/onnxruntime/trace_reader.h"
#include "ingest/openvino/benchmark_log_reader.h"
#include "ingest/openvino/counters_reader.h"
#include "ingest/openvino/exec_graph_reader.h"
#include "ingest/openvino/graph_reader.h"
#include "ingest/openvino/profile_reader.h"
#include "ingest/openvino/report_reader.h"
#include "ingest/planex/accuracy_reader.h"
#include "ingest/planex/machine_reader.h"
#include "ingest/planex/manifest_reader.h"
#include "ingest/planex/plan_reader.h"
#include "ingest/planex/quantize_reader.h"
#include "ingest/planex/search_reader.h"
#include "ingest/planex/sweep_run_reader.h"
#include "ingest/planex/times_reader.h"
#include "ingest/polygraphy/engine_text_reader.h"
#include "ingest/tensorrt/appended_documents.h"
#include "ingest/tensorrt/foreign_nodes.h"
#include "ingest/tensorrt/graph_reader.h"
#include "ingest/tensorrt/log/log_reader.h"
#include "ingest/tensorrt/metadata_reader.h"
#include "ingest/tensorrt/name_kinds.h"
#include "ingest/tensorrt/profile_reader.h"
#include "ingest/tensorrt/samples_reader.h"
#include "ingest/tensorrt/times_reader.h"
#include "ingest/tensorrt/torch_trace_reader.h"
#include "ingest/tensorrt/tuning_cache_reader.h"
#include "ingest/trex/archive_config_reader.h"

namespace planex::ingest {
namespace {

// If two readers are equally sure of a file, the first one gets it: a plan may contain any other
// file's words in its metadata.
constexpr ReaderInfo kReaders[] = {
    {"planex-plan", "planex", "engine description", Part::kGraph, 6, planex_files::sniff_plan,
     nullptr, planex_files::read_plan},
    {"tensorrt-graph", "tensorrt", "layer information", Part::kGraph, 5, tensorrt::sniff_graph,
     nullptr, tensorrt::read_graph},
    {"tensorrt-profile", "tensorrt", "per-layer times", Part::kProfile, 1, tensorrt::sniff_profile,
     nullptr, tensorrt::read_profile, nullptr, tensorrt::profile_documents},
    {"tensorrt-samples", "tensorrt", "per-layer samples", Part::kProfile, 1,
     tensorrt::sniff_samples, nullptr, tensorrt::read_samples},
    {"torch-tensorrt-trace", "tensorrt", "per-layer times", Part::kProfile, 1,
     tensorrt::sniff_torch_trace, nullptr, tensorrt::read_torch_trace},
    {"tensorrt-times", "tensorrt", "times of inferences", Part::kTimes, 0, tensorrt::sniff_times,
     nullptr, tensorrt::read_times, nullptr, tensorrt::times_documents},
    {"trex-metadata", "trex", "options and device", Part::kMetadata, 0, tensorrt::sniff_metadata,
     nullptr, tensorrt::read_metadata},
    {"tensorrt-tuning-cache", "tensorrt", "search over build routes", Part::kMetadata, 1,
     tensorrt::sniff_tuning_cache, nullptr, tensorrt::read_tuning_cache},
    {"olive-footprint", "olive", "search by Olive", Part::kMetadata, 1, olive::sniff_footprint,
     nullptr, olive::read_footprint},
    // Its lines begin like those of TensorRT's own logs.
    {"polygraphy-engine-text", "tensorrt", "text of polygraphy inspect model", Part::kGraph, 5,
     polygraphy::sniff_engine_text, nullptr, polygraphy::read_engine_text},
    // Logs of its TensorRT provider contain TensorRT's own messages.
    {"onnxruntime-log", "onnxruntime", "session log", Part::kLog, 2,
     onnxruntime::sniff_placement_log, nullptr, onnxruntime::read_placement_log},
    {"tensorrt-log", "tensorrt", "log", Part::kLog, 4, tensorrt::sniff_log, tensorrt::logged_runs,
     tensorrt::read_log, tensorrt::measured_runs},
    {"openvino-graph", "openvino", "execution graph", Part::kGraph, 5, openvino::sniff_graph,
     nullptr, openvino::read_graph},
    {"openvino-profile", "openvino", "per-layer times", Part::kProfile, 0, openvino::sniff_profile,
     nullptr, openvino::read_profile},
    {"planex-times", "planex", "times of inferences", Part::kTimes, 0, planex_files::sniff_times,
     nullptr, planex_files::read_times},
    {"planex-manifest", "planex", "how it was made", Part::kMetadata, 0,
     planex_files::sniff_manifest, nullptr, planex_files::read_manifest},
    {"planex-machine", "planex", "state of the machine", Part::kMetadata, 0,
     planex_files::sniff_machine, nullptr, planex_files::read_machine},
    {"planex-quantize", "planex", "record of quantizing", Part::kAccuracy, 0,
     planex_files::sniff_quantize, nullptr, planex_files::read_quantize},
    {"planex-accuracy", "planex", "accuracy layer by layer", Part::kAccuracy, 0,
     planex_files::sniff_accuracy, nullptr, planex_files::read_accuracy},
    {"planex-search", "planex", "record of a search", Part::kAccuracy, 0,
     planex_files::sniff_search, nullptr, planex_files::read_search},
    {"planex-sweep-run", "planex", "run of a sweep", Part::kMetadata, 0, planex_files::sniff_run,
     nullptr, planex_files::read_run},
    {"openvino-exec-graph", "openvino", "execution graph", Part::kGraph, 5,
     openvino::sniff_exec_graph, nullptr, openvino::read_exec_graph},
    {"openvino-counters", "openvino", "per-layer times", Part::kProfile, 3,
     openvino::sniff_counters, nullptr, openvino::read_counters},
    {"openvino-report", "openvino", "benchmark report", Part::kMetadata, 0, openvino::sniff_report,
     nullptr, openvino::read_report},
    {"openvino-counters-log", "openvino", "benchmark log with layer times", Part::kLog, 2,
     openvino::sniff_counters_log, nullptr, openvino::read_benchmark_log, nullptr, nullptr, true},
    {"openvino-log", "openvino", "benchmark log", Part::kLog, 1, openvino::sniff_benchmark_log,
     nullptr, openvino::read_benchmark_log, nullptr, nullptr, true},
    {"onnxruntime-trace", "onnxruntime", "profile trace", Part::kGraph, 5, onnxruntime::sniff_trace,
     nullptr, onnxruntime::read_trace},
    {"trex-archive-config", "trex", "engine and build options", Part::kMetadata, 1,
     trex::sniff_archive_config, nullptr, trex::read_archive_config},
    {"nsight-export", "nsight", "trace of Nsight Systems", Part::kKernels, 0, nsight::sniff_export,
     nullptr, nsight::read_export},
    {"onnx", "onnx", "source model", Part::kSource, 0, onnx::sniff_model, nullptr,
     onnx::read_model},
};

}  // namespace

std::span<const ReaderInfo> readers() { return kReaders; }

const ReaderInfo* sniff(std::string_view head) {
  const ReaderInfo* best = nullptr;
  Confidence best_confidence = Confidence::kNo;
  for (const ReaderInfo& reader : kReaders) {
    if (best_confidence == Confidence::kSure) break;
    const Confidence confidence = reader.sniff(head);
    if (confidence > best_confidence) {
      best = &reader;
      best_confidence = confidence;
    }
  }
  return best;
}

bool is_undecided(std::string_view head) { return nsight::may_be_export(head); }

const ReaderInfo* sniff_whole(std::shared_ptr<const base::Bytes> bytes) {
  if (!nsight::is_export(std::move(bytes))) return nullptr;
  return std::ranges::find(kReaders, std::string_view("nsight-export"), &ReaderInfo::id);
}

void complete_names(model::ModelBuilder& builder) {
  const std::string_view producer = builder.model().text(builder.model().engine.producer[0]);
  if (!producer.starts_with("tensorrt")) return;
  tensorrt::set_kinds_of_names(builder);
  tensorrt::add_operations_between(builder);
}

}  // namespace planex::ingest
