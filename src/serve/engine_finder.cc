#include "serve/engine_finder.h"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

#include "base/text.h"
#include "ingest/discover/discover.h"
#include "ingest/discover/file_names.h"

namespace planex::serve {
namespace {

using base::format;

bool is_same(const std::vector<base::FileEntry>& a, const std::vector<base::FileEntry>& b) {
  return std::ranges::equal(a, b, [](const base::FileEntry& x, const base::FileEntry& y) {
    return x.path == y.path && x.size_bytes == y.size_bytes && x.modified_ns == y.modified_ns;
  });
}

// The path of a folder in "." is "./a"; people write "a".
std::string plain(std::string path) {
  if (path.starts_with("./") && path.size() > 2) path.erase(0, 2);
  return path;
}

}  // namespace

void SeenFolder::index() {
  stems.clear();
  for (std::size_t i = 0; i < files.size(); ++i) {
    stems.emplace_back(ingest::stem_of(files[i].path), i);
  }
  std::ranges::sort(stems);
}

EngineFinder::EngineFinder(const base::FileSource& files, std::vector<std::string> places,
                           const FinderLimits& limits)
    : files_(files), places_(std::move(places)), limits_(limits) {}

std::shared_ptr<const SeenFolder> EngineFinder::look_at(const std::string& folder,
                                                        const std::vector<std::string>& named) {
  auto listed = files_.list(folder);
  if (!listed) return nullptr;
  const auto before = known_.find(folder);
  if (before != known_.end() && is_same(before->second->files, *listed)) return before->second;
  auto seen = std::make_shared<SeenFolder>();
  seen->path = folder;
  seen->files = std::move(*listed);
  seen->index();
  if (!named.empty()) {
    for (const std::string& file : named) {
      // An archive can hold several.
      auto engines = ingest::engine_paths(file, files_);
      if (engines && !engines->empty()) {
        seen->engines.insert(seen->engines.end(), engines->begin(), engines->end());
      } else {
        seen->engines.push_back(file);
      }
    }
  } else if (auto engines = ingest::engine_paths(folder, files_)) {
    seen->engines = std::move(*engines);
  }
  return seen;
}

Seen EngineFinder::look(const std::function<bool()>& stop) {
  struct Place {
    std::string path;
    std::size_t depth = 0;
    // Files of the folder were given explicitly: then nothing else in it is an engine.
    std::vector<std::string> named;
  };
  std::deque<Place> queue;
  for (const std::string& place : places_) {
    if (files_.kind(place) != base::PathKind::kFile) {
      queue.push_back({.path = place});
      continue;
    }
    const std::string folder(base::folder_of(place));
    const auto same = std::ranges::find_if(
        queue, [&](const Place& p) { return p.path == folder && !p.named.empty(); });
    if (same != queue.end()) {
      same->named.push_back(place);
    } else {
      queue.push_back({.path = folder, .named = {place}});
    }
  }
  Seen seen;
  Folders known;
  std::set<std::string> met;
  std::size_t file_count = 0;
  std::size_t engine_count = 0;
  while (!queue.empty() && !(stop && stop())) {
    const Place place = std::move(queue.front());
    queue.pop_front();
    if (!met.insert(place.path).second) continue;
    if (met.size() > limits_.max_folders) {
      seen.left_out = format("only the first {} folders were searched", limits_.max_folders);
      break;
    }
    const auto folder = look_at(place.path, place.named);
    if (folder == nullptr) continue;
    known.emplace(place.path, folder);
    file_count += folder->files.size();
    engine_count += folder->engines.size();
    if (!folder->engines.empty()) seen.folders.push_back(folder);
    if (file_count > limits_.max_files) {
      seen.left_out = format("only folders with {} files in total were searched", file_count);
      break;
    }
    if (engine_count > limits_.max_engines) {
      seen.left_out = format("only the first {} engines are listed", engine_count);
      break;
    }
    if (!place.named.empty()) continue;
    const auto folders = files_.list_folders(place.path);
    if (!folders) continue;
    if (place.depth == limits_.max_depth) {
      if (!folders->empty()) {
        seen.left_out = format("folders more than {} deep were not searched", limits_.max_depth);
      }
      continue;
    }
    for (const std::string& inner : *folders) {
      if (base::file_name_of(inner).starts_with('.')) continue;
      queue.push_back({.path = plain(inner), .depth = place.depth + 1});
    }
  }
  known_ = std::move(known);
  return seen;
}

}  // namespace planex::serve
