/*
 * Round lips. An edge is a lip where both facets are flat, it is convex and its angle is more than 30 degrees. The facets around a vertex
 * between two lips are a sector. A ball of the lip's radius r that touches all planes of a vertex v from inside has its centre at v - r d,
 * with n . d = 1 for all normals n; it touches a sector at x from its centre, with n . x = r for the sector's normals. These points
 * replace the vertex in the sector's facets. Between them are arcs of the ball, between the arcs of an edge's ends is a strip of facets,
 * and where three or more lips meet the arcs enclose a piece of the ball.
 *
 * Strips are as round across the edge as the ball. Along the edge they are as round as their ends demand, whose directions differ where
 * the edge belongs to a smooth rim.
 *
 * Triangles are made one by one from the places of their corners. Neighbours compute the same places with the same operations, so they
 * agree to the last bit.
 */
#include "shape/facet/lip.h"

#include <math.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "geom/linear.h"
#include "shape/build/repeated.h"

#define LIP_LEAST_COSINE 0.86602540378443865 /* of 30 degrees */

enum { LIP_STEPS = 8, LIP_MOST_CELLS = 1000 };

/* The facets around a vertex between two lips. */
typedef struct sector {
    abut_vec3 place;     /* of the vertex in these facets */
    abut_vec3 direction; /* unit, from the ball's centre to it; 0: the vertex has no lips to speak of and stays */
    double reach;        /* distance from the centre */
    abut_vec3 centre;
} sector;

typedef struct rounding {
    const abut_facetmesh_def *def;
    const int32_t *twin;
    double radius;
    abut_vec3 *normal; /* [triangle_count] */
    bool *lip;         /* [3 triangle_count] whether the edge from this corner to the next is a lip */
    int32_t *at;       /* [3 triangle_count] sector of the corner */
    sector *sectors;
    int32_t sector_count, sector_capacity;
    lipped_mesh made; /* vertices: three for each triangle */
    int32_t vertex_capacity, radius_capacity, cross_capacity, direction_capacity;
    bool out_of_memory, too_wide;
} rounding;

static int32_t next_of(int32_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }
static int32_t previous_of(int32_t corner) { return corner % 3 == 0 ? corner + 2 : corner - 1; }
static abut_vec3 vertex_of(const rounding *r, int32_t corner) { return r->def->vertices[r->def->triangles[corner]]; }

/* ---- lips and sectors ---- */

static bool is_lip(const rounding *r, int32_t c) {
    const int32_t other = r->twin[c], t = c / 3, u = other / 3;
    const abut_vec3 across = abut_sub(vertex_of(r, previous_of(other)), vertex_of(r, c));
    return !(r->def->radii[t] < INFINITY) && !(r->def->radii[u] < INFINITY) && abut_dot(r->normal[t], r->normal[u]) < LIP_LEAST_COSINE &&
           abut_dot(r->normal[t], across) < 0.0;
}

/* The next corner at the same vertex, counter-clockwise, and the one before. */
static int32_t turn_left(const rounding *r, int32_t c) { return r->twin[previous_of(c)]; }
static int32_t turn_right(const rounding *r, int32_t c) { return next_of(r->twin[c]); }

/* The vector x of least length with n . x = 1 for the normals of the facets from `from` on, up to a lip if `within`, else all around; least squares where there
 * is none. */
