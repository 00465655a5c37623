// The contents of a column of the schema, by its C++ type.
#pragma once

#include <cstdint>

#include "model/column.h"

namespace planex::model {

enum class ColumnKind : std::uint8_t {
  kInt,
  kId,  // an integer: the position of a record in its table
  kReal,
  kText,
  kIntList,
  kWord,  // a text from a fixed list: enumerations, layouts
};

template <typename C>
inline constexpr ColumnKind kKindOf = ColumnKind::kWord;
template <>
inline constexpr ColumnKind kKindOf<Int> = ColumnKind::kInt;
template <typename Tag>
inline constexpr ColumnKind kKindOf<Column<base::Id<Tag>>> = ColumnKind::kId;
template <>
inline constexpr ColumnKind kKindOf<Real> = ColumnKind::kReal;
template <>
inline constexpr ColumnKind kKindOf<Text> = ColumnKind::kText;
template <>
inline constexpr ColumnKind kKindOf<IntList> = ColumnKind::kIntList;

}  // namespace planex::model
