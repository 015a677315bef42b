/*
 * Forces between two bodies from the contacts of their facets (abut/pressure.h). Contacts are processed in the order of their names, region
 * by region: first the pressure of a region at rest, then damping and friction from the motion of the bodies at its centre.
 */
#include "solve/pressure/pressure.h"

#include <math.h>

#include "base/argument.h"
#include "base/memory.h"
#include "base/real.h"

/* ---- memories ---- */

static abut_status check_history(const char *call, const abut_pressure_history *h) {
    if (h == NULL) {
        return ABUT_OK;
    }
    if (argument_is_below(call, "before->count", h->count, 0) || (h->count > 0 && argument_is_null(call, "before->memory", h->memory))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    for (int32_t i = 0; i < h->count; ++i) {
        const abut_pressure_memory *m = &h->memory[i];
        if (!abut_vec3_is_finite(m->stretch) || !abut_vec3_is_finite(m->normal) || !isfinite(m->stiffness) ||
            !abut_vec3_is_finite(m->roll) || !isfinite(m->roll_stiffness)) {
            return refuse(ABUT_ERROR_NOT_FINITE, call, "before->memory[%d] has a number that is not finite", (int)i);
        }
        bool negative = m->stiffness < 0.0 || m->roll_stiffness < 0.0;
        if (negative || (i > 0 && pressure_compare_surfaces(m[-1].surface_a, m[-1].surface_b, m->surface_a, m->surface_b) >= 0)) {
            return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "before->memory[%d] %s", (int)i,
                          negative ? "has a stiffness below 0" : "is not in rising order of its surfaces");
        }
    }
    return ABUT_OK;
}

/* ---- one region ---- */

static void add_force(pressure_pair *p, abut_vec3 force, abut_vec3 turn_a) {
    abut_vec3 between = abut_sub(p->bodies[0].centre, p->bodies[1].centre);
    p->sum.force = abut_add(p->sum.force, force);
    p->sum.moment_a = abut_add(p->sum.moment_a, turn_a);
    p->sum.moment_b = abut_sub(p->sum.moment_b, abut_add(turn_a, abut_cross(between, force)));
}

/* Velocity of A relative to B at a point, which is given by its arm from the centre of A. */
static abut_vec3 velocity_at(const pressure_pair *p, abut_vec3 arm) {
    const abut_pressure_body *a = &p->bodies[0], *b = &p->bodies[1];
    abut_vec3 arm_b = abut_add(arm, abut_sub(a->centre, b->centre));
    return abut_sub(abut_add(a->motion.linear, abut_cross(a->motion.angular, arm)),
                    abut_add(b->motion.linear, abut_cross(b->motion.angular, arm_b)));
}

/* Damping force per velocity, along the normal. Tsuji and others, 1992: see abut_pressure_law. The stiffness of flat facets does not depend on the overlap, so
 * that the ratio needs no factor for the same coefficient of restitution. */
static double damper_of(const pressure_pair *p, const pressure_region *region) {
    double damper = 2.0 * p->law->damping * sqrt(p->mass) * (sqrt(5.0 / 6.0) * region->root + sqrt(region->flat));
    return pressure_is_linear(p->law) && p->mass > 0.0 ? damper * pressure_lag(damper, p->mass, p->time_step) : damper;
}

static double damp(pressure_pair *p, const pressure_region *region, bool touched, double force, double parting) {
    const abut_pressure_law *law = p->law;
    double damper = damper_of(p, region), damping = -damper * parting;
    if (pressure_is_linear(law) && !touched) {
        damping *= pressure_begun(damper, p->mass, force / law->stiffness, parting, p->time_step);
    }
    bool may_pull = law->damping_pulls || law->adhesion != ABUT_ADHESION_NONE;
    damping = may_pull ? damping : real_max(damping, -real_max(force, 0.0));
    p->sum.damping_power += -damping * parting;
    return damping;
}

/* The friction force for a given normal force. Updates the memory. */
static abut_vec3 rub(pressure_pair *p, const pressure_region *region, const abut_pressure_memory *before, double force, abut_vec3 velocity,
                     abut_pressure_memory *memory) {
    abut_vec3 turning = abut_add(p->bodies[0].motion.angular, p->bodies[1].motion.angular);
    pressure_slide slide = {.normal = memory->normal,
                            .way = abut_scale(p->time_step, velocity),
                            .spin = 0.5 * p->time_step * abut_dot(turning, memory->normal),
                            .stiffness = region->shear,
                            .limit = p->law->friction * real_max(force + region->hold, 0.0),
                            .velocity = velocity,
                            .damper = pressure_damper(p->law, p->mass, region->shear)};
    pressure_spring spring = pressure_slide_on(before, &slide);
    memory->stretch = spring.stretch;
    memory->stiffness = region->shear;
    p->sum.friction_work += spring.lost;
    p->sum.spring_energy += pressure_spring_energy(memory);
    p->sum.sliding += spring.sliding;
    p->sum.damping_power += spring.damping;
    return spring.force;
}

