/*
 * An open file is a locked one: a file that another process has open cannot be opened for this process alone.
 */
#include "io/file/abandoned.h"

#include "io/file/windows/handle.h"

bool temporary_lock(int descriptor) {
    (void)descriptor;
    return true;
}

void temporary_remove_unlocked(const char *path) {
    HANDLE file = CreateFileA(path, DELETE, 0, NULL, OPEN_EXISTING, FILE_FLAG_DELETE_ON_CLOSE | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    if (file != INVALID_HANDLE_VALUE) {
        CloseHandle(file);
    }
}
