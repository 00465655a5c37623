#include "jobs/model_output.h"

#include <filesystem>
#include <system_error>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/model_files.h"
#include "drive/sha256.h"

namespace planex::jobs {
namespace {

namespace fs = std::filesystem;

// Whether a file lies below the folder once links are followed.
bool is_inside(const fs::path& file, const fs::path& folder) {
  std::error_code code;
  const fs::path real = fs::canonical(file, code);
  const fs::path root = fs::canonical(folder.empty() ? fs::path(".") : folder, code);
  if (code) return false;
  const fs::path relative = real.lexically_relative(root);
  return !relative.empty() && *relative.begin() != "..";
}

// Folders created for a file; they are removed again if they stay empty.
class MadeFolders {
 public:
  MadeFolders() = default;
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;
  ~MadeFolders() {
    std::error_code ignored;
    // One with files in it stays.
    for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder)
      fs::remove(*folder, ignored);
  }
  void keep() { made_.clear(); }

  Result<void> make(const fs::path& folder) {
    fs::path prefix;
    for (const fs::path& part : folder) {
      prefix /= part;
      std::error_code code;
      if (fs::create_directory(prefix, code)) made_.push_back(prefix.string());
      if (code) {
        return fail({.code = ErrorCode::kIo,
                     .message = base::format("can't make the folder: {}", code.message()),
                     .file = prefix.string()});
      }
    }
    return {};
  }

 private:
  std::vector<std::string> made_;
};

}  // namespace

Result<ModelOutput> ModelOutput::open(const std::string& output, const std::string& source,
                                      const Context& context) {
  PLANEX_ASSIGN(base::ScratchFolder folder, base::ScratchFolder::create());
  ModelOutput made(std::move(folder));
  made.output_ = output;
  made.source_ = source;
  made.standard_output_ = context.standard_output;
  if (output.empty()) return made;
  if (!made.is_standard_output()) {
    // Fail before the work, not after it. Folders for its weights are created.
    const std::string target(base::folder_of(output));
    if (!target.empty() && base::disk().kind(target) != base::PathKind::kFolder) {
      return fail({.code = ErrorCode::kNotFound,
                   .message = "the folder to write it to does not exist",
                   .file = output,
                   .hint = base::format("mkdir -p {}", base::shell_word(target))});
    }
    made.staged_ = base::join_path(made.folder_.path(), std::string(base::file_name_of(output)));
    return made;
  }
  made.staged_ = base::join_path(made.folder_.path(), "model.onnx");
  if (!made.standard_output_) {
    return fail(ErrorCode::kUsage, "there is no standard output for the model", "name a file");
  }
  if (!drive::model_data_files(source).empty()) {
    return fail(
        {.code = ErrorCode::kUsage,
         .message =
             "its weights are in separate files, which can't go to standard output with the model",
         .file = source,
         .hint = "-o FILE.onnx"});
  }
  return made;
}

Result<std::string> ModelOutput::sha256() const {
  if (staged_.empty() || base::disk().kind(staged_) != base::PathKind::kFile) return std::string();
  PLANEX_ASSIGN(const drive::FileDigest digest, drive::digest_file(staged_, {}));
  return digest.sha256;
}

std::string ModelOutput::stage(const std::string& path) {
  if (path.empty()) return {};
  std::string staged =
      base::join_path(folder_.path(), base::format("file-{}", staged_files_.size()));
  staged_files_.emplace_back(staged, path);
  return staged;
}

void ModelOutput::add(std::string path, std::string content) {
  contents_.emplace_back(std::move(path), std::move(content));
}

// Weight files of the source; the written model refers to them by the same names. The target of a
// link is copied only if it is inside the model's folder, as a model may come from anywhere.
Result<void> ModelOutput::copy_weights(
    std::vector<std::pair<std::string, std::string>>& copies) const {
  const fs::path from(base::folder_of(source_)), to(base::folder_of(output_));
  for (const std::string& name : drive::model_data_files(staged_)) {
    std::error_code code;
    const fs::path source = from / name, target = to / name;
    if (fs::equivalent(source, target, code)) continue;
    // Created for this model.
    if (fs::exists(target, code)) {
      return fail(
          {.code = ErrorCode::kIo,
           .message = "the model's external data would replace an existing file",
           .file = target.string(),
           .hint = "Write the model into the folder of the original, or into an empty one."});
    }
    if (!is_inside(source, from)) {
      return fail({.code = ErrorCode::kBadInput,
                   .message = "the model's external data is a link to a file outside its folder, "
                              "which planex does not copy",
                   .file = source.string(),
                   .hint =
                       "Write the model into the folder of the original, or put the file itself "
                       "there."});
    }
    copies.emplace_back(source.string(), target.string());
  }
  return {};
}

Result<void> ModelOutput::commit(const drive::Cancellation& cancellation) {
  const auto go_on = [&]() -> Result<void> {
    if (!cancellation.requested()) return {};
    return fail(ErrorCode::kCancelled, "stopped; nothing was written");
  };
  PLANEX_TRY(go_on());
  if (is_standard_output()) {
    PLANEX_ASSIGN(const auto model, base::disk().read(staged_));
    return standard_output_(model->view());
  }
  std::vector<std::pair<std::string, std::string>> copies;
  PLANEX_TRY(copy_weights(copies));
  copies.insert(copies.end(), staged_files_.begin(), staged_files_.end());
  copies.emplace_back(staged_, output_);
  MadeFolders folders;
  std::vector<base::FileWriter> writers;
  const auto write = [&](const std::string& path, std::string_view content) -> Result<void> {
    PLANEX_ASSIGN(base::FileWriter writer, base::FileWriter::create(path));
    PLANEX_TRY(writer.write(content));
    writers.push_back(std::move(writer));
    return {};
  };
  for (const auto& [source, target] : copies) {
    // Not every file was written: a cache without entries, for example.
    if (base::disk().kind(source) == base::PathKind::kMissing) continue;
    if (const fs::path folder = fs::path(target).parent_path(); !folder.empty()) {
      PLANEX_TRY(folders.make(folder));
    }
    PLANEX_ASSIGN(const auto bytes, base::disk().read(source, base::Access::kSparse));
    PLANEX_TRY(write(target, bytes->view()));
    if (!bytes->is_intact()) return fail(base::changed_error(source));
  }
  for (const auto& [path, content] : contents_) PLANEX_TRY(write(path, content));
  PLANEX_TRY(go_on());
  PLANEX_TRY(base::FileWriter::finish_all(writers));
  folders.keep();
  return {};
}

Result<Answer> ModelOutput::commit_with(const session::Writers& writers, std::string_view ending,
                                        const Context& context) {
  Answer answer{.document = session::write(writers, context.view)};
  if (output_.empty()) return answer;
  add(output_ + std::string(ending),
      session::json_of(writers.document, render::JsonStyle::kPretty));
  PLANEX_TRY(commit(context.cancellation));
  answer.is_output_taken = is_standard_output();
  return answer;
}

Error ModelOutput::settled(Error error) const {
  if (error.file == staged_) error.file = output_;
  for (const auto& [staged, path] : staged_files_) {
    if (error.file == staged) error.file = path;
  }
  return error;
}

}  // namespace planex::jobs
