#include "ingest/discover/content_pairs.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.h"
#include "ingest/discover/decode.h"
#include "ingest/discover/file_names.h"

namespace planex::ingest {
namespace {

// Scans the JSON of a head, which can end anywhere, for the strings that name layers.
class NameScanner {
 public:
  explicit NameScanner(std::string_view head) : head_(head) {}

  std::vector<std::string> run() {
    // In samples, whose keys are the names, only keys directly below the root count.
    for (std::size_t at = 0; at < head_.size(); ++at) {
      switch (head_[at]) {
        case '{':
        case '[':
          open_.push_back(head_[at]);
          break;
        case '}':
        case ']':
          if (!open_.empty()) open_.pop_back();
          break;
        case '"': {
          const auto text = text_at(at);
          if (!text) return std::move(names_);
          take(*text, at);
          break;
        }
        default:
          break;
      }
    }
    return std::move(names_);
  }

 private:
  // The text that begins at `at`; `at` is moved to its closing quotation mark.
  std::optional<std::string_view> text_at(std::size_t& at) const {
    const std::size_t first = at + 1;
    for (std::size_t end = first; end < head_.size(); ++end) {
      if (head_[end] == '\\') {
        ++end;
      } else if (head_[end] == '"') {
        at = end;
        return head_.substr(first, end - first);
      }
    }
    return std::nullopt;
  }

  // What follows the text that ends at `at`: the colon after a key, or something else.
  bool is_key(std::size_t at) const {
    const std::size_t next = head_.find_first_not_of(" \t\r\n", at + 1);
    return next != head_.npos && head_[next] == ':';
  }

  void take(std::string_view text, std::size_t at) {
    const bool in_rows = open_ == "[{" || (in_layers_ && open_ == "{[{");
    if (is_key(at)) {
      is_name_ = in_rows && (text == "name" || text == "Name");
      if (open_ != "{") return;
      in_layers_ = text == "Layers";
      const std::size_t colon = head_.find(':', at);
      const std::size_t value = head_.find_first_not_of(" \t\r\n", colon + 1);
      // {"conv1": [0.02, ...
      const std::size_t inner =
          value == head_.npos ? value : head_.find_first_not_of(" \t\r\n[", value + 1);
      const bool is_samples = value != head_.npos && head_[value] == '[' && inner != head_.npos &&
                              head_[inner] >= '0' && head_[inner] <= '9';
      if (is_samples) names_.emplace_back(text);
      return;
    }
    // Engines without details have a list of names.
    if (std::exchange(is_name_, false) || (in_layers_ && open_ == "{[")) names_.emplace_back(text);
  }

  std::string_view head_;
  std::string open_;  // brackets around the place
  bool in_layers_ = false, is_name_ = false;
  std::vector<std::string> names_;
};

std::vector<std::string> names_of(const FoundFile& file, const base::FileSource& source) {
  auto head = source.read_head(file.path, kSniffBytes);
  if (!head) return {};
  auto text = decode_head(std::move(*head), kSniffBytes, file.path);
  return text ? layer_names_in(*text) : std::vector<std::string>();
}

}  // namespace

std::vector<std::string> layer_names_in(std::string_view head) { return NameScanner(head).run(); }

double fit_of_names(std::span<const std::string> profile, std::span<const std::string> layers) {
  std::size_t found = 0, missed = 0, missed_since = 0, at = 0;
  for (const std::string& name : profile) {
    // Layers that were not timed are skipped; a name that is missing means another engine.
    const auto from = layers.begin() + static_cast<std::ptrdiff_t>(at);
    constexpr std::ptrdiff_t kMaxUntimed = 64;
    const auto until = layers.end() - from > kMaxUntimed ? from + kMaxUntimed : layers.end();
    const auto match = std::find(from, until, name);
    if (match == until) {
      ++missed_since;
      continue;
    }
    ++found;
    missed += std::exchange(missed_since, 0);
    at = static_cast<std::size_t>(match - layers.begin()) + 1;
  }
  if (found == 0) return 0;
  // Any name can follow the last name of a head that was cut there.
  missed += std::min(missed_since, layers.size() - at);
  return static_cast<double>(found) / static_cast<double>(found + missed);
}

std::string name_without_kind(std::string_view path) {
  constexpr std::array<std::string_view, 14> kKinds = {
      "layers", "layer", "profile", "profiles", "graph",     "engine", "information",
      "info",   "times", "timing",  "latency",  "execution", "json",   "trace"};
  const std::string stem = base::lower(stem_of(path));
  std::string name;
  for (std::size_t at = 0; at < stem.size();) {
    const std::size_t first = stem.find_first_not_of("_-. ", at);
    if (first == stem.npos) break;
    const std::size_t end = std::min(stem.find_first_of("_-. ", first), stem.size());
    const std::string_view word = std::string_view(stem).substr(first, end - first);
    if (std::ranges::find(kKinds, word) == kKinds.end()) {
      if (!name.empty()) name += ' ';
      name += word;
    }
    at = end;
  }
  return name;
}

FoundFile* layer_file_of(const FoundFile& profile, std::span<FoundFile* const> engines,
                         const base::FileSource& source) {
  std::vector<FoundFile*> layer_files;
  for (FoundFile* engine : engines) {
    if (stem_of(engine->path) == stem_of(profile.path)) return nullptr;
    const bool has_layers = engine->reader->part == Part::kGraph &&
                            engine->reader->importer == profile.reader->importer;
    if (has_layers) layer_files.push_back(engine);
  }
  if (layer_files.empty()) return nullptr;
  const std::vector<std::string> names = names_of(profile, source);
  if (names.empty()) return nullptr;
  constexpr double kMinFit = 0.9;
  const std::string name = name_without_kind(profile.path);
  std::vector<FoundFile*> best;
  double best_fit = kMinFit;
  for (FoundFile* file : layer_files) {
    const double fit = fit_of_names(names, names_of(*file, source));
    if (fit < best_fit) continue;
    if (fit > best_fit) best.clear();
    best_fit = fit;
    best.push_back(file);
  }
  if (best.size() == 1) return best.front();
  FoundFile* named = nullptr;
  for (FoundFile* file : best) {
    if (name_without_kind(file->path) != name) continue;
    if (named != nullptr) return nullptr;
    named = file;
  }
  return named;
}

bool is_times_of(const FoundFile& times, const FoundFile& layers) {
  if (times.reader->part != Part::kTimes || layers.reader->part != Part::kGraph) return false;
  const std::string name = name_without_kind(times.path);
  return !name.empty() && name == name_without_kind(layers.path);
}

}  // namespace planex::ingest
