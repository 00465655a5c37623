// A comparison as a JUnit report, for dashboards of continuous integration.
#pragma once

#include <string>

#include "analyze/compare/compare.h"

namespace planex::render {

// One test suite for each engine after the first, with one test: it is not slower than the gate
// allows. Fails if the gate does; skipped if there is no gate and nothing to judge by. Follows
// Jenkins' schema junit-10.xsd, which other readers accept, too.
std::string compare_junit(const analyze::Comparison& comparison);

}  // namespace planex::render
