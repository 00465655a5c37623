/* The binding: planex.h as functions of Python, and nothing else. Only the stable ABI of CPython
 * 3.10 is used, so that one module serves every CPython from there on.
 *
 * Handles are capsules; errors become exceptions in planex/_errors.py. Python's lock is released
 * around every call that reads, computes or writes. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string.h>

#include "planex/planex.h"

static const char kSession[] = "planex_session";
static const char kTable[] = "planex_table";

/* --- Errors ------------------------------------------------------------------------------------ */

static PyObject* text_of(const char* text) {
  return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/* Raises what the core says, and frees it. A NULL error is one that there was no memory for. */
static PyObject* raise_error(planex_error* error) {
  if (PyErr_Occurred() != NULL) { /* a callback's own */
    planex_error_free(error);
    return NULL;
  }
  if (error == NULL) return PyErr_NoMemory();
  PyObject* module = PyImport_ImportModule("planex._errors");
  PyObject* exception = NULL;
  if (module != NULL) {
    exception = PyObject_CallMethod(
        module, "from_core", "iNNNLNN", (int)planex_error_get_code(error),
        text_of(planex_error_message(error)), text_of(planex_error_file(error)),
        text_of(planex_error_json_pointer(error)), (long long)planex_error_byte_offset(error),
        text_of(planex_error_context(error)), text_of(planex_error_hint(error)));
  }
  planex_error_free(error);
  if (exception != NULL) PyErr_SetObject((PyObject*)Py_TYPE(exception), exception);
  Py_XDECREF(module);
  Py_XDECREF(exception);
  return NULL;
}

/* --- Options ----------------------------------------------------------------------------------- */

typedef struct {
  planex_option* options;
  size_t count;
  PyObject* keeper; /* the sequence that the texts belong to */
} Options;

/* The UTF-8 of a str, or a bytes as it is (paths are bytes); NULL with an exception. */
static const char* option_text(PyObject* object) {
  const char* text = NULL;
  Py_ssize_t size = 0;
  if (PyBytes_Check(object)) {
    char* bytes = NULL;
    if (PyBytes_AsStringAndSize(object, &bytes, &size) < 0) return NULL;
    text = bytes;
  } else {
    text = PyUnicode_AsUTF8AndSize(object, &size);
    if (text == NULL) return NULL;
  }
  if (strlen(text) == (size_t)size) return text;
  PyErr_SetString(PyExc_ValueError, "embedded null character");
  return NULL;
}

static void free_options(Options* options) {
  PyMem_Free(options->options);
  Py_XDECREF(options->keeper);
}

/* For PyArg_ParseTuple: a sequence of pairs. */
static int convert_options(PyObject* object, void* target) {
  Options* options = target;
  if (object == NULL) {
    free_options(options);
    return 1;
  }
  options->keeper = PySequence_Tuple(object);
  if (options->keeper == NULL) return 0;
  const Py_ssize_t count = PyTuple_Size(options->keeper);
  options->options = PyMem_Calloc((size_t)count + 1, sizeof(planex_option));
  if (options->options == NULL) {
    PyErr_NoMemory();
    goto failed;
  }
  options->count = (size_t)count;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* pair = PyTuple_GetItem(options->keeper, i);
    if (!PyTuple_Check(pair) || PyTuple_Size(pair) != 2) {
      PyErr_SetString(PyExc_TypeError, "an option is a pair of texts");
      goto failed;
    }
    options->options[i].name = option_text(PyTuple_GetItem(pair, 0));
    if (options->options[i].name == NULL) goto failed;
    options->options[i].value = option_text(PyTuple_GetItem(pair, 1));
    if (options->options[i].value == NULL) goto failed;
  }
  return Py_CLEANUP_SUPPORTED;
failed:
  free_options(options);
  return 0;
}

/* --- Sessions ---------------------------------------------------------------------------------- */

static void free_session(PyObject* capsule) {
  planex_close(PyCapsule_GetPointer(capsule, kSession));
}

