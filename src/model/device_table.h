// Maximum rates of devices: the rows of data/devices.json, or of a user's own table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/types.h"

namespace planex::model {

// One rate per type, null where it is not known.
class Rates {
 public:
  std::optional<double> of(DType type) const { return rates_[static_cast<std::size_t>(type)]; }
  void set(DType type, std::optional<double> rate) {
    if (type != DType::kNull) rates_[static_cast<std::size_t>(type)] = rate;
  }
  bool empty() const {
    for (const auto& rate : rates_) {
      if (rate) return false;
    }
    return true;
  }

 private:
  // The last one stays null: an unknown type has no rate.
  std::array<std::optional<double>, static_cast<std::size_t>(DType::kNull) + 1> rates_{};
};

// Dense rates, two operations per multiply-accumulate.
struct DeviceRow {
  std::string name;
  std::vector<std::string> aliases;  // the name that drivers report
  // The clock that the peaks apply to; null for CPUs and where it is not known.
  std::string compute_capability;
  std::optional<std::int64_t> sm_count;
  std::optional<double> boost_mhz;
  // For boards of several kinds with one name: their properties. Null elsewhere.
  std::optional<double> memory_gib;
  // Number of processors that the peaks of a CPU cover, all together.
  std::optional<std::int64_t> processors;
  std::optional<double> bytes_per_s;
  Rates matrix_flops_per_s;  // of matrix units (Tensor Cores, AMX), or of the fastest units
  Rates vector_flops_per_s;
  std::string source, note;
};

// Multiply-accumulates per streaming multiprocessor and clock.
struct ArchitectureRow {
  std::string compute_capability, name;
  Rates matrix_fma, vector_fma;
  std::string source, note;
};

struct DeviceTable {
  std::string file;  // as named; empty for the built-in table
  std::vector<DeviceRow> devices;
  std::vector<ArchitectureRow> architectures;
};

}  // namespace planex::model
