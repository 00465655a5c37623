#include "drive/workspace.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/remote_shell.h"

namespace planex::drive {
namespace {

std::string absolute_path(const std::string& path) {
  std::error_code code;
  const auto absolute = std::filesystem::absolute(path, code);
  return code ? path : absolute.string();
}

class LocalWorkspace final : public Workspace {
 public:
  explicit LocalWorkspace(std::string folder) : folder_(std::move(folder)) {}

  std::string path(std::string_view name) const override { return base::join_path(folder_, name); }
  bool is_elsewhere() const override { return false; }
  Result<std::string> bring(const std::string& local,
                            const std::vector<std::string>& /*companions*/,
                            const Cancellation& /*cancellation*/) override {
    return local;
  }
  Result<std::string> write(std::string_view name, std::string_view text,
                            const Cancellation& /*cancellation*/) override {
    std::string file = path(name);
    PLANEX_TRY(base::write_file_atomically(file, text));
    return file;
  }
  Result<SubprocessOutcome> run(const SubprocessRequest& request,
                                const Cancellation& cancellation) override {
    return run_subprocess(request, cancellation);
  }
  Result<void> fetch(const std::vector<std::string>& /*names*/,
                     const Cancellation& /*cancellation*/) override {
    return {};
  }

 private:
  std::string folder_;
};

// Programs run behind the launcher and see the same files.
class SharedWorkspace final : public Workspace {
 public:
  SharedWorkspace(std::unique_ptr<RemoteShell> shell, const std::string& folder)
      : shell_(std::move(shell)), files_(absolute_path(folder)) {}

  std::string path(std::string_view name) const override { return files_.path(name); }
  bool is_elsewhere() const override { return false; }
  Result<std::string> bring(const std::string& local,
                            const std::vector<std::string>& /*companions*/,
                            const Cancellation& /*cancellation*/) override {
    return absolute_path(local);
  }
  Result<std::string> write(std::string_view name, std::string_view text,
                            const Cancellation& cancellation) override {
    return files_.write(name, text, cancellation);
  }
  Result<SubprocessOutcome> run(const SubprocessRequest& request,
                                const Cancellation& cancellation) override {
    return shell_->run(request, cancellation);
  }
  Result<void> fetch(const std::vector<std::string>& names,
                     const Cancellation& cancellation) override {
    return files_.fetch(names, cancellation);
  }

 private:
  std::unique_ptr<RemoteShell> shell_;
  LocalWorkspace files_;
};

class RemoteWorkspace final : public Workspace {
 public:
  RemoteWorkspace(std::unique_ptr<RemoteShell> shell, std::string folder, std::string home)
      : shell_(std::move(shell)), folder_(std::move(folder)), home_(std::move(home)) {}

  std::string path(std::string_view name) const override { return base::join_path(folder_, name); }
  bool is_elsewhere() const override { return true; }

  Result<std::string> bring(const std::string& local, const std::vector<std::string>& companions,
                            const Cancellation& cancellation) override {
    // In a folder of its own: names of results and of a model's files may collide.
    const std::string inputs = path("input");
    PLANEX_TRY(make_folder(inputs, cancellation));
    std::string model = base::join_path(inputs, base::file_name_of(local));
    PLANEX_TRY(shell_->put(local, model, cancellation));
    const std::string_view beside = base::folder_of(local);
    for (const std::string& companion : companions) {
      const std::string there = base::join_path(inputs, companion);
      PLANEX_TRY(make_folder(std::string(base::folder_of(there)), cancellation));
      PLANEX_TRY(shell_->put(base::join_path(beside, companion), there, cancellation));
    }
    return model;
  }

  Result<std::string> write(std::string_view name, std::string_view text,
                            const Cancellation& cancellation) override {
    std::string file = path(name);
    PLANEX_TRY(shell_->put_text(text, file, cancellation));
    return file;
  }
  Result<SubprocessOutcome> run(const SubprocessRequest& request,
                                const Cancellation& cancellation) override {
    return shell_->run(request, cancellation);
  }

  Result<void> fetch(const std::vector<std::string>& names,
                     const Cancellation& cancellation) override {
    for (const std::string& name : names) {
      const std::string there = path(name);
      PLANEX_ASSIGN(const auto is_file,
                    shell_->ask(base::format("[ -f {} ]", base::shell_word(there)), cancellation));
      if (!is_file) continue;
      PLANEX_TRY(shell_->get(there, base::join_path(home_, name), cancellation));
    }
    return {};
  }

 private:
  Result<void> make_folder(const std::string& folder, const Cancellation& cancellation) {
    PLANEX_TRY(shell_->ask(base::format("mkdir -p {}", base::shell_word(folder)), cancellation));
    return {};
  }

  std::unique_ptr<RemoteShell> shell_;
  std::string folder_;  // There.
  std::string home_;    // Here.
};

// For planning: programs run, nothing is written or copied.
class PlanWorkspace final : public Workspace {
 public:
  PlanWorkspace(std::unique_ptr<RemoteShell> shell, std::string folder)
      : shell_(std::move(shell)), folder_(std::move(folder)) {}

  std::string path(std::string_view name) const override { return base::join_path(folder_, name); }
  bool is_elsewhere() const override { return false; }
  Result<std::string> bring(const std::string& local,
                            const std::vector<std::string>& /*companions*/,
                            const Cancellation& /*cancellation*/) override {
    return local;
  }
  Result<std::string> write(std::string_view name, std::string_view /*text*/,
                            const Cancellation& /*cancellation*/) override {
    return path(name);
  }
  Result<SubprocessOutcome> run(const SubprocessRequest& request,
                                const Cancellation& cancellation) override {
    return shell_ ? shell_->run(request, cancellation) : run_subprocess(request, cancellation);
  }
  Result<void> fetch(const std::vector<std::string>& /*names*/,
                     const Cancellation& /*cancellation*/) override {
    return {};
  }

 private:
  std::unique_ptr<RemoteShell> shell_;  // Null: here.
  std::string folder_;
};

// Whether the shell sees this very folder, and not another one of the same name.
Result<bool> is_shared(RemoteShell& shell, const std::string& folder,
                       const Cancellation& cancellation) {
  // The folder's name is random and was made a moment ago.
  const std::string word = base::shell_word(absolute_path(folder));
  PLANEX_ASSIGN(const auto answer, shell.ask(base::format("[ -d {} ]", word), cancellation));
  return answer.has_value();
}

}  // namespace

Result<std::unique_ptr<Workspace>> open_workspace(const std::string& folder,
                                                  const Launcher& launcher,
                                                  const Cancellation& cancellation) {
  if (launcher.words.empty()) return std::make_unique<LocalWorkspace>(folder);
  PLANEX_ASSIGN(auto shell, RemoteShell::open(launcher.words, launcher.patience, cancellation));
  PLANEX_ASSIGN(const bool shared, is_shared(*shell, folder, cancellation));
  if (shared) return std::make_unique<SharedWorkspace>(std::move(shell), folder);
  PLANEX_ASSIGN(std::string there, shell->make_folder(cancellation));
  return std::make_unique<RemoteWorkspace>(std::move(shell), std::move(there), folder);
}

Result<std::unique_ptr<Workspace>> plan_workspace(const std::string& folder,
                                                  const Launcher& launcher,
                                                  const Cancellation& cancellation) {
  std::unique_ptr<RemoteShell> shell;
  if (!launcher.words.empty()) {
    PLANEX_ASSIGN(shell, RemoteShell::open(launcher.words, launcher.patience, cancellation));
  }
  return std::make_unique<PlanWorkspace>(std::move(shell), folder);
}

}  // namespace planex::drive
