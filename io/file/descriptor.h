#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What systems do differently with files: posix/ and windows/ have the same functions, and a build takes one of the folders. Functions that fail set errno.
 * Signals do not interrupt them.
 */

/* A new file to read and write at any place; its name can be changed or removed while it is open. -1 on failure; EEXIST when the name is taken. */
int descriptor_create(const char *path);

/* An existing device or pipe, to be written. -1 on failure. */
int descriptor_open_stream(const char *path);

/* Gives a file the permissions of another one. Where the system refuses that, the usual permissions stay. */
void descriptor_set_permissions(int descriptor, unsigned mode);

/* The number of bytes, which may be fewer than `size`; -1 on failure; 0 at the end when reading. */
ptrdiff_t descriptor_write(int descriptor, const void *bytes, size_t size);
ptrdiff_t descriptor_write_at(int descriptor, const void *bytes, size_t size, uint64_t position);
ptrdiff_t descriptor_read_at(int descriptor, void *bytes, size_t size, uint64_t position);

/* Cuts the file or adds zeros. 0, or -1 on failure. */
int descriptor_resize(int descriptor, uint64_t size);

/* Waits until the contents are on the disk. 0, or -1 on failure. */
int descriptor_sync(int descriptor);

/* Renames a file, which may be open. A file of the new name is replaced in a single operation. 0, or -1 on failure. */
int file_replace(const char *from, const char *to);

/* Writes a rename itself to the disk. Some file systems cannot do that; the data are on the disk already. */
void file_sync_name(const char *path);
