#include "support/test_data.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "analyze/complete/complete.h"
#include "base/text.h"
#include "ingest/discover/load.h"
#include "model/builder.h"

namespace planex::test {

std::optional<std::string> data_folder() {
  const char* named = std::getenv("PLANEX_TEST_DATA");
  const std::string folder = named != nullptr && *named != '\0' ? named : PLANEX_DEFAULT_TEST_DATA;
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder + "/engines", ignored)) return std::nullopt;
  return folder;
}

namespace {

std::vector<std::filesystem::path> folders_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  std::ranges::sort(folders, {}, [](const auto& path) { return path.filename().string(); });
  return folders;
}

}  // namespace

std::vector<std::string> engine_sets(const std::string& data) {
  std::vector<std::string> sets;
  for (const std::filesystem::path& path : folders_below(data)) {
    const std::string name = path.filename().string();
    if (name == "engines" || name.starts_with("engines-")) sets.push_back(path.string());
  }
  return sets;
}

std::vector<std::string> all_engine_folders(const std::string& data) {
  std::vector<std::string> folders;
  for (const std::string& set : engine_sets(data)) {
    for (const std::filesystem::path& path : folders_below(set)) folders.push_back(path.string());
  }
  std::ranges::sort(folders, {}, [](const std::string& folder) {
    return std::filesystem::path(folder).filename().string();
  });
  return folders;
}

bool takes_all_engines() {
  const char* which = std::getenv("PLANEX_TEST_ENGINES");
  return which != nullptr && std::string_view(which) == "all";
}

std::vector<std::string> engine_folders(const std::string& data) {
  std::vector<std::string> folders = all_engine_folders(data);
  if (takes_all_engines()) return folders;
  std::set<std::string> chosen;
  std::istringstream lines(read_text(PLANEX_CHOSEN_ENGINES));
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && !line.starts_with('#')) chosen.insert(line);
  }
  std::erase_if(folders, [&](const std::string& folder) {
    return !chosen.contains(std::filesystem::path(folder).filename().string());
  });
  EXPECT_EQ(folders.size(), chosen.size()) << "tests/chosen_engines.txt names others than " << data;
  return folders;
}

std::vector<std::string> engines_in(const std::string& folder, const base::FileSource& files) {
  auto paths = ingest::engine_paths(folder, files);
  if (!paths) ADD_FAILURE() << to_text(paths.error());
  return paths ? std::move(*paths) : std::vector<std::string>();
}

std::string name_of_engine(const std::string& folder, const std::string& engine) {
  const std::string name = std::filesystem::path(folder).filename().string();
  return engine == folder ? name : name + "." + std::filesystem::path(engine).filename().string();
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
