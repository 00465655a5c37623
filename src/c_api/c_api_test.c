/* The C interface as a program in plain C uses it: every function, and every way to fail. Plain
 * asserts of its own, so that they hold in any build. Arguments: a folder with an engine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "planex/planex.h"

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                \
    }                                                                         \
  } while (0)

static void check_no_error(planex_error* error) {
  if (error == NULL) return;
  fprintf(stderr, "%s\n", planex_error_message(error));
  exit(1);
}

static planex_session* must_open(const char* path) {
  planex_error* error = NULL;
  const planex_option options[] = {{"path", path}, {"name", "mine"}};
  planex_session* session = planex_open(options, 2, &error);
  check_no_error(error);
  CHECK(session != NULL);
  CHECK(planex_engine_count(session) == 1);
  CHECK(strcmp(planex_engine_label(session, 0), "mine") == 0);
  CHECK(planex_engine_label(session, 1) == NULL);
  return session;
}

static void test_errors(planex_session* session) {
  planex_error* error = NULL;
  const planex_option missing = {"path", "no/such/engine"};
  CHECK(planex_open(&missing, 1, &error) == NULL);
  CHECK(planex_error_get_code(error) == PLANEX_ERROR_NOT_FOUND);
  CHECK(strstr(planex_error_file(error), "no/such/engine") != NULL);
  CHECK(planex_error_byte_offset(error) == -1);
  CHECK(planex_error_message(error)[0] != '\0');
  CHECK(planex_error_json_pointer(error)[0] == '\0');
  CHECK(planex_error_context(error) != NULL);
  CHECK(planex_error_hint(error) != NULL);
  planex_error_free(error);

  error = NULL;
  CHECK(planex_open(NULL, 0, &error) == NULL);
  CHECK(planex_error_get_code(error) == PLANEX_ERROR_USAGE);
  planex_error_free(error);

  error = NULL;
  const planex_option unknown = {"pat", "x"};
  CHECK(planex_call(session, "lint", &unknown, 1, &error) == NULL);
  CHECK(planex_error_get_code(error) == PLANEX_ERROR_USAGE);
  CHECK(strstr(planex_error_message(error), "pat") != NULL);
  CHECK(strcmp(planex_error_hint(error), "did you mean pack?") == 0);
  planex_error_free(error);

  error = NULL;
  const planex_option bad_word = {"topic", "steam"};
  CHECK(planex_call(session, "explain", &bad_word, 1, &error) == NULL);
  CHECK(strstr(planex_error_message(error), "reformats") != NULL);
  planex_error_free(error);

  error = NULL;
  CHECK(planex_get_table(session, 0, "layer", &error) == NULL);
  CHECK(strcmp(planex_error_hint(error), "did you mean layers?") == 0);
  planex_error_free(error);

  /* The caller does not ask for the error. */
  CHECK(planex_get_table(session, 7, "layers", NULL) == NULL);
  CHECK(planex_call(session, "sing", NULL, 0, NULL) == NULL);
  CHECK(planex_call(NULL, NULL, NULL, 0, NULL) == NULL);
  planex_error_free(NULL);
}

static int always(void* context) {
  ++*(int*)context;
  return 1;
}

