/*
 * The system tells files apart by the serial number of their volume and by their index in it. It resolves names of files and folders that exist.
 */
#include "io/file/same.h"

#include <stdio.h>
#include <string.h>

#include "io/file/path.h"
#include "io/file/windows/handle.h"

static bool identify(HANDLE handle, file_identity *file) {
    BY_HANDLE_FILE_INFORMATION found;
    if (GetFileType(handle) != FILE_TYPE_DISK) {
        *file = (file_identity){0, 0, false};
        return GetFileType(handle) != FILE_TYPE_UNKNOWN;
    }
    if (!GetFileInformationByHandle(handle, &found)) {
        return false;
    }
    *file = (file_identity){found.dwVolumeSerialNumber, (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow, true};
    return true;
}

bool file_identify(const char *path, file_identity *file) {
    HANDLE handle = handle_to_ask(path);
    if (handle == INVALID_HANDLE_VALUE) {
        return false;
    }
    bool is_there = identify(handle, file);
    CloseHandle(handle);
    return is_there;
}

bool file_identify_open(int descriptor, file_identity *file) { return identify(handle_of(descriptor), file); }

/* The name of something that exists, without the marks of long names: "\\\\?\\C:\\..." and "\\\\?\\UNC\\server\\...". */
static bool resolve(const char *path, char name[PATH_MAX]) {
    static const char local[] = "\\\\?\\", remote[] = "\\\\?\\UNC\\";
    char found[PATH_MAX + sizeof remote];
    HANDLE handle = handle_to_ask(path);
    if (handle == INVALID_HANDLE_VALUE) {
        return false;
    }
    DWORD length = GetFinalPathNameByHandleA(handle, found, sizeof found, VOLUME_NAME_DOS);
    CloseHandle(handle);
    if (length == 0 || length >= sizeof found) {
        return false;
    }
    bool is_remote = strncmp(found, remote, sizeof remote - 1) == 0, is_local = !is_remote && strncmp(found, local, sizeof local - 1) == 0;
    const char *rest = found + (is_remote ? sizeof remote - 1 : is_local ? sizeof local - 1 : 0);
    return snprintf(name, PATH_MAX, "%s%s", is_remote ? "\\\\" : "", rest) < PATH_MAX;
}

bool file_final_name(const char *path, char name[PATH_MAX]) {
    char folder[PATH_MAX], whole[PATH_MAX];
    if (resolve(path, name)) {
        return true;
    }
    size_t length = path_folder_length(path);
    if (length >= PATH_MAX) {
        return false;
    }
    memcpy(folder, length > 0 ? path : ".", length > 0 ? length : 1);
    folder[length > 0 ? length : 1] = '\0';
    bool is_file = !file_identify(path, &(file_identity){0}) && resolve(folder, whole);
    if (!is_file) {
        return snprintf(name, PATH_MAX, "%s", path) < PATH_MAX; /* there is no such folder, or the path is a device */
    }
    size_t used = strlen(whole);
    const char *between = used > 0 && path_is_separator(whole[used - 1]) ? "" : "\\";
    return snprintf(name, PATH_MAX, "%s%s%s", whole, between, path + length) < PATH_MAX;
}
