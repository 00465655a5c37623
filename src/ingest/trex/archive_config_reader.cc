#include "ingest/trex/archive_config_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "base/try.h"
#include "ingest/json_record.h"

namespace planex::ingest::trex {
namespace {

namespace ondemand = simdjson::ondemand;
using base::format;
using model::Direction;
using model::DType;

// No schema names these files, but the two keys do that TREx adds to what it copies.
constexpr std::string_view kBuildKey = "engine_build_duration";
constexpr std::string_view kTensorsKey = "io_tensors";
constexpr Schema kFile = {.what = "a file of a TREx archive"};

constexpr std::string_view kBuildSection = "builder configuration";
constexpr std::string_view kEngineSection = "engine";

struct TypeName {
  std::string_view name;  // of TensorRT's Python enumeration
  DType type;
};
constexpr std::array<TypeName, 10> kTypes = {{{"FLOAT", DType::kFp32},
                                              {"HALF", DType::kFp16},
                                              {"BF16", DType::kBf16},
                                              {"FP8", DType::kFp8},
                                              {"FP4", DType::kFp4},
                                              {"INT64", DType::kInt64},
                                              {"INT32", DType::kInt32},
                                              {"INT8", DType::kInt8},
                                              {"INT4", DType::kInt4},
                                              {"UINT8", DType::kUint8}}};

// "DataType.FLOAT" -> "FLOAT".
std::string_view member_of(std::string_view text) {
  const std::size_t dot = text.rfind('.');
  return dot == text.npos ? text : text.substr(dot + 1);
}

DType type_of(std::string_view text) {
  const std::string_view name = member_of(text);
  if (name == "BOOL") return DType::kBool;
  const auto found = std::ranges::find(kTypes, name, &TypeName::name);
  return found == kTypes.end() ? DType::kNull : found->type;
}

// "(1, 3, -1, 224)", also with square brackets and a trailing comma; nothing if it is anything
// else.
std::optional<std::vector<std::int64_t>> dims_of(std::string_view text) {
  text = base::trimmed(text);
  if (text.size() < 2 || std::string_view("([").find(text.front()) == text.npos) {
    return std::nullopt;
  }
  text = base::trimmed(text.substr(1, text.size() - 2));
  std::vector<std::int64_t> dims;
  while (!text.empty()) {
    std::int64_t dim = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), dim);
    if (parsed.ec != std::errc()) return std::nullopt;
    dims.push_back(dim);
    text = base::trimmed(text.substr(static_cast<std::size_t>(parsed.ptr - text.data())));
    if (text.empty()) break;
    if (text.front() != ',') return std::nullopt;
    text = base::trimmed(text.substr(1));
  }
  return dims;
}

class ArchiveConfigReader {
 public:
  ArchiveConfigReader(const Artefact& artefact, model::ModelBuilder& builder)
      : artefact_(artefact), builder_(builder), json_(artefact, kFile) {}

  Result<void> read() {
    // Each file has its own key; texts of the same name elsewhere don't count.
    section_ = artefact_.bytes->view().find(format("\"{}\"", kTensorsKey)) == std::string_view::npos
                   ? kBuildSection
                   : kEngineSection;
    PLANEX_TRY(json_.read_root([this](std::string_view key, ondemand::value& value,
                                      const JsonPlace& place) -> Result<void> {
      if (key == kTensorsKey) return read_tensors(value, place);
      return read_option(key, value, place);
    }));
    json_.input().report_trailing(builder_);
    builder_.model().files.record_count.set(artefact_.file_row, count_);
    tell_what_is_missing();
    return {};
  }

