// What an engine's files record about how it was built and run, for commands that create more of
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/plan_model.h"
#include "trtexec/flags.h"

namespace planex::analyze {

// Used in commands if no file names the model.
inline constexpr std::string_view kAnyModel = "MODEL.onnx";

// The section in which benchmark_app's report has its options.
inline constexpr std::string_view kBenchmarkOptions = "command line parameters";

// Dimensions of a dynamic input that an optimization profile allows. Views into the model.
struct InputRange {
  std::int64_t profile = 0;
  std::string_view name;
  std::span<const std::int64_t> least, tuned, greatest;
};

// Views into the model, which must outlive it.
class EngineFacts {
 public:
  explicit EngineFacts(const model::PlanModel& model);

  const model::PlanModel& model() const { return model_; }
  std::string_view producer() const { return producer_; }
  std::string_view detail() const { return detail_; }
  const std::string& name() const { return name_; }
  const std::string& first_file() const { return first_file_; }
  const trtexec::TensorrtVersions& versions() const { return versions_; }
  bool has_kind(std::string_view kind) const;
  // Empty where the files don't have it.
  std::string_view metadata(std::string_view section, std::string_view key) const;

  // The words of the command that built the engine; empty where they are not known.
  const std::vector<std::string>& build_words() const { return build_; }
  // The value of a trtexec option, from the run that is shown, else from the build; null: not
  // given.
  std::optional<std::string> run_option(std::string_view name) const;
  // As the files name it, else kAnyModel.
  std::string model_file() const;
  // As the files name it, else after the engine.
  std::string engine_file() const;
  // The run that built the engine is known, and did not save it to a file.
  bool is_not_saved() const;
  bool is_in_torch_module() const;
  // The DLA core of the run, or of the build, as given; empty where it ran on the GPU.
  std::string dla_core() const;
  // The engine that the run loads; empty where it loads no known engine.
  std::string loaded_engine() const;
  // The log is about an engine that could not be loaded.
  bool has_failed_to_load() const;
  // The option that trtexec rejected, without dashes; empty where it rejected none.
  std::string_view refused_option() const { return refused_option_; }

  // Where layer information is written: into the file that lacks it, as a second file would make
  // two engines of one.
  std::string layer_file() const;
  // A new file next to the engine's own, where planex finds it.
  std::string output(std::string_view ending) const;

  // The optimization profile that is shown, if it is not the default.
  std::optional<std::int64_t> profile() const;
  // "x:1x3x224x224,y:1x10", if a dimension is dynamic and the shapes that were run are known.
  std::string shapes() const;
  // Inputs are known, and none has a dynamic dimension.
  bool has_static_inputs() const;
  // For all dynamic inputs, by profile; empty where one of them has no known ranges.
  std::vector<InputRange> input_ranges() const;

 private:
  const model::PlanModel& model_;
  std::string_view producer_, detail_;
  std::string name_, first_file_, layer_file_;
  trtexec::TensorrtVersions versions_;
  std::vector<std::string> kinds_;
  std::vector<std::vector<std::string>> commands_;  // of the shown run, then of builds
  std::vector<std::string> build_;
  std::string_view refused_option_;
};

}  // namespace planex::analyze
