// A search by Microsoft Olive (its footprint), and what its figures prove.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/plan_model.h"

namespace planex::analyze {

struct OliveModel {
  std::size_t number = 0;  // its place in the file
  std::string id, parent, pass, file;
  // As written; those that are not set are missing.
  std::vector<std::pair<std::string, std::string>> settings;
  std::map<std::string, double> metrics;
  bool has_failed = false;
  // Of the candidates, none is better in all metrics.
  bool is_on_front = false;
};

struct OliveSearch {
  std::vector<OliveModel> models;  // in the order of the file
  // The metric that Olive was asked to improve first, or else the first one. Empty: there is none.
  std::string objective;
  bool is_higher_better = false;
  // Indices into models. The input model; the best and the second of the candidates that were
  // measured, which the input model is not one of.
  std::optional<std::size_t> input, winner, runner_up;
};

// Nothing where the files contain no search.
std::optional<OliveSearch> find_olive_search(const model::PlanModel& model);

// How a model came from the input model: "onnxpeepholeoptimizer, onnxdynamicquantization (precision
// int8, per_channel false)"; of a pass's settings, those in which its candidates differ.
std::string passes_of(const OliveSearch& search, std::size_t index);

// Adds diagnostics that say what was searched, what won, what that proves, and how to find out.
void report_olive(model::PlanModel& model);

}  // namespace planex::analyze
