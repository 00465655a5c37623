// What planex.layout/1 says about a drawing.
#pragma once

#include <cstddef>

#include "record/fields.h"
#include "render/drawing/picture.h"

namespace planex::render {

// Rows are positions in the picture's lists; the context is the picture.
using LayoutRow = record::Fields<std::size_t, Picture>;

const record::Fields<Picture, Picture>& layout_engine_fields();
const record::Fields<Picture, Picture>& layout_size_fields();
const LayoutRow& layout_box_fields();
const LayoutRow& layout_edge_fields();
const LayoutRow& layout_frame_fields();
// planex.layout/1
const record::Document<Picture, Picture>& layout_document();

}  // namespace planex::render
