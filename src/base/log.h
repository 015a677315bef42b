#pragma once

#include <stdbool.h>

#include <abut/base.h>

/* False when messages are dropped: then there is no need to word one. */
bool log_is_heard(void);

/* Sends one message to the caller's log callback, in the style of printf. Without a callback the message is dropped. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void log_message(abut_log_level level, const char *format, ...);
