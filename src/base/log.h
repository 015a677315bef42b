#pragma once

#include <abut/base.h>

/* One message to the caller's log callback, printf style; dropped when there is none. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void log_message(abut_log_level level, const char *format, ...);
