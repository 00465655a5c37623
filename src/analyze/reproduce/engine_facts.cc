#include "analyze/reproduce/engine_facts.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "analyze/work/measured_shapes.h"
#include "analyze/work/shapes.h"
#include "base/files.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using base::format;
using model::PlanModel;

// Options that name the model of a build.
constexpr std::array<std::string_view, 3> kModelOptions = {"onnx", "deploy", "uff"};

// A build route contains blanks, which trtexec prints without quotation marks:
// "--setBuildRoute=-a=on
// -b=2 --saveEngine=x".
void join_routes(std::vector<std::string>& words) {
  std::vector<std::string> joined;
  bool in_route = false;
  for (std::string& word : words) {
    if (in_route && !word.starts_with("--")) {
      joined.back() += ' ';
      joined.back() += word;
      continue;
    }
    in_route = word.starts_with("--setBuildRoute=") || word.starts_with("--tuneBuildRoutes=");
    joined.push_back(std::move(word));
  }
  words = std::move(joined);
}

// The folder of a file, or of the archive that it is a member of: nothing is written into archives.
std::string_view folder_outside_archives(std::string_view path) {
  std::string_view folder = base::folder_of(path);
  for (const std::string_view ending : {".planex/", ".tea/", ".zip/"}) {
    const std::size_t found = path.find(ending);
    if (found == path.npos) continue;
    const std::string_view archive = path.substr(0, found);
    const std::string_view outside = base::folder_of(archive);
    if (outside.size() < folder.size()) folder = outside;
  }
  return folder;
}

}  // namespace

EngineFacts::EngineFacts(const PlanModel& model) : model_(model) {
  producer_ = model.text(model.engine.producer[0]);
  detail_ = model.text(model.engine.detail[0]);
  name_ = model.text(model.engine.name[0]);
  versions_ = trtexec::parse_tensorrt_versions(model.text(model.engine.producer_version[0]));
  for (std::size_t row = 0; row < model.files.row_count(); ++row) {
    kinds_.emplace_back(model.text(model.files.kind[row]));
  }
  if (!kinds_.empty()) first_file_ = model.text(model.files.file[0]);
  const auto layer_file = std::ranges::find(kinds_, "tensorrt-graph");
  if (layer_file != kinds_.end()) {
    layer_file_ =
        model.text(model.files.file[static_cast<std::size_t>(layer_file - kinds_.begin())]);
  }
  // Several logs have one command each.
  std::vector<std::vector<std::string>> builds;
  const model::MetadataTable& table = model.metadata;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (model.text(table.section[row]) != "command") continue;
    const std::string_view key = model.text(table.key[row]);
    const bool is_build = key == "trtexec (build)";
    if (!is_build && key != "trtexec") continue;
    std::vector<std::string> words = trtexec::split_command(model.text(table.value[row]));
    join_routes(words);
    if (!words.empty()) (is_build ? builds : commands_).push_back(std::move(words));
  }
  for (const auto* list : {&builds, &commands_}) {
    for (const auto& words : *list) {
      const bool is_build = std::ranges::any_of(kModelOptions, [&](std::string_view option) {
        return trtexec::option_value(words, option).has_value();
      });
      if (build_.empty() && is_build) build_ = words;
    }
  }
  // Later versions no longer had parsers for Caffe and UFF models.
  const bool is_of_old_parser = !build_.empty() && !trtexec::option_value(build_, "onnx");
  if (is_of_old_parser && !versions_.last) versions_.last = {8, 6};
  std::ranges::move(builds, std::back_inserter(commands_));
  refused_option_ = metadata("build", "refused option");
}

std::optional<std::string> EngineFacts::run_option(std::string_view name) const {
  for (const auto& words : commands_) {
    if (auto value = trtexec::option_value(words, name)) return value;
  }
  return std::nullopt;
}

bool EngineFacts::has_kind(std::string_view kind) const {
  return std::ranges::find(kinds_, kind) != kinds_.end();
}

std::string_view EngineFacts::metadata(std::string_view section, std::string_view key) const {
  const model::MetadataTable& table = model_.metadata;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (model_.text(table.key[row]) == key && model_.text(table.section[row]) == section) {
      return model_.text(table.value[row]);
    }
  }
  return {};
}

std::string EngineFacts::model_file() const {
  for (std::size_t row = 0; row < model_.files.row_count(); ++row) {
    if (model_.text(model_.files.kind[row]) == "onnx") {
      return std::string(model_.text(model_.files.file[row]));
    }
  }
  for (const auto& words : commands_) {
    if (auto value = trtexec::option_value(words, "onnx")) return *value;
  }
  for (const auto& [section, key] :
       {std::pair<std::string_view, std::string_view>{"model_options", "Model"},
        {"source model", "Input filename"},
        {"model", "path"},
        {kBenchmarkOptions, "-m"}}) {
    if (const std::string_view value = metadata(section, key); !value.empty()) {
      return std::string(value);
    }
  }
  return std::string(kAnyModel);
}

