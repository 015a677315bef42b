/*
 * Contact forces with Coulomb's friction: see friction.h. [B90] section 3 names the problem, its equation (6) with friction, and says that heuristics may be
 * needed for it; it gives none. The conditions of a contact that may hold are those of a pyramid of friction (D. E. Stewart, J. C. Trinkle, "An implicit
 * time-stepping scheme for rigid body dynamics with inelastic collisions and Coulomb friction", 1996), with accelerations in place of velocities. The pyramid
 * is turned until one of its edges lies along the friction force, so that the cone is used to its border.
 */
#include "step/event/friction.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "step/event/follow.h"
#include "step/event/impulse.h"
#include "step/event/system.h"

enum { DIRECTIONS = 8, MOST_VARIABLES = DIRECTIONS + 2 };

static const double half_root = 0.70710678118654752;
static const double cosine[DIRECTIONS] = {1.0, half_root, 0.0, -half_root, -1.0, -half_root, 0.0, half_root};
static const double sine[DIRECTIONS] = {0.0, half_root, 1.0, half_root, 0.0, -half_root, -1.0, -half_root};

bool event_friction_reserve(event_friction *friction, int32_t rows) {
    return rows <= INT32_MAX / MOST_VARIABLES &&
           array_reserve(&friction->presses, &friction->presses_capacity, rows * MOST_VARIABLES, sizeof *friction->presses) &&
           array_reserve(&friction->island, &friction->island_capacity, rows, sizeof *friction->island) &&
           array_reserve(&friction->aside, &friction->aside_capacity, rows, sizeof *friction->aside) &&
           array_reserve(&friction->idle, &friction->idle_capacity, rows, sizeof *friction->idle) &&
           array_reserve(&friction->drag, &friction->drag_capacity, rows, sizeof *friction->drag) &&
           array_reserve(&friction->base, &friction->base_capacity, rows, sizeof *friction->base) &&
           array_reserve(&friction->force, &friction->force_capacity, rows, sizeof *friction->force) &&
           array_reserve(&friction->bounce, &friction->bounce_capacity, rows, sizeof *friction->bounce) &&
           array_reserve(&friction->before, &friction->before_capacity, rows, sizeof *friction->before) &&
           array_reserve(&friction->plain, &friction->plain_capacity, rows, sizeof *friction->plain) &&
           array_reserve(&friction->full, &friction->full_capacity, rows, sizeof *friction->full) &&
           array_reserve(&friction->plain_push, &friction->plain_push_capacity, rows, sizeof *friction->plain_push) &&
           array_reserve(&friction->full_push, &friction->full_push_capacity, rows, sizeof *friction->full_push);
}

void event_friction_release(event_friction *friction) {
    void *blocks[] = {friction->variables, friction->drag,   friction->base,  friction->force,      friction->bounce,
                      friction->before,    friction->plain,  friction->full,  friction->plain_push, friction->full_push,
                      friction->presses,   friction->island, friction->aside, friction->idle};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
        memory_release(blocks[i]);
    }
    lcp_general_release(&friction->lcp);
}

bool event_friction_is(const event_system *system) {
    bool some = false;
    for (int32_t i = 0; i < system->row_count; ++i) {
        some = some || system->rows[i].friction > 0.0;
    }
    return some;
}

/* ---- the slip ---- */

static abut_vec3 velocity_at(const abut_kinematics *m, abut_vec3 arm) {
    return abut_add(m->velocity.linear, abut_cross(m->velocity.angular, arm));
}

static abut_vec3 in_plane(abut_vec3 v, abut_vec3 normal) { return abut_add_scaled(v, -abut_dot(v, normal), normal); }

static abut_vec3 slip_at(const abut_contact *now, const event_place *a, const event_place *b) {
    abut_vec3 of_a = velocity_at(a->motion, abut_sub(now->on_a, a->motion->centre)),
              of_b = velocity_at(b->motion, abut_sub(now->on_a, b->motion->centre));
    return in_plane(abut_sub(of_a, of_b), now->normal);
}

