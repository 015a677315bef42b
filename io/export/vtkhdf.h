#pragma once

#include "io/file/error.h"
#include "io/record/layout.h"

#include <abut/math.h>

/*
 * A time series of points, lines or polygons with data, as a VTKHDF file of the type PolyData (format 2.0, for VTK from version 9.3 and ParaView from 5.12 on).
 * A frame is built point by point and cell by cell, then ended. Points, cells and each array that equal those of the frame before, bit for bit, are stored once
 * for both. The file appears whole or not at all, as in file/output.h.
 */

/* The kind of a file's cells. */
typedef enum vtkhdf_cells { VTKHDF_VERTICES, VTKHDF_LINES, VTKHDF_POLYGONS } vtkhdf_cells;

enum { VTKHDF_MOST_ARRAYS = 16 };

/* Values at the cells or at the points. */
typedef struct vtkhdf_array {
    const char *name;
    layout_cell cell; /* LAYOUT_INT32, LAYOUT_FLOAT or LAYOUT_DOUBLE */
    int width;        /* 1, or 3 for a vector */
} vtkhdf_array;

typedef struct vtkhdf_def {
    vtkhdf_cells cells;
    bool at_points;             /* arrays have a value for each point, otherwise for each cell */
    layout_cell points;         /* LAYOUT_FLOAT or LAYOUT_DOUBLE */
    const vtkhdf_array *arrays; /* [array_count]; kept by the file */
    int array_count;            /* at most VTKHDF_MOST_ARRAYS */
} vtkhdf_def;

typedef struct vtkhdf vtkhdf;

/* Begins a file without frames. ABUT_OK; ABUT_ERROR_FILE; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status vtkhdf_create(const char *path, const vtkhdf_def *def, vtkhdf **file, abut_error *error);

/* Adds a point to the frame. A lack of memory is reported when the frame ends. */
void vtkhdf_add_point(vtkhdf *file, abut_vec3 point);
/* The number of points of the frame. */
int64_t vtkhdf_point_count(const vtkhdf *file);
/* Adds a cell. Corners are indices of points in the frame. */
void vtkhdf_add_cell(vtkhdf *file, const int64_t *corners, int count);
/* Adds the next value of an array. Each point or cell needs one. */
void vtkhdf_put_integer(vtkhdf *file, int array, int32_t value);
void vtkhdf_put_real(vtkhdf *file, int array, double value);
void vtkhdf_put_vec3(vtkhdf *file, int array, abut_vec3 value);

/* Stores the frame and begins the next. After a failure only vtkhdf_discard() may be called. */
abut_status vtkhdf_end_frame(vtkhdf *file, double time, abut_error *error);

/* Writes all buffered data. The file is then complete, under its temporary name. */
abut_status vtkhdf_finish(vtkhdf *file, abut_error *error);
/* Gives a finished file its name. Frees it in every case. */
abut_status vtkhdf_commit(vtkhdf *file, abut_error *error);
/* Removes the temporary file and frees it. NULL does nothing. */
void vtkhdf_discard(vtkhdf *file);