std::string EngineFacts::engine_file() const {
  for (const std::string_view option : {"saveEngine", "loadEngine"}) {
    for (const auto& words : commands_) {
      if (auto value = trtexec::option_value(words, option)) return *value;
    }
  }
  for (const std::string_view key : {"Save engine", "Load engine"}) {
    if (const auto value = metadata("build_options", key); !value.empty()) {
      return std::string(value);
    }
  }
  for (const std::string_view ending : {".engine", ".plan", ".trt"}) {
    if (name_.ends_with(ending)) return name_;
  }
  return name_ + ".engine";
}

bool EngineFacts::is_not_saved() const {
  if (build_.empty()) return false;
  for (const std::string_view option : {"saveEngine", "loadEngine"}) {
    for (const auto& words : commands_) {
      if (trtexec::option_value(words, option)) return false;
    }
  }
  return metadata("build_options", "Save engine").empty();
}

bool EngineFacts::is_in_torch_module() const {
  return model_.text(model_.engine.version_evidence[0]).find("Torch-TensorRT") !=
         std::string_view::npos;
}

std::string EngineFacts::dla_core() const {
  if (auto core = run_option("useDLACore")) return *core;
  // "0(With GPU fallback)"
  const std::string_view core = metadata("system_options", "DLACore");
  return std::string(core.substr(0, core.find_first_not_of("0123456789")));
}

std::string EngineFacts::loaded_engine() const {
  for (const auto& words : commands_) {
    if (auto file = trtexec::option_value(words, "loadEngine")) return *file;
  }
  return std::string(metadata("build_options", "Load engine"));
}

bool EngineFacts::has_failed_to_load() const {
  const model::DiagnosticsTable& table = model_.diagnostics;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (model_.text(table.code[row]) == "load-failed") return true;
  }
  return false;
}

std::string EngineFacts::layer_file() const {
  const bool can_be_written =
      !layer_file_.empty() && folder_outside_archives(layer_file_) == base::folder_of(layer_file_);
  return can_be_written ? layer_file_ : output(".graph.json");
}

std::string EngineFacts::output(std::string_view ending) const {
  const std::string_view folder = folder_outside_archives(first_file_);
  const std::string file = format("{}{}", name_, ending);
  return folder.empty() || folder == "." ? file : base::join_path(folder, file);
}

std::optional<std::int64_t> EngineFacts::profile() const {
  const auto shown = model_.engine.profile_index.get(0);
  return shown && *shown > 0 ? shown : std::nullopt;
}

std::string EngineFacts::shapes() const {
  // They belong to the profile that ran.
  if (!profile()) {
    if (auto shapes = run_option("shapes")) return *shapes;
    if (std::string measured = measured_shapes(model_); !measured.empty()) return measured;
    if (auto shapes = run_option("optShapes")) return *shapes;
  }
  const model::BindingsTable& table = model_.bindings;
  std::string text;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (table.direction[row] != model::Direction::kInput) continue;
    if (!is_dynamic(table.dims[row])) continue;
    if (table.profile_opt.is_null(row)) return {};
    text += format("{}{}:", text.empty() ? "" : ",", model_.text(table.name[row]));
    bool first = true;
    for (const std::int64_t dim : table.profile_opt[row]) {
      text += format("{}{}", first ? "" : "x", dim);
      first = false;
    }
  }
  return text;
}

bool EngineFacts::has_static_inputs() const {
  const model::BindingsTable& table = model_.bindings;
  bool has_inputs = false;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (table.direction[row] != model::Direction::kInput) continue;
    has_inputs = true;
    if (table.dims.is_null(row) || is_dynamic(table.dims[row])) return false;
  }
  return has_inputs;
}

std::vector<InputRange> EngineFacts::input_ranges() const {
  const model::BindingsTable& table = model_.bindings;
  const model::ProfilesTable& profiles = model_.profiles;
  std::vector<InputRange> ranges;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (table.direction[row] != model::Direction::kInput || !is_dynamic(table.dims[row])) continue;
    const std::string_view name = model_.text(table.name[row]);
    const std::size_t before = ranges.size();
    for (std::size_t i = 0; i < profiles.row_count(); ++i) {
      if (model_.text(profiles.binding[i]) != name) continue;
      if (profiles.min_dims.is_null(i) || profiles.opt_dims.is_null(i) ||
          profiles.max_dims.is_null(i)) {
        return {};
      }
      ranges.push_back({profiles.profile_index.get(i).value_or(0), name, profiles.min_dims[i],
                        profiles.opt_dims[i], profiles.max_dims[i]});
    }
    if (ranges.size() > before) continue;
    if (table.profile_min.is_null(row) || table.profile_opt.is_null(row) ||
        table.profile_max.is_null(row)) {
      return {};
    }
    ranges.push_back(
        {0, name, table.profile_min[row], table.profile_opt[row], table.profile_max[row]});
  }
  std::ranges::stable_sort(ranges, {}, &InputRange::profile);
  return ranges;
}

}  // namespace planex::analyze
