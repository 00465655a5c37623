/* planex as a library of plain C: open engines, get their tables through the Arrow C data
 * interface and their documents as text.
 *
 *   planex_error* error = NULL;
 *   planex_option options[] = {{"path", "run/"}};
 *   planex_session* session = planex_open(options, 1, &error);
 *   if (session == NULL) { puts(planex_error_message(error)); planex_error_free(error); }
 *
 * Every function that can fail takes `error` as its last argument, which may be NULL. On failure it
 * returns NULL (or another value that it names), and *error is a new error that the caller must
 * free. The caller owns what a function returns, and frees it; what a const pointer refers to
 * belongs to the object that returned it. Texts are UTF-8 and end with a NUL. Freeing NULL does
 * nothing.
 *
 * A session can be used by many threads at once; close it when no other thread uses it. Objects
 * obtained from it stay valid without it.
 *
 * Options are pairs of texts: the name of a command-line option without its dashes, and its value
 * as on the command line. Flags are "true" or "false". Options that can be repeated there can be
 * repeated here. An unknown name is an error that lists the valid names. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "planex/arrow_abi.h"

#if defined(PLANEX_SHARED) && defined(__GNUC__)
#define PLANEX_API __attribute__((visibility("default")))
#else
#define PLANEX_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct planex_session planex_session;
typedef struct planex_table planex_table;
typedef struct planex_document planex_document;
typedef struct planex_error planex_error;

typedef struct planex_option {
  const char* name;
  const char* value;
} planex_option;

typedef enum planex_error_code {
  PLANEX_ERROR_USAGE = 0,         /* the caller asked for something that does not exist */
  PLANEX_ERROR_NOT_FOUND = 1,     /* a file or folder is missing or can't be opened */
  PLANEX_ERROR_BAD_INPUT = 2,     /* a file is not what it should be */
  PLANEX_ERROR_UNSUPPORTED = 3,   /* well-formed, but of a kind that planex does not read */
  PLANEX_ERROR_EXTERNAL_TOOL = 4, /* a program that planex started failed */
  PLANEX_ERROR_IO = 5,            /* reading or writing failed half way */
  PLANEX_ERROR_CANCELLED = 6,     /* the caller stopped it */
  PLANEX_ERROR_INTERNAL = 7       /* a bug in planex, or no memory */
} planex_error_code;

/* The version of the library: "1.2.3". */
PLANEX_API const char* planex_version(void);

/* --- Errors ------------------------------------------------------------------------------------
 */

PLANEX_API planex_error_code planex_error_get_code(const planex_error* error);
/* One line. */
PLANEX_API const char* planex_error_message(const planex_error* error);
/* Each is empty if it does not apply: the file it is about, an RFC 6901 pointer into it, more lines
 * of context, what to do about it. */
PLANEX_API const char* planex_error_file(const planex_error* error);
PLANEX_API const char* planex_error_json_pointer(const planex_error* error);
PLANEX_API const char* planex_error_context(const planex_error* error);
PLANEX_API const char* planex_error_hint(const planex_error* error);
/* Bytes from the start of the file; -1 if unknown. */
PLANEX_API int64_t planex_error_byte_offset(const planex_error* error);
PLANEX_API void planex_error_free(planex_error* error);

/* --- Sessions ----------------------------------------------------------------------------------
 */

/* Opens engines. Their files are copied into memory: rewriting the files does not change an open
 * engine. Of a large source model only parts are copied, and its file must stay. Each `path` begins
 * an engine, and the options after it apply to it: name, model, graph, times, metadata, log,
 * nsight, accuracy, profile (a file), profile-index, run, is-repeat (another run of the engine
 * before it, whose times compare uses), within (a folder; can be repeated: files elsewhere do not
 * exist for planex, whatever links and names in files point to them, even if these change
 * meanwhile). */
PLANEX_API planex_session* planex_open(const planex_option* options, size_t option_count,
                                       planex_error** error);
/* The engines of several sessions together: none is read again, and the sessions stay open. */
PLANEX_API planex_session* planex_join(const planex_session* const* sessions, size_t session_count,
                                       planex_error** error);
PLANEX_API void planex_close(planex_session* session);