abut_vec3 event_friction_slip(const event_system *system, const event_row *row) {
    const event_place *a, *b;
    abut_contact now = event_system_look(system, row, &a, &b);
    return slip_at(&now, a, b);
}

/* The velocity with which the contact point on A moves in space: it is not that of a material point where surfaces roll. */
static abut_vec3 point_rate(const event_row *row, const abut_contact *now, const event_place *a, const event_place *b,
                            const abut_rates *rates) {
    if (row->follows) {
        return event_follow_point_rate(row, now, a, b);
    }
    const event_side *side_a = &row->side[0], *side_b = &row->side[1];
    if (side_b->kind == EVENT_FACE) { /* a ball about a point of A rolls on B's plane */
        abut_vec3 core = abut_add_scaled(now->on_a, side_a->radius, now->normal);
        abut_vec3 turn = abut_cross(b->motion->velocity.angular, now->normal);
        return abut_add_scaled(velocity_at(a->motion, abut_sub(core, a->motion->centre)), -side_a->radius, turn);
    }
    if (side_a->kind == EVENT_FACE) {
        abut_vec3 core = abut_add_scaled(now->on_b, -side_b->radius, now->normal);
        abut_vec3 turn = abut_cross(a->motion->velocity.angular, now->normal);
        return abut_add_scaled(velocity_at(b->motion, abut_sub(core, b->motion->centre)), side_b->radius, turn);
    }
    return rates->on_a_rate;
}

/* The derivative of the velocity of a body's material at a point that moves through it. */
static abut_vec3 change_at(const abut_kinematics *m, abut_vec3 arm, abut_vec3 rate) {
    abut_vec3 a = abut_add(m->acceleration.linear, abut_cross(m->acceleration.angular, arm));
    return abut_add(a, abut_cross(m->velocity.angular, abut_sub(rate, m->velocity.linear)));
}

/* The acceleration of the slip without contact forces, plus a part that lets a slip that should be zero die out. */
static abut_vec3 drag_of(const event_system *system, int32_t index) {
    const event_row *row = &system->rows[index];
    const abut_rates *rates = &system->rates[index];
    const event_place *a, *b;
    abut_contact now = event_system_look(system, row, &a, &b);
    abut_vec3 rate = point_rate(row, &now, a, b, rates);
    abut_vec3 change = abut_sub(change_at(a->motion, rates->arm_a, rate), change_at(b->motion, rates->arm_b, rate));
    return in_plane(abut_add_scaled(change, system->world->def.event.drift_rate, slip_at(&now, a, b)), now.normal);
}

void event_friction_begin(event_system *system) {
    const double still = 0.01; /* of the resting speed: sliding that slow counts as none */
    system->friction.known = false;
    for (int32_t i = 0; i < system->row_count; ++i) {
        event_row *row = &system->rows[i];
        row->slides = false;
        if (row->friction == 0.0) {
            continue;
        }
        abut_vec3 slip = event_friction_slip(system, row);
        double speed = abut_length(slip);
        row->still = still * system->world->def.event.resting_speed * event_speed_of(system, row);
        row->slides = speed > row->still;
        row->way = row->slides ? abut_scale(1.0 / speed, slip) : slip;
    }
}

/* The direction of sliding. Within a step it does not turn back: that it does is an event at the end of the step, and up to there forces have to be smooth. */
static abut_vec3 way_of(const event_system *system, const event_row *row) {
    abut_vec3 slip = event_friction_slip(system, row);
    double along = abut_dot(slip, row->way), speed = abut_length(slip);
    return speed > 0.0 && along != 0.0 ? abut_scale((along < 0.0 ? -1.0 : 1.0) / speed, slip) : row->way;
}

/* ---- the complementarity problem ---- */

static void set_line(const event_system *system, event_variable *v, abut_vec3 direction) {
    const event_row *row = &system->rows[v->row];
    const abut_rates *rates = &system->rates[v->row];
    v->line = abut_lcp_contact_row(row->body[0], row->body[1], direction, rates->arm_a, rates->arm_b);
}