static PyObject* new_session(planex_session* session, planex_error* error) {
  if (session == NULL) return raise_error(error);
  PyObject* capsule = PyCapsule_New(session, kSession, free_session);
  if (capsule == NULL) planex_close(session);
  return capsule;
}

static PyObject* core_open(PyObject* self, PyObject* args) {
  (void)self;
  Options options = {0};
  if (!PyArg_ParseTuple(args, "O&:open", convert_options, &options)) return NULL;
  planex_error* error = NULL;
  planex_session* session = NULL;
  Py_BEGIN_ALLOW_THREADS
  session = planex_open(options.options, options.count, &error);
  Py_END_ALLOW_THREADS
  free_options(&options);
  return new_session(session, error);
}

static PyObject* core_join(PyObject* self, PyObject* args) {
  (void)self;
  PyObject* list = NULL;
  if (!PyArg_ParseTuple(args, "O!:join", &PyTuple_Type, &list)) return NULL;
  const Py_ssize_t count = PyTuple_Size(list);
  const planex_session** sessions = PyMem_Calloc((size_t)count + 1, sizeof *sessions);
  if (sessions == NULL) return PyErr_NoMemory();
  for (Py_ssize_t i = 0; i < count; ++i) {
    sessions[i] = PyCapsule_GetPointer(PyTuple_GetItem(list, i), kSession);
    if (sessions[i] == NULL) {
      PyMem_Free(sessions);
      return NULL;
    }
  }
  planex_error* error = NULL;
  planex_session* session = planex_join(sessions, (size_t)count, &error);
  PyMem_Free(sessions);
  return new_session(session, error);
}

static PyObject* core_labels(PyObject* self, PyObject* capsule) {
  (void)self;
  const planex_session* session = PyCapsule_GetPointer(capsule, kSession);
  if (session == NULL) return NULL;
  PyObject* labels = PyList_New(0);
  for (size_t i = 0; labels != NULL && i < planex_engine_count(session); ++i) {
    PyObject* label = text_of(planex_engine_label(session, i));
    if (label == NULL || PyList_Append(labels, label) < 0) Py_CLEAR(labels);
    Py_XDECREF(label);
  }
  return labels;
}

/* --- Tables ------------------------------------------------------------------------------------ */

static void free_table(PyObject* capsule) {
  planex_table_free(PyCapsule_GetPointer(capsule, kTable));
}

static PyObject* new_table(planex_table* table, planex_error* error) {
  if (table == NULL) return raise_error(error);
  PyObject* capsule = PyCapsule_New(table, kTable, free_table);
  if (capsule == NULL) planex_table_free(table);
  return capsule;
}

static PyObject* core_table(PyObject* self, PyObject* args) {
  (void)self;
  PyObject* capsule = NULL;
  const char* name = NULL;
  if (!PyArg_ParseTuple(args, "Os:table", &capsule, &name)) return NULL;
  const planex_session* session = PyCapsule_GetPointer(capsule, kSession);
  if (session == NULL) return NULL;
  planex_error* error = NULL;
  planex_table* table = NULL;
  Py_BEGIN_ALLOW_THREADS
  table = planex_get_table(session, 0, name, &error);
  Py_END_ALLOW_THREADS
  return new_table(table, error);
}

/* Ctrl-C, and whatever else a signal raises: it stays set and is raised in the end. */
static int has_signal(void* context) {
  (void)context;
  const PyGILState_STATE state = PyGILState_Ensure();
  const int stop = PyErr_CheckSignals() < 0;
  PyGILState_Release(state);
  return stop;
}

static PyObject* core_query(PyObject* self, PyObject* args) {
  (void)self;
  PyObject* capsule = NULL;
  const char* sql = NULL;
  Options options = {0};
  if (!PyArg_ParseTuple(args, "OsO&:query", &capsule, &sql, convert_options, &options)) {
    return NULL;
  }
  const planex_session* session = PyCapsule_GetPointer(capsule, kSession);
  if (session == NULL) {
    free_options(&options);
    return NULL;
  }
  planex_error* error = NULL;
  planex_table* table = NULL;
  Py_BEGIN_ALLOW_THREADS
  table = planex_query(session, sql, options.options, options.count, has_signal, NULL, &error);
  Py_END_ALLOW_THREADS
  free_options(&options);
  return new_table(table, error);
}

