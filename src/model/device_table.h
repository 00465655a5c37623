// What devices can do at most: the rows of data/devices.json, or of a user's own table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/types.h"

namespace planex::model {

// One rate a type, null where it is not known.
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
  // The last one stays null: there is no rate for a type that is not known.
  std::array<std::optional<double>, static_cast<std::size_t>(DType::kNull) + 1> rates_{};
};

// Dense rates, two operations per multiply-accumulate.
struct DeviceRow {
  std::string name;
  std::vector<std::string> aliases;  // what drivers call it
  // What the peaks hold for; null for CPUs and where it is not known.
  std::string compute_capability;
  std::optional<std::int64_t> sm_count;
  std::optional<double> boost_mhz;
  // Of boards whose kinds share a name: what they have. Null elsewhere.
  std::optional<double> memory_gib;
  // Processors that the peaks of a CPU are of, all together.
  std::optional<std::int64_t> processors;
  std::optional<double> bytes_per_s;
  Rates matrix_flops_per_s;  // of matrix units (Tensor Cores, AMX), or of whatever is faster
  Rates vector_flops_per_s;
  std::string source, note;
};

// Multiply-accumulates of one streaming multiprocessor in one clock.
struct ArchitectureRow {
  std::string compute_capability, name;
  Rates matrix_fma, vector_fma;
  std::string source, note;
};

struct DeviceTable {
  std::string file;  // as named; empty for the table that planex has
  std::vector<DeviceRow> devices;
  std::vector<ArchitectureRow> architectures;
};

}  // namespace planex::model
