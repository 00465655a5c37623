#include "ingest/onnxruntime/trace_events.h"

#include <charconv>
#include <cmath>
#include <string>

#include "base/text.h"
#include "base/try.h"
#include "ingest/json_input.h"
#include "ingest/onnxruntime/operators.h"

namespace planex::ingest::onnxruntime {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;

constexpr std::string_view kNodeSuffix = "_kernel_time";
constexpr std::string_view kExecutorSuffix = "Executor::Execute";

class EventsReader {
 public:
  EventsReader(const Artefact& artefact, model::ModelBuilder& builder)
      : builder_(builder), input_(artefact, "a trace of ONNX Runtime"), names_(builder.strings()) {}

  Result<std::vector<Event>> read() {
    PLANEX_TRY(input_.open());
    ondemand::array list;
    if (const auto code = input_.document().get_array().get(list)) {
      Error error = input_.broken("", code, "a list of events");
      error.hint = "create such a trace with SessionOptions.enable_profiling";
      return fail(std::move(error));
    }
    std::size_t position = 0;
    for (auto entry : list) {
      ondemand::object object;
      if (const auto code = entry.get_object().get(object)) {
        return fail(input_.broken(format("/{}", position), code, "an event"));
      }
      PLANEX_TRY(read_event(object, position++));
    }
    input_.report_trailing(builder_);
    return std::move(events_);
  }

 private:
  Error broken(std::size_t position, std::string_view key, simdjson::error_code code,
               std::string_view expected) {
    return input_.broken(format("/{}/{}", position, pointer_token(key)), code, expected);
  }

  Result<void> read_event(ondemand::object& object, std::size_t position) {
    Event event{.position = position};
    JsonText category, name;
    bool has_name = false;
    for (auto entry : object) {
      ondemand::field field;
      if (const auto code = std::move(entry).get(field)) {
        return fail(input_.broken(format("/{}", position), code, "a key"));
      }
      const std::string_view key = JsonInput::key_of(field);
      ondemand::value value = field.value();
      if (key == "cat" || key == "name") {
        JsonText& text = key == "cat" ? category : name;
        if (const auto code = JsonInput::text_of(value).get(text)) {
          return fail(broken(position, key, code, "a text"));
        }
        has_name = has_name || key == "name";
      } else if (key == "ts" || key == "dur") {
        PLANEX_ASSIGN((key == "ts" ? event.start_us : event.duration_us),
                      read_time(value, position, key));
      } else if (key == "tid") {
        // Kernels of a device have -1.
        if (const auto code = JsonInput::integer_of(value, event.thread)) {
          return fail(broken(position, key, code, "a thread's number"));
        }
      } else if (key == "args") {
        PLANEX_TRY(read_args(value, event));
      }
    }
    if (has_name) take(event, category.view, name);
    return {};
  }

  Result<double> read_time(ondemand::value& value, std::size_t position, std::string_view key) {
    double time = 0;
    if (const auto code = value.get_double().get(time)) {
      return fail(broken(position, key, code, "microseconds"));
    }
    // 30 years. Sums of times stay finite.
    constexpr double kLongest = 1e15;
    if (!(std::abs(time) <= kLongest) || (key == "dur" && time < 0)) {
      return fail(
          input_.wrong_value(format("/{}/{}", position, key), format("{}", time), "microseconds"));
    }
    return time;
  }

  Result<void> read_args(ondemand::value& value, Event& event) {
    const auto place = [&](std::string_view key) {
      return key.empty() ? format("/{}/args", event.position)
                         : format("/{}/args/{}", event.position, pointer_token(key));
    };
    ondemand::object args;
    auto code = value.get_object().get(args);
    if (!code) code = args.raw_json().get(event.args);
    bool is_empty = false;
    if (!code) code = args.reset().get(is_empty);
    if (code) return fail(input_.broken(place({}), code, "an object"));
    for (auto entry : args) {
      ondemand::field field;
      if (const auto field_code = std::move(entry).get(field)) {
        return fail(input_.broken(place({}), field_code, "a key"));
      }
      const std::string_view key = JsonInput::key_of(field);
      ondemand::value item = field.value();
      const bool is_index = key == "node_index" || key == "graph_index";
      if (key == "op_name" || key == "provider" || is_index) {
        JsonText text;
        if (const auto text_code = JsonInput::text_of(item).get(text)) {
          return fail(input_.broken(place(key), text_code, "a text"));
        }
        if (key == "op_name") event.op_type = names_.intern(text.view, text.lifetime);
        if (key == "provider") event.provider = names_.intern(text.view, text.lifetime);
        // Older versions call it graph_index.
        if (is_index) {
          std::from_chars(text.view.data(), text.view.data() + text.view.size(), event.node_index);
        }
      } else if (key == "input_type_shape" || key == "output_type_shape") {
        std::string_view& shapes = key.starts_with('i') ? event.inputs : event.outputs;
        if (const auto raw_code = JsonInput::raw_of(item).get(shapes)) {
          return fail(input_.broken(place(key), raw_code, "a list of types and shapes"));
        }
      }
    }
    return {};
  }

  void take(Event& event, std::string_view category, const JsonText& name) {
    std::string_view text = name.view;
    if (category == "Node") {
      if (!text.ends_with(kNodeSuffix)) return;  // fences, in older versions
      text.remove_suffix(kNodeSuffix.size());
      event.kind = EventKind::kNode;
    } else if (category == "Kernel") {
      event.kind = EventKind::kKernel;
    } else if (category == "Session") {
      event.kind = text == "model_run"               ? EventKind::kRun
                   : text.ends_with(kExecutorSuffix) ? EventKind::kExecution
                                                     : EventKind::kPhase;
    } else {
      return;  // calls of a device's interface
    }
    event.name = names_.intern(text, name.lifetime);
    events_.push_back(event);
  }

  model::ModelBuilder& builder_;
  JsonInput input_;
  base::InternCache names_;
  std::vector<Event> events_;
};

}  // namespace

Result<std::vector<Event>> read_events(const Artefact& artefact, model::ModelBuilder& builder) {
  return EventsReader(artefact, builder).read();
}

std::optional<std::vector<Shape>> parse_shapes(std::string_view json) {
  std::vector<Shape> shapes;
  if (json.empty()) return shapes;
  ondemand::parser parser;
  ondemand::document document;
  const simdjson::padded_string_view text(json.data(), json.size(),
                                          json.size() + base::Bytes::kPadding);
  ondemand::array list;
  if (parser.iterate(text).get(document) || document.get_array().get(list)) return std::nullopt;
  for (auto entry : list) {
    ondemand::object object;
    if (entry.get_object().get(object)) return std::nullopt;
    for (auto item : object) {
      ondemand::field field;
      if (std::move(item).get(field)) return std::nullopt;
      Shape shape;
      shape.type = JsonInput::key_of(field);
      shape.dtype = dtype_of(shape.type);
      ondemand::array dims;
      if (field.value().get_array().get(dims)) return std::nullopt;
      for (auto dim : dims) {
        ondemand::value value;
        std::int64_t size = 0;
        if (dim.get(value) || JsonInput::integer_of(value, size)) return std::nullopt;
        shape.dims.push_back(size);
      }
      shapes.push_back(std::move(shape));
    }
  }
  return shapes;
}

}  // namespace planex::ingest::onnxruntime
