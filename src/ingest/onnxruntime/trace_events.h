// The events of a trace, unchanged.
//
// ONNX Runtime writes Chrome trace events, each when something ends: a session's phases, a run, the
// execution of a graph, a node. Times are whole microseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ingest/reader.h"
#include "model/types.h"

namespace planex::ingest::onnxruntime {

enum class EventKind : std::uint8_t {
  kPhase,      // of the session: loading, initializing
  kRun,        // one call of the session
  kExecution,  // one execution of a graph: the main one, or a subgraph of a node
  kNode,       // one execution of a node
  kKernel,     // one kernel on a device; belongs to the node before it
};

struct Event {
  EventKind kind = EventKind::kPhase;
  base::StringId name;  // for a node without the runtime's additions
  base::StringId op_type;
  base::StringId provider;
  std::int64_t node_index = -1;
  std::int64_t thread = 0;
  double start_us = 0;
  double duration_us = 0;
  std::string_view inputs, outputs;  // types and shapes, JSON; empty if the version lacks them
  std::string_view args;             // all arguments, JSON
  std::size_t position = 0;          // in the file's list
};

// Errors: kBadInput with pointer and offset. Texts are borrowed from the artefact.
Result<std::vector<Event>> read_events(const Artefact& artefact, model::ModelBuilder& builder);

// One tensor in a list of types and shapes.
struct Shape {
  model::DType dtype = model::DType::kNull;
  std::string_view type;  // as written
  std::vector<std::int64_t> dims;
  bool dims_known = true;
};

// [{"float":[1,3,224,224]},{"int64":[]}]. `json` must be part of an artefact's bytes, which end
// with padding. Nothing if it has another form.
std::optional<std::vector<Shape>> parse_shapes(std::string_view json);

}  // namespace planex::ingest::onnxruntime
