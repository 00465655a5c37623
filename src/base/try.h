// Early return for Result<T>.
#pragma once

#include <utility>

#include "planex/error.h"

#define PLANEX_CONCAT_INNER(a, b) a##b
#define PLANEX_CONCAT(a, b) PLANEX_CONCAT_INNER(a, b)

// PLANEX_TRY(expression): returns the error of a Result<void>, continues otherwise.
#define PLANEX_TRY(expression)                                 \
  do {                                                         \
    if (auto planex_result = (expression); !planex_result)     \
      return ::planex::fail(std::move(planex_result).error()); \
  } while (false)

// PLANEX_ASSIGN(auto x, expression): unwraps a Result<T> into x, or returns its error.
#define PLANEX_ASSIGN(target, expression) \
  PLANEX_ASSIGN_INNER(PLANEX_CONCAT(planex_result_, __LINE__), target, expression)
#define PLANEX_ASSIGN_INNER(result, target, expression)          \
  auto result = (expression);                                    \
  if (!result) return ::planex::fail(std::move(result).error()); \
  target = std::move(*result)
