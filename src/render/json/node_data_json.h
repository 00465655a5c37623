// Node data of Model Explorer: a value and a colour for each node, to lay over a graph.
//
// Format: https://github.com/google-ai-edge/model-explorer/wiki, "Custom node data", and
// node_data_builder.py of its Python package.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "planex/error.h"
#include "render/words/document_sink.h"

namespace planex::render {

struct NodeDatum {
  std::string node;
  std::variant<double, std::string> value;
  std::string_view colour;  // "#RRGGBB"; empty: by the value, between the minimum and the maximum
};

struct NodeDataGraph {
  std::string id;
  std::vector<NodeDatum> nodes;
};

struct NodeData {
  std::string name;
  // A value appears on several nodes: the viewer must not show sums of it.
  bool sums_mislead = false;
  std::vector<NodeDataGraph> graphs;
};

// Errors: those of `sink`.
Result<void> write_node_data(const NodeData& data, const DocumentSink& sink);

}  // namespace planex::render
