#include "render/words/explain_names.h"

#include "base/text.h"
#include "render/words/display_width.h"

namespace planex::render {
namespace {

// Limit for a name in a sentence; the document has the whole name elsewhere.
constexpr std::size_t kLongestName = 72;

std::string quoted(std::string_view name) {
  return base::format("\"{}\"", elide_middle(printable(name), kLongestName));
}

}  // namespace

std::string reported_name(const model::PlanModel& model, model::LayerId layer) {
  return layer.is_null() ? "the engine" : quoted(model.text(model.layers.name[layer.index()]));
}

std::string reported_name(const model::PlanModel& model, model::TensorId tensor) {
  return tensor.is_null() ? "it" : quoted(model.text(model.tensors.name[tensor.index()]));
}

std::string said_names(const model::PlanModel& model, const std::vector<model::TensorId>& tensors) {
  constexpr std::size_t kMax = 3;
  std::vector<std::string> names;
  for (const model::TensorId tensor : tensors) {
    if (names.size() == kMax) {
      names.push_back(base::format("{} more", tensors.size() - kMax));
      break;
    }
    names.push_back(reported_name(model, tensor));
  }
  const std::vector<std::string_view> words(names.begin(), names.end());
  return base::join_words(words);
}

std::string type_text(model::DType type) {
  const std::string_view word = model::to_string(type);
  return word.empty() ? "an unknown type" : std::string(word);
}

std::string end_text(const model::PlanModel& model, std::size_t port) {
  const std::string_view type = model::to_string(model.ports.dtype[port]);
  std::string result(type.empty() ? "?" : type);
  const std::string_view layout = model::to_string(model.ports.layout[port]);
  if (!layout.empty()) result += base::format(" {}", layout);
  return result;
}

}  // namespace planex::render
