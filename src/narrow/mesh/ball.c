/* Contacts of a ball with triangles, by voiding: see ball.h. Set frame; the ball's centre is the origin. */
#include "narrow/mesh/ball.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/real.h"
#include "geom/cells.h"
#include "narrow/mesh/ball_normal.h"
#include "narrow/mesh/ball_smooth.h"
#include "narrow/mesh/corner.h"
#include "narrow/mesh/index/edges.h"
#include "narrow/mesh/index/near.h"
#include "narrow/mesh/index/taken.h"

typedef enum closest_kind { ON_FACE, ON_EDGE, AT_VERTEX } closest_kind;

/* A triangle within reach, with its point closest to the ball's centre. */
typedef struct candidate {
    int pass;      /* contacts of a lower pass come first */
    double key;    /* and those with a lower key within a pass */
    double square; /* square of the distance */
    closest_kind kind;
    int place;   /* side or corner of the triangle */
    bool culled; /* seen from behind; makes no contact */
    bool silent; /* the contact is on another triangle, as across a smooth edge */
    bool smooth; /* the closest point is on the smooth surface */
    abut_vec3 closest;
    abut_vec3 normal; /* of the side that faces the ball */
    const mesh_triangle *triangle;
} candidate;

typedef struct ball_work {
    const mesh_set *set;
    const ball_settings *settings;
    candidate *candidate; /* triangles within reach */
    candidate **order;    /* the same, sorted by compare() */
    int32_t count;
    int32_t culled_count;
    bool smooth;       /* a normal of a smooth surface goes through the centre, in reach or not */
    ball_touch *touch; /* accepted contacts */
    int32_t touch_count;
    mesh_edges edges;
    /* Used above MESH_SET_FEW triangles only: */
    bool many;
    mesh_taken taken;  /* candidates that were taken and void all of their features, by their place in the order */
    mesh_taken culled; /* those before that are seen from behind */
    mesh_near near;    /* all candidates, by their place in the order */
    cells places;      /* places and normals of the accepted contacts, where they are many */
} ball_work;

/* Whether abut's corrections of the published rule apply. Without them a baseline does what its source says, and nothing else. */
static bool is_mended(const ball_settings *s) { return s->rule == ABUT_MESH_SURFACE; }

/* ---- one triangle ---- */

static void set_kind(candidate *c, const double weight[3]) {
    int zeros = (weight[0] == 0.0) + (weight[1] == 0.0) + (weight[2] == 0.0);
    c->kind = zeros == 0 ? ON_FACE : zeros == 1 ? ON_EDGE : AT_VERTEX;
    if (c->kind == ON_EDGE) {
        c->place = weight[2] == 0.0 ? 0 : weight[0] == 0.0 ? 1 : 2;
    } else {
        c->place = weight[0] > 0.0 ? 0 : weight[1] > 0.0 ? 1 : 2;
    }
}

/* Whether the closest point is the foot of the perpendicular from the centre on the triangle's plane, up to rounding error. */
static bool is_right_over(const candidate *c, double height, double rounding) {
    const abut_vec3 centre = {0.0, 0.0, 0.0};
    double square = c->square - height * height, doubt = mesh_set_rounding(c->triangle, centre, rounding);
    if (square > 1e-8 * c->square + doubt * doubt) {
        return false;
    }
    abut_vec3 beside = abut_add_scaled(c->closest, height, c->triangle->normal);
    return abut_length_squared(beside) <= doubt * doubt;
}

/* The original version of the published rule takes all faces, then all edges, then all vertices, and sorts none of them. */
static void set_order(candidate *c, const ball_settings *s) {
    bool passes = s->rule == ABUT_MESH_THREE_PASSES;
    c->pass = c->kind == ON_FACE && !c->culled && !c->silent ? 0 : passes && c->kind == AT_VERTEX ? 2 : 1;
    c->key = passes ? 0.0 : c->square;
}

/* A touch on the smooth surface of the triangle. */
static void set_smooth(candidate *c, const ball_settings *s, const smooth_foot *foot) {
    bool behind = foot->height < -s->rounding;
    c->kind = ON_FACE;
    c->smooth = true;
    c->closest = foot->point;
    c->square = foot->height * foot->height;
    c->culled = behind && !c->triangle->two_sided;
    c->normal = behind && c->triangle->two_sided ? abut_neg(foot->normal) : foot->normal;
}

