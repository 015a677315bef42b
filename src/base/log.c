/* Messages for the caller's log callback. The library itself writes nowhere. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

static abut_log_callback *log_callback;
static void *log_context;

void abut_set_log(abut_log_callback *callback, void *context) {
    log_callback = callback;
    log_context = callback != NULL ? context : NULL;
}

bool log_is_heard(void) { return log_callback != NULL; }

void log_message(abut_log_level level, const char *format, ...) {
    if (log_callback == NULL) {
        return;
    }
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0) {
        return;
    }
    size_t needed = (size_t)length + 1;
    char *message = needed <= sizeof line ? line : memory_allocate(needed, 1);
    if (message != NULL && message != line) {
        va_start(arguments, format);
        (void)vsnprintf(message, needed, format, arguments);
        va_end(arguments);
    }
    if (message == NULL) {
        /* There is no memory for all of a long message: send its beginning, with a mark. */
        memcpy(line + sizeof line - 4, "...", 4);
        message = line;
    }
    log_callback(log_context, level, message);
    if (message != line) {
        memory_release(message);
    }
}
