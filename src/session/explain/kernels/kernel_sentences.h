// How the times of kernels relate to the profile's layer times, in sentences that terminal and
// documents share.
#pragma once

#include <string>
#include <vector>

#include "analyze/explain/kernels.h"
#include "model/plan_model.h"

namespace planex::session::kernels_topic {

// "+0.084", "−1.20".
std::string signed_ms(double ms);

// Σ kernels and Σ layers, what the difference means, and which kernels are in neither.
std::vector<std::string> kernel_sentences(const model::PlanModel& model,
                                          const analyze::KernelExplanation& explanation);

}  // namespace planex::session::kernels_topic
