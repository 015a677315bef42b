/* Contacts of two boxes from the kernel's answer: see contacts.h. The reference frame and the places of corners are those of kernel.h. */
#include "narrow/box/contacts.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/bits.h"
#include "narrow/box/points.h"
#include "narrow/patch/contact_list.h"

static_assert(offsetof(abut_contact, feature_a) == (BOX_POINT_NUMBERS - 1) * sizeof(double), "eleven numbers come first");

/* Axis n + 1 in turn. */
static const int next_axis[5] = {1, 2, 0, 1, 2};

/* ---- faces ---- */

/* A place of a face: a corner from 0 on, a side from 4 on, or the inside. Corner n lies between the sides n and n + 1. */
enum { PLACE_SIDE = 4, PLACE_INSIDE = 8, FACE_PLACES };

enum { FACE = ABUT_FEATURE_FACE, EDGE = ABUT_FEATURE_EDGE, VERTEX = ABUT_FEATURE_VERTEX };
static const int8_t kind_at[FACE_PLACES] = {VERTEX, VERTEX, VERTEX, VERTEX, EDGE, EDGE, EDGE, EDGE, FACE};

/* Indices of the features at the places of a face, from the lowest four bits on. */
typedef uint64_t face_names;

/* By the axis across the face, the sense in which it looks, and `first` of box_answers. The corner 0 is the one where both coordinates are largest. With the
 * last number 0 the face extends along the next two axes: as the reference face. Otherwise the sides U and V of the parallelogram follow its axes after turns
 * by quarters, and are exchanged before from 4 on. */
static const face_names names_of[3][2][8] = {
    {{0x012962046, 0x061296204, 0x096124620, 0x029610462, 0x021694026, 0x092166402, 0x069212640, 0x016920264},
     {0x134a73157, 0x1734a7315, 0x1a7345731, 0x14a731573, 0x1437a5137, 0x1a4377513, 0x17a433751, 0x137a41375}},
    {{0x220484015, 0x282045401, 0x248201540, 0x204820154, 0x202841045, 0x240285104, 0x284024510, 0x228400451},
     {0x3657b6237, 0x3b6577623, 0x37b653762, 0x357b62376, 0x356b73267, 0x3756b7326, 0x3b7566732, 0x36b752673}},
    {{0x401531023, 0x430153102, 0x453012310, 0x415300231, 0x410352013, 0x451033201, 0x435101320, 0x403510132},
     {0x589ba5467, 0x5a89b7546, 0x5ba896754, 0x59ba84675, 0x598ab6457, 0x5b98a7645, 0x5ab985764, 0x58ab94576}}};

static inline face_names name_incident(const box_answers *answers, int lane) {
    return names_of[(int)answers->across[lane]][answers->turned[lane] > 0.0][(int)answers->first[lane]];
}

static inline int32_t index_at(face_names names, int place) { return (int32_t)(names >> 4 * place & 15u); }

/* ---- the reference frame ---- */

/* The patch of a pair. */
typedef struct face_patch {
    box_frame frame;
    face_names own, incident;
    bool of_b; /* the reference box is B */
} face_patch;

