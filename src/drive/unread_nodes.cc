#include "drive/unread_nodes.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/text.h"

namespace planex::drive {
namespace {

using base::counted;
using base::format;
using base::quoted;

// Messages of OpenVINO 2026.4.
constexpr std::string_view kUnknown = "No conversion rule found for operations:";
constexpr std::string_view kAtNode = "While validating ONNX node '";
constexpr std::string_view kWhileValidating = "While validating ";
constexpr std::string_view kCheck = "Check '";

constexpr std::size_t kMaxOperations = 4, kMaxNodes = 3;
constexpr std::size_t kLongestName = 120, kLongestReason = 300;

std::string_view line_after(std::string_view text, std::size_t at) {
  return base::trimmed(text.substr(at, text.find('\n', at) - at));
}

struct Operation {
  std::string_view domain, type;
};

// "FancyOp-17", an operation of ONNX with its opset, or "com.acme.FancyOp".
Operation operation_of(std::string_view written) {
  const std::size_t dash = written.rfind('-');
  if (dash != std::string_view::npos && base::are_digits(written.substr(dash + 1))) {
    return {.domain = {}, .type = written.substr(0, dash)};
  }
  const std::size_t dot = written.rfind('.');
  if (dot == std::string_view::npos) return {.domain = {}, .type = written};
  return {.domain = written.substr(0, dot), .type = written.substr(dot + 1)};
}

// Nodes without a name are identified by what they write.
std::string node_text(const onnx::Model& model, const onnx::Node& node) {
  if (!node.name.empty()) return quoted(node.name, kLongestName);
  const auto outputs = model.outputs_of(node);
  if (outputs.empty()) return "(no name)";
  return format("writing {}", quoted(outputs.front(), kLongestName));
}

// ", node \"a\"", ", 5 nodes: \"a\", \"b\", \"c\", …".
std::string nodes_text(const onnx::Model& model, const Operation& operation) {
  std::vector<const onnx::Node*> found;
  for (const onnx::Node& node : model.nodes) {
    const std::string_view domain = node.domain == "ai.onnx" ? std::string_view() : node.domain;
    if (node.op_type == operation.type && domain == operation.domain) found.push_back(&node);
  }
  if (found.empty()) return {};
  std::string text =
      found.size() == 1 ? ", node " : format(", {}: ", counted(found.size(), "node"));
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i > 0) text += ", ";
    if (i == kMaxNodes) return text + "…";
    text += node_text(model, *found[i]);
  }
  return text;
}

UnreadNodes unknown_operations(std::string_view list, const onnx::Model* model) {
  UnreadNodes result;
  result.is_unknown_operation = true;
  bool has_domain = false, has_own = false;
  std::string text;
  std::size_t count = 0;
  while (!list.empty()) {
    const std::string_view written = base::trimmed(base::take_part(list, ','));
    if (written.empty()) continue;
    const Operation operation = operation_of(written);
    (operation.domain.empty() ? has_own : has_domain) = true;
    ++count;
    if (count > kMaxOperations) continue;
    const std::string name = operation.domain.empty()
                                 ? std::string(operation.type)
                                 : format("{}.{}", operation.domain, operation.type);
    text += format("{}{}{}", text.empty() ? "" : "; ", quoted(name, kLongestName),
                   model == nullptr ? std::string() : nodes_text(*model, operation));
  }
  if (count > kMaxOperations) text += format("; {} more", count - kMaxOperations);
  result.message =
      format("OpenVINO has no conversion for the operation{} {}", count == 1 ? "" : "s", text);
  result.hint = "Export the model ";
  if (has_domain) result.hint += "with ONNX's own operations instead of custom ones";
  if (has_domain && has_own) result.hint += ", and ";
  if (has_own) result.hint += "with an older opset that uses other operations";
  result.hint +=
      "; or run it with an engine that supports them, ONNX Runtime or TensorRT: planex reads their "
      "files.";
  return result;
}