static abut_vec3 touching(const rounding *r, int32_t from, bool within) {
    double a[3][3] = {{0.0}}, b[3] = {0.0}, x[3] = {0.0};
    int32_t c = from, count = 0;
    do {
        const abut_vec3 n = r->normal[c / 3];
        const double v[3] = {n.x, n.y, n.z};
        for (int i = 0; i < 3; ++i) {
            b[i] += v[i];
            for (int k = 0; k < 3; ++k) {
                a[i][k] += v[i] * v[k];
            }
        }
        ++count;
        if (within && r->lip[previous_of(c)]) {
            break;
        }
        c = turn_left(r, c);
    } while (c != from);
    for (int pass = 0; pass < 3;
         ++pass) { /* a little weight on the length; the other passes take its effect back where all equations hold */
        double rows[3][4], step[3] = {0.0};
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 3; ++k) {
                rows[i][k] = a[i][k] + (i == k ? 1e-6 * count : 0.0);
            }
            rows[i][3] = b[i] - (a[i][0] * x[0] + a[i][1] * x[1] + a[i][2] * x[2]);
        }
        if (!linear_solve(3, &rows[0][0], step)) {
            break;
        }
        for (int i = 0; i < 3; ++i) {
            x[i] += step[i];
        }
    }
    return abut_vec3_make(x[0], x[1], x[2]);
}

static int32_t lips_around(const rounding *r, int32_t c) {
    int32_t count = 0, at = c;
    do {
        count += r->lip[at];
        at = turn_left(r, at);
    } while (at != c);
    return count;
}

/* The sector of a corner that is its first one, counter-clockwise. */
static sector sector_from(const rounding *r, int32_t first) {
    const abut_vec3 v = vertex_of(r, first);
    sector s = {.place = v};
    if (lips_around(r, first) < 2) {
        return s;
    }
    int32_t start = first; /* the same for all sectors of the vertex, so that they have the same centre to the last bit */
    for (int32_t c = turn_left(r, first); c != first; c = turn_left(r, c)) {
        start = c < start ? c : start;
    }
    const abut_vec3 d = touching(r, start, false), x = touching(r, first, true);
    s.centre = abut_add_scaled(v, -r->radius, d);
    s.reach = r->radius * abut_length(x);
    s.direction = abut_unit(x);
    s.place = abut_add_scaled(s.centre, s.reach, s.direction);
    return s;
}

static void find_sectors(rounding *r) {
    const int32_t corners = 3 * r->def->triangle_count;
    for (int32_t c = 0; c < corners; ++c) {
        r->at[c] = -1;
    }
    for (int32_t c = 0; c < corners; ++c) {
        if (r->at[c] >= 0) {
            continue;
        }
        int32_t first = c;
        while (!r->lip[first] && turn_right(r, first) != c) {
            first = turn_right(r, first);
        }
        if (!array_extend(&r->sectors, &r->sector_capacity, r->sector_count, r->sector_count + 1, sizeof *r->sectors)) {
            r->out_of_memory = true;
            return;
        }
        r->sectors[r->sector_count] = sector_from(r, first);
        for (int32_t at = first; r->at[at] < 0; at = turn_left(r, at)) {
            r->at[at] = r->sector_count;
            if (r->lip[previous_of(at)]) {
                break;
            }
        }
        ++r->sector_count;
    }
}

/* ---- places ---- */

/* A place between two sectors of a vertex, and the outward direction there. step: 0 to LIP_STEPS. */
static abut_vec3 on_arc(const rounding *r, int32_t from, int32_t to, int step, abut_vec3 *direction) {
    const bool swap = from > to;
    const sector *a = &r->sectors[swap ? to : from], *b = &r->sectors[swap ? from : to];
    const int at = swap ? LIP_STEPS - step : step;
    const double t = (double)at / LIP_STEPS;
    if (at == 0 || at == LIP_STEPS || from == to) {
        *direction = (at == 0 ? a : b)->direction;
        return (at == 0 ? a : b)->place;
    }
    *direction = abut_unit(abut_lerp(a->direction, b->direction, t));
    return abut_add_scaled(a->centre, a->reach + t * (b->reach - a->reach), *direction);
}

/* The strip of an edge: from the arc at v, the vertex of corner c, to the arc at the other end, and from the side of c's facet to the other side. */
typedef struct strip {
    int32_t left_v, right_v, left_w, right_w; /* sectors */
    int32_t cells;
} strip;

