#include "ingest/discover/plan_file.h"

#include <simdjson.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace planex::ingest {
namespace {

using base::format;
namespace dom = simdjson::dom;

constexpr std::string_view kTag = "ftrt";
constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kHeaderBytes = 28;
constexpr std::size_t kVersionAt = 24;
// The wrapper contains names of classes: for thousands, some hundred KB.
constexpr std::uint32_t kMaxWrapper = 16U << 20;
constexpr std::size_t kMaxValue = 200;

std::uint8_t plan_byte(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint8_t>(bytes[at]);
}

// The length of the JSON before the engine; null if no object follows it.
std::optional<std::uint32_t> wrapper_length(std::string_view head) {
  if (head.size() <= kLengthBytes || head[kLengthBytes] != '{') return std::nullopt;
  std::uint32_t length = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) length = length << 8 | plan_byte(head, i);
  return length >= 2 && length <= kMaxWrapper ? std::optional(length) : std::nullopt;
}

// Releases that write their version there, so that other bytes are not mistaken for one.
std::string plan_version_of(std::string_view plan) {
  if (plan.size() < kHeaderBytes) return {};
  const int major = plan_byte(plan, kVersionAt), minor = plan_byte(plan, kVersionAt + 1);
  const int patch = plan_byte(plan, kVersionAt + 2), build = plan_byte(plan, kVersionAt + 3);
  constexpr int kMaxMajor = 15, kMaxMinor = 40;
  const bool is_known = (major == 8 && minor >= 6) || (major > 8 && major <= kMaxMajor);
  if (!is_known || minor > kMaxMinor) return {};
  return build == 0 ? format("{}.{}.{}", major, minor, patch)
                    : format("{}.{}.{}.{}", major, minor, patch, build);
}

std::string json_value_text(dom::element value) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return std::string(text.substr(0, kMaxValue));
  dom::array list;
  if (value.get(list) == simdjson::SUCCESS) {
    std::string words;
    for (const dom::element item : list) {
      words += format("{}{}", words.empty() ? "" : "x", json_value_text(item));
      if (words.size() > kMaxValue) break;
    }
    return words;
  }
  dom::object object;
  if (value.get(object) == simdjson::SUCCESS) return format("{}", object.size());
  return std::string(simdjson::to_string(value));
}

void read_plan_facts(std::string_view json, PlanFile& plan) {
  dom::parser parser;
  dom::element root;
  if (parser.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS) return;
  const auto add = [&](std::string_view key, dom::element parent) {
    dom::element value;
    if (parent[key].get(value) != simdjson::SUCCESS) return false;
    if (value.is_null()) return false;
    plan.facts.emplace_back(key, json_value_text(value));
    return true;
  };
  for (const std::string_view key :
       {"description", "version", "date", "task", "imgsz", "batch", "stride", "names"}) {
    add(key, root);
  }
  // Options of the export: at the top level in old files, later in "args".
  dom::element args;
  const bool has_args = root["args"].get(args) == simdjson::SUCCESS;
  for (const std::string_view key : {"half", "int8", "dynamic", "nms"}) {
    if (!add(key, root) && has_args) add(key, args);
  }
}

}  // namespace

std::size_t plan_head_bytes(std::string_view head) {
  const auto length = wrapper_length(head);
  return length ? kLengthBytes + *length + kHeaderBytes : kHeaderBytes;
}

std::optional<PlanFile> inspect_plan(std::string_view head) {
  PlanFile plan;
  std::string_view engine = head;
  if (!head.starts_with(kTag)) {
    const auto length = wrapper_length(head);
    if (!length) return std::nullopt;
    plan.wrapper_bytes = kLengthBytes + *length;
    plan.is_cut_in_wrapper = plan.wrapper_bytes > head.size();
    engine = plan.is_cut_in_wrapper ? std::string_view() : head.substr(plan.wrapper_bytes);
    if (!plan.is_cut_in_wrapper) read_plan_facts(head.substr(kLengthBytes, *length), plan);
    // An unknown object can precede anything.
    const bool is_cut_object =
        plan.is_cut_in_wrapper && head.substr(kLengthBytes).starts_with("{\"");
    if (plan.facts.empty() && !engine.starts_with(kTag) && !is_cut_object) return std::nullopt;
  }
  plan.has_tag = engine.starts_with(kTag);
  if (plan.has_tag) plan.version = plan_version_of(engine);
  return plan;
}

}  // namespace planex::ingest
