/*
 * HDF5's types for the cells of a recording's tables.
 */
#include "io/record/h5types.h"

hid_t h5_file_type(layout_cell cell) {
    switch (cell) {
    case LAYOUT_INT8:
        return H5T_STD_I8LE;
    case LAYOUT_INT32:
        return H5T_STD_I32LE;
    case LAYOUT_UINT32:
        return H5T_STD_U32LE;
    case LAYOUT_INT64:
        return H5T_STD_I64LE;
    case LAYOUT_UINT64:
        return H5T_STD_U64LE;
    case LAYOUT_FLOAT:
        return H5T_IEEE_F32LE;
    default:
        return H5T_IEEE_F64LE;
    }
}

hid_t h5_memory_type(layout_cell cell) {
    switch (cell) {
    case LAYOUT_INT8:
        return H5T_NATIVE_INT8;
    case LAYOUT_INT32:
        return H5T_NATIVE_INT32;
    case LAYOUT_UINT32:
        return H5T_NATIVE_UINT32;
    case LAYOUT_INT64:
        return H5T_NATIVE_INT64;
    case LAYOUT_UINT64:
        return H5T_NATIVE_UINT64;
    case LAYOUT_FLOAT:
        return H5T_NATIVE_FLOAT;
    default:
        return H5T_NATIVE_DOUBLE;
    }
}
