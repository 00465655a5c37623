#include "ingest/tensorrt/log/layer_block.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "ingest/tensorrt/log/log_message.h"
#include "ingest/tensorrt/log/record_line.h"

namespace planex::ingest::tensorrt {
namespace {

constexpr std::string_view kBindingsHeading = "Bindings:";
constexpr std::string_view kIoTensorsHeading = "I/O Tensors:";
constexpr std::string_view kEngineMetadataHeading = "Engine Metadata:";
// Number of empty lines that can be part of an engine's names before they count as the end of its
// layers.
constexpr int kMaxEmptyLinesInNames = 64;

bool is_heading(std::string_view line) {
  const std::string_view text = base::trimmed(line);
  return text == kBindingsHeading || text == kIoTensorsHeading || text == kEngineMetadataHeading ||
         text == kLayers || text == kEngineLayers;
}

// The first line at or after `at` that is not empty.
std::size_t skip_empty_lines(std::string_view log, std::size_t at) {
  while (at < log.size() && base::trimmed(line_at(log, at)).empty()) at = next_line(log, at);
  return at;
}

// Whether the layers end before the line at `at`, whatever they contain.
bool ends_layers(std::string_view log, std::size_t at) {
  return at >= log.size() || starts_message(log, at) || is_heading(line_at(log, at));
}

// The end of the records that start at `first`.
std::size_t end_of_records(std::string_view log, std::size_t first) {
  std::size_t record_first = first;
  int empty_lines = 0;
  RecordLine record;
  std::size_t at = first;
  while (!ends_layers(log, at)) {
    const std::string_view line = line_at(log, at);
    if (line.starts_with(kRecordHead)) {
      record_first = at;
    } else if (base::trimmed(line).empty()) {
      // The end, unless the line is inside a name: then the current record is open.
      const bool open = !ends_layers(log, skip_empty_lines(log, at)) &&
                        ++empty_lines <= kMaxEmptyLinesInNames &&
                        !record.split(log.substr(record_first, at - record_first));
      if (!open) break;
    }
    at = next_line(log, at);
  }
  return at;
}

// The end of lines that are neither empty, headings nor messages.
std::size_t end_of_lines(std::string_view log, std::size_t first) {
  std::size_t at = first;
  while (!ends_layers(log, at) && !base::trimmed(line_at(log, at)).empty()) at = next_line(log, at);
  return at;
}

void find_sections(std::string_view log, std::size_t at, LayerBlock& block) {
  for (;;) {
    at = skip_empty_lines(log, at);
    if (at >= log.size() || starts_message(log, at)) return;
    const std::string_view heading = base::trimmed(line_at(log, at));
    const std::size_t first = next_line(log, at);
    std::string_view* section = nullptr;
    if (heading == kBindingsHeading) section = &block.bindings;
    if (heading == kIoTensorsHeading) section = &block.io_tensors;
    if (heading == kEngineMetadataHeading) section = &block.engine_metadata;
    if (section == nullptr) return;
    at = end_of_lines(log, first);
    *section = log.substr(first, at - first);
    block.end = at;
  }
}

}  // namespace

bool find_layer_block(std::string_view log, const LogLine& line, LayerBlock& block) {
  const std::size_t first = next_line(log, static_cast<std::size_t>(line.byte_offset));
  const std::string_view head = log.substr(first, std::max(kRecordHead.size(), kOpaqueHead.size()));
  block.byte_offset = first;
  const bool opaque = base::trimmed(line.text) != kLayers;
  if (opaque) {
    block.detail = LayerBlock::Detail::kOpaque;
    if (!head.starts_with(kOpaqueHead)) return false;
    block.end = first;
    while (!ends_layers(log, block.end)) block.end = next_line(log, block.end);
    block.complete = block.end < log.size();
  } else if (head.starts_with(kRecordHead)) {
    block.detail = LayerBlock::Detail::kRecords;
    block.end = end_of_records(log, first);
  } else {
    block.detail = LayerBlock::Detail::kNames;
    block.end = end_of_lines(log, first);
    if (block.end == first) return false;
  }
  block.layers = log.substr(first, block.end - first);
  if (opaque) return true;
  block.complete = block.end < log.size();
  find_sections(log, block.end, block);
  // Any program may print a heading "Layers:"; only the inspector lists bindings after the names.
  return block.detail == LayerBlock::Detail::kRecords || !block.bindings.empty() ||
         !block.io_tensors.empty();
}

std::vector<std::string_view> split_records(std::string_view text, std::string_view head) {
  std::vector<std::string_view> records;
  std::size_t first = 0;
  for (std::size_t at = 0; at < text.size(); at = next_line(text, at)) {
    if (at == first || !text.substr(at).starts_with(head)) continue;
    records.push_back(text.substr(first, at - first));
    first = at;
  }
  if (first < text.size()) records.push_back(text.substr(first));
  for (std::string_view& record : records) {
    while (record.ends_with('\n') || record.ends_with('\r')) record.remove_suffix(1);
  }
  return records;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size(); at = next_line(text, at)) {
    const std::string_view line = line_at(text, at);
    if (!base::trimmed(line).empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace planex::ingest::tensorrt
