#include "ingest/tensorrt/log/engine_tensors.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "base/text.h"
#include "ingest/tensorrt/format.h"
#include "ingest/tensorrt/log/record_line.h"

namespace planex::ingest::tensorrt {
namespace {

using base::format;
using base::Lifetime;
using model::Direction;
using model::Severity;
using model::TensorId;

// As many as a builder could be given; more is a broken file.
constexpr std::int64_t kMostProfiles = 4096;

// The number after `head` in `text`, of which the whole ends with `tail`.
std::optional<std::int64_t> number_after(std::string_view text, std::size_t at, char tail) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data() + at, end, value);
  if (parsed.ec != std::errc() || value < 0 || parsed.ptr == end || *parsed.ptr != tail) {
    return std::nullopt;
  }
  return value;
}

// N of " [profile N]", which TensorRT appends to names of all profiles but the first.
std::optional<std::int64_t> profile_in(std::string_view name) {
  constexpr std::string_view kMark = " [profile ";
  const std::size_t at = name.rfind(kMark);
  return at == name.npos ? std::nullopt : number_after(name, at + kMark.size(), ']');
}

// G of "…_mylG_K": the program that the layer is part of.
std::optional<std::int64_t> program_of(std::string_view name) {
  constexpr std::string_view kMark = "_myl";
  const std::size_t at = name.rfind(kMark);
  return at == name.npos ? std::nullopt : number_after(name, at + kMark.size(), '_');
}

class EngineTensors {
 public:
  EngineTensors(const Artefact& artefact, const LayerBlock& block, model::ModelBuilder& builder)
      : artefact_(artefact), block_(block), builder_(builder), model_(builder.model()) {}

  void add(const NetworkBindings& network) {
    read_io_tensors();
    set_profile_count();
    mark_layers();
    if (model_.bindings.row_count() == 0) {
      if (!bindings_.empty()) {
        add_io_bindings();
      } else if (!block_.bindings.empty()) {
        add_listed_bindings();
      } else {
        add_network_bindings(network);
      }
    }
    add_engine_metadata();
  }

 private:
  struct Binding {
    std::string_view name;
    Direction direction = Direction::kNull;
    model::DType dtype = model::DType::kNull;
    model::Layout layout;
    std::vector<std::int64_t> dims;
    bool has_dims = false;
    std::size_t first_profile = 0;  // row of the profiles table
    std::size_t profile_count = 0;
    std::int64_t listed_profiles = 0;  // in the log
  };

  void read_io_tensors() {
    constexpr std::string_view kHead = " Name: ";
    const bool has_profiles = model_.profiles.row_count() > 0;
    RecordLine line;
    for (const std::string_view record : split_records(block_.io_tensors, kHead)) {
      if (!line.split(record)) {
        builder_.add_diagnostic(
            {.code = "log-record-broken",
             .message =
                 format("a record of \"I/O Tensors\" breaks off: expected {}", line.expected()),
             .file = artefact_.path,
             .byte_offset = static_cast<std::uint64_t>(record.data() + line.broken_at() -
                                                       artefact_.bytes->view().data())});
      }
      Binding binding;
      binding.name = line.value_of("Name");
      if (binding.name.empty()) continue;
      const std::string_view mode = line.value_of("IOMode");
      if (mode == "Input") binding.direction = Direction::kInput;
      if (mode == "Output") binding.direction = Direction::kOutput;
      binding.dtype = parse_type(line.value_of("DataType"));
      binding.has_dims = read_integers(line.value_of("Dimensions"), binding.dims);
      binding.first_profile = model_.profiles.row_count();
      const auto profiles = std::ranges::find(line.fields(), "ProfileInfo", &RecordField::key);
      if (profiles != line.fields().end()) {
        read_profiles(line, *profiles, binding, has_profiles);
      }
      // Worth a word only where a tensor is not on the device.
      const std::string_view location = line.value_of("Location");
      if (!location.empty() && location != "Device") {
        builder_.add_metadata("bindings", binding.name, format("Location: {}", location),
                              artefact_.path);
      }
      if (line.value_of("IsShapeInferenceIO") == "true") {
        builder_.add_metadata("bindings", binding.name, "IsShapeInferenceIO: true", artefact_.path);
      }
      bindings_.push_back(std::move(binding));
    }
  }

