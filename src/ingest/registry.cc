#include "ingest/registry.h"

#include "ingest/openvino/graph_reader.h"
#include "ingest/openvino/profile_reader.h"
#include "ingest/planex/manifest_reader.h"
#include "ingest/planex/times_reader.h"
#include "ingest/tensorrt/graph_reader.h"
#include "ingest/tensorrt/metadata_reader.h"
#include "ingest/tensorrt/profile_reader.h"
#include "ingest/tensorrt/times_reader.h"

namespace planex::ingest {
namespace {

constexpr ReaderInfo kReaders[] = {
    {"tensorrt-graph", "tensorrt", "layer information", Part::kGraph, tensorrt::sniff_graph,
     tensorrt::read_graph},
    {"tensorrt-profile", "tensorrt", "per-layer times", Part::kProfile, tensorrt::sniff_profile,
     tensorrt::read_profile},
    {"tensorrt-samples", "tensorrt", "per-layer samples", Part::kProfile, tensorrt::sniff_samples,
     tensorrt::read_samples},
    {"tensorrt-times", "tensorrt", "times of inferences", Part::kTimes, tensorrt::sniff_times,
     tensorrt::read_times},
    {"trex-metadata", "trex", "options and device", Part::kMetadata, tensorrt::sniff_metadata,
     tensorrt::read_metadata},
    {"openvino-graph", "openvino", "execution graph", Part::kGraph, openvino::sniff_graph,
     openvino::read_graph},
    {"openvino-profile", "openvino", "per-layer times", Part::kProfile, openvino::sniff_profile,
     openvino::read_profile},
    {"planex-times", "planex", "times of inferences", Part::kTimes, planex_files::sniff_times,
     planex_files::read_times},
    {"planex-manifest", "planex", "how it was made", Part::kMetadata, planex_files::sniff_manifest,
     planex_files::read_manifest},
};

}  // namespace

std::span<const ReaderInfo> readers() { return kReaders; }

const ReaderInfo* sniff(std::string_view head) {
  const ReaderInfo* best = nullptr;
  Confidence best_confidence = Confidence::kNo;
  for (const ReaderInfo& reader : kReaders) {
    const Confidence confidence = reader.sniff(head);
    if (confidence > best_confidence) {
      best = &reader;
      best_confidence = confidence;
    }
  }
  return best;
}

}  // namespace planex::ingest