static PyObject* core_columns(PyObject* self, PyObject* capsule) {
  (void)self;
  const planex_table* table = PyCapsule_GetPointer(capsule, kTable);
  if (table == NULL) return NULL;
  PyObject* columns = PyList_New(0);
  for (size_t i = 0; columns != NULL && i < planex_table_column_count(table); ++i) {
    const planex_column column = planex_table_column(table, i);
    PyObject* entry = Py_BuildValue("(NNNN)", text_of(column.name), text_of(column.type),
                                    text_of(column.unit), text_of(column.description));
    if (entry == NULL || PyList_Append(columns, entry) < 0) Py_CLEAR(columns);
    Py_XDECREF(entry);
  }
  return columns;
}

static PyObject* core_row_count(PyObject* self, PyObject* capsule) {
  (void)self;
  const planex_table* table = PyCapsule_GetPointer(capsule, kTable);
  if (table == NULL) return NULL;
  return PyLong_FromLongLong(planex_table_row_count(table));
}

static int is_set(const void* bits, int64_t row) {
  return (((const uint8_t*)bits)[row / 8] >> (row % 8)) & 1;
}

/* One value of an array of one of our formats. */
static PyObject* cell(const struct ArrowArray* column, const char* format, int64_t row) {
  if (column->buffers[0] != NULL && !is_set(column->buffers[0], row)) Py_RETURN_NONE;
  const void* values = column->buffers[1];
  if (strcmp(format, "l") == 0) return PyLong_FromLongLong(((const int64_t*)values)[row]);
  if (strcmp(format, "g") == 0) return PyFloat_FromDouble(((const double*)values)[row]);
  if (strcmp(format, "b") == 0) return PyBool_FromLong(is_set(values, row));
  const int64_t* offsets = values;
  const int64_t size = offsets[row + 1] - offsets[row];
  if (strcmp(format, "U") == 0) {
    const char* text = column->buffers[2];
    return PyUnicode_DecodeUTF8(size == 0 ? "" : text + offsets[row], (Py_ssize_t)size, "replace");
  }
  const int64_t* numbers = column->children[0]->buffers[1];
  PyObject* list = PyList_New((Py_ssize_t)size);
  for (int64_t i = 0; list != NULL && i < size; ++i) {
    PyObject* number = PyLong_FromLongLong(numbers[offsets[row] + i]);
    if (number == NULL || PyList_SetItem(list, (Py_ssize_t)i, number) < 0) Py_CLEAR(list);
  }
  return list;
}

static PyObject* row_of(const struct ArrowArray* array, const struct ArrowSchema* schema,
                        int64_t row) {
  PyObject* tuple = PyTuple_New((Py_ssize_t)array->n_children);
  for (int64_t i = 0; tuple != NULL && i < array->n_children; ++i) {
    PyObject* value = cell(array->children[i], schema->children[i]->format, row);
    if (value == NULL || PyTuple_SetItem(tuple, (Py_ssize_t)i, value) < 0) Py_CLEAR(tuple);
  }
  return tuple;
}

/* Rows as Python has them, for people: whoever wants many takes the columns. */
static PyObject* core_rows(PyObject* self, PyObject* args) {
  (void)self;
  PyObject* capsule = NULL;
  long long first = 0, count = 0;
  if (!PyArg_ParseTuple(args, "OLL:rows", &capsule, &first, &count)) return NULL;
  const planex_table* table = PyCapsule_GetPointer(capsule, kTable);
  if (table == NULL) return NULL;
  const long long total = planex_table_row_count(table);
  if (first < 0 || count < 0 || first > total) {
    PyErr_SetString(PyExc_IndexError, "there are no such rows");
    return NULL;
  }
  planex_error* error = NULL;
  struct ArrowSchema schema;
  struct ArrowArray array;
  if (planex_table_schema(table, &schema, &error) < 0) return raise_error(error);
  if (planex_table_array(table, &array, &error) < 0) {
    schema.release(&schema);
    return raise_error(error);
  }
  const long long end = count < total - first ? first + count : total;
  PyObject* rows = PyList_New(0);
  for (long long row = first; rows != NULL && row < end; ++row) {
    PyObject* tuple = row_of(&array, &schema, row);
    if (tuple == NULL || PyList_Append(rows, tuple) < 0) Py_CLEAR(rows);
    Py_XDECREF(tuple);
  }
  array.release(&array);
  schema.release(&schema);
  return rows;
}

