/* Contacts of an edge or a vertex of a box: see sharp.h. A's frame, so that the gaps do not depend on the frame of the bodies. Positions are relative to the
 * centre of the box whose face takes part, or to that of A. */
#include "narrow/box/sharp.h"

#include "base/real.h"
#include "narrow/normal/box_features.h"
#include "narrow/patch/contact_list.h"

/* Which feature of a box takes part. */
typedef struct sharp_side {
    const box_body *body;
    int face, edge; /* axes; -1 for none. Without both it is the vertex */
    int32_t vertex; /* the farthest one */
} sharp_side;

static abut_vec3 normal_of_lane(const box_bodies *bodies, const box_answers *answers, int lane) {
    int axis = (int)answers->axis[lane];
    if (axis == 6) {
        return abut_unit(abut_vec3_make(answers->edges[0][lane], answers->edges[1][lane], answers->edges[2][lane]));
    }
    abut_vec3 along = *box_axis(axis < 3 ? bodies->a.rotation : bodies->b.rotation, axis < 3 ? axis : axis - 3);
    return abut_dot(along, *bodies->b.position) < 0.0 ? abut_neg(along) : along;
}

static inline sharp_side side_of(const box_body *body, abut_vec3 outward, double sine) {
    abut_vec3 local = abut_mat3_apply_transposed(*body->rotation, outward);
    const double d[3] = {local.x, local.y, local.z};
    sharp_side side = {body, box_face_axis_within(local, box_face_limit(body->shape, sine)), -1, box_vertex_along(d)};
    side.edge = box_edge_axis(local, sine) | -(int)(side.face >= 0);
    return side;
}

/* Vectors that were just written are read back fast only in pieces of the same size, and so not through the stack. */
static inline abut_vec3 copy_of(const abut_vec3 *v) { return abut_vec3_make(v->x, v->y, v->z); }

static abut_vec3 vertex_at(const box_body *body, int32_t vertex, const abut_vec3 *middle) {
    static const double sense[2] = {-1.0, 1.0};
    const abut_vec3 *half = &body->shape->half;
    const abut_mat3 *turn = body->rotation;
    abut_vec3 centre = copy_of(middle);
    centre = abut_add_scaled(centre, sense[vertex & 1] * half->x, turn->x);
    centre = abut_add_scaled(centre, sense[vertex >> 1 & 1] * half->y, turn->y);
    return abut_add_scaled(centre, sense[vertex >> 2 & 1] * half->z, turn->z);
}

/* What all contacts of a pair share. */
typedef struct sharp_pair {
    const box_body *a;   /* in the frame of the contacts */
    abut_vec3 direction; /* unit, from A to B */
    abut_vec3 normal;    /* in the frame of the contacts */
    double weld;         /* points nearer to a border are left to the general path */
    double most, shown;  /* contacts have no larger gap; the deepest one is as deep as `shown` */
    bool a_first;
} sharp_pair;

/* A feature. Its numbers are kept apart, for the same reason. */
typedef struct sharp_name {
    abut_feature_kind kind;
    int32_t index;
} sharp_name;

static inline uint64_t code_of(sharp_name name) { return (uint64_t)name.kind << 61 ^ (uint64_t)(uint32_t)name.index; }

static inline void set_feature(sharp_name name, abut_feature *feature) {
    feature->kind = name.kind;
    feature->index = name.index;
    feature->part = 0;
}

static void write(const sharp_pair *p, const abut_vec3 *on_a, const abut_vec3 *on_b, double gap, sharp_name a, sharp_name b,
                  abut_contact *contact) {
    uint64_t code_a = code_of(a), code_b = code_of(b);
    contact->on_a = abut_add(abut_mat3_apply(*p->a->rotation, *on_a), *p->a->position);
    contact->on_b = abut_add(abut_mat3_apply(*p->a->rotation, *on_b), *p->a->position);
    contact->normal = copy_of(&p->normal);
    contact->gap = gap;
    contact->area = 0.0;
    set_feature(a, &contact->feature_a);
    set_feature(b, &contact->feature_b);
    contact->id = contact_mix(contact_mix(p->a_first ? code_a : code_b) + (p->a_first ? code_b : code_a)); /* contact_id() */
    contact->patch = 0;
    contact->flags = 0;
}

/* ---- a vertex or an edge on a face ---- */

/* A face, and its coordinates x and y. */
typedef struct sharp_face {
    const box_body *body;
    int axis, first, second;
    bool up;
    abut_vec3 normal, x, y, way; /* way: unit, along the contact normal out of the box */
    double h[2], offset, cosine;
    bool of_b;
} sharp_face;

/* A point of the other box, and its foot on the face along the contact normal. side: of the face where the edge crosses it, or -1. */
typedef struct sharp_point {
    abut_vec3 at, foot;
    double height, q[2];
    int32_t end; /* vertex; -1 between the ends */
    int side;
} sharp_point;

