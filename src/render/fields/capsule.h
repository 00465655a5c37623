// A capsule, what was put into one, and the result of verifying one (model/capsule.h).
#pragma once

#include "model/capsule.h"
#include "record/fields.h"

namespace planex::render {

// planex.capsule/1: the list that is in it
const record::Document<model::Capsule>& capsule_document();
// planex.archive/1
const record::Document<model::ArchiveReport>& archive_document();
// planex.verify/1
const record::Document<model::CapsuleCheck>& verify_document();

}  // namespace planex::render
