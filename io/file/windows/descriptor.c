/*
 * The manifest of the command makes UTF-8 the code page of the process, so the functions for narrow names take UTF-8.
 */
#include "io/file/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>

#include "io/file/windows/handle.h"

static int number_of(DWORD failure) {
    switch (failure) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
        return ENOENT;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        return EEXIST;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
        return EACCES;
    case ERROR_WRITE_PROTECT:
        return EROFS;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        return ENOSPC;
    case ERROR_FILE_TOO_LARGE:
        return EFBIG;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
        return ENOMEM;
    default:
        return EIO;
    }
}

/* Sets errno. Returns -1. */
static int failed(void) {
    errno = number_of(GetLastError());
    return -1;
}

int descriptor_create(const char *path) {
    HANDLE file = CreateFileA(path, GENERIC_READ | GENERIC_WRITE, HANDLE_SHARED, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
    return file == INVALID_HANDLE_VALUE ? failed() : _open_osfhandle((intptr_t)file, _O_BINARY | _O_NOINHERIT);
}

int descriptor_open_stream(const char *path) { return _open(path, _O_WRONLY | _O_BINARY | _O_NOINHERIT); }

/* A folder decides on the permissions of its files. */
void descriptor_set_permissions(int descriptor, unsigned mode) {
    (void)descriptor;
    (void)mode;
}

static DWORD part_of(size_t size) { return size < 1u << 30 ? (DWORD)size : 1u << 30; }

static OVERLAPPED place_of(uint64_t position) {
    OVERLAPPED place = {0};
    place.Offset = (DWORD)(position & UINT32_MAX);
    place.OffsetHigh = (DWORD)(position >> 32);
    return place;
}

ptrdiff_t descriptor_write(int descriptor, const void *bytes, size_t size) { return _write(descriptor, bytes, part_of(size)); }

ptrdiff_t descriptor_write_at(int descriptor, const void *bytes, size_t size, uint64_t position) {
    OVERLAPPED place = place_of(position);
    DWORD written = 0;
    return WriteFile(handle_of(descriptor), bytes, part_of(size), &written, &place) ? (ptrdiff_t)written : failed();
}

ptrdiff_t descriptor_read_at(int descriptor, void *bytes, size_t size, uint64_t position) {
    OVERLAPPED place = place_of(position);
    DWORD count = 0;
    if (ReadFile(handle_of(descriptor), bytes, part_of(size), &count, &place)) {
        return (ptrdiff_t)count;
    }
    return GetLastError() == ERROR_HANDLE_EOF ? 0 : failed();
}

int descriptor_resize(int descriptor, uint64_t size) {
    int number = _chsize_s(descriptor, (int64_t)size);
    errno = number ? number : errno;
    return number ? -1 : 0;
}

int descriptor_sync(int descriptor) { return _commit(descriptor); }

int file_replace(const char *from, const char *to) {
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ? 0 : failed();
}

/* file_replace() has done it. */
void file_sync_name(const char *path) { (void)path; }
