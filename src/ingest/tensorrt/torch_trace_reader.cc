#include "ingest/tensorrt/torch_trace_reader.h"

#include <optional>

#include "base/text.h"
#include "base/try.h"
#include "ingest/json_input.h"
#include "ingest/tensorrt/layer_times.h"

namespace planex::ingest::tensorrt {
namespace {

namespace ondemand = simdjson::ondemand;

struct Slice {
  JsonText name;
  bool has_name = false;
  std::optional<double> duration_us;
};

Result<Slice> read_slice(JsonInput& input, ondemand::value& value, const JsonPlace& place) {
  ondemand::object object;
  if (const auto code = value.get_object().get(object)) {
    return fail(input.broken(place.pointer(), code, "a slice of a trace"));
  }
  Slice slice;
  PLANEX_TRY(input.each_field(
      object, place,
      [&](std::string_view key, ondemand::value& item, const JsonPlace& at) -> Result<void> {
        if (key == "name") {
          if (const auto code = JsonInput::text_of(item).get(slice.name)) {
            return fail(input.broken(at.pointer(), code, "a layer name"));
          }
          slice.has_name = true;
        } else if (key == "dur") {
          if (const auto code = input.number_of(item, slice.duration_us)) {
            return fail(input.broken(at.pointer(), code, "microseconds"));
          }
        }
        return {};
      }));
  return slice;
}

}  // namespace

Confidence sniff_torch_trace(std::string_view head) {
  const std::string_view text = base::trimmed(head);
  if (text.empty() || text.front() != '[') return Confidence::kNo;
  const std::string_view first = text.substr(0, 4096);
  const bool is_trace = first.find("\"ph\"") != first.npos && first.find("\"dur\"") != first.npos;
  return is_trace && first.find(" Engine Execution\"") != first.npos ? Confidence::kSure
                                                                     : Confidence::kNo;
}

Result<void> read_torch_trace(const Artefact& artefact, model::ModelBuilder& builder) {
  builder.keep(artefact.bytes);
  JsonInput input(artefact, "a trace of Torch-TensorRT");
  PLANEX_TRY(input.open(builder));
  ondemand::array slices;
  if (const auto code = input.document().get_array().get(slices)) {
    Error error = input.broken("", code, "a list of slices with \"name\" and \"dur\"");
    error.hint = "create one with Torch-TensorRT's enable_profiling(profile_format=\"perfetto\")";
    return fail(std::move(error));
  }
  LayerTimes times(artefact, builder);
  const auto take = [&](ondemand::value& value, const JsonPlace& place) -> Result<void> {
    PLANEX_ASSIGN(const Slice slice, read_slice(input, value, place));
    if (!slice.has_name) return {};
    constexpr double kUsPerMs = 1000;
    LayerTime time;
    if (slice.duration_us) time.total_ms = *slice.duration_us / kUsPerMs;
    times.add(slice.name, time);
    return {};
  };
  PLANEX_TRY(input.each_item(slices, JsonPlace(), "a slice of a trace", take));
  input.report_trailing(builder);
  input.report_not_a_number(builder);
  times.finish();
  builder.add_diagnostic(
      {.code = "times-are-sums",
       .message = "the trace has the total time of all profiled inferences, but not their number: "
                  "there are sums and shares, but no time per inference; use "
                  "profile_format=\"trex\" to get those",
       .file = artefact.path});
  return {};
}

}  // namespace planex::ingest::tensorrt
