/* Contacts of two boxes from the kernel's answer: see contacts.h. The reference frame and the places of corners are those of kernel.h. */
#include "narrow/box/contacts.h"

#include "base/bits.h"
#include "narrow/normal/box_features.h"
#include "narrow/patch/contact_list.h"

/* ---- faces ---- */

/* The axes along which a face extends, and their senses. Corner n lies between the sides n and n + 1. */
typedef struct face_sides {
    int normal, first, second;
    bool out, first_up, second_up;
} face_sides;

static inline int32_t vertex_of(const face_sides *s, int n) {
    bool up_first = n == 0 || n == 3, up_second = n < 2;
    return s->out << s->normal | (up_first == s->first_up) << s->first | (up_second == s->second_up) << s->second;
}

static inline int32_t edge_of(const face_sides *s, int n) { return box_edge_along(n % 2 == 0 ? s->second : s->first, vertex_of(s, n)); }

/* Which of its axes the sides U and V of the parallelogram follow: the kernel turns them by quarters, after exchanging them where the axis points away. */
static face_sides incident_sides(const box_answers *answers, int lane) {
    int m = (int)answers->across[lane], first = (int)answers->first[lane], quarter = first & 3;
    int a = (m + (first >= 4 ? 2 : 1)) % 3, b = (m + (first >= 4 ? 1 : 2)) % 3;
    bool odd = quarter == 1 || quarter == 3;
    return (face_sides){m, odd ? b : a, odd ? a : b, answers->turned[lane] > 0.0, quarter < 2, quarter == 0 || quarter == 3};
}

/* ---- the reference frame ---- */

typedef struct patch_frame {
    abut_vec3 x, y, out;                                    /* unit; out points to the incident box */
    abut_vec3 base;                                         /* of the reference face's middle, from the centre of the reference box */
    abut_vec3 position;                                     /* of that box */
    double h[2];                                            /* half sizes of its face */
    double middle[2], u[2], v[2], across_u[2], across_v[2]; /* across_u: unit, across side V, towards U */
    double most_u, most_v;
    double weld; /* length */
    face_sides own, incident;
    bool of_b; /* the reference box is B */
} patch_frame;

static abut_vec3 axis_of(const box_body *body, int axis) {
    return axis == 0 ? body->rotation->x : axis == 1 ? body->rotation->y : body->rotation->z;
}

static double half_of(const box_body *body, int axis) {
    const abut_vec3 *half = &body->shape->half;
    return axis == 0 ? half->x : axis == 1 ? half->y : half->z;
}

static void set_parallelogram(const box_answers *answers, int lane, patch_frame *f) {
    for (int c = 0; c < 2; ++c) {
        f->middle[c] = answers->middle[c][lane];
        f->u[c] = answers->u[c][lane];
        f->v[c] = answers->v[c][lane];
    }
    double area = f->u[0] * f->v[1] - f->u[1] * f->v[0];
    double inverse_u = 1.0 / sqrt(f->u[0] * f->u[0] + f->u[1] * f->u[1]), inverse_v = 1.0 / sqrt(f->v[0] * f->v[0] + f->v[1] * f->v[1]);
    f->across_u[0] = f->v[1] * inverse_v;
    f->across_u[1] = -f->v[0] * inverse_v;
    f->across_v[0] = -f->u[1] * inverse_u;
    f->across_v[1] = f->u[0] * inverse_u;
    f->most_u = area * inverse_v;
    f->most_v = area * inverse_u;
}

static void set_frame(const box_bodies *bodies, const box_answers *answers, int lane, patch_frame *f) {
    int axis = (int)answers->axis[lane], i = axis % 3, j = (i + 1) % 3, k = (i + 2) % 3;
    double sense = answers->sense[lane];
    f->of_b = axis >= 3;
    const box_body *own = f->of_b ? &bodies->b : &bodies->a;
    f->x = axis_of(own, j);
    f->y = axis_of(own, k);
    abut_vec3 up = axis_of(own, i), out = abut_scale(answers->out[2][lane], up);
    f->out = abut_add_scaled(abut_add_scaled(out, answers->out[0][lane], f->x), answers->out[1][lane], f->y);
    f->base = abut_scale(sense * half_of(own, i), up);
    f->position = *own->position;
    f->h[0] = half_of(own, j);
    f->h[1] = half_of(own, k);
    f->own = (face_sides){i, j, k, sense > 0.0, true, true};
    f->incident = incident_sides(answers, lane);
    f->weld = bodies->weld;
    set_parallelogram(answers, lane, f);
}

/* ---- names ---- */

/* The feature of a face at a point that was made from it: a corner from 0 on, a side from 4 on, or the inside. */
enum { PLACE_SIDE = 4, PLACE_INSIDE = 8 };

/* A point in the coordinates of a face: how far it is inside of the nearer side of each pair, and which one that is. */
typedef struct face_point {
    double off[2];      /* from the sides 0 and 2, and from 1 and 3 */
    double from_corner; /* squared distance from the nearest corner */
    bool up[2];         /* nearer to side 0 than to 2, and to 1 than to 3 */
} face_point;