/*
 * Where edges are smooth, a face is the part of the smooth surface over it. Smooth edges, and vertices among them, make no contacts. A border or a sharp edge
 * makes those of the triangle; where its smooth surface ends beside the ball, and the ball is not over that border, it touches at its end.
 */
static void look_at_smooth(const placed_mesh *mesh, const ball_settings *s, candidate *c) {
    smooth_foot foot;
    smooth_answer answer = ball_smooth_find(mesh, c->triangle, &foot);
    bool on_face = c->kind == ON_FACE;
    bool joined = !on_face && answer != SMOOTH_NONE && ball_smooth_joins(mesh, c->triangle, c->place, c->kind == ON_EDGE);
    bool ends = (answer == SMOOTH_BORDER && (on_face || joined)) || (answer == SMOOTH_BOTH && on_face);
    if (answer == SMOOTH_TOUCHES || ends) {
        set_smooth(c, s, &foot);
    }
    c->silent = answer == SMOOTH_NOWHERE || answer == SMOOTH_BEYOND || (answer == SMOOTH_BOTH && joined);
}

static void look_at(const mesh_triangle *t, const ball_settings *s, candidate *c) {
    const abut_vec3 centre = {0.0, 0.0, 0.0};
    const double rounding = s->rounding;
    double weight[3];
    c->triangle = t;
    abut_vec3 closest = mesh_set_closest(t, centre, weight);
    c->closest = abut_vec3_make(closest.x, closest.y, closest.z); /* stored by components, because the next line loads it by components */
    c->square = abut_length_squared(c->closest);
    set_kind(c, weight);
    double height = mesh_set_height(t, centre);
    bool negative = !t->flat && abut_dot(t->across, t->corner[0]) > 0.0; /* as printed; exact for small whole numbers, unlike the height */
    bool behind = is_mended(s) ? mesh_set_is_behind(t, centre, height, rounding) : negative; /* never true for a flat triangle */
    if (is_mended(s) && c->kind != ON_FACE && !t->flat && is_right_over(c, height, rounding)) {
        c->kind = ON_FACE; /* the foot of the perpendicular lies on the border of the face: the face counts as closest */
    }
    c->normal = behind && t->two_sided ? abut_neg(t->normal) : t->normal;
    c->culled = behind && !t->two_sided;
    c->silent = c->smooth = false;
    if (s->bulge > 0.0 && s->mesh[t->part].mesh->smooth != NULL) {
        look_at_smooth(&s->mesh[t->part], s, c);
    }
    set_order(c, s);
}

/* ---- the order of candidates ---- */

static int compare(const candidate *a, const candidate *b) {
    int order = a->pass - b->pass;
    order = order != 0 ? order : (a->key > b->key) - (a->key < b->key);
    order = order != 0 ? order : (int)a->kind - (int)b->kind;
    order = order != 0 ? order : (a->triangle->part > b->triangle->part) - (a->triangle->part < b->triangle->part);
    return order != 0 ? order : (a->triangle->index > b->triangle->index) - (a->triangle->index < b->triangle->index);
}

static int compare_places(const void *p, const void *q) { return compare(*(candidate *const *)p, *(candidate *const *)q); }

/* Insertion sort for the usual small counts. */
static void sort(candidate **order, int32_t count) {
    enum { FEW = 24 };
    if (count > FEW) {
        qsort(order, (size_t)count, sizeof *order, compare_places);
        return;
    }
    for (int32_t i = 1; i < count; ++i) {
        candidate *here = order[i];
        int32_t k = i;
        for (; k > 0 && compare(here, order[k - 1]) < 0; --k) {
            order[k] = order[k - 1];
        }
        order[k] = here;
    }
}

/* ---- does another triangle have the same feature? ---- */

static bool is_near_point(abut_vec3 p, abut_vec3 q, double distance) { return abut_length_squared(abut_sub(p, q)) <= distance * distance; }

/* A triangle seen from behind does not void its own closest feature, nor does one whose contact is across a smooth edge. The test compares positions: near the
 * end of an edge, rounding decides whether the edge or the vertex is the closest feature. */
