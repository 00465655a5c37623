#include "ingest/onnxruntime/placement_lines.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace planex::ingest::onnxruntime {
namespace {

constexpr std::string_view kProviderWord = "ExecutionProvider";

// The text after `word`, if it is in `line`.
std::optional<std::string_view> after(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  if (at == line.npos) return std::nullopt;
  return line.substr(at + word.size());
}

std::optional<std::int64_t> number_at(std::string_view text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() && value >= 0 ? std::optional(value) : std::nullopt;
}

// Python's logger colors its output on a terminal: "\x1b[0;93m2024-… \x1b[m".
std::string_view without_colors(std::string_view line) {
  while (line.starts_with('\x1b')) {
    const std::size_t end = line.find('m');
    if (end == line.npos) return line;
    line.remove_prefix(end + 1);
  }
  if (const std::size_t at = line.rfind("\x1b["); at != line.npos && line.ends_with('m')) {
    line = line.substr(0, at);
  }
  return line;
}

// "2024-05-24 14:43:21.123 [V:onnxruntime:, session_state.cc:1149 Verify…] x" -> " x".
std::optional<std::string_view> after_prefix(std::string_view line) {
  const std::size_t at = line.find(":onnxruntime:");
  if (at == line.npos || at < 2 || line[at - 2] != '[') return std::nullopt;
  const std::size_t close = line.find("] ", at);
  return close == line.npos ? std::nullopt : std::optional(line.substr(close + 2));
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || base::is_digit(c) || c == '_' ||
         c == '.' || c == ':';
}

bool is_one_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_word);
}

// "Conv (conv_1)"; "Scan ()" for a node without a name; for a fused node only its name.
std::optional<PlacedNode> node_of(std::string_view text) {
  text = base::trimmed(text);
  const std::size_t open = text.find(" (");
  if (open == text.npos) {
    if (!is_one_word(text)) return std::nullopt;
    // An operator's type has no digits at its end, but a fused node's name does.
    const bool is_name = base::is_digit(text.back()) && text.find('_') != text.npos;
    return is_name ? PlacedNode{.type = {}, .name = text} : PlacedNode{.type = text, .name = {}};
  }
  const std::string_view type = text.substr(0, open);
  if (!is_one_word(type) || !text.ends_with(')')) return std::nullopt;
  return PlacedNode{.type = type, .name = text.substr(open + 2, text.size() - open - 3)};
}

class LinesReader {
 public:
  explicit LinesReader(std::string_view text) : text_(text) {}