 private:
  Result<void> read_option(std::string_view key, ondemand::value& value, const JsonPlace& place) {
    PLANEX_ASSIGN(const JsonText text, json_.written(value, place));
    builder_.add_metadata(section_, key, text.view, artefact_.path);
    ++count_;
    if (section_ == kEngineSection && key == "num_optimization_profiles") {
      std::int64_t profiles = 0;
      const std::string_view digits = text.view;
      const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), profiles);
      if (parsed.ec == std::errc() && profiles > 0 &&
          builder_.model().engine.profile_count.is_null(0)) {
        builder_.model().engine.profile_count.set(0, profiles);
      }
    }
    return {};
  }

  Result<void> read_tensors(ondemand::value& value, const JsonPlace& place) {
    // Layers know their tensors better: with layouts, and in the profile that is shown.
    const bool has_bindings = builder_.model().bindings.row_count() > 0;
    return json_.each_field(
        value, place, "an object of tensors",
        [&](std::string_view name, ondemand::value& tensor, const JsonPlace& at) {
          return read_tensor(name, tensor, at, has_bindings);
        });
  }

  Result<void> read_tensor(std::string_view name, ondemand::value& value, const JsonPlace& place,
                           bool has_bindings) {
    Direction direction = Direction::kNull;
    DType type = DType::kNull;
    std::optional<std::vector<std::int64_t>> dims;
    PLANEX_TRY(json_.each_field(
        value, place, "an object",
        [&](std::string_view key, ondemand::value& field, const JsonPlace& at) -> Result<void> {
          PLANEX_ASSIGN(const JsonText text, json_.written(field, at));
          builder_.add_metadata(section_, format("{}.{}.{}", kTensorsKey, name, key), text.view,
                                artefact_.path);
          ++count_;
          if (key == "mode") {
            const std::string_view mode = member_of(text.view);
            if (mode == "INPUT") direction = Direction::kInput;
            if (mode == "OUTPUT") direction = Direction::kOutput;
          } else if (key == "dtype") {
            type = type_of(text.view);
            if (type == DType::kNull) report("unknown-type", text.view, "a type", at);
          } else if (key == "shape") {
            dims = dims_of(text.view);
            if (!dims) report("unknown-shape", text.view, "a list of dimensions", at);
          }
          return {};
        }));
    if (has_bindings || direction == Direction::kNull) return {};
    builder_.add_binding(name, direction);
    model::BindingsTable& bindings = builder_.model().bindings;
    const std::size_t row = bindings.row_count() - 1;
    bindings.dtype.set(row, type);
    if (dims) bindings.dims.set(row, *dims);
    return {};
  }

  void report(std::string_view code, std::string_view found, std::string_view expected,
              const JsonPlace& place) {
    builder_.add_diagnostic({.code = code,
                             .message = format("{} is not recognized as {}; it is ignored",
                                               base::quoted(found), expected),
                             .file = artefact_.path,
                             .json_pointer = place.pointer()});
  }

  // These files can be all that is known of an engine.
  void tell_what_is_missing() {
    model::PlanModel& model = builder_.model();
    if (model.layers.row_count() > 0 || !model.engine.detail.is_null(0)) return;
    model.engine.producer.set(0, builder_.strings().intern("tensorrt"));
    model.engine.detail.set(0, builder_.strings().intern("no-layers"));
    builder_.add_diagnostic(
        {.code = "no-layers",
         .message =
             "only the options and the inputs and outputs of the engine are known, but no layers: "
             "TREx stores those in files beside its archive; create them with `trtexec "
             "--loadEngine=ENGINE --profilingVerbosity=detailed --exportLayerInfo=X.graph.json`, "
             "also from the archive's engine.trt",
         .file = artefact_.path});
  }

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  JsonRecords json_;
  std::string_view section_;
  std::int64_t count_ = 0;
};

}  // namespace

Confidence sniff_archive_config(std::string_view head) {
  if (!base::trimmed(head.substr(0, 1024)).starts_with('{')) return Confidence::kNo;
  for (const std::string_view key : {kBuildKey, kTensorsKey}) {
    if (head.find(format("\"{}\"", key)) != head.npos) return Confidence::kMaybe;
  }
  return Confidence::kNo;
}

Result<void> read_archive_config(const Artefact& artefact, model::ModelBuilder& builder) {
  return ArchiveConfigReader(artefact, builder).read();
}

}  // namespace planex::ingest::trex
