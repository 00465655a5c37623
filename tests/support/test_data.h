// Where the real engines are, and how a test gets one.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.h"
#include "ingest/discover/discover.h"
#include "model/plan_model.h"
#include "planex/error.h"

namespace planex::test {

// The folder of real engines (PLANEX_TEST_DATA, else the one CMake was told), if it is there.
std::optional<std::string> data_folder();

// The folders that have folders of engines: data/engines, data/engines-2, and whatever else is
// put beside them under such a name. Sorted.
std::vector<std::string> engine_sets(const std::string& data);

// All folders of engines in them, sorted by their own names: a folder that is dropped in is tested
// as all others are.
std::vector<std::string> all_engine_folders(const std::string& data);

// Whether tests take all of them (PLANEX_TEST_ENGINES=all).
bool takes_all_engines();

// Those that a test of "every engine" takes: of each producer and form one
// (tests/chosen_engines.txt), or all.
std::vector<std::string> engine_folders(const std::string& data);

// The engines of one folder, each by a path to load: the folder itself where it is one engine. A
// failure of the test, and none, where there is no engine.
std::vector<std::string> engines_in(const std::string& folder, const base::FileSource& files);

// "folder", or "folder.file" of one engine of several in a folder.
std::string name_of_engine(const std::string& folder, const std::string& engine);

// Engines of data/engines that the predecessor reads too: data/expected says what it computed.
inline constexpr std::array<const char*, 17> kReadableEngines = {
    "alexnet-torch-tensorrt-10",
    "controlnet-a10-trt8.6",
    "depth-anything-v2-rtx30-trt10",
    "mnist-trt10.14.1-logs",
    "mobilenet-titanrtx-qat",
    "mobilenet-titanrtx-qat-residual",
    "mobilenet-titanrtx-qat-trt8.2",
    "mobilenetv2-trt10.1-fp16",
    "resnet18-a100-fp16",
    "resnet18-a100-fp32",
    "resnet18-a100-qat",
    "resnet18-a100-qat-residual",
    "resnet18-a100-qat-residual-qgap",
    "resnet18-trt10-fp16",
    "resnet50-rtx3090-fp16",
    "resnet50-rtx3090-fp32",
    "resnet50-rtx3090-qat",
};

// Whether the machine is a CI one, where nothing may be skipped.
bool in_ci();

// Declares `folder`; skips the test where the real engines are missing, and fails it in CI.
#define PLANEX_NEED_TEST_DATA(folder)                                                        \
  const auto folder##_found = ::planex::test::data_folder();                                 \
  if (!folder##_found) {                                                                     \
    if (::planex::test::in_ci()) FAIL() << "no real engines: set PLANEX_TEST_DATA";          \
    GTEST_SKIP() << "no real engines: set PLANEX_TEST_DATA to the folder that has engines/"; \
  }                                                                                          \
  const std::string& folder = *folder##_found

// One line with all that an error says, for failure messages and goldens.
std::string to_text(const Error& error);

// Loads and completes. A failure is the error, as for users.
Result<model::PlanModel> load_completed(const ingest::LoadRequest& request,
                                        const base::FileSource& source);

// A folder of data/engines by its name, loaded and completed.
Result<model::PlanModel> load_engine(const std::string& data, const std::string& name);

// Files in memory, by path and content.
base::MemoryFiles memory_files(
    std::initializer_list<std::pair<std::string, std::string_view>> files);

// A model of one layer file, and one more file if `other` is not empty, in a folder "engine".
// `other` is recognized by its content.
Result<model::PlanModel> load_texts(std::string_view graph, std::string_view other = {});

// The model, or a failure of the test and an empty model.
model::PlanModel must(Result<model::PlanModel> model);

// All regular files below a folder whose name ends with one of `endings`, sorted.
std::vector<std::string> files_below(const std::string& folder,
                                     std::initializer_list<std::string_view> endings);

// The whole file. Fails the test where it can't be read.
std::string read_text(const std::string& path);

// The codes of all diagnostics, in order.
std::vector<std::string> diagnostic_codes(const model::PlanModel& model);

}  // namespace planex::test
