// Models of a search: each is made, run with the float model and scored once. The measurements are
// kept in a file, so that a stopped search can continue.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "planex/error.h"
#include "quantize/front.h"
#include "quantize/placement.h"
#include "quantize/search_state.h"
#include "quantize/thresholds.h"
#include "tune/calibrate.h"
#include "tune/judge.h"
#include "tune/quantize.h"
#include "tune/runner.h"
#include "tune/split.h"

namespace planex::tune {

// The model with some layers in float; all others are in INT8.
struct Variant {
  quantize::MethodOptions method;
  std::vector<std::string> kept;  // like those of PlacementOptions, in addition to those of the
                                  // request
  std::vector<std::string> only;
};

class Measurements {
 public:
  // All must outlive this.
  Measurements(ModelFile& file, const QuantizeRequest& request, const Split& split, Runner& runner)
      : file_(file), request_(request), split_(split), runner_(runner) {}

  // Observes at once the ranges of all tensors that a model with some of `layers` in float is
  // likely to quantize: those with all in INT8, and those of models with one layer in INT8, or all
  // but one.
  Result<void> observe_all(const quantize::Placement& all, const std::vector<std::string>& layers);
  void set_weight_bits(int bits) { weight_bits_ = bits; }

  // Call after both of these. Returns whether the file exists but belongs to another model, other
  // data, options or versions: the next measure() then replaces it. An empty path: nothing is kept.
  // Errors: kBadInput (not a state file), kIo.
  Result<bool> open_state(const std::string& path);

  // In the order of `variants`. Unknown ones are run, some at the same time, on the judge's
  // samples, and written to the state. Errors: those of place(), rewrite(), Judge; kIo. Memory: as
  // many models as fit into 256 MB of files, 8 at most.
  Result<std::vector<quantize::Score>> measure(const std::vector<Variant>& variants, Judge& judge,
                                               const std::string& step);

  // Writes the model, and a calibration cache if a path is given.
  Result<void> write(const Variant& variant, const std::string& path, const std::string& cache);

  std::size_t measured_count() const { return measured_count_; }
  std::size_t known_count() const { return known_count_; }  // how many were already in the state

 private:
  Result<std::string> state_key() const;
  Result<void> save() const;
  Result<std::vector<quantize::QuantizedTensor>> tensors_of(const quantize::Placement& placement);
  Result<quantize::Placement> place(const Variant& variant) const;
  std::size_t models_at_once() const;

  ModelFile& file_;
  const QuantizeRequest& request_;
  const Split& split_;
  Runner& runner_;
  Observations seen_;
  int weight_bits_ = 8;
  std::string state_path_;
  quantize::SearchState state_;
  std::map<std::string, bool> is_from_state_;
  std::size_t measured_count_ = 0, known_count_ = 0;
};

// For all outputs together: the lowest SQNR, the rows of all.
quantize::Score score_of(const JudgedTensors& tensors);

}  // namespace planex::tune
