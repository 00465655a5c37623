#include "session/open/optimized.h"

#include <string_view>
#include <utility>

#include "ingest/optimize_record.h"

namespace planex::session {
namespace {

// Names in a folder of `planex optimize` (src/jobs/verbs/optimize.cc).
constexpr std::string_view kEngines[] = {"first", "best"};

bool has_folder(const std::string& folder, std::string_view name, const base::FileSource& files) {
  return files.kind(base::join_path(folder, name)) == base::PathKind::kFolder;
}

// As the record names it; empty if it can't be read, which a report then says.
std::string model_named(const std::string& folder, const base::FileSource& files) {
  const std::string path = optimize_record(folder);
  auto bytes = files.read(path);
  if (!bytes) return {};
  auto record = ingest::read_optimize_record({.path = path, .bytes = *std::move(bytes)});
  return record ? std::move(record->model) : std::string();
}

}  // namespace

bool is_optimized(const std::string& folder, const base::FileSource& files) {
  return files.kind(optimize_record(folder)) == base::PathKind::kFile &&
         has_folder(folder, kEngines[0], files);
}

std::vector<OpenRequest> optimized_engines(const std::string& folder,
                                           const base::FileSource& files) {
  std::vector<OpenRequest> engines;
  for (const std::string_view name : kEngines) {
    if (!has_folder(folder, name, files)) continue;
    engines.push_back({.path = base::join_path(folder, name), .name = std::string(name)});
  }
  const auto set_model = [&](OpenRequest& engine, const std::string& path) {
    if (!path.empty() && files.kind(path) == base::PathKind::kFile) engine.source_model = path;
  };
  // Steps that only set options of the engine leave the model as it is.
  const std::string model = model_named(folder, files);
  for (OpenRequest& engine : engines) set_model(engine, model);
  if (engines.size() > 1) set_model(engines.back(), base::join_path(folder, "model.onnx"));
  return engines;
}

std::string optimize_record(const std::string& folder) {
  return base::join_path(folder, "optimize.json");
}

}  // namespace planex::session
