#pragma once

#include <io.h>
#include <stdint.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

/* Others may read, write, rename and remove the file. */
enum { HANDLE_SHARED = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

static inline HANDLE handle_of(int descriptor) { return (HANDLE)_get_osfhandle(descriptor); }

/* A file or folder, to ask about it. */
static inline HANDLE handle_to_ask(const char *path) {
    return CreateFileA(path, FILE_READ_ATTRIBUTES, HANDLE_SHARED, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
}
