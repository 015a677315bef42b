/*
 * Makes convex shapes from a mesh file: reads and scales it, splits it into pieces, checks each piece and makes a polytope of it.
 */
#include "io/mesh/pieces.h"

#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh/soup.h"
#include "io/mesh/split.h"
#include "io/file/nearest_name.h"
#include "io/mesh/smooth_hull.h"

/* The state while pieces are made. */
typedef struct piece_maker {
    const char *path;
    const abut_mesh_options *options;
    const mesh_soup *soup;
    const mesh_parts *parts;
    char **names;   /* [parts->count] */
    int32_t *local; /* [vertex_count] index of a vertex in the piece being made, else -1 */
    abut_error *error;
} piece_maker;

/* The vertices and faces of one piece. */
typedef struct piece_surface {
    abut_vec3 *vertices;
    int32_t vertex_count;
    int32_t *face_sizes, *face_vertices;
    int32_t face_count;
} piece_surface;

abut_mesh_options abut_mesh_options_default(void) { return (abut_mesh_options){.scale = 1.0, .tolerance = SMOOTH_TOLERANCE}; }

static abut_status scale_vertices(const char *path, double scale, mesh_soup *soup, abut_error *error) {
    for (int32_t v = 0; v < soup->vertex_count; v++) {
        soup->vertices[v] = abut_scale(scale, soup->vertices[v]);
        if (!abut_vec3_is_finite(soup->vertices[v])) {
            return abut_fail(error, ABUT_ERROR_FORMAT, "%s: vertex %d scaled by %g is not finite", path, v, scale);
        }
    }
    return ABUT_OK;
}

/* ---- names */

/* Makes a name that is not in the set yet, and adds it: `base`, or "base.2", "base.3" and so on. The set holds the last number used for each base. */
static char *unique_name(json_t *set, const char *base) {
    size_t size = strlen(base) + 24;
    char *name = malloc(size);
    json_int_t number = json_integer_value(json_object_get(set, base)) + 1;
    if (!name) {
        return NULL;
    }
    snprintf(name, size, "%s", base);
    while (number > 1) {
        snprintf(name, size, "%s.%lld", base, (long long)number);
        if (!json_object_get(set, name)) {
            break;
        }
        number++;
    }
    bool kept = json_object_set_new_nocheck(set, base, json_integer(number)) == 0 &&
                (number == 1 || json_object_set_new_nocheck(set, name, json_integer(1)) == 0);
    if (!kept) {
        free(name);
        return NULL;
    }
    return name;
}

static bool name_parts(piece_maker *maker) {
    json_t *set = json_object();
    bool named = set != NULL;
    for (int32_t p = 0; named && p < maker->parts->count; p++) {
        const char *group = maker->soup->group_names[maker->parts->parts[p].group];
        char numbered[32];
        snprintf(numbered, sizeof numbered, "piece_%d", p + 1);
        maker->names[p] = unique_name(set, group[0] != '\0' ? group : numbered);
        named = maker->names[p] != NULL;
    }
    json_decref(set);
    return named;
}

/* ---- the surface of a piece */

static bool surface_allocate(piece_surface *surface, size_t vertices, size_t faces, size_t corners) {
    surface->vertices = calloc(vertices + 1, sizeof *surface->vertices);
    surface->face_sizes = calloc(faces + 1, sizeof *surface->face_sizes);
    surface->face_vertices = calloc(corners + 1, sizeof *surface->face_vertices);
    return surface->vertices && surface->face_sizes && surface->face_vertices;
}

static void surface_release(piece_surface *surface) {
    free(surface->vertices);
    free(surface->face_sizes);
    free(surface->face_vertices);
    *surface = (piece_surface){0};
}

static int32_t add_vertex(piece_maker *maker, piece_surface *surface, int32_t vertex) {
    if (maker->local[vertex] < 0) {
        maker->local[vertex] = surface->vertex_count;
        surface->vertices[surface->vertex_count++] = maker->soup->vertices[vertex];
    }
    return maker->local[vertex];
}

static void add_face(piece_maker *maker, piece_surface *surface, int32_t face, int32_t *corner) {
    int32_t first = soup_face_first(maker->soup, face), end = maker->soup->face_ends[face];
    for (int32_t c = first; c < end; c++) {
        surface->face_vertices[(*corner)++] = add_vertex(maker, surface, maker->soup->corners[c]);
    }
    surface->face_sizes[surface->face_count++] = end - first;
}

