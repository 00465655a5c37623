// What `planex archive` and `planex verify` print.
#pragma once

#include <string>

#include "model/capsule.h"
#include "render/text/table_text.h"

namespace planex::render {

std::string archive_text(const model::ArchiveReport& report, const TableStyle& style);
std::string verify_text(const model::CapsuleCheck& check, const TableStyle& style);

}  // namespace planex::render