static inline bool is_own_closest(const candidate *earlier, const candidate *c, double same) {
    return (earlier->culled || earlier->silent) && is_near_point(earlier->closest, c->closest, same);
}

/* Whether the triangle of an earlier candidate has the feature of `c`, too, by index or by exact position. */
static inline bool has_by_name(const candidate *earlier, const candidate *c, abut_mesh_identity identity) {
    const mesh_triangle *t = earlier->triangle;
    bool first = mesh_corner_at(c->triangle, c->place, t, identity) >= 0;
    return first && (c->kind == AT_VERTEX || mesh_corner_at(c->triangle, (c->place + 1) % 3, t, identity) >= 0);
}

/* The test by name comes first because it is cheaper than the test by place. */
static bool is_void_among_few(const ball_work *work, int32_t at) {
    const ball_settings *s = work->settings;
    const candidate *c = work->order[at];
    abut_mesh_identity names = s->identity == ABUT_MESH_BY_PLACE ? ABUT_MESH_BY_INDEX : s->identity;
    for (int32_t i = 0; i < at; ++i) {
        if (!is_own_closest(work->order[i], c, s->same) && has_by_name(work->order[i], c, names)) {
            return true;
        }
    }
    for (int32_t i = 0; i < at && s->identity == ABUT_MESH_BY_PLACE; ++i) {
        if (!is_own_closest(work->order[i], c, s->same) && mesh_set_holds(work->order[i]->triangle, c->closest, s->same)) {
            return true;
        }
    }
    return false;
}

static bool is_voided_by(const ball_work *work, const candidate *earlier, const candidate *c) {
    const ball_settings *s = work->settings;
    bool by_place = s->identity == ABUT_MESH_BY_PLACE;
    return !is_own_closest(earlier, c, s->same) && (has_by_name(earlier, c, by_place ? ABUT_MESH_BY_INDEX : s->identity) ||
                                                    (by_place && mesh_set_holds(earlier->triangle, c->closest, s->same)));
}

/* Whether the first triangle of a table with that corner or side voids the feature. */
static bool is_void_by_first(const ball_work *work, const mesh_taken *of, const candidate *c) {
    int32_t first = c->kind == ON_EDGE ? mesh_taken_at_side(of, c->triangle, c->place) : mesh_taken_at_corner(of, c->triangle, c->place);
    return first >= 0 && is_voided_by(work, work->order[first], c);
}

/* The same answer. The first taken triangle with that corner or side is mostly the one that voids it, or else the first one seen from behind.
 * Otherwise all triangles about the place are tried. */
static bool is_void_among_many(ball_work *work, int32_t at) {
    const candidate *c = work->order[at];
    if (is_void_by_first(work, &work->taken, c) || is_void_by_first(work, &work->culled, c)) {
        return true;
    }
    mesh_near_walk walk;
    mesh_near_begin(&walk, &work->near, c->closest, at);
    for (int32_t i = mesh_near_next(&walk); i >= 0; i = mesh_near_next(&walk)) {
        if (is_voided_by(work, work->order[i], c)) {
            return true;
        }
    }
    return false;
}

/* ---- contacts ---- */

/* An edge or vertex contact whose normal is the face's normal lies on a flat joint. It is named after the face. */
static abut_feature feature_of(ball_work *work, const candidate *c, abut_vec3 normal) {
    const double parallel = 1e-6;
    const mesh_triangle *t = c->triangle;
    bool flat = abut_length_squared(abut_cross(normal, c->normal)) <= parallel * parallel && abut_dot(normal, c->normal) > 0.0;
    if (c->kind == ON_FACE || (flat && is_mended(work->settings))) {
        return (abut_feature){.kind = ABUT_FEATURE_FACE, .index = t->index, .part = t->part};
    }
    if (c->kind == ON_EDGE) {
        return mesh_edges_name(&work->edges, t, c->place);
    }
    return (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = t->vertex[c->place], .part = t->part};
}