  PlacementLog read() {
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      offset_ = at;
      read_line(text_.substr(at, end - at));
      at = end + 1;
    }
    std::erase_if(log_.sessions, [](const PlacedSession& one) { return one.providers.empty(); });
    return std::move(log_);
  }

 private:
  void read_line(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = without_colors(line);
    const auto said = after_prefix(line);
    if (said) ++log_.line_count;
    const std::string_view message = base::trimmed(said ? *said : line);
    if (message.empty()) return;
    if (said ? message == "Node placements" : message.ends_with("Node placements")) {
      log_.sessions.emplace_back();
      waits_ = false;
      return count(said.has_value());
    }
    if (read_heading(message) || read_reason(message) || read_copies(message) ||
        read_other(message)) {
      return count(said.has_value());
    }
    if (waits_) read_node(message, said.has_value());
  }

  void count(bool is_counted) {
    if (!is_counted) ++log_.line_count;
  }

  PlacedSession& session() {
    if (log_.sessions.empty()) log_.sessions.emplace_back();
    return log_.sessions.back();
  }

  PlacedProvider& add_provider(std::string_view name) {
    // A second list for one provider belongs to another session, whatever is in between.
    const auto is_known = [&](const PlacedProvider& one) { return one.name == name; };
    if (std::ranges::any_of(session().providers, is_known)) log_.sessions.emplace_back();
    session().providers.push_back(
        {.name = name, .stated_count = {}, .nodes = {}, .byte_offset = offset_});
    return session().providers.back();
  }

  bool read_heading(std::string_view message) {
    for (const std::string_view word :
         {"Node(s) placed on [", "All nodes placed on [", "All nodes have been placed on ["}) {
      const auto rest = after(message, word);
      if (!rest) continue;
      const std::size_t close = rest->find(']');
      if (close == rest->npos) return false;
      PlacedProvider& provider = add_provider(rest->substr(0, close));
      if (const auto number = after(*rest, "Number of nodes: ")) {
        provider.stated_count = number_at(base::trimmed(*number));
      }
      waits_ = word.starts_with("Node");
      return true;
    }
    // Before 1.8.
    const auto rest = after(message, "Provider: [");
    if (!rest) return false;
    const std::size_t close = rest->find("]: [");
    const std::string_view name = rest->substr(0, std::min(close, rest->size()));
    if (close == rest->npos || name.find(kProviderWord) == name.npos) return false;
    std::string_view list = rest->substr(close + 4);
    if (list.ends_with(']')) list.remove_suffix(1);
    add_provider(name);
    read_list(list);
    waits_ = false;
    return true;
  }

  // "Conv (a), Relu (b), "; names may contain commas.
  bool read_list(std::string_view list) {
    constexpr std::string_view kBetween = "), ";
    bool is_whole = true;
    while (!base::trimmed(list).empty()) {
      const std::size_t at = list.find(kBetween);
      const bool is_last = at == list.npos;
      is_whole = add_node(list.substr(0, is_last ? at : at + 1)) && is_whole;
      list.remove_prefix(is_last ? list.size() : at + kBetween.size());
    }
    return is_whole;
  }

  bool add_node(std::string_view text) {
    auto node = node_of(text);
    if (!node) return false;
    node->byte_offset = offset_;
    session().providers.back().nodes.push_back(*node);
    return true;
  }

  void read_node(std::string_view message, bool has_prefix) {
    const PlacedProvider& provider = session().providers.back();
    const auto found = static_cast<std::int64_t>(provider.nodes.size());
    const bool is_full = provider.stated_count && found >= *provider.stated_count;
    const bool is_list = !has_prefix && message.find("), ") != message.npos;
    if (is_full || !(is_list ? read_list(message) : add_node(message))) {
      waits_ = false;
      return;
    }
    if (!has_prefix) ++log_.line_count;
  }

  void add_fallback(std::string_view type, std::string_view node, std::string reason) {
    log_.fallbacks.push_back(
        {.type = base::trimmed(type), .node = base::trimmed(node), .reason = std::move(reason)});
  }

  bool read_reason(std::string_view message) {
    constexpr std::string_view kNoKernel = " kernel not found in registries for Op type: ";
    constexpr std::string_view kName = " node name: ";
    if (const auto rest = after(message, kNoKernel)) {
      const std::string_view before =
          message.substr(0, message.size() - rest->size() - kNoKernel.size());
      const std::size_t space = before.rfind(' ');
      const std::string_view who = space == before.npos ? before : before.substr(space + 1);
      const std::size_t name = rest->find(kName);
      const std::string_view type = rest->substr(0, std::min(name, rest->size()));
      const std::string_view node =
          name == rest->npos ? std::string_view() : rest->substr(name + kName.size());
      add_fallback(type, node, base::format("{} has no kernel for it", who));
      return true;
    }
    if (const auto rest = after(message, "Force fallback to CPU execution for node: ")) {
      const std::size_t because = rest->find(" because ");
      add_fallback({}, rest->substr(0, std::min(because, rest->size())),
                   "ONNX Runtime expects the CPU to be faster than the copies that another "
                   "provider would need");
      return true;
    }
    if (const auto rest = after(message, "Force CPU execution for node: ")) {
      add_fallback({}, *rest, "an option of the session keeps it on the CPU");
      return true;
    }
    return false;
  }

  bool read_copies(std::string_view message) {
    constexpr std::string_view kAdded = " Memcpy nodes are added to the graph ";
    const auto rest = after(message, kAdded);
    if (!rest) return false;
    const std::string_view before =
        message.substr(0, message.size() - rest->size() - kAdded.size());
    const std::size_t space = before.rfind(' ');
    const auto count = number_at(space == before.npos ? before : before.substr(space + 1));
    const std::size_t target = rest->find(" for ");
    if (!count) return false;
    PlacementLog::Copies copies{.count = *count, .graph = *rest, .provider = {}};
    if (target != rest->npos) {
      copies.graph = rest->substr(0, target);
      const std::string_view name = rest->substr(target + 5);
      copies.provider = name.substr(0, name.find_first_of(". "));
    }
    log_.copies.push_back(copies);
    return true;
  }

  bool read_other(std::string_view message) {
    if (message.starts_with("Failed to create ") && message.find(kProviderWord) != message.npos) {
      log_.not_created.push_back({message, offset_});
      return true;
    }
    if (message.starts_with("Some nodes were not assigned to the preferred execution providers")) {
      log_.warns_of_cpu = true;
      return true;
    }
    const bool is_share = message.find("number of subgraphs running on TensorRT") != message.npos ||
                          message.find("graph will run on TensorRT") != message.npos ||
                          message.find("GetCapability, number of partitions") != message.npos;
    if (is_share) log_.partitions.push_back({message, offset_});
    return is_share;
  }

  std::string_view text_;
  std::uint64_t offset_ = 0;
  PlacementLog log_;
  bool waits_ = false;  // for nodes of the last provider
};

}  // namespace

std::size_t PlacedSession::node_count() const {
  std::size_t count = 0;
  for (const PlacedProvider& provider : providers) count += provider.nodes.size();
  return count;
}

PlacementLog read_placement_lines(std::string_view text) { return LinesReader(text).read(); }

bool has_runtime_prefix(std::string_view line) {
  return after_prefix(without_colors(line)).has_value();
}

}  // namespace planex::ingest::onnxruntime