/* push: the force of a unit of the variable on A. */
static void set_effect(const event_system *system, event_variable *v, abut_vec3 push) {
    const event_row *row = &system->rows[v->row];
    const abut_rates *rates = &system->rates[v->row];
    for (int side = 0; side < 2; ++side) {
        const abut_lcp_body *mass = &system->masses[row->body[side]];
        abut_vec3 force = side == 0 ? push : abut_neg(push), arm = side == 0 ? rates->arm_a : rates->arm_b;
        v->linear[side] = abut_scale(mass->inverse_mass, force);
        v->angular[side] = abut_mat3_apply(mass->inverse_inertia, abut_cross(arm, force));
    }
}

static double effect_on(const event_system *system, const event_variable *of, const event_variable *on) {
    const int32_t *p = system->rows[of->row].body, *q = system->rows[on->row].body;
    double sum = 0.0;
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 2; ++k) {
            if (p[i] == q[k]) {
                sum += abut_dot(k == 0 ? on->line.linear_a : on->line.linear_b, of->linear[i]) +
                       abut_dot(k == 0 ? on->line.angular_a : on->line.angular_b, of->angular[i]);
            }
        }
    }
    return sum;
}

/* The directions of a contact that may hold. */
static abut_vec3 direction_of(abut_vec3 base, abut_vec3 normal, int k) {
    return abut_add_scaled(abut_scale(cosine[k], base), sine[k], abut_cross(normal, base));
}

static void add_holding(event_system *system, int32_t row, abut_vec3 normal, double scale) {
    event_friction *f = &system->friction;
    for (int k = 0; k < DIRECTIONS; ++k) {
        event_variable *v = &f->variables[f->variable_count++];
        *v = (event_variable){.kind = EVENT_TANGENT, .row = row, .along = direction_of(f->base[row], normal, k), .scale = scale};
        v->slot = MOST_VARIABLES * row + 1 + k;
        set_line(system, v, v->along);
        set_effect(system, v, v->along);
    }
    f->variables[f->variable_count++] =
        (event_variable){.kind = EVENT_BOUND, .row = row, .slot = MOST_VARIABLES * row + 1 + DIRECTIONS, .scale = 1.0 / scale};
}

/* Lists the variables: for each contact its normal force; if it may hold, also its friction along each direction, and the speed of its slip. slides: some
 * contacts slide. */
static bool list_variables(event_system *system, const bool *left_out, bool slides) {
    event_friction *f = &system->friction;
    f->variable_count = 0;
    if (!array_reserve(&f->variables, &f->variable_capacity, system->row_count * MOST_VARIABLES, sizeof *f->variables)) {
        return false;
    }
    for (int32_t i = 0; i < system->row_count; ++i) {
        const event_row *row = &system->rows[i];
        double give = event_give_of(system, i);
        if (left_out[i] || !(give > 0.0)) {
            continue;
        }
        event_variable *v = &f->variables[f->variable_count++];
        abut_vec3 normal = system->lines[i].linear_a;
        *v = (event_variable){
            .kind = EVENT_NORMAL, .row = i, .slot = MOST_VARIABLES * i, .line = system->lines[i], .scale = 1.0 / sqrt(give)};
        bool one_way = slides && row->slides;
        set_effect(system, v, one_way ? abut_add_scaled(normal, -row->friction, way_of(system, row)) : normal);
        if (row->friction > 0.0 && !one_way) {
            add_holding(system, i, normal, v->scale);
        }
    }
    return true;
}

static double entry(const event_system *system, const event_variable *on, const event_variable *of) {
    if (on->kind == EVENT_BOUND) { /* mu f - the sum of the friction >= 0 */
        return on->row != of->row || of->kind == EVENT_BOUND ? 0.0 : of->kind == EVENT_NORMAL ? system->rows[on->row].friction : -1.0;
    }
    if (of->kind == EVENT_BOUND) { /* slip along a direction + speed of the slip >= 0 */
        return on->kind == EVENT_TANGENT && on->row == of->row ? 1.0 : 0.0;
    }
    return effect_on(system, of, on);
}