/* The normal that a rule gives to the contact of a triangle; false: that of the triangle on its face, and otherwise the direction of the centre. */
static bool has_own_normal(const ball_work *work, const candidate *c, abut_vec3 *normal) {
    const ball_settings *s = work->settings;
    const mesh_triangle *t = c->triangle;
    if (s->rule == ABUT_MESH_SMOOTHED_NORMALS) {
        *normal = ball_smoothed_normal(s, t, c->normal);
    } else if (s->rule == ABUT_MESH_VORONOI && c->kind != ON_FACE) {
        int before = (c->place + 2) % 3;
        *normal = ball_voronoi_normal(work->set, s, t, c->place, c->kind == ON_EDGE ? c->place : before, c->normal);
    } else {
        return s->rule == ABUT_MESH_TRIANGLE_NORMALS;
    }
    return true;
}

/* Distances up to this one count as 0: there is no direction of the centre. For a baseline it is that of which the square has lost its digits. */
static double nothing(const ball_settings *s) { return is_mended(s) ? real_max(s->rounding, 1e-12 * s->radius) : 1e-150; }

static ball_touch touch_of(ball_work *work, const candidate *c) {
    const ball_settings *s = work->settings;
    ball_touch touch = {.on_mesh = c->closest, .normal = c->normal};
    double distance = sqrt(c->square);
    if (has_own_normal(work, c, &touch.normal) || c->kind == ON_FACE) {
        touch.distance = -abut_dot(touch.normal, c->closest);
    } else if (distance > nothing(s)) {
        touch.normal = abut_scale(-1.0 / distance, c->closest);
        touch.distance = distance;
    } else {
        touch.chosen = true; /* the centre lies on an edge or a vertex, so there is no unique normal */
        touch.distance = distance;
    }
    if (!(abut_length_squared(touch.normal) > 0.0)) {
        touch.normal = abut_vec3_make(0.0, 0.0, 1.0); /* for a triangle without a face */
        touch.chosen = true;
    }
    touch.feature = feature_of(work, c, touch.normal);
    return touch;
}

#define PARALLEL (1.0 - 1e-6)

enum { FEW_TOUCHES = 32 };

static bool is_same(const ball_work *work, const ball_touch *p, const ball_touch *q) {
    return is_near_point(p->on_mesh, q->on_mesh, work->settings->same) && abut_dot(p->normal, q->normal) >= PARALLEL;
}

static void set_cell(const ball_touch *touch, double point[6]) {
    const abut_vec3 *p = &touch->on_mesh, *n = &touch->normal;
    const double all[6] = {p->x, p->y, p->z, n->x, n->y, n->z};
    for (int i = 0; i < 6; ++i) {
        point[i] = all[i];
    }
}

static void remember(ball_work *work, int32_t touch) {
    double point[6];
    set_cell(&work->touch[touch], point);
    cells_add(&work->places, point, touch);
}

/* Sorts the accepted contacts into a grid when they become many. Without memory they stay as they are. */
static void sort_touches(ball_work *work) {
    const double same = 1.001 * work->settings->same, turn = 1.5e-3; /* unit vectors whose product is PARALLEL are 1.42e-3 apart */
    const double far = work->settings->radius + work->settings->margin + work->settings->bulge;
    const double reach[6] = {same, same, same, turn, turn, turn}, extent[6] = {far, far, far, 1.0, 1.0, 1.0};
    if (cells_init(&work->places, 6, reach, extent, work->count)) {
        for (int32_t i = 0; i < work->touch_count; ++i) {
            remember(work, i);
        }
    }
}

/* Whether an accepted contact has the same place and normal. Right over a joint, rounding lets neighbours disagree about which feature is
 * closest. */
static bool is_repeated(ball_work *work, const ball_touch *touch) {
    if (work->places.head == NULL) {
        for (int32_t i = 0; i < work->touch_count; ++i) {
            if (is_same(work, &work->touch[i], touch)) {
                return true;
            }
        }
        return false;
    }
    double point[6];
    set_cell(touch, point);
    cells_walk walk;
    cells_begin(&walk, &work->places, point);
    for (int32_t i = cells_next(&walk); i >= 0; i = cells_next(&walk)) {
        if (is_same(work, &work->touch[i], touch)) {
            return true;
        }
    }
    return false;
}

static void add_touch(ball_work *work, const ball_touch *touch) {
    work->touch[work->touch_count++] = *touch;
    if (work->places.head != NULL) {
        remember(work, work->touch_count - 1);
    } else if (work->touch_count == FEW_TOUCHES && work->many) {
        sort_touches(work);
    }
}

