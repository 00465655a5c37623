// Shared by tests of OpenVINO's files.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "base/text.h"
#include "model/plan_model.h"

namespace planex::ingest::openvino {

inline std::size_t row_of(const model::PlanModel& model, std::string_view name) {
  for (std::size_t row = 0; row < model.layers.row_count(); ++row) {
    if (model.text(model.layers.name[row]) == name) return row;
  }
  throw std::out_of_range(base::format("no layer {}", name));
}

// Replaces the first `from`, which must be there, by another text.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

}  // namespace planex::ingest::openvino
