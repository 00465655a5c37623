#include "tune/label_file.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"

namespace planex::tune {
namespace {

struct Line {
  std::string_view name, label;
};

Failure bad_labels(const std::string& path, std::string message) {
  return fail({.code = ErrorCode::kBadInput,
               .message = std::move(message),
               .file = path,
               .hint = "one line per sample: LABEL in the order of the data, or NAME,LABEL"});
}

// The whole path, or the end of it starting at a folder or the file name.
bool is_end_of(std::string_view name, std::string_view path) {
  if (!path.ends_with(name)) return false;
  return path.size() == name.size() || path[path.size() - name.size() - 1] == '/';
}

}  // namespace

Result<std::vector<std::string>> labels_in(std::string_view text, const std::string& path,
                                           std::span<const std::string> names) {
  std::vector<Line> lines;
  std::size_t named = 0;
  while (!text.empty()) {
    const std::string_view line = base::trimmed(base::take_part(text, '\n'));
    if (line.empty() || line.front() == '#') continue;
    const std::size_t cut = line.find_last_of(",\t");
    if (cut == std::string_view::npos) {
      lines.push_back({{}, line});
    } else {
      ++named;
      lines.push_back({base::trimmed(line.substr(0, cut)), base::trimmed(line.substr(cut + 1))});
    }
  }
  if (named > 0 && named < lines.size()) {
    return bad_labels(path, base::format("{} of its {} lines have a name, but the others have none",
                                         named, lines.size()));
  }
  std::vector<std::string> labels(names.size());
  if (named == 0) {
    if (lines.size() != names.size()) {
      return bad_labels(
          path, base::format("it has {}, but the data has {}", base::counted(lines.size(), "label"),
                             base::counted(names.size(), "sample")));
    }
    std::ranges::transform(lines, labels.begin(),
                           [](const Line& line) { return std::string(line.label); });
    return labels;
  }
  // By file name, so that not every line is compared with every sample.
  std::multimap<std::string_view, std::size_t> places;
  for (std::size_t place = 0; place < names.size(); ++place) {
    places.emplace(base::file_name_of(names[place]), place);
  }
  std::size_t found = 0;
  for (const Line& line : lines) {
    const auto [first, end] = places.equal_range(base::file_name_of(line.name));
    for (auto place = first; place != end; ++place) {
      if (!is_end_of(line.name, names[place->second])) continue;
      labels[place->second] = line.label;
      ++found;
    }
  }
  if (found > 0) return labels;
  return bad_labels(
      path, base::format("it names {}, but no sample of the data has that name; theirs look like "
                         "{}",
                         base::quoted(lines.empty() ? "" : lines.front().name),
                         base::quoted(names.empty() ? "" : names.front())));
}

Result<std::vector<std::string>> read_labels(const std::string& path,
                                             std::span<const std::string> names) {
  PLANEX_ASSIGN(const auto bytes, base::disk().read(path));
  return labels_in(bytes->view(), path, names);
}

}  // namespace planex::tune
