// Engines in forms that other tools read. See Session::export_as.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planex/visibility.h"

namespace planex {

enum class ExportFormat : std::uint8_t {
  kPlan,       // planex.plan/1: the whole engine as JSON, which planex reads back
  kCsv,        // one table
  kJsonLines,  // one table, an object a line
  kXlsx,       // a workbook with tables and charts
  kTrace,      // one inference in Chrome's Trace Event Format, for Perfetto
  kOnnx,       // a graph with times and layers in it, for Netron and Model Explorer
  kNodeData,   // numbers to lay over such a graph in Model Explorer
};

// The time of a layer. kBest: medians where every timed layer has one, else means.
enum class ExportTime : std::uint8_t { kBest, kMedian, kMean };

// What the nodes of an ONNX graph are. kBest: operations where the source model is known.
enum class ExportNodes : std::uint8_t { kBest, kLayers, kOperations };

// What node data tells of a node.
enum class ExportValue : std::uint8_t {
  kTime,       // its part of the time of the layers that compute it, ms; the parts add up
  kLayerTime,  // the whole time of these layers, ms; nodes of one layer have the same
  kShare,      // kTime of the sum of layer times, in per cent
  kPrecision,  // the precision of its layer, a word
};

struct ExportRequest {
  ExportFormat format = ExportFormat::kPlan;
  // kCsv, kJsonLines: a name out of export_tables().
  std::string table = "layers";
  // kTrace, kOnnx, kNodeData.
  ExportTime time = ExportTime::kBest;
  ExportNodes nodes = ExportNodes::kBest;
  // kNodeData.
  ExportValue value = ExportValue::kTime;
};

// The tables of a session by name, as SQL has them: those of the schema, and work_layers.
PLANEX_EXPORT std::vector<std::string> export_tables();

}  // namespace planex
