#include "support/test_data.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "analyze/complete.h"
#include "base/text.h"
#include "ingest/load.h"
#include "model/builder.h"

namespace planex::test {

std::optional<std::string> data_folder() {
  const char* named = std::getenv("PLANEX_TEST_DATA");
  const std::string folder = named != nullptr && *named != '\0' ? named : PLANEX_DEFAULT_TEST_DATA;
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder + "/engines", ignored)) return std::nullopt;
  return folder;
}

bool in_ci() {
  const char* ci = std::getenv("CI");
  return ci != nullptr && std::string_view(ci) == "true";
}

std::string to_text(const Error& error) {
  std::string text = base::format("error {}: {}", static_cast<int>(error.code), error.message);
  if (!error.file.empty()) text += base::format("\n  file: {}", error.file);
  if (!error.json_pointer.empty()) text += base::format("\n  pointer: {}", error.json_pointer);
  if (error.byte_offset) text += base::format("\n  offset: {}", *error.byte_offset);
  if (!error.context.empty()) text += base::format("\n  context: {}", error.context);
  if (!error.hint.empty()) text += base::format("\n  hint: {}", error.hint);
  return text;
}

Result<model::PlanModel> load_completed(const ingest::LoadRequest& request,
                                        const base::FileSource& source) {
  auto model = ingest::load(request, source);
  if (model) analyze::complete(*model);
  return model;
}

Result<model::PlanModel> load_engine(const std::string& data, const std::string& name) {
  return load_completed({.path = data + "/engines/" + name}, base::disk());
}

base::MemoryFiles memory_files(
    std::initializer_list<std::pair<std::string, std::string_view>> files) {
  base::MemoryFiles memory;
  for (const auto& [path, content] : files) memory.add(path, content);
  return memory;
}

Result<model::PlanModel> load_texts(std::string_view graph, std::string_view other) {
  base::MemoryFiles memory;
  memory.add("engine/x.graph.json", graph);
  if (!other.empty()) memory.add("engine/x.other.json", other);
  return load_completed({.path = "engine"}, memory);
}

model::PlanModel must(Result<model::PlanModel> model) {
  if (model) return std::move(*model);
  ADD_FAILURE() << to_text(model.error());
  return model::ModelBuilder().finish();
}

std::vector<std::string> files_below(const std::string& folder,
                                     std::initializer_list<std::string_view> endings) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().string();
    const bool wanted = std::ranges::any_of(
        endings, [&](std::string_view ending) { return path.ends_with(ending); });
    if (wanted && entry.is_regular_file()) files.push_back(path);
  }
  std::ranges::sort(files);
  return files;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) ADD_FAILURE() << "can't read " << path;
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

std::vector<std::string> diagnostic_codes(const model::PlanModel& model) {
  std::vector<std::string> codes;
  for (const base::StringId code : model.diagnostics.code.values()) {
    codes.emplace_back(model.text(code));
  }
  return codes;
}

}  // namespace planex::test
