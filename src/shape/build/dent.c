/* The depth of a surface below its hull: see dent.h. Shape frame; depths along the hull's normals, which are unit. */
#include "shape/build/dent.h"

#include "base/memory.h"
#include "geom/area.h"

typedef struct dent_search {
    const build_source *source;
    const polytope *hull;
    int32_t guess; /* the face of the hull that was nearest last */
    abut_polytope_report *report;
} dent_search;

static double depth_below(const polytope *hull, int32_t face, abut_vec3 p) {
    return hull->offsets[face] - abut_dot(hull->normals[face], p);
}

static double depth_at(dent_search *search, abut_vec3 p) {
    double least = INFINITY;
    for (int32_t f = 0; f < search->hull->face_count; f++) {
        double depth = depth_below(search->hull, f, p);
        if (depth < least) {
            least = depth;
            search->guess = f;
        }
    }
    return least;
}

/* The depth along an edge is the least of linear functions, so it is concave. Two of them bound it from above; where they meet a third one
 * is found, until it is one of the two. */
static double deepest_between(dent_search *search, abut_vec3 p, abut_vec3 q, double *where) {
    enum { ROUNDS = 32 };
    double at_p = depth_at(search, p);
    int32_t left = search->guess;
    double at_q = depth_at(search, q);
    int32_t right = search->guess;
    double best = at_p > at_q ? at_p : at_q;
    *where = at_p > at_q ? 0.0 : 1.0;
    for (int round = 0; round < ROUNDS && left != right; round++) {
        double from = depth_below(search->hull, left, p) - depth_below(search->hull, right, p);
        double to = depth_below(search->hull, right, q) - depth_below(search->hull, left, q);
        double t = from + to < 0.0 ? from / (from + to) : 0.0;
        if (!(t > 0.0 && t < 1.0)) {
            break;
        }
        double depth = depth_at(search, abut_lerp(p, q, t));
        if (depth > best) {
            best = depth;
            *where = t;
        }
        bool rises = depth_below(search->hull, search->guess, q) > depth_below(search->hull, search->guess, p);
        int32_t *side = rises ? &left : &right;
        if (*side == search->guess) {
            break;
        }
        *side = search->guess;
    }
    return best;
}

/* An edge of a face. Most edges lie in a face of the hull, often the same one as the last edge. */
static void look_at_edge(dent_search *search, int32_t face, int32_t from, int32_t to) {
    abut_vec3 p = search->source->vertices[from], q = search->source->vertices[to];
    double most = search->report->dent, where;
    if (depth_below(search->hull, search->guess, p) <= most && depth_below(search->hull, search->guess, q) <= most) {
        return;
    }
    double depth = deepest_between(search, p, q, &where);
    if (depth > most) {
        *search->report = (abut_polytope_report){.face = face, .vertex = where <= 0.5 ? from : to, .dent = depth};
    }
}

static void look_at_face(dent_search *search, int32_t face) {
    const int32_t *loop = search->source->face_vertices + search->source->face_first[face];
    int32_t count = search->source->face_first[face + 1] - search->source->face_first[face];
    for (int32_t i = 1; i < count; i++) {
        look_at_edge(search, face, loop[i - 1], loop[i]);
        look_at_edge(search, face, loop[0], loop[i]);
    }
}

/* The corners of a polygon that is not plane lie at different heights. */
static void look_at_spread(dent_search *search, int32_t face) {
    const abut_vec3 *vertices = search->source->vertices;
    const int32_t *loop = search->source->face_vertices + search->source->face_first[face];
    int32_t count = search->source->face_first[face + 1] - search->source->face_first[face], low = 0;
    abut_vec3 area = {0.0, 0.0, 0.0};
    for (int32_t i = 2; i < count; i++) {
        area = abut_add(area, triangle_area(vertices[loop[0]], vertices[loop[i - 1]], vertices[loop[i]]));
    }
    abut_vec3 normal = abut_unit(area);
    double lowest = INFINITY, highest = -INFINITY;
    for (int32_t i = 0; i < count; i++) {
        double height = abut_dot(normal, abut_sub(vertices[loop[i]], vertices[loop[0]]));
        low = height < lowest ? i : low;
        lowest = height < lowest ? height : lowest;
        highest = height > highest ? height : highest;
    }
    if (count > 3 && highest - lowest > search->report->dent) {
        *search->report = (abut_polytope_report){.face = face, .vertex = loop[low], .dent = highest - lowest};
    }
}

/* The hull of the vertices that faces use. */
static abut_status make_hull(const build_source *source, polytope *hull) {
    int32_t corners = source->face_first[source->face_count];
    abut_vec3 *points = memory_allocate((size_t)corners, sizeof *points);
    abut_mass unit_mass;
    abut_status status = points != NULL ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
    for (int32_t c = 0; c < corners && status == ABUT_OK; c++) {
        points[c] = source->vertices[source->face_vertices[c]];
    }
    status = status == ABUT_OK ? build_hull(points, corners, hull, &unit_mass) : status;
    memory_release(points);
    return status;
}

abut_status build_find_dent(const build_source *source, abut_polytope_report *report) {
    polytope hull = {0};
    abut_status status = make_hull(source, &hull);
    if (status != ABUT_OK) {
        return status == ABUT_ERROR_OUT_OF_MEMORY ? status : ABUT_OK;
    }
    abut_polytope_report found = {.face = report->face, .vertex = report->vertex, .dent = 0.0};
    dent_search search = {.source = source, .hull = &hull, .report = &found};
    for (int32_t f = 0; f < source->face_count; f++) {
        look_at_face(&search, f);
        look_at_spread(&search, f);
    }
    polytope_release(&hull);
    *report = found;
    return ABUT_OK;
}
