#include "cli/file_options.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "cli/command.h"
#include "drive/model_files.h"

namespace planex::cli {
namespace {

namespace fs = std::filesystem;

struct RoleWord {
  FileRole role;
  std::string_view word;
};
constexpr RoleWord kRoles[] = {
    {FileRole::kReads, "reads"},
    {FileRole::kReadsAll, "reads-all"},
    {FileRole::kReadsWords, "reads-words"},
    {FileRole::kWrites, "writes"},
    {FileRole::kWritesFolder, "writes-folder"},
    {FileRole::kUpdates, "updates"},
};

// CLI11 can attach nothing to an option except a check with a name. So the declaration is a check
// that accepts everything, and its name carries the data.
constexpr std::string_view kMark = "files|";

std::string name_of(const FileUse& use) {
  std::string name = base::format("{}{}|{}|{}", kMark, to_string(use.role), use.when,
                                  use.takes_standard_output ? "-" : "");
  for (const std::string& also : use.also) name += "|" + also;
  return name;
}

FileUse use_of(std::string_view name) {
  name.remove_prefix(kMark.size());
  FileUse use;
  const std::string_view role = base::take_part(name, '|');
  for (const RoleWord& known : kRoles) {
    if (known.word == role) use.role = known.role;
  }
  use.when = base::take_part(name, '|');
  use.takes_standard_output = !base::take_part(name, '|').empty();
  while (!name.empty()) use.also.emplace_back(base::take_part(name, '|'));
  return use;
}

bool is_read(FileRole role) {
  return role == FileRole::kReads || role == FileRole::kReadsAll || role == FileRole::kReadsWords;
}

// A file of a command, and the option that names it.
struct NamedFile {
  std::string path;
  std::string option;
  const CLI::Option* source = nullptr;
  bool is_whole_folder = false;  // everything in it is read
};

std::string with_name(std::string_view pattern, const std::string& path) {
  const std::string_view name = base::file_name_of(path);
  const std::size_t dot = name.rfind('.');
  const bool has_ending = dot != name.npos && dot > 0;
  const std::string stem = has_ending ? path.substr(0, path.size() - (name.size() - dot)) : path;
  std::string result;
  for (const char c : pattern) {
    if (c == '*') {
      result += path;
    } else if (c == '%') {
      result += stem;
    } else {
      result += c;
    }
  }
  return result;
}

// Where a path leads to; it need not exist yet.
std::string settled(const std::string& path) {
  std::error_code code;
  const fs::path absolute = fs::absolute(path, code);
  fs::path real = fs::weakly_canonical(absolute, code);
  // A link whose target does not exist yet.
  constexpr int kMaxLinks = 40;  // as Linux follows
  for (int i = 0; i < kMaxLinks && fs::is_symlink(real, code); ++i) {
    const fs::path target = fs::read_symlink(real, code);
    real = fs::weakly_canonical(target.is_absolute() ? target : real.parent_path() / target, code);
  }
  return real.string();
}

bool leads_to_same(const std::string& one, const std::string& other) {
  return base::is_same_file(one, other) || settled(one) == settled(other);
}

// Whether `path` is in the folder, at any depth.
bool is_below(const std::string& path, const std::string& folder) {
  std::error_code code;
  for (fs::path at = fs::path(settled(path)).parent_path(); !at.empty();) {
    if (fs::equivalent(at, folder, code)) return true;
    const fs::path parent = at.parent_path();
    if (parent == at) break;
    at = parent;
  }
  return false;
}

class CommandFiles {
 public:
  Result<void> take(CLI::App& verb) {
    for (CLI::Option* option : verb.get_options()) {
      if (option->count() == 0) continue;
      const auto use = file_use(*option);
      if (use) PLANEX_TRY(take(verb, *option, *use));
    }
    return {};
  }

  Result<void> check() {
    // A pipe or a device has no content that could be lost.
    std::erase_if(outputs_, [](const NamedFile& output) {
      return base::disk().kind(output.path) == base::PathKind::kOther;
    });
    if (outputs_.empty()) return {};
    add_weights();
    for (std::size_t place = 0; place < outputs_.size(); ++place) {
      const NamedFile& output = outputs_[place];
      for (const NamedFile& input : inputs_) PLANEX_TRY(check(output, input));
      for (std::size_t other = 0; other < place; ++other) {
        if (!leads_to_same(output.path, outputs_[other].path)) continue;
        return fail({.code = ErrorCode::kUsage,
                     .message = base::format("{} and {} would write the same file",
                                             outputs_[other].option, output.option),
                     .file = output.path,
                     .hint = "give each its own name"});
      }
    }
    return {};
  }

 private:
  Result<void> take(CLI::App& verb, const CLI::Option& option, const FileUse& use) {
    const std::string name = option_name(option);
    const bool is_changed = use.when.empty() || verb.get_option(use.when)->count() > 0;
    for (const std::string& value : option.results()) {
      if (value.empty()) continue;
      if (use.role == FileRole::kReadsWords) {
        take_words(value, name, option);
      } else if (is_read(use.role) || !is_changed) {
        inputs_.push_back({value, name, &option, use.role == FileRole::kReadsAll});
      } else {
        PLANEX_TRY(take_output(value, name, option, use));
      }
    }
    return {};
  }