/* Whether the region has springs against rolling and twisting. */
static bool is_rolling(const pressure_pair *p, const pressure_region *region) {
    return pressure_law_rolls(p->law) && region->round > 0.0 && region->round_shear > 0.0;
}

/* Adds the moments against rolling and twisting for a given normal force. Updates the memory. */
static void roll(pressure_pair *p, const pressure_region *region, const abut_pressure_memory *before, double force,
                 abut_pressure_memory *memory) {
    const abut_motion *a = &p->bodies[0].motion, *b = &p->bodies[1].motion;
    pressure_roll now = {.normal = memory->normal,
                         .turning = abut_sub(a->angular, b->angular),
                         .spin = 0.5 * p->time_step * abut_dot(abut_add(a->angular, b->angular), memory->normal),
                         .radius = region->radii / region->round,
                         .stiffness = region->round_shear,
                         .force = real_max(force + region->hold, 0.0) * real_min(region->round / region->pressing, 1.0),
                         .mass = p->mass,
                         .time_step = p->time_step};
    pressure_turned was = {.stiffness = 0.0};
    if (before != NULL) {
        was = (pressure_turned){before->normal, before->roll, before->roll_stiffness};
    }
    pressure_rolled rolled = pressure_roll_on(p->law, &was, &now);
    memory->roll = rolled.roll;
    memory->roll_stiffness = now.stiffness;
    p->sum.moment_a = abut_add(p->sum.moment_a, rolled.moment);
    p->sum.moment_b = abut_sub(p->sum.moment_b, rolled.moment);
    p->sum.friction_work += rolled.lost;
    p->sum.spring_energy += pressure_roll_energy(memory->roll, memory->roll_stiffness);
    p->sum.damping_power += rolled.damping;
}

static void add_region(pressure_pair *p, const pressure_region *region, const abut_pressure_memory *before, pressure_borne *borne) {
    abut_pressure_result *sum = &p->sum;
    abut_pressure_memory *memory = &borne->memory;
    memory->normal = abut_unit(region->normals);
    abut_vec3 arm = abut_scale(1.0 / region->pressing, region->arms), velocity = velocity_at(p, arm);
    double force = abut_dot(region->push, memory->normal),
           damping = damp(p, region, before != NULL, force, abut_dot(velocity, memory->normal));
    abut_vec3 moving = abut_scale(damping, memory->normal);
    if (p->law->friction > 0.0 && region->shear > 0.0) {
        moving = abut_add(moving, rub(p, region, before, force + damping, velocity, memory));
    } else {
        sum->friction_work += before != NULL ? pressure_spring_energy(before) : 0.0;
    }
    if (is_rolling(p, region)) {
        roll(p, region, before, force + damping, memory);
    } else {
        sum->friction_work += before != NULL ? pressure_roll_energy(before->roll, before->roll_stiffness) : 0.0;
    }
    add_force(p, region->push, region->turn);
    add_force(p, moving, abut_cross(arm, moving));
    borne->arm = arm;
    borne->force = abut_add(region->push, moving);
    borne->area = region->area;
    borne->stiffness = region->stiffness;
    borne->damper = damper_of(p, region);
    sum->elastic_energy += region->energy;
    sum->area += region->area;
    sum->largest_pressure = real_max(sum->largest_pressure, region->largest);
    sum->contacts += region->contacts;
    ++sum->regions;
}

void pressure_forget(pressure_pair *p, const abut_pressure_memory *memory) {
    p->sum.friction_work += pressure_spring_energy(memory) + pressure_roll_energy(memory->roll, memory->roll_stiffness);
}

/* Among contacts between the same surfaces that are not flat, the one nearest to the middle of its circle; the first on ties; NULL for none. */
static const pressure_named *nearest(const pressure_named *begin, const pressure_named *end) {
    const pressure_named *best = NULL;
    for (const pressure_named *c = begin; c < end; ++c) {
        best = !pressure_is_flat(c->contact) && (best == NULL || c->contact->offset < best->contact->offset) ? c : best;
    }
    return best;
}