static void test_tables(planex_session* session) {
  planex_error* error = NULL;
  planex_table* layers = planex_get_table(session, 0, "layers", &error);
  check_no_error(error);
  CHECK(planex_table_row_count(layers) > 0);

  CHECK(planex_table_column_count(layers) > 10);
  CHECK(strcmp(planex_table_column(layers, 0).name, "layer_id") == 0);
  CHECK(strcmp(planex_table_column(layers, 0).type, "int64") == 0);
  CHECK(strlen(planex_table_column(layers, 0).description) > 0);
  CHECK(planex_table_column(layers, 1000).name == NULL);

  struct ArrowSchema schema;
  struct ArrowArray array;
  struct ArrowArrayStream stream;
  CHECK(planex_table_schema(layers, &schema, &error) == 0);
  CHECK(planex_table_array(layers, &array, &error) == 0);
  CHECK(planex_table_stream(layers, &stream, &error) == 0);
  CHECK(strcmp(schema.format, "+s") == 0);
  CHECK(schema.n_children == array.n_children);
  CHECK(array.length == planex_table_row_count(layers));

  const planex_option one_row = {"max-rows", "1"};
  planex_table* rows =
      planex_query(session, "SELECT name, median_ms FROM layers", &one_row, 1, NULL, NULL, &error);
  check_no_error(error);
  CHECK(planex_table_row_count(rows) == 1);
  planex_table_free(rows);

  int asked = 0;
  CHECK(planex_query(session, "SELECT 1", NULL, 0, always, &asked, &error) == NULL);
  CHECK(asked > 0);
  CHECK(planex_error_get_code(error) == PLANEX_ERROR_CANCELLED);
  planex_error_free(error);

  /* Exported data needs neither the table nor the session. */
  planex_table_free(layers);
  planex_close(session);
  struct ArrowArray next;
  CHECK(stream.get_next(&stream, &next) == 0);
  CHECK(next.length == array.length);
  for (int64_t i = 0; i < next.n_children; ++i) {
    const struct ArrowArray* column = next.children[i];
    if (strcmp(schema.children[i]->format, "l") != 0 || column->length == 0) continue;
    const volatile int64_t* values = column->buffers[1];
    (void)values[column->length - 1];
    CHECK(values == array.children[i]->buffers[1] || column->length == 0 ||
          strstr(schema.children[i]->name, "_id") != NULL);
  }
  next.release(&next);
  stream.release(&stream);
  array.release(&array);
  schema.release(&schema);
}

static void test_documents(planex_session* session) {
  const char* const verbs[] = {"summary", "timing", "layers", "tables", "explain",
                               "lint",    "report", "draw",   "export"};
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; ++i) {
    planex_error* error = NULL;
    planex_document* document = planex_call(session, verbs[i], NULL, 0, &error);
    check_no_error(error);
    CHECK(planex_document_size(document) > 10);
    CHECK(strlen(planex_document_data(document)) == planex_document_size(document));
    planex_document_free(document);
  }
  const char* const others[] = {"schema", "rules"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    planex_document* document = planex_call(NULL, others[i], NULL, 0, NULL);
    CHECK(document != NULL);
    planex_document_free(document);
  }
  const planex_option text = {"format", "text"};
  planex_document* document = planex_call(session, "summary", &text, 1, NULL);
  CHECK(document != NULL && planex_document_data(document)[0] != '{');
  planex_document_free(document);
}

/* Rows of results. */
static void test_result_tables(planex_session* session) {
  const char* const topics[] = {"reformats", "speed",   "memory",     "precision",
                                "blocks",    "kernels", "operations", "quantization",
                                "tactics"};
  planex_error* error = NULL;
  for (size_t i = 0; i < sizeof topics / sizeof *topics; ++i) {
    const planex_option topic = {"topic", topics[i]};
    planex_table* table = planex_call_table(session, "explain", &topic, 1, &error);
    check_no_error(error);
    CHECK(planex_table_column_count(table) > 3);
    planex_table_free(table);
  }
  planex_table* findings = planex_call_table(session, "lint", NULL, 0, &error);
  check_no_error(error);
  CHECK(planex_table_row_count(findings) > 0);
  CHECK(strcmp(planex_table_column(findings, 0).name, "rule") == 0);
  planex_table_free(findings);
  CHECK(planex_call_table(session, "summary", NULL, 0, &error) == NULL);
  CHECK(planex_error_get_code(error) == PLANEX_ERROR_USAGE);
  planex_error_free(error);
}

/* The same engine twice, under different names; the original sessions may be closed. */
static void test_join(const char* path) {
  planex_error* error = NULL;
  planex_session* a = must_open(path);
  const planex_option options[] = {{"path", path}, {"name", "other"}};
  planex_session* b = planex_open(options, 2, &error);
  check_no_error(error);
  const planex_session* parts[] = {a, b};
  planex_session* both = planex_join(parts, 2, &error);
  check_no_error(error);
  planex_close(a);
  planex_close(b);
  CHECK(planex_engine_count(both) == 2);
  CHECK(strcmp(planex_engine_label(both, 1), "other") == 0);
  planex_document* document = planex_call(both, "compare", NULL, 0, &error);
  check_no_error(error);
  CHECK(strstr(planex_document_data(document), "planex.compare/") != NULL);
  planex_document_free(document);
  const planex_option section = {"section", "ledger"};
  planex_table* ledger = planex_call_table(both, "compare", &section, 1, &error);
  check_no_error(error);
  CHECK(planex_table_row_count(ledger) > 0);
  planex_table_free(ledger);
  planex_table* rows =
      planex_query(both, "SELECT engine, name FROM layers", NULL, 0, NULL, NULL, &error);
  check_no_error(error);
  CHECK(planex_table_row_count(rows) > 0);
  planex_table_free(rows);
  planex_close(both);
  CHECK(planex_join(NULL, 0, NULL) == NULL);
}

