// Maps the names that producers give to a model's nodes to these nodes, and back.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "onnx/model.h"

namespace planex::onnx {

class NodeNames {
 public:
  explicit NodeNames(const Model& model);
  // The paths are pointed at.
  NodeNames(const NodeNames&) = delete;
  NodeNames& operator=(const NodeNames&) = delete;

  // The node that a producer means, or kNoIndex: by its name; TensorRT's "name | subgraph path" and
  // "node_of_TENSOR"; the name of a tensor that it writes (OpenVINO, for nodes without names); what
  // ONNX Runtime makes of such a tensor's name when it changes the layout ("TENSOR_nchwc"); or a
  // name that was added. Nodes of the main graph take precedence.
  Index find(std::string_view name) const;

  // Makes `name`, which must live as long as this, refer to `node`.
  void tell(std::string_view name, Index node);

  // The node's name; where it has none, what producers call it; empty where none does.
  std::string_view name_of(Index node) const;

  // The path of a graph, as TensorRT writes it: "then (then_branch) | myif (If)", the outermost
  // last and cut where it gets long; "domain::name (function)". Empty for the main graph.
  std::string_view path_of(Index graph) const { return paths_[graph]; }

 private:
  struct Place {
    Index graph;
    std::string_view name;
    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    std::size_t operator()(const Place& place) const {
      return std::hash<std::string_view>()(place.name) ^ (place.graph * std::size_t{0x9E37'79B9});
    }
  };
  using Nodes = std::unordered_map<std::string_view, Index>;

  void make_paths();
  static Index in(const Nodes& nodes, std::string_view name);

  const Model& model_;
  std::vector<std::string> paths_;  // by graph
  Nodes graph_by_path_, by_name_, by_output_, told_;
  std::unordered_map<Place, Index, PlaceHash> by_place_;  // of subgraphs
  std::unordered_map<Index, std::string_view> name_told_;
};

}  // namespace planex::onnx