  void read_profiles(const RecordLine& line, const RecordField& field, Binding& binding,
                     bool has_profiles) {
    std::int64_t index = 0;
    for (const RecordObject& object : line.objects_of(field)) {
      if (index >= kMostProfiles) break;
      std::vector<std::int64_t> dims[3];
      model::ModelBuilder::ProfileFacts facts{.profile_index = index, .binding = binding.name};
      for (const RecordField& member : line.fields_of(object)) {
        const auto read = [&](std::vector<std::int64_t>& into, auto& target) {
          if (read_integers(member.value, into)) target = std::span<const std::int64_t>(into);
        };
        if (member.key == "MinShape") read(dims[0], facts.min_dims);
        if (member.key == "OptShape") read(dims[1], facts.opt_dims);
        if (member.key == "MaxShape") read(dims[2], facts.max_dims);
        if (member.key == "Format") {
          facts.raw_format = member.value;
          if (index == 0) binding.layout = parse_format(member.value).layout;
        }
      }
      if (!has_profiles) {
        builder_.add_profile(facts);
        ++binding.profile_count;
      }
      binding.listed_profiles = ++index;
      profile_count_ = std::max(profile_count_, index);
    }
  }

  void set_profile_count() {
    model::EngineTable& engine = model_.engine;
    if (profile_count_ == 0) {
      // Names tell it where nothing else does.
      for (std::size_t row = 0; row < model_.layers.row_count(); ++row) {
        const auto profile = profile_in(model_.text(model_.layers.name[row]));
        if (profile && *profile < kMostProfiles) {
          profile_count_ = std::max(profile_count_, *profile + 1);
        }
      }
    }
    if (profile_count_ == 0) return;
    if (engine.profile_count.is_null(0)) engine.profile_count.set(0, profile_count_);
    const auto chosen = engine.profile_index.get(0);
    if (chosen && (*chosen < 0 || *chosen >= profile_count_)) {
      builder_.add_diagnostic(
          {.code = "no-such-profile",
           .message = format(
               "the engine has {}, numbered from 0: profile 0 is shown in place of {}",
               base::counted(static_cast<std::size_t>(profile_count_), "optimisation profile"),
               *chosen),
           .file = artefact_.path});
      engine.profile_index.set(0, 0);
    } else if (!chosen) {
      engine.profile_index.set(0, 0);
    }
  }

  // A layer is of the profile that its name or one of its tensors names, else of that of its
  // program, else of the first: only names of other profiles carry a mark. Programs without any
  // mark are counted, where there are as many as profiles.
  void mark_layers() {
    model::LayersTable& layers = model_.layers;
    if (profile_count_ < 2) return;
    const std::vector<std::optional<std::int64_t>> marks = marks_of_layers();
    std::unordered_map<std::int64_t, std::int64_t> profile_of_program;
    std::vector<std::int64_t> programs;
    for (std::size_t row = 0; row < layers.row_count(); ++row) {
      const auto program = program_of(model_.text(layers.name[row]));
      if (!program) continue;
      if (profile_of_program.emplace(*program, 0).second) programs.push_back(*program);
      if (marks[row]) profile_of_program[*program] = *marks[row];
    }
    const bool any_mark =
        std::ranges::any_of(marks, [](const auto& mark) { return mark.has_value(); });
    if (!any_mark && programs.size() == static_cast<std::size_t>(profile_count_)) {
      for (std::size_t i = 0; i < programs.size(); ++i) {
        profile_of_program[programs[i]] = static_cast<std::int64_t>(i);
      }
    }
    for (std::size_t row = 0; row < layers.row_count(); ++row) {
      const auto program = program_of(model_.text(layers.name[row]));
      const std::int64_t of_program = program ? profile_of_program[*program] : 0;
      if (layers.profile_index.is_null(row)) {
        layers.profile_index.set(row, marks[row].value_or(of_program));
      }
    }
  }

  std::vector<std::optional<std::int64_t>> marks_of_layers() const {
    const model::LayersTable& layers = model_.layers;
    const model::PortsTable& ports = model_.ports;
    std::vector<std::optional<std::int64_t>> marks(layers.row_count());
    for (std::size_t row = 0; row < layers.row_count(); ++row) {
      marks[row] = profile_in(model_.text(layers.name[row]));
    }
    for (std::size_t port = 0; port < ports.row_count(); ++port) {
      auto& mark = marks[ports.layer_id[port].index()];
      if (!mark) mark = profile_in(name_of(ports.tensor_id[port]));
    }
    return marks;
  }

  std::string_view name_of(TensorId tensor) const {
    return model_.text(model_.tensors.name[tensor.index()]);
  }

  // Built at the first question: most engines ask for a few bindings of one profile.
  TensorId find_tensor(std::string_view name) {
    if (tensors_.empty()) {
      for (std::size_t row = 0; row < model_.tensors.row_count(); ++row) {
        tensors_.emplace(name_of(TensorId(row)), TensorId(row));
      }
    }
    const auto found = tensors_.find(name);
    return found == tensors_.end() ? TensorId() : found->second;
  }