PLANEX_API size_t planex_engine_count(const planex_session* session);
/* Distinguishes an engine from the others that are open; NULL if there is no such engine. */
PLANEX_API const char* planex_engine_label(const planex_session* session, size_t engine);

/* --- Tables ------------------------------------------------------------------------------------
 */

/* A table by its name in SQL, of one engine. Its columns of numbers are not copied. */
PLANEX_API planex_table* planex_get_table(const planex_session* session, size_t engine,
                                          const char* name, planex_error** error);
/* Called now and then from the calling thread; any result but 0 stops the work with an error. */
typedef int (*planex_cancelled)(void* context);
/* The rows of one SQL statement over all engines of the session. Options: max-rows,
 * max-memory-bytes. `cancelled` may be NULL. */
PLANEX_API planex_table* planex_query(const planex_session* session, const char* sql,
                                      const planex_option* options, size_t option_count,
                                      planex_cancelled cancelled, void* context,
                                      planex_error** error);
/* The rows of a result, with the types, units and descriptions of its fields: explain (with topic),
 * lint, or compare (with section: overview, pairs, ledger or summaries); without a session, sweep
 * (with path), one row per cell. Other options are those of planex_call. */
PLANEX_API planex_table* planex_call_table(const planex_session* session, const char* verb,
                                           const planex_option* options, size_t option_count,
                                           planex_error** error);
PLANEX_API int64_t planex_table_row_count(const planex_table* table);
typedef struct planex_column {
  const char* name;
  const char* type;        /* int64, double, text, list (of int64) or bool */
  const char* unit;        /* ms, us, bytes, ratio, count, flop/byte, or empty */
  const char* description; /* may be empty */
} planex_column;
PLANEX_API size_t planex_table_column_count(const planex_table* table);
/* All members are NULL if there is no such column. */
PLANEX_API planex_column planex_table_column(const planex_table* table, size_t column);
/* Each returns 0, or -1 on failure, which leaves `out` unchanged. */
PLANEX_API int planex_table_schema(const planex_table* table, struct ArrowSchema* out,
                                   planex_error** error);
PLANEX_API int planex_table_array(const planex_table* table, struct ArrowArray* out,
                                  planex_error** error);
PLANEX_API int planex_table_stream(const planex_table* table, struct ArrowArrayStream* out,
                                   planex_error** error);
PLANEX_API void planex_table_free(planex_table* table);

/* --- Documents ---------------------------------------------------------------------------------
 */

/* What a verb of the command line writes: summary, timing, layers, tables, explain (with topic),
 * lint, compare, report, draw, export; without a session (NULL): doctor, list, archive (which
 * writes the file `output`), verify, sweep (of a folder), schema, rules. Takes the options of the
 * verb. Format, width, color and wide are options, too; the default format is json, svg for draw,
 * html for report. */
PLANEX_API planex_document* planex_call(const planex_session* session, const char* verb,
                                        const planex_option* options, size_t option_count,
                                        planex_error** error);

/* Reports a phase (read, compile, warmup, time, profile, write) and how much of it is done, 0 to 1.
 * Called from the calling thread; any result but 0 stops the work. */
typedef int (*planex_progress)(void* context, const char* engine, const char* phase, double done);
/* Compiles and measures a model with an engine, as `planex process` does. Options: model, output,
 * engine, shape, threads, precision, program, python, launcher and flag (once per word),
 * program-dir (where planex's helper programs are). The document is JSON: name, artefacts,
 * manifest, notes. */
PLANEX_API planex_document* planex_process(const planex_option* options, size_t option_count,
                                           planex_progress progress, void* context,
                                           planex_error** error);

/* Runs models, as a verb of the command line does: quantize, search, cast, accuracy, advise,
 * process. Takes the options of the verb, those of the document (format, width, color, wide; json
 * by default), and program-dir. A goal or limit that is not met is no error: the document says so.
 */
PLANEX_API planex_document* planex_run(const char* verb, const planex_option* options,
                                       size_t option_count, planex_progress progress, void* context,
                                       planex_error** error);

PLANEX_API const char* planex_document_data(const planex_document* document);
/* Bytes, without the NUL after them. */
PLANEX_API size_t planex_document_size(const planex_document* document);
PLANEX_API void planex_document_free(planex_document* document);

#ifdef __cplusplus
}
#endif
