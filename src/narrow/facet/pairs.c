/* Contacts of one rounded triangle with another, with a whole sphere or with a half-space, singly and in batches. Coordinates are relative
 * to the first corner of A, so that facets far from the origin keep their digits. Normals point from B into A. */
#include <stddef.h>

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

abut_status abut_facet_collide(const abut_facet *a, const abut_facet *b, abut_facet_contact *contact) {
    return abut_facet_collide_within(a, b, 0.0, contact);
}

abut_status abut_facet_collide_within(const abut_facet *a, const abut_facet *b, double reach, abut_facet_contact *contact) {
    if (a == NULL || b == NULL || contact == NULL || !(reach >= 0.0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (isinf(reach)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    facet_side side_a, side_b;
    abut_status status = facet_make_side(a, a->corner[0], &side_a);
    status = status != ABUT_OK ? status : facet_make_side(b, a->corner[0], &side_b);
    return status != ABUT_OK ? status : finish(&side_a, &side_b, a->corner[0], reach, contact);
}

abut_status abut_facet_collide_sphere(const abut_facet *a, abut_vec3 centre, double radius, abut_facet_contact *contact) {
    return abut_facet_collide_sphere_within(a, centre, radius, 0.0, contact);
}

abut_status abut_facet_collide_sphere_within(const abut_facet *a, abut_vec3 centre, double radius, double reach,
                                             abut_facet_contact *contact) {
    if (a == NULL || contact == NULL || !(radius > 0.0) || !(reach >= 0.0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (!abut_vec3_is_finite(centre) || !(radius < INFINITY) || isinf(reach)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    facet_side side_a, side_b = {.centre = abut_sub(centre, a->corner[0]), .radius = radius};
    abut_status status = facet_make_side(a, a->corner[0], &side_a);
    return status != ABUT_OK ? status : finish(&side_a, &side_b, a->corner[0], reach, contact);
}

abut_status abut_facet_collide_plane(const abut_facet *a, abut_vec3 normal, double offset, abut_facet_contact *contact) {
    return abut_facet_collide_plane_within(a, normal, offset, 0.0, contact);
}

abut_status abut_facet_collide_plane_within(const abut_facet *a, abut_vec3 normal, double offset, double reach,
                                            abut_facet_contact *contact) {
    if (a == NULL || contact == NULL || !(reach >= 0.0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_vec3 unit = abut_unit(normal);
    if (!abut_vec3_is_finite(normal) || !isfinite(offset) || isinf(reach)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (!(abut_length_squared(unit) > 0.0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    /* The point of the plane nearest to the first corner of A. */
    double height = abut_dot(unit, a->corner[0]) - offset / abut_dot(unit, normal);
    facet_side side_a, side_b = {.radius = INFINITY, .normal = unit, .foot = abut_scale(-height, unit)};
    abut_status status = facet_make_side(a, a->corner[0], &side_a);
    return status != ABUT_OK ? status : finish(&side_a, &side_b, a->corner[0], reach, contact);
}

/* ---- batches ---- */

typedef struct batch {
    const abut_facet *a, *b;
    abut_facet_contact *contacts;
} batch;

static void ask(const batch *job, int32_t i) {
    abut_status status = abut_facet_collide(&job->a[i], &job->b[i], &job->contacts[i]);
    if (status != ABUT_OK) {
        job->contacts[i] = (abut_facet_contact){.status = status};
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
        job->contacts[i] = (abut_facet_contact){.status = status};
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
    if (count < 0 || (count > 0 && (a == NULL || b == NULL || contacts == NULL))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    batch job = {a, b, contacts};
    abut_parallel_for(parallel, count, GRAIN, run, &job);
    return ABUT_OK;
}