static strip strip_of(rounding *r, int32_t c) {
    const int32_t other = r->twin[c];
    strip s = {r->at[c], r->at[next_of(other)], r->at[next_of(c)], r->at[other], 1};
    double length = abut_length(abut_sub(vertex_of(r, next_of(c)), vertex_of(r, c))), cells = ceil((1.0 - 1e-9) * (length / r->radius));
    r->too_wide = r->too_wide || !(cells <= LIP_MOST_CELLS);
    s.cells = cells >= 1.0 && cells <= LIP_MOST_CELLS ? (int32_t)cells : 1;
    return s;
}

/* The curvature along a strip, and the bulge that goes with it. */
static abut_vec3 on_strip(const rounding *r, const strip *s, int32_t i, int step, double *along) {
    abut_vec3 n_v, n_w;
    const abut_vec3 v = on_arc(r, s->left_v, s->right_v, step, &n_v), w = on_arc(r, s->left_w, s->right_w, step, &n_w),
                    way = abut_sub(w, v);
    const double square = abut_length_squared(way);
    const bool turns = square > 0.0 && abut_dot(n_v, n_v) > 0.0 && abut_dot(n_w, n_w) > 0.0;
    *along = turns ? abut_dot(abut_sub(n_w, n_v), way) / square : 0.0;
    if (fabs(*along) * r->radius < 1e-9) {
        *along = 0.0;
    }
    if (i == 0 || i == s->cells) {
        return i == 0 ? v : w;
    }
    const double t = (double)i / s->cells;
    const abut_vec3 chord = abut_lerp(v, w, t);
    return *along != 0.0 ? abut_add_scaled(chord, 0.5 * t * (1.0 - t) * *along * square, abut_unit(abut_add(n_v, n_w))) : chord;
}

/* ---- triangles ---- */

