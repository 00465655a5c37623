#include "session/machine/engine_speed.h"

#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "ingest/device_table.h"
#include "session/machine/this_machine.h"

namespace planex::session {
namespace {

using analyze::DeviceChoice;
using base::format;

Result<model::DeviceTable> table_of(const std::optional<std::string>& file) {
  if (!file) {
    PLANEX_ASSIGN(model::DeviceTable table,
                  ingest::read_device_table("data/devices.json",
                                            base::make_bytes(ingest::built_in_devices())));
    table.file.clear();
    return table;
  }
  PLANEX_ASSIGN(auto bytes, base::disk().read(*file));
  return ingest::read_device_table(*file, std::move(bytes));
}

}  // namespace

Result<analyze::SpeedOfLight> speed_of(const model::PlanModel& model,
                                       const analyze::Summary& summary,
                                       const ExplainRequest& request) {
  PLANEX_ASSIGN(const model::DeviceTable table, table_of(request.devices));
  PLANEX_ASSIGN(DeviceChoice choice, analyze::choose_device(model, table, request.device));
  const bool may_probe = !request.device && (request.probe || !choice.limits);
  if (may_probe) {
    PLANEX_ASSIGN(const model::DeviceTable cpu, table_of_this_cpu(choice.facts, request));
    if (!cpu.devices.empty()) {
      PLANEX_ASSIGN(choice, analyze::choose_device(model, cpu, cpu.devices.front().name));
      if (choice.limits && !cpu.file.empty()) {
        choice.limits->remarks.push_back(
            format("cached in {}; `planex probe` measures again", cpu.file));
      }
    }
  }
  analyze::SpeedOfLight speed = analyze::speed_of_light(model, summary.time, std::move(choice));
  if (summary.concurrency) speed.at_once = summary.concurrency->at_once;
  return speed;
}

}  // namespace planex::session
