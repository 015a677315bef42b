#pragma once

#include <hdf5.h>

#include "io/record/layout.h"

/* HDF5's types for a cell, in the file and in memory. They are predefined and must not be closed. */
hid_t h5_file_type(layout_cell cell);
hid_t h5_memory_type(layout_cell cell);
