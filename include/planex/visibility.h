/* What libplanex.so shows of itself: everything else in it stays hidden. Plain C. */
#ifndef PLANEX_VISIBILITY_H_
#define PLANEX_VISIBILITY_H_

#if defined(__GNUC__)
#define PLANEX_EXPORT __attribute__((visibility("default")))
#else
#define PLANEX_EXPORT
#endif

#endif /* PLANEX_VISIBILITY_H_ */
