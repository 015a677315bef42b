/*
 * Writes VTKHDF files of the type PolyData (docs.vtk.org, "VTKHDF File Format"). The data of all frames follow each other in one dataset for each kind. The
 * group Steps gives the beginning of each frame's data. Cells of one layout are a "part": frames with equal cells refer to the same part.
 */
#include "io/export/vtkhdf.h"

#include <stdlib.h>
#include <string.h>

#include "io/file/grow.h"
#include "io/record/h5file.h"
#include "io/record/h5write.h"

/* The format has four kinds of cells, in this order. A file uses one of them and has empty tables for the others. */
enum { KINDS = 4 };
static const char *const kind_names[KINDS] = {"Vertices", "Lines", "Polygons", "Strips"};

/* Longest chunks, in rows, and the deflate level. */
enum { CHUNK_ROWS = 1 << 15, CHUNK_STEPS = 1024, COMPRESSION = 1 };

/* Bytes of the frame being built. */
typedef struct pile {
    char *bytes;
    size_t size, capacity;
} pile;

/* A dataset of which a frame uses a range of rows. */
typedef struct stretch {
    h5_column column;
    pile now, last;
    int64_t first; /* first row of the last frame */
    int64_t rows;  /* stored */
    bool used;     /* a last frame exists */
} stretch;

/* The values of each frame in the group Steps, without the arrays. */
enum { STEP_VALUES, STEP_PART, STEP_PARTS, STEP_POINT, STEP_CELL, STEP_CONNECTIVITY, STEP_COLUMNS };

struct vtkhdf {
    h5_file out;
    vtkhdf_def def;
    bool poor; /* memory was lacking while the frame was built */
    stretch points, offsets, connectivity, arrays[VTKHDF_MOST_ARRAYS];
    int64_t part_points;            /* points of the last part */
    int64_t parts;                  /* so far */
    int64_t part_first;             /* index of the last part's first cell among all cells */
    int64_t cells;                  /* number of cells in all parts; an empty part counts one */
    int64_t steps;                  /* frames so far */
    h5_column point_counts;         /* of parts */
    h5_column cell_counts[KINDS];   /* of parts */
    h5_column corner_counts[KINDS]; /* of parts */
    h5_column no_offsets[KINDS];    /* of unused kinds: a zero for each part */
    h5_column no_corners[KINDS];    /* empty */
    h5_column step[STEP_COLUMNS];
    h5_column array_offsets[VTKHDF_MOST_ARRAYS];
};

/* ---- creation ---- */

static abut_status create_column(hid_t group, const char *name, layout_cell cell, int width, hsize_t rows, h5_column *column) {
    h5_column_def def = {
        .name = name, .cell = cell, .rank = width > 1 ? 2 : 1, .inner = {(hsize_t)width}, .most_rows = rows, .compression = COMPRESSION};
    return h5_column_create(group, &def, column);
}

static abut_status create_cells(vtkhdf *f, hid_t root) {
    abut_status status = ABUT_OK;
    for (int k = 0; k < KINDS && !status; k++) {
        bool used = k == (int)f->def.cells;
        hid_t group = h5_create_group(root, kind_names[k]);
        status = group < 0 ? ABUT_ERROR_FILE : create_column(group, "NumberOfCells", LAYOUT_INT64, 1, CHUNK_STEPS, &f->cell_counts[k]);
        status = status ? status : create_column(group, "NumberOfConnectivityIds", LAYOUT_INT64, 1, CHUNK_STEPS, &f->corner_counts[k]);
        status =
            status ? status : create_column(group, "Offsets", LAYOUT_INT64, 1, CHUNK_ROWS, used ? &f->offsets.column : &f->no_offsets[k]);
        status =
            status ? status
                   : create_column(group, "Connectivity", LAYOUT_INT64, 1, CHUNK_ROWS, used ? &f->connectivity.column : &f->no_corners[k]);
        H5Gclose(group);
    }
    return status;
}

