#pragma once

/*
 * Signals of this thread, delayed: to commit several files without an interruption between them. Calls may be nested.
 */

void signals_hold(void);
void signals_release(void);
