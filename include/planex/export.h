// Engines in forms that other tools read. See Session::export_as.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planex/options.h"
#include "planex/visibility.h"

namespace planex {

enum class ExportFormat : std::uint8_t {
  kPlan,       // planex.plan/1: the whole engine as JSON, which planex reads back
  kCsv,        // one table
  kJsonLines,  // one table, one object per line
  kXlsx,       // a workbook with tables and charts
  kTrace,      // one inference in Chrome's Trace Event Format, for Perfetto
  kOnnx,       // a graph with times and layers in it, for Netron and Model Explorer
  kNodeData,   // numbers to overlay on such a graph in Model Explorer
};

// The time of a layer. kBest: medians where every timed layer has one, else means.
enum class ExportTime : std::uint8_t { kBest, kMedian, kMean };

// What the nodes of an ONNX graph are. kBest: operations where the source model is known.
enum class ExportNodes : std::uint8_t { kBest, kLayers, kOperations };

// The value of a node in node data.
enum class ExportValue : std::uint8_t {
  kTime,       // its part of the time of the layers that compute it, ms; the parts add up
  kLayerTime,  // the whole time of these layers, ms; nodes of one layer have the same value
  kShare,      // kTime as a percentage of the sum of layer times
  kPrecision,  // the precision of its layer, a word
};

// clang-format off
#define PLANEX_EXPORT_OPTIONS(OPTION)                                                             \
  OPTION(ExportFormat, format, ExportFormat::kPlan, "format", "FORMAT",                           \
         "plan (planex reads it back), trace (Perfetto), onnx (Netron), … [plan]",                \
         .for_programs = true)                                                                    \
  OPTION(std::string, table, "layers", "table", "TABLE",                                          \
         "csv, jsonl, parquet, arrow: a table as in `planex query` [layers; for a "               \
         "folder, all]",                                                                          \
         .for_programs = true)                                                                    \
  OPTION(ExportTime, time, ExportTime::kBest, "basis", "TIME",                                    \
         "trace, onnx, node-data: which layer time; best: medians if all layers have one")        \
  OPTION(ExportNodes, nodes, ExportNodes::kBest, "nodes", "NODES",                                \
         "onnx, node-data: layers or operations of the model; best: operations if the "           \
         "ONNX model is available")                                                               \
  OPTION(ExportValue, value, ExportValue::kTime, "value", "VALUE",                                \
         "node-data: the value; time: the node's part of its layers' time")
// clang-format on

struct ExportRequest {
  PLANEX_EXPORT_OPTIONS(PLANEX_MEMBER)
};

// The names of the tables of a session, as in SQL: those of the schema, and work_layers.
PLANEX_EXPORT std::vector<std::string> export_tables();

}  // namespace planex
