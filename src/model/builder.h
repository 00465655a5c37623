// Fills a PlanModel: the one way in for every reader.
//
// Layers are added in execution order, each followed by its ports, attributes and sources; times
// and diagnostics can be added at any time. finish() checks and indexes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/plan_model.h"
#include "planex/error.h"

namespace planex::model {

// The largest engines have some 20 000 layers. A row takes much more memory than the few bytes that
// a hostile file needs for one.
inline constexpr std::size_t kMaxLayers = 1'000'000;
inline constexpr std::size_t kMaxPorts = 10'000'000;
inline constexpr std::size_t kMaxIterations = 10'000'000;
// Enough to show a pattern; the rest is only counted.
inline constexpr std::size_t kMaxDiagnosticsOfACode = 100;

// The error of a file that has more than `limit` rows of a kind: kUnsupported.
Error too_many(std::string_view what, std::size_t limit, const std::string& file);

struct BuilderLimits {
  std::size_t layers = kMaxLayers;  // at least 1
  std::size_t ports = kMaxPorts;
  std::size_t iterations = kMaxIterations;
};

struct PortFacts {
  std::string_view tensor;
  std::span<const std::int64_t> dims;
  bool dims_known = true;
  DType dtype = DType::kNull;
  Layout layout;
  base::StringId raw_format;
  std::span<const std::int64_t> strides;
  base::StringId location;
};

struct DiagnosticFacts {
  std::string_view code;
  Severity severity = Severity::kWarning;
  std::string message;
  std::string file;
  std::string json_pointer;
  std::optional<std::uint64_t> byte_offset;
};

class ModelBuilder {
 public:
  explicit ModelBuilder(const BuilderLimits& limits = {});

  // For tables that readers fill directly.
  const BuilderLimits& limits() const { return limits_; }

  // The tables themselves, for columns without a function here.
  PlanModel& model() { return model_; }
  base::StringPool& strings() { return model_.strings; }

  // Room for about this many rows. Costs address space, not memory.
  struct ExpectedRows {
    std::size_t layers = 0, attributes = 0, ports = 0, tensors = 0, sources = 0, strings = 0;
  };
  void reserve(const ExpectedRows& expected);

  // Beyond the limit nothing is added: this returns the last layer again, and exceeded_limit()
  // reports it. Likewise for ports, so that the last port need not belong to the last call.
  LayerId add_layer(base::StringId name);
  bool has_exceeded_limit() const { return has_too_many_layers_ || has_too_many_ports_; }
  // The error of a file that exceeded the limits. The model lacks rows and must not be shown.
  std::optional<Error> exceeded_limit(const std::string& file) const;
  // `lifetime` is that of `facts.tensor`.
  void add_port(LayerId layer, Direction direction, const PortFacts& facts,
                base::Lifetime lifetime = base::Lifetime::kCopy);
  // Removes all ports and all tensors, for a reader that has more information than the previous one
  // and adds them again.
  PortsTable take_ports();
  void add_attribute(LayerId layer, base::StringId key, base::StringId value, ValueType type);
  // The tensor with the name that a port used, or null.
  TensorId find_tensor(std::string_view name) const;
  // `lifetime` is that of `op_name`.
  void add_source(LayerId layer, std::string_view op_name, std::string_view op_type,
                  Evidence evidence, base::Lifetime lifetime = base::Lifetime::kCopy);
  void add_metadata(std::string_view section, std::string_view key, std::string_view value,
                    std::string_view file);
  // Returns the row, so that counts can be set later.
  std::size_t add_file(std::string_view file, std::string_view kind, std::string_view evidence,
                       std::uint64_t size_bytes);
  // Diagnostics with one code are kept up to a limit and then counted in one last row, so that a
  // file full of oddities does not fill the memory.
  void add_diagnostic(const DiagnosticFacts& facts);

  // An operation of the source model, followed by its ports: inputs, then outputs. Dims are empty
  // where the model does not record them.
  struct OperationFacts {
    std::string_view name, type, domain, subgraph, parameters;
  };
  OperationId add_operation(const OperationFacts& facts,
                            base::Lifetime lifetime = base::Lifetime::kCopy);
  struct OperationPortFacts {
    std::string_view tensor;  // without data: an optional one that is omitted
    std::span<const std::int64_t> dims;
    bool dims_known = true;
    DType dtype = DType::kNull;
    std::optional<std::int64_t> stored_bytes;
  };
  void add_operation_port(OperationId operation, Direction direction,
                          const OperationPortFacts& facts,
                          base::Lifetime lifetime = base::Lifetime::kCopy);

  // A record that signals, waits or jumps. `kind` is a word of the events table.
  void add_event(LayerId layer, std::string_view kind, std::optional<std::int64_t> event_id,
                 LayerId target = {});
  BlockId add_block(std::string_view name, std::string_view kind, BlockId parent = {});

  // Shapes that an optimization profile allows for a binding.
  struct ProfileFacts {
    std::int64_t profile_index = 0;
    std::string_view binding;
    // Null where the file has none, as for outputs.
    std::optional<std::span<const std::int64_t>> min_dims, opt_dims, max_dims;
    std::string_view raw_format;
  };
  void add_profile(const ProfileFacts& facts);

  // Engine inputs and outputs. The tensor is the one of this name unless given. A null direction is
  // found from who reads and writes the tensor.
  void add_binding(std::string_view name, Direction direction, TensorId tensor = {});
  // Connects a binding to a tensor with a different name, once it is known.
  void set_binding_tensor(std::size_t binding, TensorId tensor);

  void keep(std::shared_ptr<const base::Bytes> bytes) { model_.keep(std::move(bytes)); }

  // For readers that work in parallel, each on its own builder. Both leave `other` empty.
  //
  // Adds the contents of another builder, as if they had been added to this one next: numbering of
  // layers continues, tensors with the same name are one. Its facts about the engine itself are
  // left out. `moved_pointer` maps the JSON pointer of a diagnostic; null: unchanged.
  using MovedPointer = std::function<std::string(std::string_view)>;
  void append(ModelBuilder&& other, const MovedPointer& moved_pointer);
  // The same, but as if they had been added before. `other` must not have anything with ids:
  // layers, tensors, operations, blocks, regions. Only its facts about the engine itself count.
  void prepend(ModelBuilder&& other);

  // Sorts the rows that belong to layers, fills `tensors` and the missing parts of `bindings`.
  PlanModel finish();

 private:
  TensorId tensor(std::string_view name, base::Lifetime lifetime);
  TensorId tensor_named(base::StringId id);
  std::vector<TensorId> append_tensors(const TensorsTable& tensors,
                                       std::span<const base::StringId> strings);
  void resolve_tensor_roles();
  void resolve_bindings();
  void count_blocks();
  void flush_suppressed_diagnostics();

  struct DiagnosticCount {
    base::StringId code;
    std::size_t count = 0;
    Severity severity = Severity::kWarning;
  };
  // Diagnostics in their original order: the listed ones, and the number for each code.
  struct Diagnostics {
    DiagnosticsTable listed;
    std::vector<DiagnosticCount> counts;
  };
  Diagnostics take_diagnostics();
  template <typename Map>
  void add_diagnostics(const Diagnostics& diagnostics, const Map& map,
                       const MovedPointer& moved_pointer);

  PlanModel model_;
  BuilderLimits limits_;
  bool has_too_many_layers_ = false, has_too_many_ports_ = false;
  std::vector<TensorId> tensor_of_string_;
  std::vector<TensorId> tensor_of_binding_;  // null: the one of the binding's name
  std::vector<DiagnosticCount> diagnostic_counts_;
};

}  // namespace planex::model