/* The Arrow PyCapsule interface: a structure that nobody took is released with its capsule. */
#define PLANEX_CAPSULE(Structure, function, capsule_name)                            \
  static void free_##Structure(PyObject* capsule) {                                  \
    struct Structure* held = PyCapsule_GetPointer(capsule, capsule_name);            \
    if (held == NULL) return;                                                        \
    if (held->release != NULL) held->release(held);                                  \
    PyMem_Free(held);                                                                \
  }                                                                                  \
  static PyObject* capsule_of_##Structure(PyObject* table_capsule) {                 \
    const planex_table* table = PyCapsule_GetPointer(table_capsule, kTable);         \
    if (table == NULL) return NULL;                                                  \
    struct Structure* held = PyMem_Calloc(1, sizeof *held);                          \
    if (held == NULL) return PyErr_NoMemory();                                       \
    planex_error* error = NULL;                                                      \
    if (function(table, held, &error) < 0) {                                         \
      PyMem_Free(held);                                                              \
      return raise_error(error);                                                     \
    }                                                                                \
    PyObject* capsule = PyCapsule_New(held, capsule_name, free_##Structure);         \
    if (capsule == NULL) {                                                           \
      held->release(held);                                                           \
      PyMem_Free(held);                                                              \
    }                                                                                \
    return capsule;                                                                  \
  }
PLANEX_CAPSULE(ArrowSchema, planex_table_schema, "arrow_schema")
PLANEX_CAPSULE(ArrowArray, planex_table_array, "arrow_array")
PLANEX_CAPSULE(ArrowArrayStream, planex_table_stream, "arrow_array_stream")
#undef PLANEX_CAPSULE

static PyObject* core_arrow_schema(PyObject* self, PyObject* table) {
  (void)self;
  return capsule_of_ArrowSchema(table);
}

static PyObject* core_arrow_array(PyObject* self, PyObject* table) {
  (void)self;
  PyObject* schema = capsule_of_ArrowSchema(table);
  PyObject* array = schema == NULL ? NULL : capsule_of_ArrowArray(table);
  if (array == NULL) {
    Py_XDECREF(schema);
    return NULL;
  }
  return Py_BuildValue("(NN)", schema, array);
}

static PyObject* core_arrow_stream(PyObject* self, PyObject* table) {
  (void)self;
  return capsule_of_ArrowArrayStream(table);
}

/* --- Documents --------------------------------------------------------------------------------- */

static PyObject* bytes_of(planex_document* document, planex_error* error) {
  if (document == NULL) return raise_error(error);
  PyObject* bytes = PyBytes_FromStringAndSize(planex_document_data(document),
                                              (Py_ssize_t)planex_document_size(document));
  planex_document_free(document);
  return bytes;
}

/* The session in a capsule, or none for None. Returns 0, or -1 with an exception. */
static int session_or_none(PyObject* capsule, const planex_session** session) {
  *session = NULL;
  if (capsule == Py_None) return 0;
  *session = PyCapsule_GetPointer(capsule, kSession);
  return *session == NULL ? -1 : 0;
}