static int told(void* context, const char* engine, const char* phase, double done) {
  (void)engine, (void)phase, (void)done;
  ++*(int*)context;
  return 0;
}

static void test_process(void) {
  planex_error* error = NULL;
  int count = 0;
  const planex_option options[] = {{"model", "no-model.onnx"}, {"engine", "steam"}};
  CHECK(planex_process(options, 2, told, &count, &error) == NULL);
  CHECK(planex_error_get_code(error) == PLANEX_ERROR_USAGE);
  CHECK(count == 0);
  planex_error_free(error);
}

/* Verbs that run models: what they say of options needs no model. */
static void test_run(void) {
  planex_error* error = NULL;
  CHECK(planex_run("boil", NULL, 0, NULL, NULL, &error) == NULL);
  CHECK(strstr(planex_error_hint(error), "quantize") != NULL);
  planex_error_free(error);
  const planex_option none[] = {{"model", "m.onnx"}, {"output", "o.onnx"}, {"samples", "0"}};
  CHECK(planex_run("quantize", none, 3, NULL, NULL, &error) == NULL);
  CHECK(strstr(planex_error_message(error), "samples: 0 is less than 1") != NULL);
  planex_error_free(error);
  const planex_option missing[] = {{"model", "no-model.onnx"}, {"output", "-"}, {"to", "fp16"}};
  CHECK(planex_run("cast", missing, 3, NULL, NULL, &error) == NULL);
  CHECK(planex_error_get_code(error) == PLANEX_ERROR_USAGE);
  planex_error_free(error);
}

/* Folders outside of which no file exists for planex. */
static void test_within(const char* path) {
  planex_error* error = NULL;
  const planex_option here[] = {{"path", path}, {"within", path}, {"name", "mine"}};
  planex_session* session = planex_open(here, 3, &error);
  check_no_error(error);
  const planex_session* both[] = {session, session};
  planex_session* joined = planex_join(both, 2, &error);
  check_no_error(error);
  planex_close(session);
  /* A report reads files again, within the allowed folders. */
  planex_document* report = planex_call(joined, "report", NULL, 0, &error);
  check_no_error(error);
  planex_document_free(report);
  planex_close(joined);

  const planex_option elsewhere[] = {{"path", path}, {"within", "/proc/self"}};
  CHECK(planex_open(elsewhere, 2, &error) == NULL);
  CHECK(planex_error_get_code(error) == PLANEX_ERROR_NOT_FOUND);
  planex_error_free(error);
  error = NULL;
  CHECK(planex_call(NULL, "list", elsewhere, 2, &error) == NULL);
  CHECK(planex_error_get_code(error) == PLANEX_ERROR_NOT_FOUND);
  planex_error_free(error);
  error = NULL;
  const planex_option nowhere[] = {{"path", path}, {"within", "no/such/folder"}};
  CHECK(planex_open(nowhere, 2, &error) == NULL);
  CHECK(planex_error_get_code(error) == PLANEX_ERROR_NOT_FOUND);
  planex_error_free(error);
}

int main(int argc, char** argv) {
  CHECK(argc == 2);
  CHECK(strchr(planex_version(), '.') != NULL);
  planex_session* session = must_open(argv[1]);
  test_errors(session);
  test_documents(session);
  test_result_tables(session);
  test_process();
  test_run();
  test_join(argv[1]);
  test_within(argv[1]);
  test_tables(session); /* closes it */
  planex_close(NULL);
  planex_table_free(NULL);
  planex_document_free(NULL);
  return 0;
}
