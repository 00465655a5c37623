// Small engines by hand, for what no real engine shows: layers with their ports, in a line or two.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/builder.h"

namespace planex::test {

struct SmallPort {
  std::string_view tensor;
  model::DType dtype = model::DType::kFp32;
  std::vector<std::int64_t> dims = {};          // empty: the usual ones
  std::optional<std::string_view> layout = {};  // nothing: the usual one; "": not known
};

struct SmallLayer {
  std::string_view name;
  std::string_view type;
  model::Family family = model::Family::kOther;
  std::vector<SmallPort> inputs;
  std::vector<SmallPort> outputs;
  std::optional<double> median_ms;
  std::string_view origin = {};
  model::Role role = model::Role::kWork;
  std::string_view kernel = {};  // the attribute Kernel, as "[3,3]"; empty: it has none
};

// What ports have that say nothing else.
struct Usual {
  std::vector<std::int64_t> dims;
  std::string_view layout = {};  // empty: not known
};

// Built, and not completed.
model::PlanModel small_engine(std::string_view producer, const std::vector<SmallLayer>& layers,
                              const std::vector<std::string_view>& bindings, const Usual& usual);

}  // namespace planex::test
