/* Contacts of one rounded triangle with another, with a whole sphere or with a half-space, singly and in batches. Coordinates are relative
 * to the first corner of A, so that facets far from the origin keep their digits. Normals point from B into A. */
#include <stddef.h>
#include <stdio.h>

#include "base/argument.h"
#include "narrow/facet/facet.h"
#include "narrow/facet/screen.h"

static bool is_finite(const abut_facet_contact *c) {
    return isfinite(-c->sphere_gap) && isfinite(-c->gap) && isfinite(c->area) && abut_vec3_is_finite(c->point) &&
           abut_vec3_is_finite(c->centre);
}

static abut_status finish(const facet_side *a, const facet_side *b, abut_vec3 origin, double reach, abut_facet_contact *contact) {
    abut_facet_contact found = facet_meet(a, b, origin, reach);
    if (!is_finite(&found)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    *contact = found;
    return ABUT_OK;
}

static abut_status meet(const abut_facet *a, const abut_facet *b, double reach, abut_facet_contact *contact) {
    facet_side side_a, side_b;
    abut_status status = facet_make_side(a, a->corner[0], &side_a);
    status = status != ABUT_OK ? status : facet_make_side(b, a->corner[0], &side_b);
    return status != ABUT_OK ? status : finish(&side_a, &side_b, a->corner[0], reach, contact);
}

/* Words for what meet() found: of *a and *b, or of a[index] and b[index] when index is 0 or more. b may be NULL. */
static abut_status refuse_facets(abut_status status, const char *call, int32_t index, const abut_facet *a, const abut_facet *b) {
    const abut_facet *facet[2] = {a, b};
    facet_side side;
    for (int i = 0; i < 2 && facet[i] != NULL; ++i) {
        char place[24];
        (void)snprintf(place, sizeof place, "%c->", "ab"[i]);
        if (index >= 0) {
            (void)snprintf(place, sizeof place, "%c[%d].", "ab"[i], (int)index);
        }
        if (facet_make_side(facet[i], a->corner[0], &side) == status) {
            return facet_refuse(status, call, place, facet[i]);
        }
    }
    return index >= 0 ? refuse(status, call, "a[%d] and b[%d] are too far apart, or too large", (int)index, (int)index)
                      : refuse(status, call, "a and the other surface are too far apart, or too large");
}

static abut_status touch_facet(const char *call, const abut_facet *a, const abut_facet *b, double reach, abut_facet_contact *contact) {
    if (argument_is_null(call, "a", a) || argument_is_null(call, "b", b) || argument_is_null(call, "contact", contact) ||
        argument_is_negative(call, "reach", reach)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (argument_is_not_finite(call, "reach", reach)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    abut_status status = meet(a, b, reach, contact);
    return status == ABUT_OK ? ABUT_OK : refuse_facets(status, call, -1, a, b);
}

abut_status abut_facet_collide(const abut_facet *a, const abut_facet *b, abut_facet_contact *contact) {
    return touch_facet(CALL_NAME, a, b, 0.0, contact);
}

abut_status abut_facet_collide_within(const abut_facet *a, const abut_facet *b, double reach, abut_facet_contact *contact) {
    return touch_facet(CALL_NAME, a, b, reach, contact);
}

static abut_status touch_sphere(const char *call, const abut_facet *a, abut_vec3 centre, double radius, double reach,
                                abut_facet_contact *contact) {
    if (argument_is_null(call, "a", a) || argument_is_null(call, "contact", contact) || argument_is_not_positive(call, "radius", radius) ||
        argument_is_negative(call, "reach", reach)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (argument_is_no_vector(call, "centre", centre) || argument_is_not_finite(call, "radius", radius) ||
        argument_is_not_finite(call, "reach", reach)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    facet_side side_a, side_b = {.centre = abut_sub(centre, a->corner[0]), .radius = radius};
    abut_status status = facet_make_side(a, a->corner[0], &side_a);
    status = status != ABUT_OK ? status : finish(&side_a, &side_b, a->corner[0], reach, contact);
    return status == ABUT_OK ? ABUT_OK : refuse_facets(status, call, -1, a, NULL);
}

abut_status abut_facet_collide_sphere(const abut_facet *a, abut_vec3 centre, double radius, abut_facet_contact *contact) {
    return touch_sphere(CALL_NAME, a, centre, radius, 0.0, contact);
}

abut_status abut_facet_collide_sphere_within(const abut_facet *a, abut_vec3 centre, double radius, double reach,
                                             abut_facet_contact *contact) {
    return touch_sphere(CALL_NAME, a, centre, radius, reach, contact);
}

static abut_status touch_plane(const char *call, const abut_facet *a, abut_vec3 normal, double offset, double reach,
                               abut_facet_contact *contact) {
    if (argument_is_null(call, "a", a) || argument_is_null(call, "contact", contact) || argument_is_negative(call, "reach", reach)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_vec3 unit = abut_unit(normal);
    if (argument_is_no_vector(call, "normal", normal) || argument_is_not_finite(call, "offset", offset) ||
        argument_is_not_finite(call, "reach", reach)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (!(abut_length_squared(unit) > 0.0)) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "normal is zero: it must have a direction");
    }
    /* The point of the plane nearest to the first corner of A. */
    double height = abut_dot(unit, a->corner[0]) - offset / abut_dot(unit, normal);
    facet_side side_a, side_b = {.radius = INFINITY, .normal = unit, .foot = abut_scale(-height, unit)};
    abut_status status = facet_make_side(a, a->corner[0], &side_a);
    status = status != ABUT_OK ? status : finish(&side_a, &side_b, a->corner[0], reach, contact);
    return status == ABUT_OK ? ABUT_OK : refuse_facets(status, call, -1, a, NULL);
}

abut_status abut_facet_collide_plane(const abut_facet *a, abut_vec3 normal, double offset, abut_facet_contact *contact) {
    return touch_plane(CALL_NAME, a, normal, offset, 0.0, contact);
}

abut_status abut_facet_collide_plane_within(const abut_facet *a, abut_vec3 normal, double offset, double reach,
                                            abut_facet_contact *contact) {
    return touch_plane(CALL_NAME, a, normal, offset, reach, contact);
}

/* ---- batches ---- */

typedef struct batch {
    const abut_facet *a, *b;
    abut_facet_contact *contacts;
} batch;

static void fail(const batch *job, int32_t i, abut_status status) {
    (void)refuse_facets(status, "abut_facet_collide_batch", i, &job->a[i], &job->b[i]);
    job->contacts[i] = (abut_facet_contact){.status = status};
}

static void ask(const batch *job, int32_t i) {
    abut_status status = meet(&job->a[i], &job->b[i], 0.0, &job->contacts[i]);
    if (status != ABUT_OK) {
        fail(job, i, status);
    }
}

static void load_side(facet_screen_side *side, int lane, const abut_facet *facet) {
    for (int c = 0; c < 3; ++c) {
        side->corner[c][0][lane] = facet->corner[c].x;
        side->corner[c][1][lane] = facet->corner[c].y;
        side->corner[c][2][lane] = facet->corner[c].z;
    }
    side->given[lane] = facet->radius;
}

static abut_vec3 vector_of(double (*lanes)[FACET_SCREEN_PAIRS], int lane) {
    return abut_vec3_make(lanes[0][lane], lanes[1][lane], lanes[2][lane]);
}

static facet_side side_of(facet_screen_side *s, int lane, const abut_facet *facet) {
    return (facet_side){.centre = vector_of(s->centre, lane),
                        .radius = s->radius[lane],
                        .normal = vector_of(s->normal, lane),
                        .foot = vector_of(s->foot, lane),
                        .foot_radius = s->foot_radius[lane],
                        .height = s->height[lane],
                        .corner = facet->corner};
}

static void write_contact(const batch *job, int32_t i, facet_screen *s, int lane) {
    unsigned bit = 1u << lane;
    if ((s->odd & bit) != 0u) {
        ask(job, i);
        return;
    }
    if (((s->apart | s->turned | s->beside) & bit) != 0u) {
        abut_facet_relation relation = (s->apart & bit) != 0u    ? ABUT_FACET_APART
                                       : (s->turned & bit) != 0u ? ABUT_FACET_TURNED
                                                                 : ABUT_FACET_BESIDE;
        job->contacts[i] = (abut_facet_contact){
            .relation = relation, .normal = vector_of(s->normal, lane), .sphere_gap = -s->overlap[lane], .radius = s->radius[lane]};
        return;
    }
    facet_side a = side_of(&s->side[FACET_SCREEN_A], lane, &job->a[i]), b = side_of(&s->side[FACET_SCREEN_B], lane, &job->b[i]);
    abut_status status = finish(&a, &b, job->a[i].corner[0], 0.0, &job->contacts[i]);
    if (status != ABUT_OK) {
        fail(job, i, status);
    }
}

static void run(void *argument, int32_t begin, int32_t end) {
    const batch *job = argument;
    facet_screen s;
    int32_t i = begin;
    for (; i + FACET_SCREEN_PAIRS <= end; i += FACET_SCREEN_PAIRS) {
        for (int lane = 0; lane < FACET_SCREEN_PAIRS; ++lane) {
            load_side(&s.side[FACET_SCREEN_A], lane, &job->a[i + lane]);
            load_side(&s.side[FACET_SCREEN_B], lane, &job->b[i + lane]);
        }
        facet_screen_run(&s);
        for (int lane = 0; lane < FACET_SCREEN_PAIRS; ++lane) {
            write_contact(job, i + lane, &s, lane);
        }
    }
    for (; i < end; ++i) {
        ask(job, i);
    }
}

abut_status abut_facet_collide_batch(const abut_facet *a, const abut_facet *b, int32_t count, const abut_parallel *parallel,
                                     abut_facet_contact *contacts) {
    enum { GRAIN = 128 };
    if (argument_is_below(CALL_NAME, "count", count, 0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (count > 0 &&
        (argument_is_null(CALL_NAME, "a", a) || argument_is_null(CALL_NAME, "b", b) || argument_is_null(CALL_NAME, "contacts", contacts))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    batch job = {a, b, contacts};
    abut_parallel_for(parallel, count, GRAIN, run, &job);
    return ABUT_OK;
}
