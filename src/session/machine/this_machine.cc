#include "session/machine/this_machine.h"

#include <cstdlib>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "drive/availability.h"
#include "drive/cpu_probe.h"
#include "drive/driver.h"
#include "ingest/device_table.h"

namespace planex::session {
namespace {

using base::format;

std::string detail_of(const drive::Availability& engine) {
  if (!engine.is_installed) return format("looked for {}", engine.looked_for);
  return engine.version.empty() ? engine.place : format("{}, {}", engine.version, engine.place);
}

bool is_this_machine(const analyze::DeviceFacts& facts, const drive::Host& host) {
  return facts.is_cpu && !host.name.empty() && facts.host_name == host.name &&
         !host.cpu_model.empty() && facts.host_cpu == host.cpu_model &&
         facts.host_cpu_count == host.cpu_count;
}

}  // namespace

std::vector<analyze::DoctorEngine> installed_engines(const std::string& model,
                                                     std::string_view program_dir) {
  const char* search_path = std::getenv("PATH");
  std::vector<analyze::DoctorEngine> engines;
  for (const drive::Availability& engine :
       drive::available_engines({.program_dir = std::string(program_dir),
                                 .search_path = search_path == nullptr ? "" : search_path},
                                {})) {
    engines.push_back(
        {.id = engine.id,
         .label = engine.label,
         .is_installed = engine.is_installed,
         .detail = detail_of(engine),
         .install = engine.is_installed ? "" : engine.install,
         .command = format("planex process {} --engine {} -o {}/", base::shell_word(model),
                           engine.id, base::shell_word(drive::engine_name(model)))});
  }
  return engines;
}

Result<model::DeviceTable> table_of_this_cpu(const analyze::DeviceFacts& engine,
                                             const ExplainRequest& request) {
  const drive::Host host = drive::this_host();
  if (!request.probe && !is_this_machine(engine, host)) return model::DeviceTable();
  const std::string file = drive::cpu_table_file(host);
  if (!file.empty()) {
    if (auto bytes = base::disk().read(file)) {
      auto kept = ingest::read_device_table(file, std::move(*bytes));
      if (kept && !kept->devices.empty()) return kept;
    }
  }
  if (!request.may_measure) return model::DeviceTable();
  if (request.tell) request.tell("measuring this machine's CPU (about a second)");
  const drive::CpuFigures figures = drive::measure_cpu();
  const std::string json = drive::device_table_json(figures);
  drive::keep_cpu_table(figures, json);
  return ingest::read_device_table(file, base::make_bytes(json));
}

}  // namespace planex::session