/* Resets maker->local for the vertices of the member. */
static void forget_vertices(piece_maker *maker, int32_t member) {
    if (maker->parts->points) {
        maker->local[member] = -1;
        return;
    }
    for (int32_t c = soup_face_first(maker->soup, member); c < maker->soup->face_ends[member]; c++) {
        maker->local[maker->soup->corners[c]] = -1;
    }
}

/* Gathers the parts first to end - 1 as one surface. */
static bool surface_gather(piece_maker *maker, int32_t first, int32_t end, piece_surface *surface) {
    const mesh_parts *parts = maker->parts;
    const mesh_soup *soup = maker->soup;
    size_t members = 0, corners = 0;
    for (int32_t p = first; p < end; p++) {
        members += (size_t)parts->parts[p].count;
        for (int32_t m = 0; !parts->points && m < parts->parts[p].count; m++) {
            int32_t face = parts->members[parts->parts[p].first + m];
            corners += (size_t)(soup->face_ends[face] - soup_face_first(soup, face));
        }
    }
    *surface = (piece_surface){0};
    if (!surface_allocate(surface, parts->points ? members : corners, parts->points ? 0 : members, corners)) {
        return false;
    }
    int32_t corner = 0;
    for (int32_t p = first; p < end; p++) {
        for (int32_t m = 0; m < parts->parts[p].count; m++) {
            int32_t member = parts->members[parts->parts[p].first + m];
            if (parts->points) {
                add_vertex(maker, surface, member);
            } else {
                add_face(maker, surface, member, &corner);
            }
        }
    }
    for (int32_t p = first; p < end; p++) {
        for (int32_t m = 0; m < parts->parts[p].count; m++) {
            forget_vertices(maker, parts->members[parts->parts[p].first + m]);
        }
    }
    return true;
}

/* ---- the shape of a piece */

