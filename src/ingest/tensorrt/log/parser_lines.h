// What the ONNX parser reports about the source model: nodes, their types, tensors and shapes,
// parameters of convolutions. Fills `operations` and `operation_ports`. Also puts the steps of the
// graph optimizer into `metadata`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ingest/reader.h"
#include "ingest/tensorrt/log/log_lines.h"

namespace planex::ingest::tensorrt {

class ParserLines {
 public:
  ParserLines(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder), log_(artefact.bytes->view()) {}

  // Whether take() may consume a verbose line that begins like this, except lines of nodes, which
  // begin with any name: a cheap check, for filtering lines.
  static bool wants(std::string_view text);

  // Whether the next verbose line may list a node's inputs or outputs.
  bool waits_for_ports() const { return !open_.empty(); }

  // Consumes a line if it is of this kind, and returns whether it did.
  bool take(const LogLine& line);
  // After the last line. Errors: none so far.
  Result<void> finish();

 private:
  // In the log's format; parsed when all lines are in.
  struct Node {
    std::string_view name, type;
    std::string_view inputs, outputs;
    std::string_view parameters;  // "kernel: (3, 3), strides: …"
    base::StringId subgraph;
  };
  struct OpenNode {
    std::size_t index = 0;
    // Path of the subgraphs that the node contains, if any.
    base::StringId path;
  };
  struct Step {
    std::string_view key, value;
  };

  // The whole message, which is consumed.
  std::string_view take_message(const LogLine& line);
  bool take_node(const LogLine& line);
  bool take_ports(const LogLine& line);
  bool take_step(const LogLine& line);
  bool take_attention(const LogLine& line);
  void start_model();
  base::StringId innermost_path() const;
  void add_node(const Node& node);
  void add_ports(model::OperationId operation, model::Direction direction, std::string_view text);
  void add_step(std::string_view key, std::string_view value);
  void report_broken(std::string_view at);

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  std::string_view log_;
  std::uint64_t taken_until_ = 0;
  std::vector<Node> nodes_;
  // Nodes whose outputs are still pending, the innermost last: a subgraph's nodes come in between.
  std::vector<OpenNode> open_;
  std::unordered_set<std::string_view> initializers_;
  std::size_t model_count_ = 0;
  std::vector<Step> steps_;
};

}  // namespace planex::ingest::tensorrt
