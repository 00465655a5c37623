// A comparison as a JUnit report, for dashboards of continuous integration.
#pragma once

#include <string>

#include "analyze/compare/compare.h"

namespace planex::render {

// One test suite for each engine after the first, with one test: it is not slower than the gate
// allows. Fails where the gate does; skipped where there is no gate and nothing to judge by. As
// Jenkins' schema junit-10.xsd has it, which other readers take, too.
std::string compare_junit(const analyze::Comparison& comparison);

}  // namespace planex::render