/* A feature of a face. */
typedef struct face_name {
    abut_feature_kind kind;
    int32_t index;
} face_name;

/* Corners and sides within the weld distance stand for the point, however it was made: where corners or sides of both boxes coincide, rounding error would
 * decide otherwise. place: a side or the inside. */
static face_name name_at(const face_sides *face, int place, const face_point *p, double weld) {
    if (p->from_corner <= weld * weld) {
        return (face_name){ABUT_FEATURE_VERTEX, vertex_of(face, p->up[1] ? (p->up[0] ? 0 : 1) : (p->up[0] ? 3 : 2))};
    }
    if (place < PLACE_INSIDE) {
        return (face_name){ABUT_FEATURE_EDGE, edge_of(face, place - PLACE_SIDE)};
    }
    if (p->off[0] > weld && p->off[1] > weld) {
        return (face_name){ABUT_FEATURE_FACE, 2 * face->normal + face->out};
    }
    int nearest = p->off[0] <= p->off[1] ? (p->up[0] ? 0 : 2) : (p->up[1] ? 1 : 3);
    return (face_name){ABUT_FEATURE_EDGE, edge_of(face, nearest)};
}

static face_point own_point(const patch_frame *f, double x, double y) {
    face_point p = {{f->h[0] - fabs(x), f->h[1] - fabs(y)}, 0.0, {x > 0.0, y > 0.0}};
    p.from_corner = p.off[0] * p.off[0] + p.off[1] * p.off[1];
    return p;
}

static face_point incident_point(const patch_frame *f, double x, double y) {
    double dx = x - f->middle[0], dy = y - f->middle[1];
    double along_u = f->across_u[0] * dx + f->across_u[1] * dy, along_v = f->across_v[0] * dx + f->across_v[1] * dy;
    face_point p = {{f->most_u - fabs(along_u), f->most_v - fabs(along_v)}, 0.0, {along_u > 0.0, along_v > 0.0}};
    double cx = dx - (p.up[0] ? f->u[0] : -f->u[0]) - (p.up[1] ? f->v[0] : -f->v[0]);
    double cy = dy - (p.up[0] ? f->u[1] : -f->u[1]) - (p.up[1] ? f->v[1] : -f->v[1]);
    p.from_corner = cx * cx + cy * cy;
    return p;
}

static inline face_name own_name(const patch_frame *f, int place, double x, double y) {
    if (place < PLACE_SIDE) {
        return (face_name){ABUT_FEATURE_VERTEX, vertex_of(&f->own, place)};
    }
    const face_point p = own_point(f, x, y);
    return name_at(&f->own, place, &p, f->weld);
}

static inline face_name incident_name(const patch_frame *f, int place, double x, double y) {
    if (place < PLACE_SIDE) {
        return (face_name){ABUT_FEATURE_VERTEX, vertex_of(&f->incident, place)};
    }
    const face_point p = incident_point(f, x, y);
    return name_at(&f->incident, place, &p, f->weld);
}

/* Whether the name is that of the place where the point was made, or that of another feature within the weld distance. */
static inline bool is_renamed(int place, face_name name) {
    return name.kind != (place < PLACE_SIDE ? ABUT_FEATURE_VERTEX : place < PLACE_INSIDE ? ABUT_FEATURE_EDGE : ABUT_FEATURE_FACE);
}

/* From which places of both faces the corner of the polygon was made: see kernel.h. */
static void places_of(int n, bool wide, int *own, int *incident) {
    int turn = n >> 2, next = (turn + 1) & 3;
    switch (n & 3) {
    case 0:
        *own = PLACE_SIDE + (wide ? next : turn);
        *incident = PLACE_SIDE + (wide ? (turn + 3) & 3 : turn);
        break;
    case 1:
        *own = turn;
        *incident = PLACE_INSIDE;
        break;
    case 2:
        *own = PLACE_SIDE + (wide ? turn : next);
        *incident = PLACE_SIDE + (wide ? next : turn);
        break;
    default:
        *own = PLACE_INSIDE;
        *incident = turn;
        break;
    }
}

/* ---- contacts ---- */

/* A corner of the polygon in which the faces meet. */
typedef struct patch_corner {
    int own, incident; /* places of both faces */
    double x, y, height;
} patch_corner;

static patch_corner corner_of(const box_answers *answers, int lane, int n) {
    patch_corner corner = {.x = answers->x[n][lane], .y = answers->y[n][lane], .height = answers->height[n][lane]};
    places_of(n, ((unsigned)answers->wide[lane] >> n & 1u) != 0u, &corner.own, &corner.incident);
    return corner;
}

static inline void set_feature(face_name name, abut_feature *feature) {
    feature->kind = name.kind;
    feature->index = name.index;
    feature->part = 0;
}

