/* A table of an engine through the Arrow C stream interface, without a C++ compiler and without
 * Arrow: arrow_stream ENGINE [TABLE] */
#include <planex/planex.h>
#include <stdint.h>
#include <stdio.h>

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  planex_error* error = NULL;
  const planex_option options[] = {{"path", argv[1]}};
  planex_session* session = planex_open(options, 1, &error);
  planex_table* table =
      session == NULL ? NULL : planex_get_table(session, 0, argc > 2 ? argv[2] : "layers", &error);
  struct ArrowArrayStream stream = {0};
  if (table == NULL || planex_table_stream(table, &stream, &error) != 0) {
    fprintf(stderr, "%s\n", planex_error_message(error));
    planex_error_free(error);
    planex_close(session);
    return 3;
  }
  /* The stream keeps what it needs. */
  planex_table_free(table);
  planex_close(session);

  struct ArrowSchema schema;
  if (stream.get_schema(&stream, &schema) != 0) return 3;
  int64_t rows = 0;
  for (;;) {
    struct ArrowArray array;
    if (stream.get_next(&stream, &array) != 0) return 3;
    if (array.release == NULL) break;
    rows += array.length;
    for (int64_t i = 0; i < schema.n_children; ++i) {
      printf("%s %s %lld null\n", schema.children[i]->name, schema.children[i]->format,
             (long long)array.children[i]->null_count);
    }
    array.release(&array);
  }
  printf("%lld rows\n", (long long)rows);
  schema.release(&schema);
  stream.release(&stream);
  return 0;
}