static void add_contacts(pressure_pair *p, const pressure_named *begin, const pressure_named *end, bool touched, pressure_region *region) {
    abut_vec3 centre = p->bodies[0].centre;
    bool by_point = p->law->mode == ABUT_PRESSURE_POINT;
    const pressure_named *point = by_point ? nearest(begin, end) : NULL;
    if (point != NULL) {
        pressure_add_point(p->law, point->contact, touched, centre, region);
    }
    for (const pressure_named *c = begin; c < end; ++c) {
        if (pressure_is_flat(c->contact)) {
            pressure_add_flat(p->law, c->contact, centre, region);
        } else if (!by_point) {
            pressure_add_area(p->law, c->contact, touched, centre, region);
        }
    }
}

/* The bridge of a region: that of the contact nearest to the middle of its circle, across the gap of its surfaces. */
typedef struct region_bridge {
    const abut_facet_contact *contact;
    pressure_bridge at;
} region_bridge;

static bool find_bridge(const pressure_pair *p, const pressure_named *begin, const pressure_named *end, region_bridge *bridge) {
    const pressure_named *found = pressure_law_is_wet(p->law) ? nearest(begin, end) : NULL;
    bridge->contact = found != NULL ? found->contact : NULL;
    return found != NULL && pressure_bridge_of(p->law, found->contact->radius, found->contact->gap, &bridge->at);
}

/* Adds the pull of a bridge. loaded: whether the surfaces also press. */
static void add_bridge(pressure_pair *p, const region_bridge *bridge, const abut_pressure_memory *before, bool loaded,
                       pressure_borne *borne) {
    abut_vec3 n = bridge->contact->normal, arm = abut_sub(bridge->contact->point, p->bodies[0].centre),
              pull = abut_scale(-bridge->at.pull, n);
    add_force(p, pull, abut_cross(arm, pull));
    p->sum.elastic_energy += bridge->at.energy;
    p->sum.friction_work += before == NULL ? bridge->at.formed : 0.0;
    if (!loaded) {
        borne->memory.normal = n;
        borne->arm = arm;
        ++p->sum.regions;
        if (before != NULL) {
            pressure_forget(p, before);
        }
    }
    borne->force = abut_add(borne->force, pull);
}

pressure_pair pressure_pair_of(const abut_pressure_law *law, const abut_pressure_body bodies[2], double time_step) {
    double inverse = bodies[0].inverse_mass + bodies[1].inverse_mass;
    return (pressure_pair){.law = law, .bodies = bodies, .time_step = time_step, .mass = inverse > 0.0 ? 1.0 / inverse : 0.0};
}

bool pressure_bear(pressure_pair *p, const pressure_named *begin, const pressure_named *end, const abut_pressure_memory *before,
                   pressure_borne *borne) {
    pressure_region region = {.contacts = 0};
    add_contacts(p, begin, end, before != NULL, &region);
    region_bridge bridge;
    bool loaded = region.contacts > 0 && region.pressing > 0.0, bridged = (loaded || before != NULL) && find_bridge(p, begin, end, &bridge);
    if (!loaded && !bridged) {
        return false;
    }
    *borne = (pressure_borne){.memory = {.surface_a = begin->id.surface_a, .surface_b = begin->id.surface_b}};
    if (loaded) {
        add_region(p, &region, before, borne);
    }
    if (bridged) {
        add_bridge(p, &bridge, before, loaded, borne);
    }
    return true;
}

/* ---- all regions and their memories ---- */

typedef struct walk {
    pressure_pair pair;
    const abut_pressure_history *before;
    int32_t seen; /* memories of `before` that were processed */
    abut_pressure_history *after;
    int32_t written;
} walk;

/* The memory of these surfaces. Memories skipped on the way belong to surfaces that no longer touch; their energy is lost. */
static const abut_pressure_memory *recall(walk *w, int32_t surface_a, int32_t surface_b) {
    for (; w->before != NULL && w->seen < w->before->count; ++w->seen) {
        const abut_pressure_memory *m = &w->before->memory[w->seen];
        int order = pressure_compare_surfaces(m->surface_a, m->surface_b, surface_a, surface_b);
        if (order >= 0) {
            return order == 0 ? m : NULL;
        }
        pressure_forget(&w->pair, m);
    }
    return NULL;
}

static void remember(walk *w, const abut_pressure_memory *memory) {
    if (w->after != NULL && w->written < w->after->capacity) {
        w->after->memory[w->written] = *memory;
    }
    ++w->written;
}

static void press(walk *w, const pressure_named *begin, const pressure_named *end) {
    const abut_pressure_memory *before = recall(w, begin->id.surface_a, begin->id.surface_b);
    pressure_borne borne;
    if (pressure_bear(&w->pair, begin, end, before, &borne)) {
        remember(w, &borne.memory);
        w->seen += before != NULL;
    }
}

