#include "session/report/report_origin.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "analyze/reproduce/repeat_commands.h"
#include "base/files.h"
#include "base/sha256.h"

namespace planex::session {
namespace {

using model::PlanModel;

// Files written according to the manifests of planex's drivers: name -> SHA-256.
std::unordered_map<std::string_view, std::string_view> made_files(const PlanModel& model) {
  const model::MetadataTable& table = model.metadata;
  // The rows of one file are "0.file", "0.sha256", ...
  std::unordered_map<std::string_view, std::pair<std::string_view, std::string_view>> entries;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    if (model.text(table.section[row]) != "artefacts") continue;
    const std::string_view key = model.text(table.key[row]);
    const std::size_t dot = key.find('.');
    if (dot == key.npos) continue;
    auto& [name, sha256] = entries[key.substr(0, dot)];
    if (key.substr(dot) == ".file") name = model.text(table.value[row]);
    if (key.substr(dot) == ".sha256") sha256 = model.text(table.value[row]);
  }
  std::unordered_map<std::string_view, std::string_view> made;
  for (const auto& [index, entry] : entries) {
    if (!entry.first.empty() && !entry.second.empty()) made.insert(entry);
  }
  return made;
}

render::FileDigest digest_of(const std::string& path, std::optional<std::int64_t> size_bytes,
                             const base::FileSource& files) {
  // Sparse: a model is read once and need not be in memory.
  const auto bytes = files.read(path, base::Access::kSparse);
  // A file in an archive, or one that has been deleted or rewritten since.
  if (!bytes || std::cmp_not_equal((*bytes)->view().size(), size_bytes.value_or(-1))) return {};
  return {.sha256 = base::sha256_of((*bytes)->view())};
}

}  // namespace

render::EngineOrigin origin_of(const PlanModel& model, const ingest::LoadRequest& request,
                               const base::FileSource& files) {
  render::EngineOrigin origin{.path = request.path, .commands = analyze::repeat_commands(model)};
  const auto made = made_files(model);
  for (std::size_t row = 0; row < model.files.row_count(); ++row) {
    const std::string path(model.text(model.files.file[row]));
    render::FileDigest digest = digest_of(path, model.files.size_bytes.get(row), files);
    const auto known = made.find(base::file_name_of(path));
    if (known != made.end() && !digest.sha256.empty()) {
      digest.is_as_made = known->second == digest.sha256;
    }
    origin.digests.push_back(std::move(digest));
  }
  const auto discovery = ingest::discover(request, files);
  if (!discovery) return origin;
  for (const ingest::FoundFile& file : discovery->files) {
    if (file.used) continue;
    origin.left_out.push_back({.file = file.path,
                               .kind = std::string(file.reader ? file.reader->id : ""),
                               .reason = file.evidence,
                               .size_bytes = file.size_bytes});
  }
  return origin;
}

}  // namespace planex::session
