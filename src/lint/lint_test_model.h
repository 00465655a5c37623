// Small models by hand, for what no real engine shows.
#ifndef PLANEX_LINT_LINT_TEST_MODEL_H_
#define PLANEX_LINT_LINT_TEST_MODEL_H_

#include <string_view>
#include <vector>

#include "support/small_engine.h"

namespace planex::lint {

using TestPort = test::SmallPort;
using TestLayer = test::SmallLayer;

inline model::PlanModel make_model(std::string_view producer, const std::vector<TestLayer>& layers,
                                   const std::vector<std::string_view>& bindings) {
  return test::small_engine(producer, layers, bindings, {.dims = {1, 64, 56, 56}});
}

}  // namespace planex::lint

#endif  // PLANEX_LINT_LINT_TEST_MODEL_H_
