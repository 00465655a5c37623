#include <algorithm>
#include <iterator>

#include "base/try.h"
#include "cli/commands.h"

namespace planex::cli {
namespace {

using ExportFunction = Result<void> (Session::*)(const DocumentSink& write) const;

// The formats, one row each; the first is what is written where none is asked for.
struct ExportFormat {
  const char* name;
  ExportFunction write;
};
constexpr ExportFormat kFormats[] = {
    {"plan", &Session::export_plan},  // planex.plan/1
};

class ExportCommand final : public Command {
 public:
  std::string_view name() const override { return "export"; }
  std::string_view summary() const override {
    return "The engine in a form that other tools read, whole and without loss";
  }
  std::string_view examples() const override {
    return "planex export run/ -o engine.plan.json\n"
           "planex export run/ --format plan | gzip > engine.plan.json.gz";
  }
  void add_options(CLI::App& app) override {
    plan_.add(app);
    std::vector<std::string> names;
    std::ranges::transform(kFormats, std::back_inserter(names), &ExportFormat::name);
    app.add_option("--format", format_, "plan: JSON of planex's own kind, which planex reads back")
        ->check(CLI::IsMember(names))
        ->capture_default_str();
    app.add_option("-o,--output", output_, "Write to this file instead of standard output")
        ->type_name("FILE");
  }
  Result<int> run(const Environment&) override {
    const auto* format =
        std::ranges::find(kFormats, std::string_view(format_), &ExportFormat::name);
    PLANEX_ASSIGN(const Session session, plan_.open());
    PLANEX_TRY(write_pieces(
        output_, [&](const DocumentSink& write) { return (session.*format->write)(write); }));
    return kExitFine;
  }

 private:
  PlanOptions plan_;
  std::string format_ = kFormats[0].name;
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> make_export_command() { return std::make_unique<ExportCommand>(); }

}  // namespace planex::cli
