#include "ingest/registry.h"

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
