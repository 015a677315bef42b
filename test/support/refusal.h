#pragma once

#include <abut/base.h>

/*
 * What the log is told when a call refuses its arguments.
 */

/* From here on the log is heard; to be called by the setup of a test. */
void refusal_listen(void);
/* The log is silent again. */
void refusal_silence(void);

/* REFUSES(status, words, call): the call of a public function gives the status, and the log is told one thing, of the level of an error: the name of the
 * function, ": ", and a message that begins with the words, and so with the name of the argument. test_refusal.py reads these lines, too. */
#define REFUSES(status, words, call) (refusal_clear(), refusal_check((call), (status), #call, (words), __FILE__, __LINE__))

/* ACCEPTS(status, call): the call gives the status, and the log is told nothing. */
#define ACCEPTS(status, call) (refusal_clear(), refusal_check((call), (status), #call, NULL, __FILE__, __LINE__))

void refusal_clear(void);
void refusal_check(abut_status found, abut_status wanted, const char *call, const char *words, const char *file, int line);
/* How many messages there were since the last clear, and the last one. */
int refusal_count(void);
const char *refusal_message(void);