/* Creates the arrays, and the offsets of each frame in them. */
static abut_status create_arrays(vtkhdf *f, hid_t root, hid_t steps) {
    hid_t data = h5_create_group(root, f->def.at_points ? "PointData" : "CellData");
    hid_t offsets = h5_create_group(steps, f->def.at_points ? "PointDataOffsets" : "CellDataOffsets");
    abut_status status = data < 0 || offsets < 0 ? ABUT_ERROR_FILE : ABUT_OK;
    for (int i = 0; i < f->def.array_count && !status; i++) {
        const vtkhdf_array *a = &f->def.arrays[i];
        status = create_column(data, a->name, a->cell, a->width, CHUNK_ROWS, &f->arrays[i].column);
        status = status ? status : create_column(offsets, a->name, LAYOUT_INT64, 1, CHUNK_STEPS, &f->array_offsets[i]);
    }
    H5Gclose(offsets);
    H5Gclose(data);
    return status;
}

static abut_status create_steps(vtkhdf *f, hid_t root) {
    static const struct {
        const char *name;
        layout_cell cell;
        int width;
    } columns[STEP_COLUMNS] = {
        [STEP_VALUES] = {"Values", LAYOUT_DOUBLE, 1},       [STEP_PART] = {"PartOffsets", LAYOUT_INT64, 1},
        [STEP_PARTS] = {"NumberOfParts", LAYOUT_INT64, 1},  [STEP_POINT] = {"PointOffsets", LAYOUT_INT64, 1},
        [STEP_CELL] = {"CellOffsets", LAYOUT_INT64, KINDS}, [STEP_CONNECTIVITY] = {"ConnectivityIdOffsets", LAYOUT_INT64, KINDS}};
    hid_t steps = h5_create_group(root, "Steps");
    abut_status status = steps < 0 ? ABUT_ERROR_FILE : ABUT_OK;
    for (int i = 0; i < STEP_COLUMNS && !status; i++) {
        status = create_column(steps, columns[i].name, columns[i].cell, columns[i].width, CHUNK_STEPS, &f->step[i]);
    }
    status = status ? status : create_arrays(f, root, steps);
    H5Gclose(steps);
    return status;
}

static abut_status begin(vtkhdf *f) {
    static const int64_t version[] = {2, 0};
    f->out.file = sink_create(&f->out.target, f->out.path);
    if (f->out.file < 0) {
        return ABUT_ERROR_FILE;
    }
    hid_t root = h5_create_group(f->out.file, "VTKHDF");
    abut_status status = root < 0 ? ABUT_ERROR_FILE : h5_write_attribute(root, "Version", LAYOUT_INT64, 2, version);
    status = status ? status : h5_write_word_attribute(root, "Type", "PolyData");
    status = status ? status : create_column(root, "NumberOfPoints", LAYOUT_INT64, 1, CHUNK_STEPS, &f->point_counts);
    status = status ? status : create_column(root, "Points", f->def.points, 3, CHUNK_ROWS, &f->points.column);
    status = status ? status : create_cells(f, root);
    status = status ? status : create_steps(f, root);
    H5Gclose(root);
    return status;
}

abut_status vtkhdf_create(const char *path, const vtkhdf_def *def, vtkhdf **file, abut_error *error) {
    vtkhdf *made = calloc(1, sizeof *made);
    if (!made) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "cannot write '%s': no memory", path);
    }
    made->def = *def;
    abut_status status = h5_file_begin(&made->out, path, error);
    if (!status) {
        QUIETLY(status = begin(made));
        status = h5_file_explain(&made->out, status, error);
    }
    if (status) {
        vtkhdf_discard(made);
        return status;
    }
    *file = made;
    return ABUT_OK;
}

/* ---- building a frame ---- */

static void add_bytes(vtkhdf *f, pile *p, const void *bytes, size_t size) {
    if (!grow_array(&p->bytes, &p->capacity, p->size + size, SIZE_MAX, 1)) {
        f->poor = true;
        return;
    }
    memcpy(p->bytes + p->size, bytes, size);
    p->size += size;
}

static void add_reals(vtkhdf *f, pile *p, layout_cell cell, const double *values, int count) {
    for (int i = 0; i < count; i++) {
        float rounded = (float)values[i];
        add_bytes(f, p, cell == LAYOUT_FLOAT ? (const void *)&rounded : &values[i], layout_cell_size(cell));
    }
}

