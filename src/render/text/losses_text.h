// What a quantized model lost at its outputs, for the terminal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "quantize/outcome.h"
#include "render/words/numbers.h"
#include "render/text/table_text.h"

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

// Who is right by the labels, and what the user's programs tell, a table each; empty where there is
// none.
std::string scores_text(const std::vector<quantize::LabelScore>& labels,
                        const std::vector<quantize::MetricScore>& metrics, const TableStyle& style);

}  // namespace planex::render
