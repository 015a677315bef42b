#pragma once

#include <abut/base.h>

/**
 * @file file/error.h
 * Errors for people: a status, and one line that says what is wrong, where, and what can be done about it.
 *
 * Every function of io that can fail takes an abut_error. It may be NULL. It is written on failure only.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Status and message of a failure. */
typedef struct abut_error {
    abut_status status;
    /**
     * UTF-8, one line without its newline and without control characters. It begins with "FILE:LINE:COLUMN: " or "FILE: " when a file is
     * the cause. Longer messages are cut and end in "..."
     */
    char message[1024];
} abut_error;

/**
 * Write status and message, printf style. Control characters in the result become spaces: a message is always one line, whatever names it quotes.
 * @param error  NULL drops the message
 * @return status, so that a function can end in `return abut_fail(...)`
 */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
ABUT_API abut_status
abut_fail(abut_error *error, abut_status status, const char *format, ...);

#ifdef __cplusplus
}
#endif
