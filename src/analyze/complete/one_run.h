// What one measurement of each side can prove.
#pragma once

namespace planex::analyze {

// Uncertainty of one measurement per side: 95 of 100 differences between two runs of one engine are
// within it if runs differ by 3 % or less (docs/design/0023).
inline constexpr double kOneRunASide = 0.088;

}  // namespace planex::analyze
