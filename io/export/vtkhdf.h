#pragma once

#include "io/file/error.h"
#include "io/record/layout.h"

#include <abut/math.h>

/*
 * A time series of points, lines or polygons with data, as a VTKHDF file of the type PolyData (format 2.0, which VTK reads from version 9.3 on and
 * ParaView from 5.12 on). A frame is built point by point and cell by cell, then ended; whatever of it is equal to the frame before, in every bit, is
 * stored once for both: points, cells and each array by itself. The file appears whole or not at all, as that of file/output.h.
 */

/* What the cells of a file are. */
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
    bool at_points;             /* the arrays have a value for each point, else for each cell */
    layout_cell points;         /* LAYOUT_FLOAT or LAYOUT_DOUBLE */
    const vtkhdf_array *arrays; /* [array_count]; kept by the file */
    int array_count;            /* at most VTKHDF_MOST_ARRAYS */
} vtkhdf_def;

typedef struct vtkhdf vtkhdf;

/* Begins a file without frames. ABUT_OK; ABUT_ERROR_FILE; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status vtkhdf_create(const char *path, const vtkhdf_def *def, vtkhdf **file, abut_error *error);

/* Of the frame being built. Want of memory shows when it ends. */
void vtkhdf_add_point(vtkhdf *file, abut_vec3 point);
/* Number of points that the frame has. */
int64_t vtkhdf_point_count(const vtkhdf *file);
/* Corners are numbers of points in the frame. */
void vtkhdf_add_cell(vtkhdf *file, const int64_t *corners, int count);
/* The next value of an array, which each point or cell must be given. */
void vtkhdf_put_integer(vtkhdf *file, int array, int32_t value);
void vtkhdf_put_real(vtkhdf *file, int array, double value);
void vtkhdf_put_vec3(vtkhdf *file, int array, abut_vec3 value);

/* Stores the frame and begins the next. After a failure only vtkhdf_discard() is left to do. */
abut_status vtkhdf_end_frame(vtkhdf *file, double time, abut_error *error);

/* Writes what is left; the file is then complete, under its temporary name. */
abut_status vtkhdf_finish(vtkhdf *file, abut_error *error);
/* Gives a finished file its name and frees it, in every case. */
abut_status vtkhdf_commit(vtkhdf *file, abut_error *error);
/* Removes what was written and frees it. NULL does nothing. */
void vtkhdf_discard(vtkhdf *file);