// "<Node(Conv): y>" is the node that writes y; else its name.
const onnx::Node* node_of(std::string_view described, const onnx::Model& model) {
  const std::size_t colon = described.find("): ");
  const bool is_by_output = described.starts_with('<') && colon != std::string_view::npos;
  if (!is_by_output) {
    const auto named = std::ranges::find(model.nodes, described, &onnx::Node::name);
    return named == model.nodes.end() ? nullptr : &*named;
  }
  std::string_view outputs = described.substr(colon + 3);
  if (outputs.ends_with('>')) outputs.remove_suffix(1);
  for (const onnx::Node& node : model.nodes) {
    for (const std::string_view output : model.outputs_of(node)) {
      // The first of several outputs begins the list.
      if (!output.empty() && (outputs == output || outputs.starts_with(format("{}, ", output)))) {
        return &node;
      }
    }
  }
  return nullptr;
}

std::string_view type_of(std::string_view described) {
  constexpr std::string_view kNode = "<Node(";
  if (!described.starts_with(kNode)) return {};
  described.remove_prefix(kNode.size());
  return described.substr(0, described.find(')'));
}

// What follows the failed checks about the node: up to an empty line, or the next node.
std::string reason_of(std::string_view rest) {
  std::string reason;
  while (!rest.empty()) {
    const std::string_view line = base::trimmed(base::take_part(rest, '\n'));
    if (line.starts_with("-- ") || line.starts_with("Summary:")) break;
    if (line.starts_with(kWhileValidating) || line.starts_with(kCheck)) {
      reason.clear();
      continue;
    }
    if (line.empty()) {
      if (!reason.empty()) break;
      continue;
    }
    reason += format("{}{}", reason.empty() ? "" : " ", line);
  }
  return reason;
}

UnreadNodes refused_node(std::string_view message, std::size_t at, const onnx::Model* model) {
  const std::string_view rest = message.substr(at + kAtNode.size());
  const std::size_t end = std::min(rest.find('\''), rest.find('\n'));
  const std::string_view described = rest.substr(0, end);
  const onnx::Node* node = model == nullptr ? nullptr : node_of(described, *model);
  const std::string_view type = node == nullptr ? type_of(described) : node->op_type;
  const std::string name =
      node == nullptr ? quoted(described, kLongestName) : node_text(*model, *node);
  UnreadNodes result;
  result.message = format("OpenVINO does not support the {}node {}",
                          type.empty() ? "" : format("{} ", type), name);
  const std::string reason = reason_of(rest.substr(std::min(rest.find('\n'), rest.size())));
  if (!reason.empty()) result.message += format(": {}", quoted(reason, kLongestReason));
  std::size_t others = 0;
  for (std::size_t next = rest.find(kAtNode); next != std::string_view::npos;
       next = rest.find(kAtNode, next + 1)) {
    ++others;
  }
  if (others > 0) result.message += format("; and {}", counted(others, "other node"));
  result.hint =
      "Where onnx.checker.check_model(model, full_check=True) finds the model sound, OpenVINO "
      "lacks this form of the node: export it in another one, or run the model with ONNX Runtime, "
      "whose "
      "profile planex reads.";
  return result;
}

}  // namespace

bool is_about_nodes(std::string_view message) {
  return message.find(kUnknown) != std::string_view::npos ||
         message.find(kAtNode) != std::string_view::npos;
}

std::optional<UnreadNodes> find_unread_nodes(std::string_view message, const onnx::Model* model) {
  if (const std::size_t at = message.find(kUnknown); at != std::string_view::npos) {
    return unknown_operations(line_after(message, at + kUnknown.size()), model);
  }
  if (const std::size_t at = message.find(kAtNode); at != std::string_view::npos) {
    return refused_node(message, at, model);
  }
  return std::nullopt;
}

}  // namespace planex::drive
