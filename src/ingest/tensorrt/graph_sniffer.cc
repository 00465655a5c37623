// Recognizes a layer file by its first bytes.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "ingest/json_documents.h"
#include "ingest/tensorrt/graph_reader.h"

namespace planex::ingest::tensorrt {
namespace {

// Whether texts look like TensorRT's names for layers, rather than like the labels of a data set.
bool has_layer_name(std::string_view text) {
  constexpr std::array<std::string_view, 8> kMarks = {
      " + ",      "Reformatting CopyNode", "ForeignNode", "_myl", "(Unnamed Layer", "PWN(", "Conv",
      "aten_ops."};
  return std::ranges::any_of(kMarks,
                             [&](std::string_view mark) { return text.find(mark) != text.npos; });
}

}  // namespace

Confidence sniff_graph(std::string_view head) {
  const std::string_view text = base::trimmed(head);
  if (text.empty()) return Confidence::kNo;
  const auto has = [&](std::string_view words) { return text.find(words) != text.npos; };
  const bool has_record =
      has("\"LayerType\"") || (has("\"Name\"") && has("\"Inputs\"") && has("\"Outputs\""));
  if (begins_as_json(text)) {
    if (text.front() == '{') {
      if (has("\"Layers\"") || has("\"I/O Tensors\"")) return Confidence::kSure;
      return has_record ? Confidence::kMaybe : Confidence::kNo;
    }
    const std::string_view first = base::trimmed(text.substr(1));
    if (first.starts_with('{')) return has_record ? Confidence::kMaybe : Confidence::kNo;
    // Strings: names of layers, or records as strings.
    const bool records = has("LayerType\\") || has("Inputs\\");
    return records || has_layer_name(text) ? Confidence::kMaybe : Confidence::kNo;
  }
  if (text.front() == '"') {
    return has("Layers\\") || has("LayerType\\") ? Confidence::kMaybe : Confidence::kNo;
  }
  // Other text first: "--- Layer 0 ---", a few log lines. The document begins on a line of its own.
  const auto part = JsonDocuments(text).next();
  const std::string_view document =
      part ? text.substr(part->first, part->size) : std::string_view{};
  // Just names, as in engines that were built without detail.
  const bool has_names = first_key(document) == "Layers" && has("\"Bindings\"");
  const bool found =
      (has_record || has_names) && (has("\n{") || has("\n\"")) && text.front() != '[';
  return found && (first_key(document) == "Layers" || first_key(document) == "Name")
             ? Confidence::kMaybe
             : Confidence::kNo;
}

}  // namespace planex::ingest::tensorrt
