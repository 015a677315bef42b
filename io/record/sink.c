/*
 * An HDF5 file driver over a descriptor. It never reports a failed write to HDF5, but remembers it for the owner.
 */
#include "io/record/sink.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/file/descriptor.h"

#if H5_VERSION_GE(1, 13, 2)
#include <H5FDdevelop.h>
#endif

/* HDF5 identifies an open file by its first member. */
typedef struct sink_file {
    H5FD_t base;
    sink *target;
    haddr_t end_of_addresses; /* allocated by HDF5 */
    haddr_t end_of_file;      /* written so far */
} sink_file;

/* The driver's part of the property list. HDF5 copies it by its size. */
typedef struct sink_info {
    sink *target;
} sink_info;

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t properties, haddr_t max_address) {
    (void)name, (void)flags, (void)max_address;
    const sink_info *info = H5Pget_driver_info(properties);
    sink_file *file = info ? calloc(1, sizeof *file) : NULL;
    if (!file) {
        if (info) {
            info->target->failure = ENOMEM;
        }
        return NULL;
    }
    file->target = info->target;
    struct stat there;
    file->end_of_file = fstat(info->target->descriptor, &there) == 0 && there.st_size > 0 ? (haddr_t)there.st_size : 0;
    return &file->base;
}

static herr_t driver_close(H5FD_t *base) {
    sink *target = ((sink_file *)base)->target;
    sink_release(target);
    target->closed = base;
    return 0;
}

void sink_release(sink *target) {
    free(target->closed);
    target->closed = NULL;
}

static herr_t driver_query(const H5FD_t *base, unsigned long *flags) {
    (void)base;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const sink_file *)base)->end_of_addresses;
}

static herr_t driver_set_eoa(H5FD_t *base, H5FD_mem_t type, haddr_t address) {
    (void)type;
    ((sink_file *)base)->end_of_addresses = address;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const sink_file *)base)->end_of_file;
}

static herr_t driver_read(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void *buffer) {
    (void)type, (void)transfer;
    const sink_file *file = (const sink_file *)base;
    char *next = buffer;
    while (size > 0) {
        ptrdiff_t count = descriptor_read_at(file->target->descriptor, next, size, address);
        if (count <= 0) {
            break;
        }
        next += count;
        size -= (size_t)count;
        address += (haddr_t)count;
    }
    memset(next, 0, size); /* bytes beyond the end are zero */
    return 0;
}

static herr_t driver_write(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, const void *buffer) {
    (void)type, (void)transfer;
    sink_file *file = (sink_file *)base;
    sink *target = file->target;
    if (address + size > file->end_of_file) {
        file->end_of_file = address + size;
    }
    const char *next = buffer;
    while (size > 0 && !target->failure) {
        ptrdiff_t count = descriptor_write_at(target->descriptor, next, size, address);
        if (count > 0) {
            next += count;
            size -= (size_t)count;
            address += (haddr_t)count;
        } else {
            target->failure = count == 0 ? EIO : errno;
        }
    }
    return 0;
}

/* A file must be as long as its superblock says, so allocated but unwritten space is added at the end. */
static herr_t driver_truncate(H5FD_t *base, hid_t transfer, hbool_t closing) {
    (void)transfer, (void)closing;
    sink_file *file = (sink_file *)base;
    if (file->end_of_file != file->end_of_addresses) {
        if (!file->target->failure && descriptor_resize(file->target->descriptor, file->end_of_addresses) != 0) {
            file->target->failure = errno;
        }
        file->end_of_file = file->end_of_addresses;
    }
    return 0;
}

static hid_t register_driver(void) {
    const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 2)
        .version = H5FD_CLASS_VERSION,
        .value = 256, /* the first number for unregistered drivers */
#endif
        .name = "abut_sink",
        .maxaddr = HADDR_MAX,
        .fc_degree = H5F_CLOSE_STRONG,
        .fapl_size = sizeof(sink_info),
        .open = driver_open,
        .close = driver_close,
        .query = driver_query,
        .get_eoa = driver_get_eoa,
        .set_eoa = driver_set_eoa,
        .get_eof = driver_get_eof,
        .read = driver_read,
        .write = driver_write,
        .truncate = driver_truncate,
        .fl_map = H5FD_FLMAP_DICHOTOMY,
    };
    return H5FDregister(&driver);
}

static hid_t make(sink *target, const char *name, bool create) {
    hid_t file = -1;
    hid_t driver = register_driver();
    hid_t properties = H5Pcreate(H5P_FILE_ACCESS);
    sink_info info = {target};
    /* Format 1.8 has checksums of metadata, and all readers of the last fifteen years support it. */
    if (driver >= 0 && properties >= 0 && H5Pset_driver(properties, driver, &info) >= 0 &&
        H5Pset_fclose_degree(properties, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_libver_bounds(properties, H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0) {
        file = create ? H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, properties) : H5Fopen(name, H5F_ACC_RDWR, properties);
    }
    if (properties >= 0) {
        H5Pclose(properties);
    }
    if (driver >= 0) {
        H5FDunregister(driver);
    }
    return file;
}

hid_t sink_create(sink *target, const char *name) { return make(target, name, true); }

hid_t sink_open(sink *target, const char *name) { return make(target, name, false); }
