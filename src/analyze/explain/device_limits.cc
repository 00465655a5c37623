#include "analyze/explain/device_limits.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "base/numbers.h"
#include "base/text.h"

namespace planex::analyze {
namespace {

using base::format;
using model::DeviceRow;
using model::DeviceTable;
using model::DType;

// "1.695 GHz" -> 1.695; nothing where the text does not start with a number.
std::optional<double> leading_number(std::string_view text) {
  const auto number = base::leading_number<double>(base::trimmed(text));
  return number && std::isfinite(*number) && *number > 0 ? number : std::nullopt;
}

std::optional<std::int64_t> leading_count(std::string_view text) {
  const auto number = leading_number(text);
  return number && *number < 1e6 ? std::optional(std::llround(*number)) : std::nullopt;
}

std::optional<double> scaled(std::optional<double> value, double factor) {
  return value ? std::optional(*value * factor) : std::nullopt;
}

// Without makers and families, letters and digits only: drivers, datasheets and people write one
// name in many ways.
std::string comparable_name(std::string_view name) {
  std::string result, word;
  const auto end_word = [&] {
    if (word != "nvidia" && word != "tesla" && word != "geforce") result += word;
    word.clear();
  };
  for (const char c : base::lower(name)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      word += c;
    } else {
      end_word();
    }
  }
  end_word();
  return result;
}

bool is_called(const DeviceRow& row, std::string_view comparable) {
  return comparable_name(row.name) == comparable ||
         std::ranges::any_of(row.aliases, [&](const std::string& alias) {
           return comparable_name(alias) == comparable;
         });
}

std::vector<const DeviceRow*> rows_called(const DeviceTable& table, std::string_view name) {
  std::vector<const DeviceRow*> rows;
  const std::string comparable = comparable_name(name);
  if (comparable.empty()) return rows;
  for (const DeviceRow& row : table.devices) {
    if (comparable_name(row.name) == comparable) return {&row};
    if (is_called(row, comparable)) rows.push_back(&row);
  }
  return rows;
}

// "A100" for "A100 80GB SXM": the start of a name, up to the end of a word.
std::vector<const DeviceRow*> rows_that_begin(const DeviceTable& table, std::string_view words) {
  std::vector<const DeviceRow*> rows;
  const std::string wanted = base::lower(words);
  for (const DeviceRow& row : table.devices) {
    const std::string name = base::lower(row.name);
    if (name.starts_with(wanted) && name.size() > wanted.size() && name[wanted.size()] == ' ')
      rows.push_back(&row);
  }
  return rows;
}

std::string names_of(const std::vector<const DeviceRow*>& rows) {
  std::vector<std::string_view> names;
  for (const DeviceRow* row : rows) names.push_back(row->name);
  return base::join_words(names);
}

DeviceLimits limits_of(const DeviceRow& row) {
  return {.name = row.name,
          .source = row.source,
          .bandwidth_source = row.bytes_per_s ? row.source : std::string(),
          .note = row.note,
          .bytes_per_s = row.bytes_per_s,
          .matrix_flops_per_s = row.matrix_flops_per_s,
          .vector_flops_per_s = row.vector_flops_per_s,
          .remarks = {}};
}

model::Rates scaled(const model::Rates& rates, double factor) {
  model::Rates result;
  for (std::size_t i = 0; i < static_cast<std::size_t>(DType::kNull); ++i) {
    result.set(static_cast<DType>(i), scaled(rates.of(static_cast<DType>(i)), factor));
  }
  return result;
}

void scale(double factor, DeviceLimits& limits) {
  limits.matrix_flops_per_s = scaled(limits.matrix_flops_per_s, factor);
  limits.vector_flops_per_s = scaled(limits.vector_flops_per_s, factor);
}

// One thread can't compute faster than one processor. It may read memory as fast as several do.
void scale_by_threads(const DeviceRow& row, const DeviceFacts& facts, DeviceLimits& limits) {
  if (!row.processors || !facts.threads || *facts.threads >= *row.processors) return;
  scale(static_cast<double>(*facts.threads) / static_cast<double>(*row.processors), limits);
  limits.remarks.push_back(
      format("the engine runs on {}: peaks are {} of those of all {} processors",
             base::counted(static_cast<std::size_t>(*facts.threads), "thread"),
             format("{}/{}", *facts.threads, *row.processors), *row.processors));
}

// Multiprocessors that a power mode has switched off.
void scale_by_multiprocessors(const DeviceRow& row, const DeviceFacts& facts,
                              DeviceLimits& limits) {
  if (!row.sm_count || !facts.sm_count || *facts.sm_count >= *row.sm_count) return;
  scale(static_cast<double>(*facts.sm_count) / static_cast<double>(*row.sm_count), limits);
  limits.remarks.push_back(
      format("peaks are scaled to the {} of {} multiprocessors that the engine's files report",
             *facts.sm_count, *row.sm_count));
}

void scale_by_clock(const DeviceRow& row, const DeviceFacts& facts, DeviceLimits& limits) {
  constexpr double kSame = 0.005;
  if (!row.boost_mhz || !facts.compute_mhz) return;
  const double factor = *facts.compute_mhz / *row.boost_mhz;
  if (std::fabs(factor - 1) <= kSame) return;
  scale(factor, limits);
  limits.remarks.push_back(
      format("peaks are scaled from the table's {:.0f} MHz to the {:.0f} MHz in the engine's files",
             *row.boost_mhz, *facts.compute_mhz));
}

std::optional<DeviceLimits> limits_of_architecture(const DeviceTable& table,
                                                   const DeviceFacts& facts) {
  const auto architecture = std::ranges::find(table.architectures, facts.compute_capability,
                                              &model::ArchitectureRow::compute_capability);
  if (facts.compute_capability.empty() || architecture == table.architectures.end() ||
      !facts.sm_count || !facts.compute_mhz) {
    return std::nullopt;
  }
  const double factor = 2 * static_cast<double>(*facts.sm_count) * *facts.compute_mhz * 1e6;
  DeviceLimits limits;
  limits.name = facts.name.empty()
                    ? format("a GPU of compute capability {}", facts.compute_capability)
                    : facts.name;
  limits.source = architecture->source;
  limits.note = architecture->note;
  limits.matrix_flops_per_s = scaled(architecture->matrix_fma, factor);
  limits.vector_flops_per_s = scaled(architecture->vector_fma, factor);
  limits.remarks.push_back(
      format("the device is not in the table; peaks are derived from its architecture: {}, {} "
             "multiprocessors at {:.0f} MHz",
             architecture->name, *facts.sm_count, *facts.compute_mhz));
  return limits;
}

// Jetsons and similar boards: processor and GPU share memory.
bool is_tegra(const DeviceFacts& facts) {
  constexpr std::string_view kCapabilities[] = {"5.3", "6.2", "7.2", "8.7", "10.1", "11.0"};
  constexpr std::string_view kWords[] = {"orin", "xavier", "jetson", "thor", "tegra"};
  const std::string name = comparable_name(facts.name);
  return std::ranges::find(kCapabilities, facts.compute_capability) != std::end(kCapabilities) ||
         std::ranges::any_of(
             kWords, [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

template <typename Fits>
void keep_those_that(Fits fits, std::vector<const DeviceRow*>& rows) {
  std::vector<const DeviceRow*> kept;
  std::ranges::copy_if(rows, std::back_inserter(kept),
                       [&](const DeviceRow* row) { return fits(*row); });
  if (!kept.empty()) rows = std::move(kept);
}

// All Orins are called Orin. A power mode can lower clocks and switch off multiprocessors, so the
// board has at least as many multiprocessors and at least these clocks; among such boards, an exact
// fit is the most likely.
void narrow_jetsons(const DeviceFacts& facts, std::vector<const DeviceRow*>& rows) {
  constexpr double kSameClock = 0.01;
  std::erase_if(rows, [&](const DeviceRow* row) {
    return row->sm_count && facts.sm_count && *row->sm_count < *facts.sm_count;
  });
  const auto clock_ratio = [&](const DeviceRow& row) {
    return row.boost_mhz && facts.compute_mhz ? *facts.compute_mhz / *row.boost_mhz : 1;
  };
  keep_those_that([&](const DeviceRow& row) { return clock_ratio(row) <= 1 + kSameClock; }, rows);
  // The system reserves some of the memory for itself.
  constexpr double kMinVisible = 0.8;
  if (facts.memory_gib) {
    keep_those_that(
        [&](const DeviceRow& row) {
          return row.memory_gib && *facts.memory_gib <= *row.memory_gib &&
                 *facts.memory_gib >= kMinVisible * *row.memory_gib;
        },
        rows);
  }
  if (facts.sm_count) {
    keep_those_that([&](const DeviceRow& row) { return row.sm_count == facts.sm_count; }, rows);
  }
  if (facts.compute_mhz) {
    keep_those_that(
        [&](const DeviceRow& row) { return std::fabs(clock_ratio(row) - 1) <= kSameClock; }, rows);
  }
}

// What the files say about the memory is about this very device.
void take_bandwidth(const DeviceFacts& facts, DeviceLimits& limits) {
  if (is_tegra(facts)) {
    if (!limits.bytes_per_s) {
      limits.remarks.emplace_back("the bandwidth of its memory is not known");
    }
    return;
  }
  if (!facts.memory_mhz || !facts.bus_bits) return;
  const double told = 2 * *facts.memory_mhz * 1e6 * *facts.bus_bits / 8;
  constexpr double kSame = 0.01;
  if (limits.bytes_per_s && std::fabs(told / *limits.bytes_per_s - 1) > kSame) {
    limits.remarks.push_back(format("the table says {:.0f} GB/s", *limits.bytes_per_s / 1e9));
  }
  limits.bytes_per_s = told;
  limits.bandwidth_source =
      format("the engine's files: {:.0f} MHz, {:.0f} bits", *facts.memory_mhz, *facts.bus_bits);
}

void explain_absence(const DeviceFacts& facts, const std::vector<const DeviceRow*>& called,
                     DeviceChoice& choice) {
  if (called.size() > 1) {
    choice.problem = format("{} matches {}", facts.name, names_of(called));
    choice.hint = "choose one with --device";
    choice.remedy = DeviceRemedy::kName;
  } else if (facts.is_cpu) {
    const std::string& name = facts.host_cpu.empty() ? facts.name : facts.host_cpu;
    choice.problem = name.empty() ? std::string("the files don't say which CPU the engine ran on")
                                  : format("the limits of its CPU, {}, are not known", name);
    choice.remedy = DeviceRemedy::kProbe;
    choice.hint =
        "if it is this machine, add --probe; else run `planex probe -o devices.json` on the other "
        "machine and pass the file with --devices";
  } else if (!facts.name.empty()) {
    choice.problem = format("the device table does not contain {}", base::quoted(facts.name));
    choice.remedy = DeviceRemedy::kDescribe;
    choice.hint = "choose a similar one with --device, or add your own table with --devices";
  } else {
    choice.problem = "the files don't say which device the engine ran on";
    choice.remedy = DeviceRemedy::kName;
    choice.hint = "name it with --device, as in --device A10";
  }
}

}  // namespace

std::string_view to_string(DeviceRemedy remedy) {
  switch (remedy) {
    case DeviceRemedy::kNone:
      return {};
    case DeviceRemedy::kName:
      return "name";
    case DeviceRemedy::kProbe:
      return "probe";
    case DeviceRemedy::kDescribe:
      return "describe";
  }
  return {};
}

DeviceFacts device_facts(const model::PlanModel& model) {
  DeviceFacts facts;
  const std::string_view device = model.text(model.engine.device[0]);
  // OpenVINO's and ONNX Runtime's word for any processor.
  if (device != "CPU") facts.name = device;
  const std::string_view producer = model.text(model.engine.producer[0]);
  const bool is_gpu = facts.name.find("GPU") != std::string::npos;
  facts.is_cpu = (producer == "openvino" || producer == "onnxruntime") && !is_gpu;
  constexpr double kKilo = 1e-3, kMega = 1e3;  // kHz and GHz to MHz
  constexpr double kMebiToGibi = 1.0 / 1024;
  std::string major, minor;
  for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
    const std::string_view section = model.text(model.metadata.section[row]);
    const std::string_view key = model.text(model.metadata.key[row]);
    const std::string_view value = base::trimmed(model.text(model.metadata.value[row]));
    if (section == "device_information") {
      if (key == "Compute Capability") facts.compute_capability = value;
      if (key == "SMs") facts.sm_count = leading_count(value);
      if (key == "Compute Clock Rate" || key == "Application Compute Clock Rate") {
        facts.compute_mhz = scaled(leading_number(value), kMega);
      }
      if (key == "Memory Clock Rate" || key == "Application Memory Clock Rate") {
        facts.memory_mhz = scaled(leading_number(value), kMega);
      }
      if (key == "Memory Bus Width") facts.bus_bits = leading_number(value);
      if (key == "Device Global Memory") {
        facts.memory_gib = scaled(leading_number(value), kMebiToGibi);
      }
    } else if (section == "device_properties") {
      if (key == "COMPUTE_CAPABILITY_MAJOR") major = value;
      if (key == "COMPUTE_CAPABILITY_MINOR") minor = value;
      if (key == "MULTIPROCESSOR_COUNT") facts.sm_count = leading_count(value);
      if (key == "CLOCK_RATE") facts.compute_mhz = scaled(leading_number(value), kKilo);
      if (key == "MEMORY_CLOCK_RATE") facts.memory_mhz = scaled(leading_number(value), kKilo);
      if (key == "GLOBAL_MEMORY_BUS_WIDTH") facts.bus_bits = leading_number(value);
    } else if (facts.is_cpu &&
               ((section == "engine" && key == "threads") ||
                (section == "runtime configuration" && key == "INFERENCE_NUM_THREADS"))) {
      facts.threads = leading_count(value);
    } else if (section == "host") {
      if (key == "name") facts.host_name = value;
      if (key == "cpu_model") facts.host_cpu = value;
      if (key == "cpu_count") facts.host_cpu_count = leading_count(value);
    }
  }
  if (facts.compute_capability.empty() && !major.empty() && !minor.empty()) {
    facts.compute_capability = format("{}.{}", major, minor);
  }
  return facts;
}

Result<DeviceChoice> choose_device(const model::PlanModel& model, const DeviceTable& table,
                                   const std::optional<std::string>& wanted) {
  DeviceChoice choice;
  choice.facts = device_facts(model);
  if (wanted) {
    auto called = rows_called(table, *wanted);
    if (called.empty()) called = rows_that_begin(table, *wanted);
    if (called.size() == 1) {
      choice.limits = limits_of(*called.front());
      scale_by_threads(*called.front(), choice.facts, *choice.limits);
      return choice;
    }
    if (called.size() > 1) {
      return fail(ErrorCode::kUsage,
                  format("--device {} matches {}", base::quoted(*wanted), names_of(called)));
    }
    std::vector<std::string_view> names;
    for (const DeviceRow& row : table.devices) names.push_back(row.name);
    const auto meant = base::nearest(*wanted, names);
    return fail(ErrorCode::kUsage,
                format("--device {}: the device is not in the table{}", base::quoted(*wanted),
                       meant ? format("; did you mean {}?", base::quoted(*meant)) : ""),
                "the table has " + base::join_words(names));
  }
  const DeviceFacts& facts = choice.facts;
  std::vector<const DeviceRow*> called = rows_called(table, facts.name);
  if (called.empty()) called = rows_called(table, facts.host_cpu);
  if (is_tegra(facts)) {
    narrow_jetsons(facts, called);
  } else {
    std::erase_if(called, [&](const DeviceRow* row) {
      return row->sm_count && facts.sm_count && row->sm_count != facts.sm_count;
    });
  }
  if (called.size() == 1) {
    choice.limits = limits_of(*called.front());
    scale_by_threads(*called.front(), facts, *choice.limits);
    scale_by_multiprocessors(*called.front(), facts, *choice.limits);
    scale_by_clock(*called.front(), facts, *choice.limits);
  } else {
    choice.limits = limits_of_architecture(table, facts);
  }
  if (!choice.limits && facts.memory_mhz && facts.bus_bits && !is_tegra(facts)) {
    choice.limits.emplace();
    choice.limits->name = facts.name.empty() ? "the device in the engine's files" : facts.name;
    choice.limits->remarks.emplace_back("its peaks are not known; only memory limits are");
  }
  if (choice.limits) {
    take_bandwidth(facts, *choice.limits);
  } else {
    explain_absence(facts, called, choice);
  }
  return choice;
}

}  // namespace planex::analyze