static inline void set_face(const sharp_side *side, const abut_vec3 *direction, bool of_b, sharp_face *f) {
    static const int next[5] = {1, 2, 0, 1, 2};
    int i = side->face, j = next[i], k = next[i + 1];
    const box_body *body = side->body;
    abut_vec3 along = *box_axis(body->rotation, i);
    f->body = body;
    f->axis = i;
    f->first = j;
    f->second = k;
    f->up = side->vertex >> i & 1;
    f->way = of_b ? abut_neg(*direction) : copy_of(direction);
    f->of_b = of_b;
    f->normal = f->up ? along : abut_neg(along);
    f->x = *box_axis(body->rotation, j);
    f->y = *box_axis(body->rotation, k);
    f->h[0] = box_half(body->shape, j);
    f->h[1] = box_half(body->shape, k);
    f->offset = box_half(body->shape, i);
    f->cosine = abut_dot(f->normal, f->way);
}

static inline void set_point(const sharp_face *f, const abut_vec3 *at, int32_t end, int side, sharp_point *p) {
    p->at = copy_of(at);
    p->height = (abut_dot(f->normal, *at) - f->offset) / f->cosine;
    p->end = end;
    p->side = side;
    p->foot = abut_add_scaled(*at, -p->height, f->way);
    p->q[0] = abut_dot(f->x, p->foot);
    p->q[1] = abut_dot(f->y, p->foot);
}

/* Whether the foot is clear of the face's sides, but for the one on which it lies. */
static bool is_clear(const sharp_face *f, const sharp_point *p, double weld) {
    bool clear = true;
    for (int c = 0; c < 2; ++c) {
        clear = clear && (p->side >> 1 == c || f->h[c] - fabs(p->q[c]) > weld);
    }
    return clear;
}

static sharp_name name_on_face(const sharp_face *f, int side) {
    if (side < 0) {
        return (sharp_name){ABUT_FEATURE_FACE, 2 * f->axis + f->up};
    }
    int across = side >> 1 == 0 ? f->first : f->second, along = side >> 1 == 0 ? f->second : f->first;
    return (sharp_name){ABUT_FEATURE_EDGE, box_edge_along(along, f->up << f->axis | (side & 1) << across)};
}

static void write_on_face(const sharp_pair *pair, const sharp_face *f, const sharp_side *other, const sharp_point *p,
                          abut_contact *contact) {
    abut_vec3 on_face = abut_add(p->foot, *f->body->position), on_other = abut_add(p->at, *f->body->position);
    bool edge = p->end < 0;
    sharp_name own = name_on_face(f, p->side),
               sharp = {edge ? ABUT_FEATURE_EDGE : ABUT_FEATURE_VERTEX, edge ? box_edge_along(other->edge, other->vertex) : p->end};
    write(pair, f->of_b ? &on_other : &on_face, f->of_b ? &on_face : &on_other, p->height, f->of_b ? sharp : own, f->of_b ? own : sharp,
          contact);
}

/* The part of an edge over the face (Liang and Barsky 1984). False when there is none. t: along the edge; side: 2 c + 1 of the upper side across coordinate c,
 * 2 c of the lower one, or -1 at an end of the edge. */
static bool clip_edge(const sharp_face *f, const sharp_point end[2], double t[2], int side[2]) {
    t[0] = 0.0;
    t[1] = 1.0;
    side[0] = side[1] = -1;
    for (int n = 0; n < 4; ++n) {
        int c = n >> 1;
        double sign = n & 1 ? 1.0 : -1.0, from = f->h[c] - sign * end[0].q[c], to = f->h[c] - sign * end[1].q[c];
        if (from < 0.0 && to < 0.0) {
            return false;
        }
        if (from < 0.0 || to < 0.0) {
            int which = from < 0.0 ? 0 : 1;
            double at = from / (from - to);
            if (which == 0 ? at > t[0] : at < t[1]) {
                t[which] = at;
                side[which] = n;
            }
        }
    }
    return t[0] < t[1];
}

static int32_t write_edge(const sharp_pair *pair, const sharp_face *f, const sharp_side *other, const abut_vec3 *centre,
                          abut_contact *contacts) {
    sharp_point end[2], between;
    double t[2], weld = pair->weld;
    int side[2];
    for (int n = 0; n < 2; ++n) {
        int32_t vertex = (other->vertex & ~(1 << other->edge)) | n << other->edge;
        const abut_vec3 at = vertex_at(other->body, vertex, centre);
        set_point(f, &at, vertex, -1, &end[n]);
    }
    if (!clip_edge(f, end, t, side)) {
        return 0;
    }
    double dx = end[1].q[0] - end[0].q[0], dy = end[1].q[1] - end[0].q[1], length = sqrt(dx * dx + dy * dy), deepest = INFINITY;
    bool clear = (t[1] - t[0]) * length > weld;
    int32_t count = 0;
    for (int n = 0; n < 2 && clear; ++n) {
        const sharp_point *point = &end[n];
        if (side[n] >= 0) {
            const abut_vec3 at = abut_add_scaled(end[0].at, t[n], abut_sub(end[1].at, end[0].at));
            set_point(f, &at, -1, side[n], &between);
            point = &between;
        }
        clear = is_clear(f, point, weld) && (side[n] < 0 || (t[n] * length > weld && (1.0 - t[n]) * length > weld));
        deepest = real_min(deepest, point->height);
        if (point->height <= pair->most) {
            write_on_face(pair, f, other, point, &contacts[count++]);
        }
    }
    return clear && deepest <= pair->shown ? count : 0;
}

