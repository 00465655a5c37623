#include "ingest/tensorrt/log/engine_layer_line.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/text.h"

namespace planex::ingest::tensorrt {
namespace {

constexpr std::string_view kLayer = "Layer(";
constexpr std::string_view kTacticMark = ", Tactic: ";
constexpr std::string_view kArrow = "->";

bool is_type_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool is_dim_char(char c) { return (c >= '0' && c <= '9') || c == ',' || c == ':' || c == '-'; }

// "-1,32:8,28,28". Dynamic dimensions were -2 in 8.2 and are -1 now.
bool read_dims(std::string_view text, EngineLayerPort& port) {
  port.dims.clear();
  port.vector_width = 1;
  const char* at = text.data();
  const char* const end = at + text.size();
  if (at == end) return true;
  for (;;) {
    std::int64_t value = 0;
    auto parsed = std::from_chars(at, end, value);
    if (parsed.ec != std::errc()) return false;
    port.dims.push_back(std::max<std::int64_t>(value, -1));
    at = parsed.ptr;
    if (at < end && *at == ':') {
      parsed = std::from_chars(at + 1, end, port.vector_width);
      if (parsed.ec != std::errc()) return false;
      at = parsed.ptr;
    }
    if (at == end) return true;
    if (*at++ != ',') return false;
  }
}

// The port whose closing brackets end at `end`, if they belong to a port: " (Half[1,2])" or
// "[Half(1,2)]". `first` is where its name starts.
std::optional<EngineLayerPort> port_before(std::string_view text, std::size_t first,
                                           std::size_t end) {
  if (end < first + 2) return std::nullopt;
  const bool round_outside = text[end - 1] == ')';
  const char inner_open = round_outside ? '[' : '(';
  const char outer_open = round_outside ? '(' : '[';
  std::size_t at = end - 2;
  const std::size_t dims_end = at;
  while (at > first && is_dim_char(text[at - 1])) --at;
  const std::size_t dims_first = at;
  if (at == first || text[--at] != inner_open) return std::nullopt;
  const std::size_t type_end = at;
  while (at > first && is_type_char(text[at - 1])) --at;
  const std::size_t type_first = at;
  if (type_first == type_end || at == first || text[--at] != outer_open) return std::nullopt;
  if (round_outside && (at == first || text[--at] != ' ')) return std::nullopt;
  EngineLayerPort port;
  port.tensor = text.substr(first, at - first);
  port.type = text.substr(type_first, type_end - type_first);
  port.format = text.substr(type_first, end - 1 - type_first);
  if (!read_dims(text.substr(dims_first, dims_end - dims_first), port)) return std::nullopt;
  return port;
}

}  // namespace

bool parse_engine_layer_line(std::string_view text, EngineLayerLine& line) {
  line = {};
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  if (!text.starts_with(kLayer)) return false;
  const std::size_t type_end = text.find("): ");
  if (type_end == text.npos) return false;
  line.type = text.substr(kLayer.size(), type_end - kLayer.size());
  const std::size_t name_first = type_end + 3;
  const std::size_t tactic_at = text.find(kTacticMark, name_first);
  if (tactic_at == text.npos) {
    line.name = text.substr(name_first, text.find('\n', name_first) - name_first);
    return false;
  }
  line.name = text.substr(name_first, tactic_at - name_first);
  const std::size_t tactic_first = tactic_at + kTacticMark.size();
  const std::size_t tactic_end = std::min(text.find(", ", tactic_first), text.size());
  line.tactic = text.substr(tactic_first, tactic_end - tactic_first);
  if (tactic_end == text.size()) return false;
  std::string_view ends = text.substr(tactic_end + 2);
  // A layer without inputs: ", " and " -> ", which a tool may have trimmed to "->" at the line's
  // end.
  model::Direction direction = model::Direction::kInput;
  const auto skip_arrow = [&] {
    const std::string_view rest = base::trimmed(ends);
    if (direction != model::Direction::kInput || !rest.starts_with(kArrow)) return;
    ends = rest.substr(kArrow.size());
    if (ends.starts_with(' ')) ends.remove_prefix(1);
    direction = model::Direction::kOutput;
  };
  skip_arrow();
  std::size_t at = 0;
  while (at < ends.size()) {
    at = ends.find_first_of(")]", at);
    if (at == ends.npos) return false;
    ++at;
    // A port is followed by the end of the text, a comma or the arrow.
    const std::string_view rest = ends.substr(at);
    if (!rest.empty() && !rest.starts_with(", ") && !rest.starts_with(" ->")) continue;
    auto port = port_before(ends, 0, at);
    if (!port) continue;
    port->direction = direction;
    line.ports.push_back(std::move(*port));
    ends.remove_prefix(at);
    at = 0;
    if (ends.starts_with(", ")) {
      ends.remove_prefix(2);
    } else {
      skip_arrow();
    }
  }
  return direction == model::Direction::kOutput;
}

model::Layout layout_of(const EngineLayerPort& port) {
  constexpr std::int64_t kWidestVector = 32;
  if (port.vector_width != kWidestVector) return {};
  return {model::Order::kChannelVectors, static_cast<std::uint8_t>(kWidestVector), false};
}

}  // namespace planex::ingest::tensorrt