  Result<void> take_output(const std::string& value, const std::string& name,
                           const CLI::Option& option, const FileUse& use) {
    if (value == kStandardOutput) {
      if (use.takes_standard_output) return {};
      return fail(ErrorCode::kUsage, base::format("{} can't be standard output", name),
                  use.role == FileRole::kWritesFolder
                      ? "name a folder; write ./- for a folder called -"
                      : "name a file; write ./- for a file called -");
    }
    outputs_.push_back({value, name, &option});
    for (const std::string& pattern : use.also) {
      outputs_.push_back(
          {with_name(pattern, value), base::format("what {} writes with it", name), &option});
    }
    return {};
  }

  // "python3 iou.py", "trtexec --onnx=model.onnx", "@FILE".
  void take_words(const std::string& value, const std::string& name, const CLI::Option& option) {
    std::string_view rest = value;
    while (!rest.empty()) {
      std::string_view word = base::take_part(rest, ' ');
      if (word.starts_with('@')) word.remove_prefix(1);
      const std::size_t equals = word.find('=');
      if (equals != word.npos)
        inputs_.push_back({std::string(word.substr(equals + 1)), name, &option});
      inputs_.push_back({std::string(word), name, &option});
    }
  }

  // A model's weights may be in separate files.
  void add_weights() {
    const std::size_t count = inputs_.size();
    for (std::size_t place = 0; place < count; ++place) {
      if (base::disk().kind(inputs_[place].path) != base::PathKind::kFile) continue;
      const std::string folder(base::folder_of(inputs_[place].path));
      for (const std::string& file : drive::all_model_data_files(inputs_[place].path)) {
        inputs_.push_back({file.starts_with('/') ? file : base::join_path(folder, file),
                           base::format("the weights of {}", inputs_[place].option),
                           inputs_[place].source});
      }
    }
  }

  static Result<void> check(const NamedFile& output, const NamedFile& input) {
    const bool is_whole = input.is_whole_folder &&
                          base::disk().kind(input.path) == base::PathKind::kFolder &&
                          base::disk().kind(output.path) == base::PathKind::kFile;
    if (!leads_to_same(output.path, input.path) && !(is_whole && is_below(output.path, input.path)))
      return {};
    return fail({.code = ErrorCode::kUsage,
                 .message = base::format(
                     "the output would overwrite an input file: {} and {} are the same file",
                     output.option, input.option),
                 .file = output.path,
                 .hint = base::format("choose another name for {}", option_name(*output.source))});
  }

  std::vector<NamedFile> inputs_, outputs_;
};

}  // namespace

std::string_view to_string(FileRole role) {
  return std::ranges::find(kRoles, role, &RoleWord::role)->word;
}

CLI::Option* uses_files(CLI::Option* option, const FileUse& use) {
  // An unset shell variable would mean the current folder.
  return option->check(CLI::Validator(
      [](const std::string& text) {
        return text.empty() ? std::string("is empty, expected a path; . is the current folder")
                            : std::string();
      },
      "", name_of(use)));
}

CLI::Option* reads_files(CLI::Option* option, FileRole role) {
  return uses_files(option, {.role = role});
}

CLI::Option* writes_output(CLI::Option* option, std::vector<std::string> also) {
  return uses_files(
      option, {.role = FileRole::kWrites, .also = std::move(also), .takes_standard_output = true});
}

CLI::Option* writes_file(CLI::Option* option, std::vector<std::string> also) {
  return uses_files(option, {.role = FileRole::kWrites, .also = std::move(also)});
}

CLI::Option* writes_folder(CLI::Option* option, std::vector<std::string> also) {
  return uses_files(option, {.role = FileRole::kWritesFolder, .also = std::move(also)});
}

std::optional<FileUse> file_use(CLI::Option& option) {
  // The only way to find the number of checks is to ask for one too many.
  try {
    for (int place = 0;; ++place) {
      const std::string& name = option.get_validator(place)->get_name();
      if (name.starts_with(kMark)) return use_of(name);
    }
  } catch (const CLI::OptionNotFound&) {
    return std::nullopt;
  }
}

std::string option_name(const CLI::Option& option) {
  if (!option.get_snames().empty()) return "-" + option.get_snames().front();
  if (!option.get_lnames().empty()) return "--" + option.get_lnames().front();
  return option.get_name(true);
}

Result<void> check_files(CLI::App& verb) {
  CommandFiles files;
  PLANEX_TRY(files.take(verb));
  return files.check();
}

std::string file_options_table(CLI::App& app) {
  std::string text = "verb\toption\ttype\tfiles\tstandard_output\twhen\talso\n";
  for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; })) {
    for (CLI::Option* option : verb->get_options()) {
      // Switches and --help.
      if (option->get_items_expected_max() == 0) continue;
      const auto use = file_use(*option);
      std::string also;
      if (use) {
        for (const std::string& one : use->also) also += (also.empty() ? "" : " ") + one;
      }
      text += base::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\n", verb->get_name(), option_name(*option),
                           option->get_type_name(), use ? to_string(use->role) : "",
                           use && use->takes_standard_output ? "-" : "",
                           use ? use->when : std::string(), also);
    }
  }
  return text;
}

}  // namespace planex::cli
