/* Marks what libplanex.so exports: everything else in it stays hidden. Plain C. */
#pragma once

#if defined(__GNUC__)
#define PLANEX_EXPORT __attribute__((visibility("default")))
#else
#define PLANEX_EXPORT
#endif
