#pragma once

#include <stdbool.h>

/*
 * Temporary files whose writers have ended without removing them: killed, or stopped with the machine. A writer locks its temporary file
 * from its creation to its last name. The system drops the lock when the process ends, so a file without a lock is abandoned. Where a file
 * system has no locks, nothing is removed.
 */

/* The temporary file ".NAME.PID-ATTEMPT" of a final path, with long names cut. To be freed; NULL when there is no memory. */
char *temporary_name(const char *path, int attempt);

/* Lock a temporary file just made. False when another process takes it for abandoned and removes it: the writer takes another name. */
bool temporary_lock(int descriptor);

/* Remove a temporary file that no process has locked. */
void temporary_remove_unlocked(const char *path);

/* Remove the abandoned temporary files of a final path, links resolved. What cannot be removed stays. */
void abandoned_remove(const char *path);
