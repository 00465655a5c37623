#include "ingest/tensorrt/log/missing_operators.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "ingest/tensorrt/log/log_numbers.h"
#include "onnx/operators.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;

constexpr std::size_t kMaxOperators = 100, kMaxLibraries = 20, kMaxNamed = 5;

// What follows `label`, or nothing.
std::optional<std::string_view> text_after(std::string_view text, std::string_view label) {
  const std::size_t at = text.find(label);
  if (at == text.npos) return std::nullopt;
  return text.substr(at + label.size());
}

std::string_view word_at_front(std::string_view text) {
  return text.substr(0, text.find_first_of(" .,:]\""));
}

std::string named_list(const std::vector<std::string_view>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < kMaxNamed; ++i) {
    list += format("{}{}", i == 0 ? "" : ", ", names[i].substr(0, 100));
  }
  if (names.size() > kMaxNamed) list += format(" and {} more", names.size() - kMaxNamed);
  return list;
}

}  // namespace

void MissingOperators::add(std::string_view name) {
  if (name.empty() || operators_.size() >= kMaxOperators) return;
  if (std::ranges::find(operators_, name) == operators_.end()) operators_.push_back(name);
}

void MissingOperators::look_at(const LogLine& line) {
  const std::string_view text = line.text;
  if (line.severity == LogSeverity::kVerbose) return;
  if (line.severity == LogSeverity::kInfo) {
    if (const auto library = text_after(text, "Loading supplied plugin library: ")) {
      if (libraries_.size() < kMaxLibraries) libraries_.push_back(base::trimmed(*library));
    } else if (const auto op = text_after(text, "No importer registered for op: ")) {
      current_ = word_at_front(*op);
    } else if (const auto wanted = text_after(text, ": using pluginName: ")) {
      wanted_ = base::trimmed(*wanted);
    }
    return;
  }
  const bool was_in_its_check = is_in_its_check_;
  is_in_its_check_ = false;
  // "While parsing node number 0 [AddScalar -> "y"]:"
  if (const auto node = text_after(text, "While parsing node number ")) {
    const std::size_t bracket = node->find('[');
    if (bracket != node->npos) current_ = word_at_front(node->substr(bracket + 1));
  } else if (const auto plugin = text_after(text, "getPluginCreator could not find plugin")) {
    // ": X version: 1", or " X version 1".
    add(word_at_front(plugin->substr(std::min(plugin->find_first_not_of(": "), plugin->size()))));
  } else if (const auto op = text_after(text, "No importer registered for op: ")) {
    add(word_at_front(*op));
  } else if (text.find("Plugin not found") != text.npos) {
    add(current_);
  } else if (const auto check = text_after(text, " In function check")) {
    is_in_its_check_ = !current_.empty() && word_at_front(*check) == current_;
  } else if (was_in_its_check && base::trimmed(text) == "[8] false") {
    add(current_);
  }
}

std::string MissingOperators::sentence() const {
  std::vector<std::string_view> standard, custom;
  for (const std::string_view name : operators_) {
    (onnx::is_standard_operator(name) ? standard : custom).push_back(name);
  }
  std::string text;
  if (!standard.empty()) {
    text = format(
        "the ONNX parser of this version does not support the {} {}; export the model without {}, "
        "or use a newer version",
        standard.size() == 1 ? "operator" : "operators", named_list(standard),
        standard.size() == 1 ? "it" : "them");
    const bool is_dynamic = std::ranges::any_of(standard, [](std::string_view name) {
      return name == "DynamicQuantizeLinear" || name.ends_with("Integer");
    });
    if (is_dynamic) {
      text +=
          " (dynamic quantization: quantize statically, with QuantizeLinear and "
          "DequantizeLinear)";
    }
  }
  if (custom.empty()) return text;
  if (!text.empty()) text += "; ";
  if (libraries_.empty()) {
    return text + format(
                      "the model needs a plugin for {}, and none was loaded; load its library "
                      "with --staticPlugins or --dynamicPlugins (before TensorRT 8.6 --plugins)",
                      named_list(custom));
  }
  text += format("the plugin {} {} was loaded but has no creator for {}",
                 libraries_.size() == 1 ? "library" : "libraries", named_list(libraries_),
                 named_list(custom));
  if (!wanted_.empty()) text += format(" (the parser looked for {})", wanted_.substr(0, 200));
  return text +
         "; name, version and namespace of the creator must match the node's, and the library must "
         "register it";
}

}  // namespace planex::ingest::tensorrt
