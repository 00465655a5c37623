// What every fuzz target does with a model: derive all, read all.
#ifndef PLANEX_FUZZ_FUZZ_MODEL_H_
#define PLANEX_FUZZ_FUZZ_MODEL_H_

#include <cstdlib>

#include "analyze/complete.h"
#include "analyze/summary.h"
#include "model/plan_model.h"
#include "planex/error.h"

namespace planex::fuzz {

// Stops the fuzzer where `condition` does not hold.
inline void require(bool condition) {
  if (!condition) std::abort();
}

// Completes and summarises the model and looks at every cell, so that the sanitizers see any view
// of memory that is gone.
inline void use(model::PlanModel model) {
  analyze::complete(model);
  const analyze::Summary summary = analyze::summarize(model);
  require(summary.record_count == static_cast<std::int64_t>(model.layers.row_count()));
  std::size_t sum = 0;
  for (std::size_t table = 0; table < model::schema().size(); ++table) {
    const model::TableView view(model, table);
    for (std::size_t row = 0; row < view.row_count(); ++row) {
      for (std::size_t column = 0; column < view.info().columns.size(); ++column) {
        const model::Cell cell = view.cell(column, row);
        if (const auto* text = std::get_if<std::string_view>(&cell)) {
          for (const char c : *text) sum += static_cast<unsigned char>(c);
        }
        if (const auto* list = std::get_if<std::span<const std::int64_t>>(&cell)) {
          for (const std::int64_t number : *list) sum += static_cast<std::size_t>(number);
        }
      }
    }
  }
  // Keeps the compiler from leaving the loop out.
  [[maybe_unused]] static volatile std::size_t sink;
  sink = sum;
}

// An error of a reader names its file and says something.
inline void check(const Error& error) {
  // A newer version of a schema of ours is not broken.
  require(error.code == ErrorCode::kBadInput || error.code == ErrorCode::kUnsupported);
  require(!error.message.empty() && !error.file.empty());
}

}  // namespace planex::fuzz

#endif  // PLANEX_FUZZ_FUZZ_MODEL_H_
