/* Statuses become exceptions of Python. */
#include "core.h"

namespace {

/* The library sends its message on the thread that found the fault. */
thread_local std::string said;

void listen(void *, abut_log_level level, const char *message) {
    if (level == ABUT_LOG_ERROR) {
        said = message;
    }
}

/* Makes the exception of a status: abut._errors.make. Never released: the module lives as long as the process. */
nb::handle make_error;

void translate(const std::exception_ptr &thrown, void *) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Failure &failure) {
        nb::object error = nb::borrow(make_error)(static_cast<int>(failure.status), failure.message);
        PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(error.ptr())), error.ptr());
    }
}

} // namespace

void forget_message() { said.clear(); }

std::string message_of(abut_status status) { return said.empty() ? abut_status_message(status) : said; }

void check(abut_status status) {
    if (status != ABUT_OK) {
        std::string message = message_of(status);
        forget_message();
        throw Failure(status, std::move(message));
    }
}

void define_status(nb::module_ &module) {
    abut_set_log(listen, nullptr);
    nb::register_exception_translator(translate);
    module.def(
        "set_error", [](nb::object make) { make_error = make.release(); }, nb::arg("make"));
    module.def("version", [] { return std::string(abut_version()); });
    module.def(
        "status_message", [](int status) { return std::string(abut_status_message(static_cast<abut_status>(status))); }, nb::arg("status"));
    nb::dict numbers;
#define NUMBER(name, number, message) numbers[#name] = number;
    ABUT_STATUS_TABLE(NUMBER)
#undef NUMBER
    module.attr("STATUSES") = numbers;
}