static inline void put(abut_vec3 v, double to[3]) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static void set_parallelogram(const box_answers *answers, int lane, box_frame *f) {
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

/* The distance across the normal is at least 0.59 times the one in the reference frame, however far the face leans, up to rounding error. */
static inline double clear_square(const box_bodies *bodies, abut_vec3 position) {
    double far = fabs(position.x) + fabs(position.y) + fabs(position.z) + bodies->a.shape->size + bodies->b.shape->size;
    double distance = 2.0 * bodies->weld + 1e-13 * far;
    return distance * distance;
}

/* Returns the normal of the contacts. */
static abut_vec3 set_patch(const box_bodies *bodies, const box_answers *answers, int lane, face_patch *p) {
    int axis = (int)answers->axis[lane], i = axis >= 3 ? axis - 3 : axis, j = next_axis[i], k = next_axis[i + 1];
    double sense = answers->sense[lane];
    box_frame *f = &p->frame;
    p->of_b = axis >= 3;
    const box_body *own = p->of_b ? &bodies->b : &bodies->a;
    abut_vec3 x = *box_axis(own->rotation, j), y = *box_axis(own->rotation, k), up = *box_axis(own->rotation, i),
              out = abut_scale(answers->out[2][lane], up);
    out = abut_add_scaled(abut_add_scaled(out, answers->out[0][lane], x), answers->out[1][lane], y);
    abut_vec3 normal = abut_unit(p->of_b ? out : abut_neg(out));
    put(x, f->x);
    put(y, f->y);
    put(out, f->out);
    put(abut_scale(sense * box_half(own->shape, i), up), f->base);
    put(*own->position, f->position);
    put(normal, f->normal);
    f->h[0] = box_half(own->shape, j);
    f->h[1] = box_half(own->shape, k);
    f->weld = bodies->weld;
    f->clear = clear_square(bodies, *own->position);
    f->of_b = p->of_b ? 1.0 : 0.0;
    set_parallelogram(answers, lane, f);
    p->own = names_of[i][sense > 0.0][0];
    p->incident = name_incident(answers, lane);
    return normal;
}

/* ---- names ---- */

/* Corners and sides within the weld distance stand for the point, however it was made: where corners or sides of both boxes coincide, rounding error would
 * decide otherwise. */
static inline int place_at(int place, const box_spots *spots, unsigned bit) {
    if (place < PLACE_SIDE) {
        return place;
    }
    bool right = (spots->up[0] & bit) != 0u, upper = (spots->up[1] & bit) != 0u;
    if ((spots->corner & bit) != 0u) {
        return upper ? (right ? 0 : 1) : (right ? 3 : 2);
    }
    if (place < PLACE_INSIDE || (spots->inside & bit) != 0u) {
        return place;
    }
    return PLACE_SIDE + ((spots->nearer & bit) != 0u ? (right ? 0 : 2) : (upper ? 1 : 3));
}

/* From which places of both faces a corner of the polygon is made, and from which ones a wide crossing: see kernel.h. */
typedef struct made_from {
    int8_t own, incident;
} made_from;

static const made_from corner_from[2][BOX_PLACES] = {
    {{4, 4}, {0, 8}, {5, 4}, {8, 0}, {5, 5}, {1, 8}, {6, 5}, {8, 1}, {6, 6}, {2, 8}, {7, 6}, {8, 2}, {7, 7}, {3, 8}, {4, 7}, {8, 3}},
    {{5, 7}, {0, 8}, {4, 5}, {8, 0}, {6, 4}, {1, 8}, {5, 6}, {8, 1}, {7, 5}, {2, 8}, {6, 7}, {8, 2}, {4, 6}, {3, 8}, {7, 4}, {8, 3}}};

/* ---- contacts ---- */

/* Gives points the names of features within the weld distance. Returns whether there are any. */
static bool rename_points(const box_points *points, made_from from[BOX_PLACES]) {
    bool renamed = false;
    for (unsigned left = points->renamed; left != 0u; left &= left - 1u) {
        int i = bits_lowest(left), on_own = place_at(from[i].own, &points->own, 1u << i);
        int on_incident = place_at(from[i].incident, &points->incident, 1u << i);
        renamed = renamed || kind_at[from[i].own] != kind_at[on_own] || kind_at[from[i].incident] != kind_at[on_incident];
        from[i] = (made_from){(int8_t)on_own, (int8_t)on_incident};
    }
    return renamed;
}

/* contact_feature_code() */
static inline uint64_t code_of(int32_t kind, int32_t index) { return (uint64_t)kind << 61 ^ (uint64_t)index; }

static inline void set_feature(int32_t kind, int32_t index, abut_feature *feature) {
    feature->kind = (abut_feature_kind)kind;
    feature->index = index;
    feature->part = 0;
}

/* Writes what the kernel does not. own_first: the reference box comes first in the order of the shapes. */
static inline void name_contact(const face_patch *p, made_from from, bool own_first, abut_contact *contact) {
    int32_t kind_own = kind_at[from.own], kind_incident = kind_at[from.incident];
    int32_t own = index_at(p->own, from.own), incident = index_at(p->incident, from.incident);
    uint64_t code_own = code_of(kind_own, own), code_incident = code_of(kind_incident, incident);
    set_feature(p->of_b ? kind_incident : kind_own, p->of_b ? incident : own, &contact->feature_a);
    set_feature(p->of_b ? kind_own : kind_incident, p->of_b ? own : incident, &contact->feature_b);
    contact->id = contact_mix(contact_mix(own_first ? code_own : code_incident) + (own_first ? code_incident : code_own));
    contact->patch = 0;
    contact->flags = 0;
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

/* Takes the corners of the polygon in order: along the places, which run counter-clockwise about axis i, or against them. */
static void take_points(const box_answers *answers, int lane, bool along, box_points *points, made_from from[BOX_PLACES],
                        abut_contact *contacts, double spare[BOX_POINT_NUMBERS]) {
    int32_t count = 0;
    unsigned wide = (unsigned)answers->wide[lane];
    for (unsigned left = (unsigned)answers->present[lane]; left != 0u; ++count) {
        int n = along ? bits_lowest(left) : bits_highest(left);
        left &= ~(1u << n);
        points->point[1 + count] = answers->corner[answers->at[n] + lane];
        points->row[count] = (double *)(void *)&contacts[count];
        from[count] = corner_from[wide >> n & 1u][n];
    }
    points->count = count;
    int32_t last = (count + BOX_POINT_LANES - 1) / BOX_POINT_LANES * BOX_POINT_LANES;
    points->point[0] = points->point[count];
    points->point[1 + last] = points->point[1];
    for (int32_t i = count; i < last; ++i) {
        points->point[1 + i] = points->point[1];
        points->row[i] = spare;
    }
}

int32_t box_contacts_write(const box_bodies *bodies, const box_answers *answers, int lane, abut_contact *contacts) {
    face_patch p;
    box_points points;
    made_from from[BOX_PLACES];
    double spare[BOX_POINT_NUMBERS];
    if (box_contacts_count(answers, lane) == 0) {
        return 0;
    }
    abut_vec3 normal = set_patch(bodies, answers, lane, &p);
    bool a_first = bodies->order < 0 || (bodies->order == 0 && abut_dot(bodies->aside, normal) > 0.0);
    /* Contacts run counter-clockwise about the normal, which may point against axis i: then they are seen from the other side. */
    bool along = (answers->sense[lane] > 0.0) == p.of_b;
    double cosine = answers->cosine[lane]; /* areas are those across the normal */
    p.frame.shrink = along ? cosine : -cosine;
    take_points(answers, lane, along, &points, from, contacts, spare);
    box_points_run(&p.frame, &points);
    bool renamed = points.renamed != 0u && rename_points(&points, from);
    const bool own_first = a_first != p.of_b;
    for (int32_t i = 0; i < points.count; ++i) {
        name_contact(&p, from[i], own_first, &contacts[i]);
    }
    int32_t count = points.close ? patch_weld(contacts, points.count, bodies->weld) : points.count;
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