/* Returns whether a feature within the weld distance has given its name. */
static bool write_contact(const patch_frame *f, const patch_corner *corner, abut_vec3 normal, bool a_first, abut_contact *contact) {
    double x = corner->x, y = corner->y;
    face_name on_own = own_name(f, corner->own, x, y), on_incident = incident_name(f, corner->incident, x, y);
    face_name on_a = f->of_b ? on_incident : on_own, on_b = f->of_b ? on_own : on_incident;
    abut_vec3 own = abut_add_scaled(abut_add_scaled(f->base, x, f->x), y, f->y), other = abut_add_scaled(own, corner->height, f->out);
    contact->on_a = abut_add(f->of_b ? other : own, f->position);
    contact->on_b = abut_add(f->of_b ? own : other, f->position);
    contact->normal = normal;
    contact->gap = corner->height;
    contact->area = 0.0;
    set_feature(on_a, &contact->feature_a);
    set_feature(on_b, &contact->feature_b);
    contact->id = contact_id((abut_feature){on_a.kind, on_a.index, 0}, (abut_feature){on_b.kind, on_b.index, 0}, a_first);
    contact->patch = 0;
    contact->flags = 0;
    return is_renamed(corner->own, on_own) || is_renamed(corner->incident, on_incident);
}

/* Names of places are different. Those within the weld distance may be alike. */
static bool are_ids_unique(const abut_contact *contacts, int32_t count) {
    for (int32_t i = 0; i < count; ++i) {
        for (int32_t k = i + 1; k < count; ++k) {
            if (contacts[i].id == contacts[k].id) {
                return false;
            }
        }
    }
    return true;
}

int32_t box_contacts_write(const box_bodies *bodies, const box_answers *answers, int lane, abut_contact contacts[BOX_CONTACTS]) {
    patch_frame f;
    planar_point point[BOX_PLACES];
    unsigned left = (unsigned)answers->present[lane];
    if (left == 0u) {
        return 0;
    }
    set_frame(bodies, answers, lane, &f);
    abut_vec3 normal = abut_unit(f.of_b ? f.out : abut_neg(f.out));
    bool a_first = bodies->order < 0 || (bodies->order == 0 && abut_dot(bodies->aside, normal) > 0.0);
    /* Places run counter-clockwise about axis i. Contacts run so about the normal, which may point the other way: then they are seen from the other side. */
    bool along = (answers->sense[lane] > 0.0) == f.of_b;
    double cosine = answers->cosine[lane]; /* areas are those across the normal */
    int32_t count = 0;
    bool renamed = false;
    while (left != 0u) {
        int n = along ? bits_lowest(left) : bits_highest(left);
        patch_corner corner = corner_of(answers, lane, n);
        left &= ~(1u << n);
        point[count].x = (along ? cosine : -cosine) * corner.x;
        point[count].y = corner.y;
        renamed |= write_contact(&f, &corner, normal, a_first, &contacts[count]);
        ++count;
    }
    patch_share_area(point, count, contacts);
    count = patch_weld(contacts, count, bodies->weld);
    return !renamed || are_ids_unique(contacts, count) ? count : 0;
}

abut_mat3 box_contacts_turn(const box_answers *answers, int lane) {
    abut_mat3 turn;
    turn.x = abut_vec3_make(answers->turn[0][lane], answers->turn[3][lane], answers->turn[6][lane]);
    turn.y = abut_vec3_make(answers->turn[1][lane], answers->turn[4][lane], answers->turn[7][lane]);
    turn.z = abut_vec3_make(answers->turn[2][lane], answers->turn[5][lane], answers->turn[8][lane]);
    return turn;
}

abut_vec3 box_contacts_centre(const box_answers *answers, int lane) {
    return abut_vec3_make(answers->centre[0][lane], answers->centre[1][lane], answers->centre[2][lane]);
}

abut_vec3 box_contacts_axis(const box_answers *answers, int lane) {
    const double r[9] = {answers->turn[0][lane], answers->turn[1][lane], answers->turn[2][lane],
                         answers->turn[3][lane], answers->turn[4][lane], answers->turn[5][lane],
                         answers->turn[6][lane], answers->turn[7][lane], answers->turn[8][lane]};
    const abut_vec3 centre = box_contacts_centre(answers, lane);
    int axis = (int)answers->axis[lane];
    double along[3] = {0.0, 0.0, 0.0};
    if ((box_verdict)answers->verdict[lane] == BOX_APART_EDGES) {
        int i = axis / 3, j = axis % 3, k = (i + 1) % 3, l = (i + 2) % 3;
        along[k] = -r[3 * l + j];
        along[l] = r[3 * k + j];
    } else if (axis < 3) {
        along[axis] = 1.0;
    } else {
        for (int i = 0; i < 3; ++i) {
            along[i] = r[3 * i + axis - 3];
        }
    }
    abut_vec3 direction = abut_vec3_make(along[0], along[1], along[2]);
    return abut_dot(direction, centre) < 0.0 ? abut_neg(direction) : direction;
}