/* ---- the call ---- */

static bool is_finite_result(const abut_pressure_result *r) {
    return abut_vec3_is_finite(r->force) && abut_vec3_is_finite(r->moment_a) && abut_vec3_is_finite(r->moment_b) &&
           isfinite(r->elastic_energy) && isfinite(r->spring_energy) && isfinite(r->damping_power) && isfinite(r->friction_work) &&
           isfinite(r->area) && isfinite(r->largest_pressure);
}

static abut_status check_body(const char *call, const abut_pressure_body *b, int index) {
    if (!abut_vec3_is_finite(b->centre) || !abut_vec3_is_finite(b->motion.linear) || !abut_vec3_is_finite(b->motion.angular) ||
        !isfinite(b->inverse_mass)) {
        return refuse(ABUT_ERROR_NOT_FINITE, call, "bodies[%d] has a number that is not finite", index);
    }
    return b->inverse_mass >= 0.0 ? ABUT_OK
                                  : refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "bodies[%d].inverse_mass is %.9g: it must be at least 0",
                                           index, b->inverse_mass);
}

static abut_status check(const char *call, const walk *w) {
    const pressure_pair *p = &w->pair;
    if (pressure_check_law(p->law) != ABUT_OK) {
        return pressure_refuse_law(call, p->law);
    }
    abut_status status = check_body(call, &p->bodies[0], 0);
    status = status == ABUT_OK ? check_body(call, &p->bodies[1], 1) : status;
    status = status == ABUT_OK ? check_history(call, w->before) : status;
    if (status != ABUT_OK) {
        return status;
    }
    if (isinf(p->time_step)) {
        return refuse(ABUT_ERROR_NOT_FINITE, call, "time_step is infinite");
    }
    bool bad = argument_is_negative(call, "time_step", p->time_step) ||
               (w->after != NULL && (argument_is_below(call, "after->capacity", w->after->capacity, 0) ||
                                     (w->after->capacity > 0 && argument_is_null(call, "after->memory", w->after->memory))));
    return bad ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_OK;
}

static void press_all(walk *w, const pressure_named *contacts, int32_t count) {
    for (int32_t begin = 0, end; begin < count; begin = end) {
        const abut_pressure_id *id = &contacts[begin].id;
        for (end = begin + 1; end < count; ++end) {
            if (pressure_compare_surfaces(id->surface_a, id->surface_b, contacts[end].id.surface_a, contacts[end].id.surface_b) != 0) {
                break;
            }
        }
        press(w, contacts + begin, contacts + end);
    }
    for (; w->before != NULL && w->seen < w->before->count; ++w->seen) {
        pressure_forget(&w->pair, &w->before->memory[w->seen]);
    }
}

abut_status abut_pressure_pair(const abut_facet_contact *contacts, const abut_pressure_id *ids, int32_t count, const abut_pressure_law *law,
                               const abut_pressure_body bodies[2], double time_step, const abut_pressure_history *before,
                               abut_pressure_history *after, abut_pressure_result *result) {
    enum { FEW = 32 };
    if (argument_is_below(CALL_NAME, "count", count, 0) || (count > 0 && argument_is_null(CALL_NAME, "contacts", contacts)) ||
        argument_is_null(CALL_NAME, "law", law) || argument_is_null(CALL_NAME, "bodies", bodies) ||
        argument_is_null(CALL_NAME, "result", result)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    walk w = {.pair = pressure_pair_of(law, bodies, time_step), .before = before, .after = after};
    abut_status status = check(CALL_NAME, &w);
    if (status != ABUT_OK) {
        return status;
    }
    pressure_named few[FEW], *sorted = count <= FEW ? few : memory_allocate((size_t)count, sizeof *sorted);
    if (sorted == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    int32_t number = 0;
    status = pressure_sort(CALL_NAME, contacts, ids, count, sorted, &number);
    if (status == ABUT_OK) {
        press_all(&w, sorted, number);
        status = !is_finite_result(&w.pair.sum) ? refuse(ABUT_ERROR_NOT_FINITE, CALL_NAME, "the force, moment or energy overflows")
                 : after != NULL && w.written > after->capacity ? ABUT_ERROR_CAPACITY
                                                                : ABUT_OK;
    }
    if (sorted != few) {
        memory_release(sorted);
    }
    if (status == ABUT_OK) {
        *result = w.pair.sum;
    }
    if (after != NULL && (status == ABUT_OK || status == ABUT_ERROR_CAPACITY)) {
        after->count = w.written;
    }
    return status;
}