static void take(ball_work *work, int32_t at) {
    const ball_settings *s = work->settings;
    const candidate *c = work->order[at];
    bool voids = is_mended(s) || s->rule == ABUT_MESH_PUBLISHED || s->rule == ABUT_MESH_THREE_PASSES;
    if (c->culled || c->silent) {
        if (voids && work->many) {
            mesh_taken_add(&work->culled, c->triangle, at);
        }
        return;
    }
    bool is_void = voids && c->pass != 0 && (work->many ? is_void_among_many(work, at) : is_void_among_few(work, at));
    if (voids && work->many) {
        mesh_taken_add(&work->taken, c->triangle, at);
    }
    if (is_void) {
        return;
    }
    ball_touch touch = touch_of(work, c);
    if (!is_mended(s) || !is_repeated(work, &touch)) {
        add_touch(work, &touch);
    }
}

static void collect(ball_work *work) {
    const ball_settings *s = work->settings;
    double reach = s->radius + s->margin + (is_mended(s) ? s->rounding : 0.0), far = reach + s->bulge;
    for (int32_t i = 0; i < work->set->count; ++i) {
        candidate *c = &work->candidate[work->count];
        look_at(&work->set->items[i], s, c);
        bool takes_part = !c->culled || is_mended(s);
        work->order[work->count] = c;
        bool is_in_reach = c->square <= (c->silent ? far * far : reach * reach) && takes_part;
        work->count += is_in_reach;
        work->smooth = work->smooth || c->smooth;
        work->culled_count += is_in_reach && (c->culled || c->silent);
    }
    sort(work->order, work->count);
}

static const mesh_triangle *triangle_of(const void *context, int32_t index) {
    const ball_work *work = context;
    return work->order[index]->triangle;
}

/* Where smooth and sharp edges meet, each of two triangles may leave the contact to the other. If there is none at all, the nearest triangle makes it. */
static void take_nearest_silent(ball_work *work) {
    const ball_settings *s = work->settings;
    double reach = s->radius + s->margin + s->rounding;
    for (int32_t i = 0; i < work->count && work->touch_count == 0 && s->bulge > 0.0 && !work->smooth; ++i) {
        const candidate *c = work->order[i];
        if (c->silent && !c->culled && c->square <= reach * reach) {
            ball_touch touch = touch_of(work, c);
            add_touch(work, &touch);
        }
    }
}

static void touch_all(ball_work *work) {
    collect(work);
    work->many = work->count > MESH_SET_FEW;
    mesh_edges_init(&work->edges, work->set);
    if (work->many) {
        mesh_taken_init(&work->taken, work->count - work->culled_count);
        mesh_taken_init(&work->culled, work->culled_count);
        const ball_settings *s = work->settings;
        mesh_near_init(&work->near, triangle_of, work, work->count, 1.01 * (s->radius + s->margin + s->rounding + s->bulge), s->same);
    }
    for (int32_t i = 0; i < work->count; ++i) {
        take(work, i);
    }
    take_nearest_silent(work);
    mesh_edges_free(&work->edges);
    if (work->many) {
        mesh_taken_free(&work->taken);
        mesh_taken_free(&work->culled);
        mesh_near_free(&work->near);
        cells_free(&work->places);
    }
}

bool mesh_ball(const mesh_set *set, const ball_settings *settings, ball_found *found, void *context) {
    candidate few[MESH_SET_FEW];
    candidate *few_in_order[MESH_SET_FEW];
    ball_touch few_touches[MESH_SET_FEW];
    bool many = set->count > MESH_SET_FEW;
    ball_work work = {.set = set, .settings = settings, .candidate = few, .order = few_in_order, .touch = few_touches};
    if (many) {
        work.order = memory_allocate((size_t)set->count, sizeof *work.order);
        work.candidate = memory_allocate((size_t)set->count, sizeof *work.candidate);
        work.touch = memory_allocate((size_t)set->count, sizeof *work.touch);
    }
    bool fine = work.candidate != NULL && work.order != NULL && work.touch != NULL;
    if (fine) {
        touch_all(&work);
        for (int32_t i = 0; i < work.touch_count; ++i) {
            found(context, &work.touch[i]);
        }
    }
    if (many) {
        memory_release(work.candidate);
        memory_release(work.order);
        memory_release(work.touch);
    }
    return fine;
}
