// The results of a sweep, in words.
#pragma once

#include <string>
#include <vector>

#include "analyze/sweep.h"

namespace planex::render {

// "batch 8, threads 1".
std::string cell_text(const analyze::Sweep& sweep, std::size_t cell);

// The best cells, then cliffs, then the lottery; at most a sentence each.
std::vector<std::string> sweep_sentences(const analyze::Sweep& sweep);
std::string cliff_sentence(const analyze::Sweep& sweep, const analyze::SweepCliff& cliff);
std::string lottery_sentence(const analyze::Sweep& sweep, const analyze::SweepLottery& lottery);

}  // namespace planex::render