static PyObject* core_call(PyObject* self, PyObject* args) {
  (void)self;
  PyObject* capsule = NULL;
  const char* verb = NULL;
  Options options = {0};
  if (!PyArg_ParseTuple(args, "OsO&:call", &capsule, &verb, convert_options, &options)) {
    return NULL;
  }
  const planex_session* session = NULL;
  if (session_or_none(capsule, &session) < 0) {
    free_options(&options);
    return NULL;
  }
  planex_error* error = NULL;
  planex_document* document = NULL;
  Py_BEGIN_ALLOW_THREADS
  document = planex_call(session, verb, options.options, options.count, &error);
  Py_END_ALLOW_THREADS
  free_options(&options);
  return bytes_of(document, error);
}

static PyObject* core_call_table(PyObject* self, PyObject* args) {
  (void)self;
  PyObject* capsule = NULL;
  const char* verb = NULL;
  Options options = {0};
  if (!PyArg_ParseTuple(args, "OsO&:call_table", &capsule, &verb, convert_options, &options)) {
    return NULL;
  }
  const planex_session* session = NULL;
  if (session_or_none(capsule, &session) < 0) {
    free_options(&options);
    return NULL;
  }
  planex_error* error = NULL;
  planex_table* table = NULL;
  Py_BEGIN_ALLOW_THREADS
  table = planex_call_table(session, verb, options.options, options.count, &error);
  Py_END_ALLOW_THREADS
  free_options(&options);
  return new_table(table, error);
}

/* Calls progress(engine, phase, done); an exception in it, or a signal, stops the work. */
static int tell(void* context, const char* engine, const char* phase, double done) {
  const PyGILState_STATE state = PyGILState_Ensure();
  int stop = PyErr_Occurred() != NULL || PyErr_CheckSignals() < 0;
  if (!stop && context != NULL) {
    PyObject* result =
        PyObject_CallFunction((PyObject*)context, "NNd", text_of(engine), text_of(phase), done);
    stop = result == NULL;
    Py_XDECREF(result);
  }
  PyGILState_Release(state);
  return stop;
}

static PyObject* core_run(PyObject* self, PyObject* args) {
  (void)self;
  const char* verb = NULL;
  Options options = {0};
  PyObject* progress = NULL;
  if (!PyArg_ParseTuple(args, "sO&O:run", &verb, convert_options, &options, &progress)) return NULL;
  planex_error* error = NULL;
  planex_document* document = NULL;
  void* context = progress == Py_None ? NULL : progress;
  Py_BEGIN_ALLOW_THREADS
  document = planex_run(verb, options.options, options.count, tell, context, &error);
  Py_END_ALLOW_THREADS
  free_options(&options);
  if (document != NULL && PyErr_Occurred() != NULL) { /* told of an exception too late to stop */
    planex_document_free(document);
    return NULL;
  }
  return bytes_of(document, error);
}

static PyObject* core_version(PyObject* self, PyObject* unused) {
  (void)self;
  (void)unused;
  return text_of(planex_version());
}

static PyMethodDef kMethods[] = {
    {"version", core_version, METH_NOARGS, NULL},
    {"open", core_open, METH_VARARGS, NULL},
    {"join", core_join, METH_VARARGS, NULL},
    {"labels", core_labels, METH_O, NULL},
    {"table", core_table, METH_VARARGS, NULL},
    {"query", core_query, METH_VARARGS, NULL},
    {"columns", core_columns, METH_O, NULL},
    {"row_count", core_row_count, METH_O, NULL},
    {"rows", core_rows, METH_VARARGS, NULL},
    {"arrow_schema", core_arrow_schema, METH_O, NULL},
    {"arrow_array", core_arrow_array, METH_O, NULL},
    {"arrow_stream", core_arrow_stream, METH_O, NULL},
    {"call", core_call, METH_VARARGS, NULL},
    {"call_table", core_call_table, METH_VARARGS, NULL},
    {"run", core_run, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyModuleDef_Slot kSlots[] = {{0, NULL}};

static struct PyModuleDef kModule = {.m_base = PyModuleDef_HEAD_INIT,
                                     .m_name = "planex._core",
                                     .m_doc = "planex.h for Python; private.",
                                     .m_size = 0,
                                     .m_methods = kMethods,
                                     .m_slots = kSlots};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&kModule); }