  // The tensors that a binding is in the profiles after the first; adds their roles, as only one of
  // a binding's tensors is known to the builder. Returns the one of the profile that is shown.
  TensorId tensor_of(const Binding& binding) {
    const std::int64_t shown = model_.engine.profile_index.get(0).value_or(0);
    TensorId result;
    for (std::int64_t profile = 1; profile < binding.listed_profiles; ++profile) {
      const TensorId tensor = find_tensor(format("{} [profile {}]", binding.name, profile));
      if (tensor.is_null()) continue;
      model_.tensors.role.set(tensor.index(), binding.direction == Direction::kInput
                                                  ? model::TensorRole::kInput
                                                  : model::TensorRole::kOutput);
      if (profile == shown) result = tensor;
    }
    if (shown > 0) {
      const TensorId first = find_tensor(binding.name);
      if (!first.is_null() && !result.is_null()) {
        model_.tensors.role.set(first.index(), binding.direction == Direction::kInput
                                                   ? model::TensorRole::kInput
                                                   : model::TensorRole::kOutput);
      }
    }
    return result;
  }

  void add_io_bindings() {
    const std::int64_t shown = model_.engine.profile_index.get(0).value_or(0);
    for (const Binding& binding : bindings_) {
      const TensorId tensor = profile_count_ > 1 ? tensor_of(binding) : TensorId();
      const std::size_t row = model_.bindings.row_count();
      builder_.add_binding(binding.name, binding.direction, tensor);
      model::BindingsTable& table = model_.bindings;
      if (binding.has_dims) table.dims.set(row, binding.dims);
      table.dtype.set(row, binding.dtype);
      table.layout.set(row, binding.layout);
      const auto profile = static_cast<std::size_t>(shown);
      if (profile >= binding.profile_count) continue;
      const model::ProfilesTable& profiles = model_.profiles;
      const std::size_t from = binding.first_profile + profile;
      if (!profiles.min_dims.is_null(from)) table.profile_min.set(row, profiles.min_dims[from]);
      if (!profiles.opt_dims.is_null(from)) table.profile_opt.set(row, profiles.opt_dims[from]);
      if (!profiles.max_dims.is_null(from)) table.profile_max.set(row, profiles.max_dims[from]);
    }
  }

  // A program may print on right after the list: names after the last one of a tensor are dropped
  // where tensors are known.
  void add_listed_bindings() {
    std::vector<std::string_view> names = split_lines(block_.bindings);
    const bool knows_tensors = model_.ports.row_count() > 0;
    while (knows_tensors && !names.empty() && find_tensor(names.back()).is_null()) names.pop_back();
    for (const std::string_view name : names) add_named(name, {});
  }

  void add_named(std::string_view name, std::optional<Direction> direction) {
    builder_.add_binding(name, direction.value_or(Direction::kNull));
  }

  // With no list of bindings the parser's inputs and outputs are those; a network that no parser
  // made has its inputs where layers read what none writes.
  void add_network_bindings(const NetworkBindings& network) {
    if (model_.ports.row_count() == 0) return;
    for (const std::string_view name : network.inputs) {
      if (!find_tensor(name).is_null()) add_named(name, Direction::kInput);
    }
    for (const std::string_view name : network.outputs) {
      if (!find_tensor(name).is_null()) add_named(name, Direction::kOutput);
    }
    if (model_.bindings.row_count() > 0) return;
    const model::TensorsTable& tensors = model_.tensors;
    for (std::size_t row = 0; row < tensors.row_count(); ++row) {
      const std::string_view name = name_of(TensorId(row));
      if (name.starts_with("(Unnamed Layer*")) continue;
      if (tensors.producers[row] == 0) add_named(name, Direction::kInput);
      if (tensors.consumers[row] == 0) add_named(name, Direction::kOutput);
    }
    builder_.add_diagnostic(
        {.code = "bindings-guessed",
         .severity = Severity::kInfo,
         .message = "the log does not list the engine's inputs and outputs: tensors that are read "
                    "but not written, or written but not read, are shown as such",
         .file = artefact_.path});
  }

  void add_engine_metadata() {
    for (const std::string_view line : split_lines(block_.engine_metadata)) {
      const std::size_t colon = std::min(line.find(':'), line.size());
      builder_.add_metadata("engine metadata", base::trimmed(line.substr(0, colon)),
                            base::trimmed(line.substr(std::min(colon + 1, line.size()))),
                            artefact_.path);
    }
  }

  const Artefact& artefact_;
  const LayerBlock& block_;
  model::ModelBuilder& builder_;
  model::PlanModel& model_;
  std::vector<Binding> bindings_;
  std::int64_t profile_count_ = 0;
  std::unordered_map<std::string_view, TensorId> tensors_;
};

}  // namespace

void add_engine_tensors(const Artefact& artefact, const LayerBlock& block,
                        const NetworkBindings& network, model::ModelBuilder& builder) {
  EngineTensors(artefact, block, builder).add(network);
}

}  // namespace planex::ingest::tensorrt