void vtkhdf_add_point(vtkhdf *file, abut_vec3 point) {
    const double values[] = {point.x, point.y, point.z};
    add_reals(file, &file->points.now, file->def.points, values, 3);
}

static int64_t count_rows(const stretch *s) { return s->column.row_bytes > 0 ? (int64_t)(s->now.size / s->column.row_bytes) : 0; }

int64_t vtkhdf_point_count(const vtkhdf *file) { return count_rows(&file->points); }

/* Offsets are the ends of cells. The leading zero is added with the first cell. */
void vtkhdf_add_cell(vtkhdf *file, const int64_t *corners, int count) {
    add_bytes(file, &file->connectivity.now, corners, (size_t)count * sizeof *corners);
    int64_t end = count_rows(&file->connectivity);
    add_bytes(file, &file->offsets.now, &end, sizeof end);
}

void vtkhdf_put_integer(vtkhdf *file, int array, int32_t value) { add_bytes(file, &file->arrays[array].now, &value, sizeof value); }

void vtkhdf_put_real(vtkhdf *file, int array, double value) {
    add_reals(file, &file->arrays[array].now, file->def.arrays[array].cell, &value, 1);
}

void vtkhdf_put_vec3(vtkhdf *file, int array, abut_vec3 value) {
    const double values[] = {value.x, value.y, value.z};
    add_reals(file, &file->arrays[array].now, file->def.arrays[array].cell, values, 3);
}

/* ---- storing it ---- */

static bool is_repeated(const stretch *s) {
    return s->used && s->now.size == s->last.size && (s->now.size == 0 || memcmp(s->now.bytes, s->last.bytes, s->now.size) == 0);
}

/* Appends the rows of the frame. */
static abut_status store(stretch *s) {
    abut_status status = ABUT_OK;
    s->first = s->rows;
    for (size_t at = 0; at < s->now.size && !status; at += s->column.row_bytes) {
        status = h5_column_append(&s->column, s->now.bytes + at);
        s->rows++;
    }
    return status;
}

/* Makes the frame the last one. */
static void turn_over(stretch *s) {
    pile last = s->last;
    s->last = s->now;
    s->now = last;
    s->now.size = 0;
    s->used = true;
}

static abut_status store_changed(stretch *s) {
    abut_status status = is_repeated(s) ? ABUT_OK : store(s);
    turn_over(s);
    return status;
}

/* Writes the counts of a new part, which has cells of the used kind only. */
static abut_status count_part(vtkhdf *f, int64_t points, int64_t cells, int64_t corners) {
    static const int64_t zero = 0;
    abut_status status = h5_column_append(&f->point_counts, &points);
    for (int k = 0; k < KINDS && !status; k++) {
        bool used = k == (int)f->def.cells;
        status = h5_column_append(&f->cell_counts[k], used ? &cells : &zero);
        status = status ? status : h5_column_append(&f->corner_counts[k], used ? &corners : &zero);
        status = status || used ? status : h5_column_append(&f->no_offsets[k], &zero);
    }
    return status;
}

/* A part without cells takes the place of one cell. From version 9.4 on VTK searches for the offsets of a part by adding up the cells of the parts before it
 * until the sum reaches the part's first cell, and would stop too early. */
static abut_status store_part(vtkhdf *f, int64_t cells) {
    static const int64_t zero = 0;
    abut_status status = h5_column_append(&f->offsets.column, &zero);
    status = status ? status : store(&f->offsets);
    status = status ? status : store(&f->connectivity);
    f->part_first = f->cells;
    f->parts++;
    f->cells += cells > 0 ? cells : 1;
    return status || cells > 0 ? status : h5_column_append(&f->offsets.column, &zero);
}

static abut_status store_cells(vtkhdf *f) {
    int64_t points = count_rows(&f->points), cells = count_rows(&f->offsets), corners = count_rows(&f->connectivity);
    abut_status status = ABUT_OK;
    if (f->parts == 0 || points != f->part_points || !is_repeated(&f->offsets) || !is_repeated(&f->connectivity)) {
        f->part_points = points;
        status = count_part(f, points, cells, corners);
        status = status ? status : store_part(f, cells);
    }
    turn_over(&f->offsets);
    turn_over(&f->connectivity);
    return status;
}

