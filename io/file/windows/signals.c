/*
 * Windows calls the handler of an interruption in a thread of its own. That handler holds signals, too, and so waits for the threads that do.
 */
#include "io/file/signals.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static SRWLOCK held = SRWLOCK_INIT;
static _Thread_local int depth;

void signals_hold(void) {
    if (depth++ == 0) {
        AcquireSRWLockExclusive(&held);
    }
}

void signals_release(void) {
    if (--depth == 0) {
        ReleaseSRWLockExclusive(&held);
    }
}