static bool set_problem(event_system *system, const bool *left_out, bool slides) {
    event_friction *f = &system->friction;
    if (!list_variables(system, left_out, slides) || !lcp_general_reserve(&f->lcp, f->variable_count)) {
        return false;
    }
    for (int32_t i = 0; i < f->variable_count; ++i) {
        const event_variable *on = &f->variables[i];
        f->lcp.presses[i] = f->presses[on->slot];
        double free = on->kind == EVENT_NORMAL    ? system->q[on->row]
                      : on->kind == EVENT_TANGENT ? abut_dot(on->along, f->drag[on->row])
                                                  : 0.0;
        f->lcp.q[i] = on->scale * free;
        for (int32_t k = 0; k < f->variable_count; ++k) {
            const event_variable *of = &f->variables[k];
            f->lcp.matrix[(size_t)i * (size_t)f->variable_count + (size_t)k] = on->scale * entry(system, on, of) * of->scale;
        }
    }
    return true;
}

/* Writes the forces of the solution of an island. */
static void take_forces(event_system *system, bool slides) {
    event_friction *f = &system->friction;
    for (int32_t k = 0; k < f->variable_count; ++k) {
        f->force[f->variables[k].row] = abut_vec3_make(0.0, 0.0, 0.0);
    }
    for (int32_t k = 0; k < f->variable_count; ++k) {
        const event_variable *v = &f->variables[k];
        f->presses[v->slot] = f->lcp.presses[k];
        double size = v->scale * f->lcp.z[k];
        if (v->kind == EVENT_NORMAL) {
            const event_row *row = &system->rows[v->row];
            system->z[v->row] = size;
            if (slides && row->slides && row->friction > 0.0) {
                f->force[v->row] = abut_scale(-row->friction * size, way_of(system, row));
            }
        } else if (v->kind == EVENT_TANGENT) {
            f->force[v->row] = abut_add_scaled(f->force[v->row], size, v->along);
        }
    }
}

/* Turns the directions of contacts that begin to slip, by more than `least`, towards their friction. False if none needs to turn. */
static bool turn_directions(event_system *system, double least) {
    const double aligned = 1e-9;
    event_friction *f = &system->friction;
    bool turned = false;
    for (int32_t k = 0; k < f->variable_count; ++k) {
        const event_variable *v = &f->variables[k];
        double size = abut_length(f->force[v->row]);
        if (v->kind != EVENT_BOUND || !(f->lcp.z[k] > least) || size == 0.0) {
            continue;
        }
        abut_vec3 toward = abut_scale(1.0 / size, f->force[v->row]), normal = system->lines[v->row].linear_a;
        double off = 2.0;
        for (int d = 0; d < DIRECTIONS; ++d) {
            off = real_min(off, abut_distance_between(toward, direction_of(f->base[v->row], normal, d)));
        }
        if (off > aligned) {
            f->base[v->row] = abut_unit(in_plane(toward, normal));
            turned = true;
        }
    }
    return turned;
}

/* The first directions: against the slip that friction has to prevent. */
static void choose_directions(event_system *system, bool slides) {
    event_friction *f = &system->friction;
    for (int32_t i = 0; i < system->row_count; ++i) {
        const event_row *row = &system->rows[i];
        abut_vec3 normal = system->lines[i].linear_a, other, drag = f->drag[i];
        f->base[i] = abut_vec3_make(0.0, 0.0, 0.0);
        if (row->friction > 0.0 && !(slides && row->slides)) {
            abut_tangent_frame(normal, &f->base[i], &other);
            f->base[i] = abut_length_squared(drag) > 0.0 ? abut_unit(abut_neg(drag)) : f->base[i];
        }
    }
}