static bool is_same(abut_vec3 a, abut_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* Adds a triangle, unless two corners are at one place. */
static void add(rounding *r, abut_vec3 a, abut_vec3 b, abut_vec3 c, double radius, double cross, abut_vec3 direction) {
    lipped_mesh *m = &r->made;
    const int32_t n = m->triangle_count;
    if (is_same(a, b) || is_same(b, c) || is_same(c, a) || r->out_of_memory) {
        return;
    }
    if (n >= INT32_MAX / 9 || !array_extend(&m->vertices, &r->vertex_capacity, 3 * n, 3 * n + 3, sizeof *m->vertices) ||
        !array_extend(&m->radii, &r->radius_capacity, n, n + 1, sizeof *m->radii) ||
        !array_extend(&m->cross_radii, &r->cross_capacity, n, n + 1, sizeof *m->cross_radii) ||
        !array_extend(&m->directions, &r->direction_capacity, n, n + 1, sizeof *m->directions)) {
        r->out_of_memory = true;
        return;
    }
    const abut_vec3 corner[3] = {a, b, c};
    for (int k = 0; k < 3; ++k) {
        m->vertices[3 * n + k] = abut_add(corner[k], abut_vec3_make(0.0, 0.0, 0.0));
    }
    m->radii[n] = radius;
    m->cross_radii[n] = cross;
    m->directions[n] = direction;
    m->triangle_count = n + 1;
}

static void add_strip(rounding *r, int32_t c) {
    const strip s = strip_of(r, c);
    const abut_vec3 edge = abut_sub(vertex_of(r, next_of(c)), vertex_of(r, c));
    const abut_vec3 out = abut_add(r->normal[c / 3], r->normal[r->twin[c] / 3]);
    for (int32_t i = 0; i < s.cells; ++i) {
        for (int k = 0; k < LIP_STEPS; ++k) {
            double along, beside;
            const abut_vec3 p = on_strip(r, &s, i, k, &along), q = on_strip(r, &s, i + 1, k, &along),
                            u = on_strip(r, &s, i, k + 1, &beside), v = on_strip(r, &s, i + 1, k + 1, &beside);
            const double mean = real_max(0.5 * (along + beside), -0.5 / r->radius), cross = mean != 0.0 ? 1.0 / mean : INFINITY;
            const abut_vec3 first = abut_cross(abut_sub(q, p), abut_sub(u, p)), direction = abut_cross(edge, first);
            const abut_vec3 across = abut_length_squared(direction) > 0.0 ? direction : abut_cross(edge, out);
            add(r, q, p, u, r->radius, cross, across);
            add(r, q, u, v, r->radius, cross, across);
        }
    }
}

/* The piece of the ball at a vertex where three or more lips meet. first: a corner there whose edge is a lip, the lowest one. */
static void add_corner(rounding *r, int32_t first) {
    int32_t lips = 0;
    abut_vec3 sum = {0.0, 0.0, 0.0};
    double reach = 0.0;
    int32_t c = first;
    do {
        if (r->lip[c]) {
            if (c < first) {
                return; /* the vertex's turn comes, or came, with another corner */
            }
            ++lips;
            sum = abut_add(sum, r->sectors[r->at[c]].direction);
            reach = real_max(reach, r->sectors[r->at[c]].reach);
        }
        c = turn_left(r, c);
    } while (c != first);
    if (lips < 3) {
        return;
    }
    const abut_vec3 top = abut_add_scaled(r->sectors[r->at[first]].centre, reach, abut_unit(sum)), none = {0.0, 0.0, 0.0};
    do {
        if (r->lip[c]) {
            const int32_t left = r->at[c], right = r->at[next_of(r->twin[c])];
            for (int k = 0; k < LIP_STEPS; ++k) {
                abut_vec3 unused;
                add(r, top, on_arc(r, right, left, k, &unused), on_arc(r, right, left, k + 1, &unused), r->radius, r->radius, none);
            }
        }
        c = turn_left(r, c);
    } while (c != first);
}

/* The next place on the border of a facet: its corners, and the places along its lips. */
static void next_place(rounding *r, int32_t t, int32_t *corner, int32_t *cell, abut_vec3 *place) {
    const int32_t c = 3 * t + *corner, owner = r->lip[c] && r->twin[c] < c ? r->twin[c] : c;
    const strip s = r->lip[c] ? strip_of(r, owner) : (strip){.cells = 1};
    double unused;
    *place = *cell == 0   ? r->sectors[r->at[c]].place
             : owner == c ? on_strip(r, &s, *cell, 0, &unused)
                          : on_strip(r, &s, s.cells - *cell, LIP_STEPS, &unused);
    if (++*cell == s.cells) {
        *cell = 0;
        ++*corner;
    }
}

/* Whether the places of its corners leave something of a facet: its sides keep their directions, more or less, and it is not turned over. */
static bool is_left(const rounding *r, int32_t t, const abut_vec3 p[3]) {
    for (int32_t k = 0; k < 3; ++k) {
        const int32_t c = 3 * t + k, next = next_of(c);
        if (!(abut_dot(abut_sub(p[next % 3], p[k]), abut_sub(vertex_of(r, next), vertex_of(r, c))) > 0.0)) {
            return false;
        }
    }
    return abut_dot(abut_cross(abut_sub(p[1], p[0]), abut_sub(p[2], p[0])), r->normal[t]) > 0.0;
}

static bool add_face(rounding *r, int32_t t) {
    const abut_vec3 p[3] = {r->sectors[r->at[3 * t]].place, r->sectors[r->at[3 * t + 1]].place, r->sectors[r->at[3 * t + 2]].place};
    const abut_vec3 none = {0.0, 0.0, 0.0};
    const double radius = r->def->radii[t], cross = r->def->cross_radii != NULL ? r->def->cross_radii[t] : radius;
    const abut_vec3 direction = r->def->directions != NULL ? r->def->directions[t] : none;
    if (!is_left(r, t, p)) {
        return false;
    }
    if (!r->lip[3 * t] && !r->lip[3 * t + 1] && !r->lip[3 * t + 2]) {
        add(r, p[0], p[1], p[2], radius, cross, direction);
        return true;
    }
    const abut_vec3 middle = abut_scale(1.0 / 3.0, abut_add(p[0], abut_add(p[1], p[2])));
    abut_vec3 place, last = p[0];
    for (int32_t corner = 0, cell = 0, first = 1; corner < 3; first = 0) {
        next_place(r, t, &corner, &cell, &place);
        if (first == 0) {
            add(r, middle, last, place, radius, cross, direction);
        }
        last = place;
    }
    add(r, middle, last, p[0], radius, cross, direction);
    return true;
}

/* ---- one mesh ---- */

/* Gives the corners of all triangles the numbers of their places. */
static bool number_places(lipped_mesh *m) {
    const int32_t count = 3 * m->triangle_count;
    int32_t *all = memory_allocate((size_t)count, sizeof *all), *map = memory_allocate((size_t)count, sizeof *map);
    for (int32_t i = 0; all != NULL && i < count; ++i) {
        all[i] = i;
    }
    const bool done = all != NULL && map != NULL && repeated_map(m->vertices, all, count, map);
    for (int32_t i = 0; done && i < count; ++i) {
        if (map[i] == i) {
            m->vertices[m->vertex_count] = m->vertices[i];
            all[i] = m->vertex_count++;
        } else {
            all[i] = all[map[i]];
        }
    }
    memory_release(map);
    m->triangles = all;
    return done;
}

static abut_status round_all(rounding *r, int32_t *culprit) {
    const int32_t count = r->def->triangle_count;
    for (int32_t t = 0; t < count; ++t) {
        const abut_vec3 p = vertex_of(r, 3 * t);
        *culprit = t;
        r->normal[t] = abut_unit(abut_cross(abut_sub(vertex_of(r, 3 * t + 1), p), abut_sub(vertex_of(r, 3 * t + 2), p)));
        if (!(abut_length_squared(r->normal[t]) > 0.5)) {
            return ABUT_ERROR_DEGENERATE;
        }
    }
    for (int32_t c = 0; c < 3 * count; ++c) {
        r->lip[c] = is_lip(r, c);
    }
    find_sectors(r);
    for (int32_t t = 0; t < count && !r->out_of_memory; ++t) {
        *culprit = t;
        if (!add_face(r, t)) {
            return ABUT_ERROR_INVALID_ARGUMENT;
        }
        for (int32_t c = 3 * t; c < 3 * t + 3; ++c) {
            if (r->lip[c] && c < r->twin[c]) {
                add_strip(r, c);
            }
            if (r->lip[c]) {
                add_corner(r, c);
            }
        }
        if (r->too_wide) {
            return ABUT_ERROR_INVALID_ARGUMENT;
        }
    }
    *culprit = -1;
    return !r->out_of_memory && number_places(&r->made) ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

abut_status lipped_mesh_make(const abut_facetmesh_def *def, const int32_t *twin, lipped_mesh *made, int32_t *culprit) {
    const size_t count = (size_t)def->triangle_count;
    rounding r = {.def = def, .twin = twin, .radius = def->lip_radius};
    *made = (lipped_mesh){.vertex_count = 0};
    *culprit = -1;
    r.normal = memory_allocate(count, sizeof *r.normal);
    r.lip = memory_allocate(count, 3 * sizeof *r.lip);
    r.at = memory_allocate(count, 3 * sizeof *r.at);
    abut_status status = r.normal != NULL && r.lip != NULL && r.at != NULL ? round_all(&r, culprit) : ABUT_ERROR_OUT_OF_MEMORY;
    memory_release(r.normal);
    memory_release(r.lip);
    memory_release(r.at);
    memory_release(r.sectors);
    if (status != ABUT_OK) {
        lipped_mesh_release(&r.made);
        return status;
    }
    *made = r.made;
    return ABUT_OK;
}

void lipped_mesh_release(lipped_mesh *mesh) {
    memory_release(mesh->vertices);
    memory_release(mesh->triangles);
    memory_release(mesh->radii);
    memory_release(mesh->cross_radii);
    memory_release(mesh->directions);
    *mesh = (lipped_mesh){.vertex_count = 0};
}
