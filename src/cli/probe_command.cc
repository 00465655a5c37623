#include <cstdio>

#include "base/try.h"
#include "cli/commands.h"
#include "drive/cpu_probe.h"

namespace planex::cli {
namespace {

class ProbeCommand final : public Command {
 public:
  std::string_view name() const override { return "probe"; }
  std::string_view summary() const override {
    return "Measure this CPU's peak rates and print them as a device table";
  }
  std::string_view examples() const override {
    return "planex probe -o devices.json\n"
           "planex explain speed run/ --devices devices.json";
  }
  void add_options(CLI::App& app) override { output_.add(app, {"json"}); }
  Result<int> run(const Environment&) override {
    PLANEX_TRY(output_.view());
    std::fputs("measuring this machine's CPU (about a second)\n", stderr);
    const drive::CpuFigures figures = drive::measure_cpu();
    const std::string table = drive::device_table_json(figures);
    drive::keep_cpu_table(figures, table);
    PLANEX_TRY(output_.write(table));
    return kExitFine;
  }

 private:
  OutputOptions output_;
};

}  // namespace

std::unique_ptr<Command> make_probe_command() { return std::make_unique<ProbeCommand>(); }

}  // namespace planex::cli