/* What is needed beside the rows of an island. */
typedef struct island_terms {
    bool slides, again;
    double scale, least, tolerance; /* magnitude of the problem, speed of slip that counts, relative residual */
} island_terms;

static bool solve_island(event_system *system, const bool *left_out, island_terms terms) {
    const int most = 8;
    event_friction *f = &system->friction;
    bool turned = true;
    for (int turn = 0; turn < most && turned; ++turn) {
        if (!set_problem(system, left_out, terms.slides)) {
            system->status = ABUT_ERROR_OUT_OF_MEMORY;
            return false;
        }
        if (lcp_general_solve(&f->lcp, terms.scale, terms.tolerance, terms.again) != LCP_SOLVED) {
            system->status = isfinite(f->lcp.residual) ? ABUT_ERROR_INFEASIBLE : ABUT_ERROR_NOT_FINITE;
            return false;
        }
        take_forces(system, terms.slides);
        turned = turn_directions(system, terms.least);
        terms.again = false;
    }
    return true;
}

/* ---- few of many contacts ---- */

/* Of the contacts of a pair that all may hold, if there are many, all but those farthest along four directions become idle. Returns whether some do. */
static bool keep_few(event_system *system, int32_t begin, int32_t end, bool slides) {
    const int32_t many = 8;
    event_friction *f = &system->friction;
    abut_vec3 way[2];
    abut_tangent_frame(system->lines[begin].linear_a, &way[0], &way[1]);
    double most[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    int32_t farthest[4] = {begin, begin, begin, begin}, count = 0;
    for (int32_t i = begin; i < end; ++i) {
        const event_row *row = &system->rows[i];
        if (f->aside[i]) {
            continue;
        }
        if (row->friction == 0.0 || (slides && row->slides)) {
            return false;
        }
        ++count;
        for (int k = 0; k < 4; ++k) {
            double far = (k < 2 ? 1.0 : -1.0) * abut_dot(way[k % 2], system->rates[i].arm_a);
            farthest[k] = far > most[k] ? i : farthest[k];
            most[k] = real_max(most[k], far);
        }
    }
    for (int32_t i = begin; i < end && count >= many; ++i) {
        f->idle[i] = f->aside[i] || (i != farthest[0] && i != farthest[1] && i != farthest[2] && i != farthest[3]);
    }
    return count >= many;
}

static bool keep_few_of_each(event_system *system, bool slides) {
    event_friction *f = &system->friction;
    bool fewer = false;
    for (int32_t i = 0; i < system->row_count; ++i) {
        f->idle[i] = f->aside[i];
    }
    for (int32_t begin = 0, end; begin < system->row_count; begin = end) {
        for (end = begin; end < system->row_count && system->rows[end].pair == system->rows[begin].pair; ++end) {
        }
        fewer = keep_few(system, begin, end, slides) || fewer;
    }
    return fewer;
}

/* How fast the gap of an idle contact opens with the forces of the last solution, in the scale of the problem. */
static double opening_of(const event_system *system, int32_t row) {
    const event_friction *f = &system->friction;
    event_variable on = {.kind = EVENT_NORMAL, .row = row, .line = system->lines[row]};
    double rate = system->q[row], give = event_give_of(system, row);
    for (int32_t k = 0; k < f->variable_count; ++k) {
        const event_variable *of = &f->variables[k];
        rate += of->kind == EVENT_BOUND ? 0.0 : effect_on(system, of, &on) * of->scale * f->lcp.z[k];
    }
    return give > 0.0 ? rate / sqrt(give) : 0.0;
}

/* The idle contact of which the gap closes fastest with the forces of the last solution is idle no longer. False if none closes. */
static bool wake_closing(event_system *system, double tolerance) {
    event_friction *f = &system->friction;
    double fastest = -tolerance;
    int32_t found = -1;
    for (int32_t i = 0; i < system->row_count; ++i) {
        double opens = f->idle[i] && !f->aside[i] ? opening_of(system, i) : 0.0;
        found = opens < fastest ? i : found;
        fastest = real_min(fastest, opens);
    }
    if (found >= 0) {
        f->idle[found] = false;
    }
    return found >= 0;
}

/* A contact without force obeys its conditions if its gap does not close. So few contacts of a flat place give an answer for all of them, if the gaps of the
 * others do not close; those that do are added, one at a time. *holds: whether nothing slips. Then the motion does not depend on the shares of the contacts. */
static bool few_are_enough(event_system *system, island_terms terms, bool *holds) {
    const int most = 16;
    event_friction *f = &system->friction;
    const double tolerance = real_max(terms.tolerance, 1e-9) * terms.scale;
    for (int32_t i = 0; i < MOST_VARIABLES * system->row_count; ++i) {
        int32_t row = i / MOST_VARIABLES;
        f->presses[i] = f->presses[i] && (!f->idle[row] || f->aside[row]);
    }
    bool closes = true;
    for (int turn = 0; turn < most && closes; ++turn) {
        if (!solve_island(system, f->idle, terms)) {
            return false;
        }
        closes = wake_closing(system, tolerance);
    }
    *holds = !closes;
    for (int32_t k = 0; k < f->variable_count && *holds; ++k) {
        *holds = f->variables[k].kind != EVENT_BOUND || f->lcp.z[k] <= terms.least;
    }
    return !closes;
}

/* Of the rows that are not aside. Few contacts that slip are the answer only where none is found for all. */
static bool solve_few_or_all(event_system *system, island_terms terms) {
    bool holds = false, enough = keep_few_of_each(system, terms.slides) && few_are_enough(system, terms, &holds);
    if (enough && holds) {
        return true;
    }
    system->status = ABUT_OK;
    if (solve_island(system, system->friction.aside, terms) || !enough || system->status != ABUT_ERROR_INFEASIBLE) {
        return system->status == ABUT_OK;
    }
    for (int32_t i = 0; i < system->row_count; ++i) {
        if (system->friction.idle[i] && !system->friction.aside[i]) {
            system->z[i] = 0.0;
            system->friction.force[i] = abut_vec3_make(0.0, 0.0, 0.0);
        }
    }
    terms.again = false;
    system->status = ABUT_OK;
    return few_are_enough(system, terms, &holds);
}

/* ---- islands ---- */

static bool are_coupled(const event_system *system, int32_t row, int32_t other) {
    const int32_t *p = system->rows[row].body, *q = system->rows[other].body;
    bool coupled = false;
    for (int i = 0; i < 2; ++i) {
        coupled = coupled || (system->bodies[p[i]].inverse_mass > 0.0 && (p[i] == q[0] || p[i] == q[1]));
    }
    return coupled;
}

/* Rows that no body couples have nothing to do with each other: a body that is hit must not disturb the forces of all others. */
static void find_islands(event_system *system) {
    event_friction *f = &system->friction;
    for (int32_t i = 0; i < system->row_count; ++i) {
        f->island[i] = i;
        for (int32_t k = 0; k < i; ++k) {
            int32_t from = f->island[i] > f->island[k] ? f->island[i] : f->island[k],
                    to = f->island[i] > f->island[k] ? f->island[k] : f->island[i];
            for (int32_t m = 0; m <= i && from != to && are_coupled(system, i, k); ++m) {
                f->island[m] = f->island[m] == from ? to : f->island[m];
            }
        }
    }
}

/* The magnitude of the whole problem, relative to which islands are exact. *widest: the largest scale of a normal force. */
static double scale_of(const event_system *system, const bool *left_out, double magnitude, double *widest) {
    double scale = 0.0;
    *widest = 0.0;
    for (int32_t i = 0; i < system->row_count; ++i) {
        double give = event_give_of(system, i);
        if (!left_out[i] && give > 0.0) {
            *widest = real_max(*widest, 1.0 / sqrt(give));
            scale = real_max_number(scale, real_max_number(fabs(system->q[i]), abut_length(system->friction.drag[i])) / sqrt(give));
        }
    }
    return real_max_number(scale, magnitude * *widest);
}

/* A change that does not count, relative to the scale of the problem: of accelerations one that shifts a gap by a grain, where the drift of gaps is corrected,
 * and of velocities a thousandth of the resting speed. */
static double negligible_of(const event_system *system, const bool *left_out, bool of_forces, double widest, double scale) {
    const abut_event_settings *event = &system->world->def.event;
    double least = INFINITY;
    for (int32_t i = 0; i < system->row_count; ++i) {
        const event_row *row = &system->rows[i];
        double change = of_forces ? event->drift_rate * event->drift_rate * event_grain(system, row->pair)
                                  : 1e-3 * event->resting_speed * event_speed_of(system, row);
        least = left_out[i] ? least : real_min(least, change);
    }
    return least < INFINITY && scale > 0.0 ? least * widest / scale : 0.0;
}

/* Contacts that hold each other at many places contradict themselves by rounding errors and by tilts within the tolerances of the stepper. Where nothing obeys
 * all conditions, forces do that miss them by what does not count. */
static bool solve_rows(event_system *system, island_terms terms, double negligible) {
    bool solved = solve_few_or_all(system, terms);
    if (!solved && system->status == ABUT_ERROR_INFEASIBLE && negligible > terms.tolerance) {
        terms.tolerance = negligible;
        terms.again = false;
        system->status = ABUT_OK;
        solved = solve_few_or_all(system, terms);
    }
    return solved;
}

static bool solve(event_system *system, const bool *left_out, bool slides, double magnitude, double tolerance, bool again) {
    event_friction *f = &system->friction;
    double widest;
    island_terms terms = {slides, again, scale_of(system, left_out, magnitude, &widest), 0.0, tolerance};
    terms.least = real_max(10.0 * tolerance, 1e-8) * magnitude * widest;
    choose_directions(system, slides);
    find_islands(system);
    for (int32_t i = 0; i < MOST_VARIABLES * system->row_count && !again; ++i) {
        f->presses[i] = false;
    }
    for (int32_t i = 0; i < system->row_count; ++i) {
        system->z[i] = 0.0;
        f->force[i] = abut_vec3_make(0.0, 0.0, 0.0);
    }
    for (int32_t island = 0; island < system->row_count; ++island) {
        bool some = false;
        for (int32_t i = island; i < system->row_count && f->island[island] == island; ++i) {
            some = some || (f->island[i] == island && !left_out[i]);
        }
        for (int32_t i = 0; i < system->row_count && some; ++i) {
            f->aside[i] = left_out[i] || f->island[i] != island;
        }
        if (some && !solve_rows(system, terms, negligible_of(system, left_out, slides, widest, terms.scale))) {
            return false;
        }
    }
    return true;
}

bool event_friction_forces(event_system *system) {
    event_friction *f = &system->friction;
    for (int32_t i = 0; i < system->row_count; ++i) {
        const event_row *row = &system->rows[i];
        bool holds = row->friction > 0.0 && !row->slides && !system->left_out[i];
        f->drag[i] = holds ? drag_of(system, i) : abut_vec3_make(0.0, 0.0, 0.0);
    }
    /* Bodies at rest may still move with the resting speed. What holds them in several points then contradicts itself by the square of it. */
    double rest = system->world->def.event.resting_speed;
    bool fine = solve(system, system->left_out, true, system->most_gravity, 10.0 * rest * rest, f->known);
    f->known = fine;
    for (int32_t i = 0; i < system->row_count && fine; ++i) {
        system->force[i] = system->z[i];
    }
    return fine;
}

bool event_friction_impulses(event_system *system, const abut_vec3 *velocity, const bool *left_out) {
    event_friction *f = &system->friction;
    f->known = false;
    for (int32_t i = 0; i < system->row_count; ++i) {
        f->drag[i] = in_plane(velocity[i], system->lines[i].linear_a);
    }
    return solve(system, left_out, false, 0.0, 0.0, false);
}
