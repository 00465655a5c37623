// What a quantized model lost at its outputs, for the terminal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "quantize/outcome.h"
#include "render/text/table_text.h"
#include "render/words/numbers.h"

namespace planex::render {

// SQNR, or what is worse: NaN first; "equal" where nothing differs.
std::string sqnr_text(const arrays::Difference& difference);
// "99.2 %" of rows whose largest class is the same; empty where there are no classes.
std::string top1_text(const quantize::JudgedTensor& tensor);

// The three figures of a quantized model under a heading: its own loss, the engine's, both.
std::string losses_text(const std::vector<quantize::JudgedTensor>& simulated,
                        const std::vector<quantize::JudgedTensor>& engine_to_simulated,
                        const std::vector<quantize::JudgedTensor>& engine, const std::string& where,
                        const TableStyle& style);

// Accuracy by the labels, and the results of the user's programs, one table each; empty without
// either.
std::string scores_text(const std::vector<quantize::LabelScore>& labels,
                        const std::vector<quantize::MetricScore>& metrics, const TableStyle& style);

}  // namespace planex::render