static int32_t write_vertex(const sharp_pair *pair, const sharp_face *f, const sharp_side *other, const abut_vec3 *centre,
                            abut_contact *contacts) {
    const abut_vec3 at = vertex_at(other->body, other->vertex, centre);
    sharp_point p;
    set_point(f, &at, other->vertex, -1, &p);
    if (!is_clear(f, &p, pair->weld) || p.height > real_min(pair->most, pair->shown)) {
        return 0;
    }
    write_on_face(pair, f, other, &p, &contacts[0]);
    return 1;
}

/* ---- two edges ---- */

static int32_t write_crossing(const sharp_pair *pair, const sharp_side *a, const sharp_side *b, double parallel, abut_contact *contacts) {
    int32_t low_a = a->vertex & ~(1 << a->edge), low_b = b->vertex & ~(1 << b->edge);
    abut_vec3 p = vertex_at(a->body, low_a, a->body->position), q = vertex_at(b->body, low_b, b->body->position);
    double length_a = 2.0 * box_half(a->body->shape, a->edge), length_b = 2.0 * box_half(b->body->shape, b->edge);
    abut_vec3 u = *box_axis(a->body->rotation, a->edge), v = *box_axis(b->body->rotation, b->edge), w = abut_sub(q, p);
    double across = abut_dot(abut_cross(u, v), pair->direction);
    if (across * across <= parallel * parallel) {
        return 0;
    }
    double s = abut_dot(abut_cross(w, v), pair->direction) / across, t = abut_dot(abut_cross(w, u), pair->direction) / across;
    if (real_min(real_min(s, length_a - s), real_min(t, length_b - t)) <= pair->weld) {
        return 0;
    }
    abut_vec3 on_a = abut_add_scaled(p, s, u), on_b = abut_add_scaled(q, t, v);
    double gap = abut_dot(pair->direction, abut_sub(on_b, on_a));
    if (gap > real_min(pair->most, pair->shown)) {
        return 0;
    }
    const sharp_name name_a = {ABUT_FEATURE_EDGE, box_edge_along(a->edge, low_a)},
                     name_b = {ABUT_FEATURE_EDGE, box_edge_along(b->edge, low_b)};
    write(pair, &on_a, &on_b, gap, name_a, name_b, &contacts[0]);
    return 1;
}

/* ---- any ---- */

static int32_t write_contacts(const sharp_pair *pair, const sharp_side *a, const sharp_side *b, double sine, abut_contact *contacts) {
    if (a->face < 0 && b->face < 0) {
        return a->edge >= 0 && b->edge >= 0 ? write_crossing(pair, a, b, real_max(sine, FEATURE_EXACT_SINE), contacts) : 0;
    }
    if (a->face >= 0 && b->face >= 0) {
        return 0;
    }
    bool of_b = b->face >= 0;
    const sharp_side *faced = of_b ? b : a, *other = of_b ? a : b;
    sharp_face f;
    set_face(faced, &pair->direction, of_b, &f);
    abut_vec3 centre = abut_sub(*other->body->position, *faced->body->position);
    return other->edge >= 0 ? write_edge(pair, &f, other, &centre, contacts) : write_vertex(pair, &f, other, &centre, contacts);
}

int32_t box_sharp_write(const box_bodies *bodies, const box_answers *answers, int lane, double margin, double sine,
                        abut_contact contacts[SHARP_CONTACTS]) {
    const abut_shape *shape_a = bodies->a.shape, *shape_b = bodies->b.shape;
    const abut_mat3 turn_a = abut_mat3_identity(), turn_b = box_contacts_turn(answers, lane);
    const abut_vec3 origin = {0.0, 0.0, 0.0}, centre = box_contacts_centre(answers, lane);
    const box_bodies placed = {.a = {shape_a, &turn_a, &origin}, .b = {shape_b, &turn_b, &centre}};
    double depth = answers->depth[lane], scale = shape_a->size + shape_b->size;
    double wide = patch_wide_sine(sine, depth, real_min(shape_a->size, shape_b->size));
    sharp_pair pair = {.a = &bodies->a, .direction = normal_of_lane(&placed, answers, lane), .weld = 2.0 * bodies->weld + 1e-12 * scale};
    pair.normal = abut_unit(abut_mat3_apply(*bodies->a.rotation, abut_neg(pair.direction)));
    pair.most = margin + CONTACT_ROUNDING * scale;
    pair.shown = -depth + (depth < 0.0 ? 3e-15 * (scale - depth) : 6e-14 * scale);
    pair.a_first = bodies->order < 0 || (bodies->order == 0 && abut_dot(bodies->aside, pair.normal) > 0.0);
    const sharp_side a = side_of(&placed.a, pair.direction, wide), b = side_of(&placed.b, abut_neg(pair.direction), wide);
    return write_contacts(&pair, &a, &b, sine, contacts);
}