static abut_status note_step(vtkhdf *f, double time) {
    int64_t part = f->parts - 1, one = 1, cells[KINDS] = {0}, corners[KINDS] = {0};
    cells[f->def.cells] = f->part_first;
    corners[f->def.cells] = f->connectivity.first;
    const void *const rows[STEP_COLUMNS] = {[STEP_VALUES] = &time,           [STEP_PART] = &part, [STEP_PARTS] = &one,
                                            [STEP_POINT] = &f->points.first, [STEP_CELL] = cells, [STEP_CONNECTIVITY] = corners};
    abut_status status = ABUT_OK;
    for (int i = 0; i < STEP_COLUMNS && !status; i++) {
        status = h5_column_append(&f->step[i], rows[i]);
    }
    for (int i = 0; i < f->def.array_count && !status; i++) {
        status = h5_column_append(&f->array_offsets[i], &f->arrays[i].first);
    }
    f->steps++;
    return status;
}

static abut_status store_frame(vtkhdf *f, double time) {
    abut_status status = f->poor ? ABUT_ERROR_OUT_OF_MEMORY : store_cells(f);
    status = status ? status : store_changed(&f->points);
    for (int i = 0; i < f->def.array_count && !status; i++) {
        status = store_changed(&f->arrays[i]);
    }
    return status ? status : note_step(f, time);
}

abut_status vtkhdf_end_frame(vtkhdf *file, double time, abut_error *error) {
    abut_status status = ABUT_OK;
    if (!file->out.target.failure) {
        QUIETLY(status = store_frame(file, time));
    }
    return h5_file_explain(&file->out, status, error);
}

/* ---- end ---- */

/* Calls `each` for all columns until it fails. */
static abut_status for_columns(vtkhdf *f, abut_status (*each)(h5_column *)) {
    abut_status status = each(&f->points.column);
    status = status ? status : each(&f->offsets.column);
    status = status ? status : each(&f->connectivity.column);
    status = status ? status : each(&f->point_counts);
    for (int k = 0; k < KINDS && !status; k++) {
        h5_column *const columns[] = {&f->cell_counts[k], &f->corner_counts[k], &f->no_offsets[k], &f->no_corners[k]};
        for (int i = 0; i < 4 && !status; i++) {
            status = each(columns[i]);
        }
    }
    for (int i = 0; i < STEP_COLUMNS && !status; i++) {
        status = each(&f->step[i]);
    }
    for (int i = 0; i < f->def.array_count && !status; i++) {
        status = each(&f->arrays[i].column);
        status = status ? status : each(&f->array_offsets[i]);
    }
    return status;
}

static abut_status release_column(h5_column *column) {
    h5_column_release(column);
    return ABUT_OK;
}

static abut_status flush(vtkhdf *f) {
    abut_status status = for_columns(f, h5_column_flush);
    hid_t steps = status ? -1 : H5Gopen2(f->out.file, "VTKHDF/Steps", H5P_DEFAULT);
    status = status || steps >= 0 ? status : ABUT_ERROR_FILE;
    status = status ? status : h5_write_attribute(steps, "NSteps", LAYOUT_INT64, 1, &f->steps);
    H5Gclose(steps);
    abut_status closed = h5_file_close(&f->out);
    return status ? status : closed;
}

abut_status vtkhdf_finish(vtkhdf *file, abut_error *error) {
    abut_status status = ABUT_OK;
    if (!file->out.target.failure) {
        QUIETLY(status = flush(file));
    }
    return h5_file_explain(&file->out, status, error);
}

static void release_stretch(stretch *s) {
    free(s->now.bytes);
    free(s->last.bytes);
}

static void release(vtkhdf *f) {
    (void)for_columns(f, release_column);
    release_stretch(&f->points);
    release_stretch(&f->offsets);
    release_stretch(&f->connectivity);
    for (int i = 0; i < f->def.array_count; i++) {
        release_stretch(&f->arrays[i]);
    }
    free(f);
}

abut_status vtkhdf_commit(vtkhdf *file, abut_error *error) {
    abut_status status = h5_file_commit(&file->out, error);
    release(file);
    return status;
}

void vtkhdf_discard(vtkhdf *file) {
    if (!file) {
        return;
    }
    h5_file_discard(&file->out);
    release(file);
}
