#include "arrays/open_arrays.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "arrays/npy.h"
#include "arrays/npz.h"
#include "arrays/polygraphy.h"
#include "arrays/trtexec_output.h"
#include "base/text.h"
#include "base/try.h"

namespace planex::arrays {
namespace {

using base::format;
using base::PathKind;

// Enough for blanks and the first key of a list.
constexpr std::size_t kHeadBytes = 4096;

std::string_view stem_of(std::string_view path) {
  std::string_view name = base::file_name_of(path);
  constexpr std::string_view kStemEnding = ".npy";
  if (name.ends_with(kStemEnding)) name.remove_suffix(kStemEnding.size());
  return name;
}

bool is_json(std::string_view head) {
  const std::string_view text = base::trimmed(head);
  return text.starts_with('{') || text.starts_with('[');
}

// The format of a file, from its first bytes; only a raw binding is recognized by its name.
std::optional<ArraysFormat> format_of(std::string_view head, std::string_view path) {
  if (head.starts_with(kNpyMagic)) return ArraysFormat::kNpy;
  if (is_zip(head)) return ArraysFormat::kNpz;
  if (raw_binding_name(base::file_name_of(path))) return ArraysFormat::kRawBindings;
  if (is_trtexec_output(head)) return ArraysFormat::kTrtexecOutput;
  if (is_json(head)) return ArraysFormat::kPolygraphyOutputs;
  return std::nullopt;
}

Failure unknown_file(const std::string& path, std::string_view head) {
  return fail(
      {.code = ErrorCode::kBadInput,
       .message = format("no saved tensors: begins with {}", base::quoted(head.substr(0, 16))),
       .file = path,
       .hint = "expected outputs or inputs that Polygraphy saved (JSON), trtexec's "
               "--exportOutput or raw bindings, .npz or .npy"});
}

SavedArrays of_one(ArraysFormat arrays_format, NamedArray array) {
  SavedArrays saved{.format = arrays_format, .runs = {}, .has_file_names = true, .remarks = {}};
  saved.runs.emplace_back().iterations.emplace_back().arrays.push_back(std::move(array));
  return saved;
}

Result<SavedArrays> read_file(ArraysFormat arrays_format, const std::string& path,
                              const base::FileSource& source) {
  PLANEX_ASSIGN(const std::shared_ptr<const base::Bytes> bytes, source.read(path));
  const auto read = [&]() -> Result<SavedArrays> {
    switch (arrays_format) {
      case ArraysFormat::kNpy: {
        PLANEX_ASSIGN(Array array, read_npy(bytes->view(), path));
        return of_one(arrays_format, {std::string(stem_of(path)), std::move(array)});
      }
      case ArraysFormat::kNpz:
        return read_npz(bytes->view(), path);
      case ArraysFormat::kRawBindings: {
        const auto name = raw_binding_name(base::file_name_of(path));
        if (!name) return unknown_file(path, bytes->view());
        PLANEX_ASSIGN(Array array, read_raw_binding(*name, std::string(bytes->view()), path));
        return of_one(arrays_format, {name->tensor, std::move(array)});
      }
      case ArraysFormat::kTrtexecOutput:
        return read_trtexec_output(bytes->view(), path);
      case ArraysFormat::kPolygraphyOutputs:
      case ArraysFormat::kPolygraphyInputs:
        return read_polygraphy(*bytes, path);
    }
    return unknown_file(path, bytes->view());
  };
  auto saved = read();
  if (!bytes->is_intact()) return fail(base::changed_error(path));
  return saved;
}

// The iterations of further files follow those of the same runner.
void append(SavedArrays more, SavedArrays& saved) {
  for (ArrayRun& run : more.runs) {
    const auto found = std::ranges::find(saved.runs, run.runner, &ArrayRun::runner);
    if (found == saved.runs.end()) {
      saved.runs.push_back(std::move(run));
      continue;
    }
    std::ranges::move(run.iterations, std::back_inserter(found->iterations));
  }
  std::ranges::move(more.remarks, std::back_inserter(saved.remarks));
}

struct FoundArrays {
  ArraysFormat format = ArraysFormat::kNpy;
  std::string path;
};

// Single tensors: the one inference of a folder.
Result<SavedArrays> read_tensors(const std::vector<FoundArrays>& files,
                                 const base::FileSource& source) {
  const auto is_raw_output = [](const FoundArrays& file) {
    const auto name = raw_binding_name(base::file_name_of(file.path));
    return file.format == ArraysFormat::kRawBindings && name && !name->is_input;
  };
  const bool has_outputs = std::ranges::any_of(files, is_raw_output);
  SavedArrays saved{
      .format = files.front().format, .runs = {}, .has_file_names = true, .remarks = {}};
  Iteration& iteration = saved.runs.emplace_back().iterations.emplace_back();
  for (const FoundArrays& file : files) {
    const bool is_raw = file.format == ArraysFormat::kRawBindings;
    if (has_outputs && is_raw && !is_raw_output(file)) continue;
    PLANEX_ASSIGN(SavedArrays one, read_file(file.format, file.path, source));
    iteration.arrays.push_back(std::move(one.runs.front().iterations.front().arrays.front()));
  }
  return saved;
}

Result<SavedArrays> open_folder(const std::string& folder, const base::FileSource& source) {
  PLANEX_ASSIGN(const std::vector<base::FileEntry> entries, source.list(folder));
  std::vector<FoundArrays> tensors, documents;
  std::size_t others = 0;
  for (const base::FileEntry& entry : entries) {
    PLANEX_ASSIGN(const std::string head, source.read_head(entry.path, kHeadBytes));
    const std::optional<ArraysFormat> found = format_of(head, entry.path);
    if (found == ArraysFormat::kNpy || found == ArraysFormat::kRawBindings) {
      tensors.push_back({*found, entry.path});
    } else if (found == ArraysFormat::kPolygraphyOutputs) {
      documents.push_back({*found, entry.path});
    } else {
      ++others;
    }
  }
  if (tensors.empty() && documents.empty()) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = "the folder has no saved tensors",
                 .file = folder,
                 .hint = "expected Polygraphy's files (JSON), .npy files or raw bindings of "
                         "trtexec; for an .npz or trtexec's --exportOutput, name the file itself"});
  }
  SavedArrays saved;
  if (tensors.empty()) {
    for (const FoundArrays& file : documents) {
      PLANEX_ASSIGN(SavedArrays more, read_file(file.format, file.path, source));
      if (&file != &documents.front() && more.format != saved.format) {
        return fail({.code = ErrorCode::kBadInput,
                     .message = format("{}, but the folder's first file has {}",
                                       to_string(more.format), to_string(saved.format)),
                     .file = file.path,
                     .hint = "name the file that you want"});
      }
      saved.format = more.format;
      append(std::move(more), saved);
    }
  } else {
    PLANEX_ASSIGN(saved, read_tensors(tensors, source));
    others += documents.size();
  }
  if (others > 0) {
    saved.remarks.push_back(format("{} of {} {} not read", base::counted(others, "other file"),
                                   base::quoted(folder), others == 1 ? "was" : "were"));
  }
  return saved;
}

}  // namespace

std::string_view to_string(ArraysFormat format) {
  static constexpr std::array<std::string_view, 6> kNames = {
      ".npy",
      ".npz",
      "Polygraphy outputs",
      "Polygraphy inputs",
      "trtexec output",
      "raw bindings of trtexec",
  };
  return kNames[static_cast<std::size_t>(format)];
}

Result<SavedArrays> open_arrays(const std::string& path, const base::FileSource& source) {
  const PathKind kind = source.kind(path);
  if (kind == PathKind::kFolder) return open_folder(path, source);
  if (kind == PathKind::kMissing) {
    return fail({.code = ErrorCode::kNotFound, .message = "no such file or folder", .file = path});
  }
  // The head of a stream is gone when the whole is read.
  if (kind == PathKind::kOther) {
    return fail({.code = ErrorCode::kBadInput,
                 .message = "is a stream or a device, expected a file or a folder",
                 .file = path,
                 .hint = "save it as a file and name that file"});
  }
  PLANEX_ASSIGN(const std::string head, source.read_head(path, kHeadBytes));
  const std::optional<ArraysFormat> found = format_of(head, path);
  if (!found) return unknown_file(path, head);
  return read_file(*found, path, source);
}

}  // namespace planex::arrays