/* The largest extent, and the largest absolute coordinate. */
static void surface_size(const piece_surface *surface, double *extent, double *farthest) {
    abut_vec3 lower = surface->vertices[0], upper = lower;
    *farthest = 0.0;
    for (int32_t v = 0; v < surface->vertex_count; v++) {
        abut_vec3 p = surface->vertices[v];
        lower = abut_vec3_make(fmin(lower.x, p.x), fmin(lower.y, p.y), fmin(lower.z, p.z));
        upper = abut_vec3_make(fmax(upper.x, p.x), fmax(upper.y, p.y), fmax(upper.z, p.z));
        *farthest = fmax(*farthest, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
    }
    *extent = fmax(upper.x - lower.x, fmax(upper.y - lower.y, upper.z - lower.z));
}

/*
 * The allowed depth of a dent, relative to the extent: the caller's tolerance, or the error that rounding to single precision or to seven printed digits makes
 * far from the origin. The rounding error counts up to a hundredth of the extent.
 */
static double allowed_dent(const piece_surface *surface, double tolerance) {
    double extent, farthest;
    surface_size(surface, &extent, &farthest);
    double rounding = extent > 0.0 ? 4.0 * (double)FLT_EPSILON * farthest / extent : 0.0;
    return fmax(tolerance, fmin(rounding, 0.01));
}

/* Advice for a refused piece, as far as the reader of the message can ask for it: "; A, B, or C". Hints may be NULL. */
static void advise(const char *first, const char *tolerance, const char *hull, const char *trimesh, char *help, size_t size) {
    const char *const verbs[] = {first, "allow the dent with ", "take its hull, which fills it, with ", "keep its surface with "};
    const char *const hints[] = {"", tolerance, hull, trimesh};
    int last = 0;
    for (int i = 1; i < 4; i++) {
        last = hints[i] ? i : last;
    }
    int used = 0;
    for (int i = 0; i <= last && used >= 0 && (size_t)used < size; i++) {
        const char *before = i == 0 ? "; " : i == last ? ", or " : ", ";
        used += hints[i] ? snprintf(help + used, size - (size_t)used, "%s%s%s", before, verbs[i], hints[i]) : 0;
    }
}

static abut_status refused(const piece_maker *maker, const char *name, abut_status status, const abut_polytope_report *report) {
    if (status == ABUT_ERROR_INVALID_ARGUMENT || status == ABUT_ERROR_NOT_FINITE) {
        /* Counts, indices and numbers were checked when the file was read, so only the range of double precision remains as the reason. */
        return abut_fail(maker->error, ABUT_ERROR_FORMAT, "%s: piece '%s': its sizes are outside the range of double precision",
                         maker->path, name);
    }
    const abut_mesh_options *options = maker->options;
    char dent[160] = "", help[512] = "";
    if (status == ABUT_ERROR_NOT_CONVEX) {
        if (report->dent > 0.0) {
            snprintf(dent, sizeof dent, ": it has a dent %.3g deep", report->dent);
        }
        advise("split it into convex groups", options->tolerance_hint, options->hull_hint, options->trimesh_hint, help, sizeof help);
    } else if (status == ABUT_ERROR_NOT_CLOSED || status == ABUT_ERROR_NOT_OUTWARD) {
        advise("repair it", NULL, options->hull_hint, options->trimesh_hint, help, sizeof help);
    }
    return abut_fail(maker->error, status, "%s: piece '%s': %s%s%s", maker->path, name, abut_status_message(status), dent, help);
}

static abut_status hull_of(const piece_maker *maker, const char *name, const piece_surface *surface, abut_mesh_piece *piece) {
    double tolerance = allowed_dent(surface, maker->options->tolerance);
    abut_status status =
        surface->vertex_count < 4 ? ABUT_ERROR_DEGENERATE : smooth_hull(surface->vertices, surface->vertex_count, tolerance, &piece->shape);
    piece->filled = true;
    const abut_polytope_report none = {-1, -1, 0.0};
    return status == ABUT_OK ? ABUT_OK : refused(maker, name, status, &none);
}

static abut_status shape_of(const piece_maker *maker, const char *name, const piece_surface *surface, abut_mesh_piece *piece) {
    if (maker->parts->points || maker->options->whole) {
        return hull_of(maker, name, surface, piece);
    }
    abut_polytope_def def = {surface->vertices,   surface->vertex_count,  surface->face_sizes,
                             surface->face_count, surface->face_vertices, allowed_dent(surface, maker->options->tolerance)};
    abut_polytope_report report = {-1, -1, 0.0};
    bool enough = surface->vertex_count >= 4 && surface->face_count >= 4;
    abut_status status = enough ? abut_shape_create_polytope(&def, &report, &piece->shape) : ABUT_ERROR_NOT_CLOSED;
    piece->dent = report.dent;
    if (status == ABUT_OK || status == ABUT_ERROR_OUT_OF_MEMORY) {
        return status == ABUT_OK ? ABUT_OK : mesh_no_memory(maker->path, maker->error);
    }
    double extent, farthest;
    surface_size(surface, &extent, &farthest);
    bool small_dent = status == ABUT_ERROR_NOT_CONVEX && report.dent <= def.tolerance * extent;
    return small_dent || maker->options->hull ? hull_of(maker, name, surface, piece) : refused(maker, name, status, &report);
}

/* Makes the same shape again with its centroid as origin. */
static abut_status centre_piece(const piece_maker *maker, const char *name, piece_surface *surface, abut_mesh_piece *piece) {
    abut_mass mass;
    abut_status status = abut_shape_mass(piece->shape, 1.0, &mass);
    if (status != ABUT_OK) {
        return abut_fail(maker->error, status, "%s: piece '%s': %s", maker->path, name, abut_status_message(status));
    }
    for (int32_t v = 0; v < surface->vertex_count; v++) {
        surface->vertices[v] = abut_sub(surface->vertices[v], mass.centre);
    }
    abut_shape_release(piece->shape);
    piece->shape = NULL;
    piece->filled = false;
    piece->offset = mass.centre;
    return shape_of(maker, name, surface, piece);
}

/* Makes a piece of the parts first to end - 1. */
static abut_status make_piece(piece_maker *maker, int32_t first, int32_t end, abut_mesh_piece *piece) {
    piece_surface surface;
    if (!surface_gather(maker, first, end, &surface)) {
        surface_release(&surface);
        return mesh_no_memory(maker->path, maker->error);
    }
    const char *name = maker->names[first];
    abut_status status = shape_of(maker, name, &surface, piece);
    if (status == ABUT_OK && maker->options->centred) {
        status = centre_piece(maker, name, &surface, piece);
    }
    surface_release(&surface);
    if (status == ABUT_OK) {
        piece->name = strdup(name);
        status = piece->name ? ABUT_OK : mesh_no_memory(maker->path, maker->error);
    }
    return status;
}

/* ---- all pieces */

static abut_status find_part(const piece_maker *maker, const char *name, int32_t *index) {
    nearest_name nearest = {.mistyped = name};
    for (int32_t p = 0; p < maker->parts->count; p++) {
        if (strcmp(maker->names[p], name) == 0) {
            *index = p;
            return ABUT_OK;
        }
        nearest_offer(&nearest, maker->names[p]);
    }
    char hint[128];
    return abut_fail(maker->error, ABUT_ERROR_FORMAT, "%s: no piece is named '%s'; the file has %d pieces%s", maker->path, name,
                     maker->parts->count, nearest_hint(&nearest, hint, sizeof hint));
}

static abut_status make_pieces(piece_maker *maker, abut_mesh_pieces *made) {
    int32_t first = 0, end = maker->parts->count;
    if (end == 0) {
        return abut_fail(maker->error, ABUT_ERROR_FORMAT, "%s: no face has three different corners", maker->path);
    }
    if (!name_parts(maker)) {
        return mesh_no_memory(maker->path, maker->error);
    }
    if (maker->options->piece) {
        abut_status status = find_part(maker, maker->options->piece, &first);
        if (status != ABUT_OK) {
            return status;
        }
        end = first + 1;
    }
    int32_t stride = maker->options->whole ? end - first : 1;
    made->pieces = calloc((size_t)(end - first), sizeof *made->pieces);
    if (!made->pieces) {
        return mesh_no_memory(maker->path, maker->error);
    }
    for (int32_t p = first; p < end; p += stride) {
        made->count++;
        abut_status status = make_piece(maker, p, p + stride, &made->pieces[made->count - 1]);
        if (status != ABUT_OK) {
            return status;
        }
    }
    return ABUT_OK;
}

static abut_status make_from_soup(const char *path, const abut_mesh_options *options, mesh_soup *soup, abut_mesh_pieces *made,
                                  abut_error *error) {
    mesh_parts parts = {0};
    piece_maker maker = {.path = path, .options = options, .soup = soup, .parts = &parts, .error = error};
    abut_status status = scale_vertices(path, options->scale, soup, error);
    if (status != ABUT_OK) {
        return status;
    }
    bool memory = mesh_split(soup, &parts);
    maker.names = calloc((size_t)parts.count + 1, sizeof *maker.names);
    maker.local = malloc(((size_t)soup->vertex_count + 1) * sizeof *maker.local);
    if (memory && maker.names && maker.local) {
        memset(maker.local, 0xff, ((size_t)soup->vertex_count + 1) * sizeof *maker.local);
        status = make_pieces(&maker, made);
    } else {
        status = mesh_no_memory(path, error);
    }
    for (int32_t p = 0; maker.names && p < parts.count; p++) {
        free(maker.names[p]);
    }
    free(maker.names);
    free(maker.local);
    mesh_parts_release(&parts);
    return status;
}

static abut_status load(const char *path, const abut_mesh_options *options, abut_mesh_pieces *made, abut_error *error) {
    mesh_soup soup;
    abut_status status = mesh_read_file(path, &soup, error);
    if (status != ABUT_OK) {
        return status;
    }
    status = make_from_soup(path, options, &soup, made, error);
    soup_release(&soup);
    return status;
}

abut_status abut_mesh_load(const char *path, const abut_mesh_options *options, abut_mesh_pieces **pieces, abut_error *error) {
    abut_mesh_options defaults = abut_mesh_options_default();
    const abut_mesh_options *used = options ? options : &defaults;
    if (!path || !pieces) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "abut_mesh_load: path or pieces is NULL");
    }
    if (!(used->scale > 0.0) || !isfinite(used->scale) || !(used->tolerance >= 0.0 && used->tolerance <= 1.0)) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "%s: scale must be greater than 0 and tolerance from 0 to 1", path);
    }
    abut_mesh_pieces *made = calloc(1, sizeof *made);
    if (!made) {
        return mesh_no_memory(path, error);
    }
    abut_status status = load(path, used, made, error);
    if (status != ABUT_OK) {
        abut_mesh_destroy(made);
        return status;
    }
    *pieces = made;
    return ABUT_OK;
}

void abut_mesh_destroy(abut_mesh_pieces *pieces) {
    if (!pieces) {
        return;
    }
    for (int32_t i = 0; i < pieces->count; i++) {
        free(pieces->pieces[i].name);
        abut_shape_release(pieces->pieces[i].shape);
    }
    free(pieces->pieces);
    free(pieces);
}
