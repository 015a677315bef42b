/* One pass of sequential impulses: projected Gauss-Seidel over pairs, and within a pair over its patches. Friction comes first; the normals
 * matter more and are therefore last. The bodies' velocities are read and written once per patch; in between, the patch's own motion
 * (solve/contact/patch.h) represents them. */
#include "solve/contact/contact.h"
#include "solve/contact/loop.h"
#include "solve/contact/patch.h"
#include "solve/contact/roll.h"

/* Largest number of sweeps over the points of a patch with a nonlinear load: some of its points do not bear. */
static const int sweeps = 4;

/* Sweeps end when one changes no impulse by more than this, relative to the first sweep. */
static const double settled = 0.05;

/* The friction impulse that makes the contact stick, or, if that exceeds the bound, the impulse on the disc. `velocity` includes the
 * present impulse. */
static friction_vector friction_wanted(const solver_patch *patch, solver_point *point, friction_vector velocity, double bound) {
    const friction_matrix *h = &point->holding;
    double x = point->impulse.x, y = point->impulse.y;
    friction_vector stuck = {x - h->xx * velocity.x - h->xy * velocity.y, y - h->xy * velocity.x - h->yy * velocity.y};
    if (stuck.x * stuck.x + stuck.y * stuck.y <= bound * bound) {
        return stuck;
    }
    if (!(bound > 0.0)) {
        return (friction_vector){0.0, 0.0};
    }
    friction_matrix m = solver_point_sliding(patch, point);
    friction_vector free = {velocity.x - m.xx * x - m.xy * y, velocity.y - m.xy * x - m.yy * y};
    return friction_slide(m, free, bound, &point->slip);
}

/* Sets the point's friction for this velocity. Returns the change. */
static friction_vector solve_friction(const solver_patch *patch, solver_point *point, friction_vector velocity, double coefficient) {
    friction_vector change = {0.0, 0.0};
    double bound = coefficient * point->impulse.normal;
    if (bound > 0.0 || point->impulse.x != 0.0 || point->impulse.y != 0.0) {
        friction_vector friction = friction_wanted(patch, point, velocity, bound);
        change.x = friction.x - point->impulse.x;
        change.y = friction.y - point->impulse.y;
        point->impulse.x = friction.x;
        point->impulse.y = friction.y;
    }
    return change;
}

/* Sets the point's normal impulse for this velocity. Returns the change. */
static double solve_normal(solver_point *point, double velocity) {
    double before = point->impulse.normal;
    point->impulse.normal = real_max(before + (point->target - velocity) * point->inverse_mobility, 0.0);
    return point->impulse.normal - before;
}

/* The motion of a patch and the impulses applied to it, in its frame (solve/contact/patch.h). */
typedef struct patch_motion {
    abut_vec3 sliding;  /* velocity 0, velocity 1, spin n */
    abut_vec3 pressing; /* velocity n, spin 0, spin 1 */
    abut_vec3 friction; /* force 0, force 1, moment n */
    abut_vec3 load;     /* force n, moment 0, moment 1 */
} patch_motion;

/* The coupling times v, and its transpose times v. */
static abut_vec3 couple(const double c[9], abut_vec3 v) {
    return abut_vec3_make(c[0] * v.x + c[1] * v.y + c[2] * v.z, c[3] * v.x + c[4] * v.y + c[5] * v.z, c[6] * v.x + c[7] * v.y + c[8] * v.z);
}
static abut_vec3 couple_back(const double c[9], abut_vec3 v) {
    return abut_vec3_make(c[0] * v.x + c[3] * v.y + c[6] * v.z, c[1] * v.x + c[4] * v.y + c[7] * v.z, c[2] * v.x + c[5] * v.y + c[8] * v.z);
}

/* Continues the point's impulse in its direction. If the impulse would pull, it is set to zero; the bodies have already felt the pull, and
 * the return value is the impulse to give back. `change` is then the impulse before the pass. */
static double go_on(solver_point *point, double factor) {
    const solver_impulse none = {0.0, 0.0, 0.0};
    solver_impulse further = solver_sum(none, factor, point->direction);
    point->direction = solver_sum(further, 1.0, point->change);
    point->impulse = solver_sum(point->impulse, 1.0, further);
    double back = point->impulse.normal < 0.0 ? -point->impulse.normal : 0.0;
    point->impulse.normal += back;
    point->change = point->impulse;
    return back;
}

/* Sets the change by the pass. Returns its energy, with the mobilities at the patch's middle. */
static double note_change(const solver_patch *patch, solver_point *point) {
    solver_impulse d = solver_difference(point->impulse, point->change);
    point->change = d;
    return d.normal * d.normal * patch->pressing[0] + d.x * d.x * patch->sliding[0] + d.y * d.y * patch->sliding[3];
}

/* A single point has no spin. Returns the largest change of its velocity. */
static double solve_single(solver_body *a, solver_body *b, const solver_patch *patch, solver_point *point, double coefficient,
                           double back) {
    const double *s = patch->sliding;
    abut_vec3 velocity = solver_patch_velocity(a, b, patch), force = {0.0, 0.0, back};
    velocity = abut_add_scaled(velocity, back, abut_vec3_make(patch->coupling[0], patch->coupling[1], patch->pressing[0]));
    double largest = 0.0;
    if (coefficient > 0.0) {
        friction_vector f = solve_friction(patch, point, (friction_vector){velocity.x, velocity.y}, coefficient);
        velocity.z += patch->coupling[0] * f.x + patch->coupling[1] * f.y;
        force.x = f.x;
        force.y = f.y;
        largest = real_max(fabs(s[0] * f.x + s[1] * f.y), fabs(s[1] * f.x + s[3] * f.y));
    }
    double press = solve_normal(point, velocity.z);
    force.z += press;
    if (force.x != 0.0 || force.y != 0.0 || force.z != 0.0) {
        solver_patch_push(a, b, patch, force, (abut_vec3){0.0, 0.0, 0.0});
    }
    return real_max(largest, fabs(press) * patch->pressing[0]);
}

/* Friction of all points. */
static void solve_frictions(const solver_patch *patch, solver_point *points, patch_motion *m, double coefficient) {
    for (int32_t i = 0; i < patch->count; i++) {
        solver_point *point = &points[i];
        friction_vector velocity = {m->sliding.x - m->sliding.z * point->y, m->sliding.y + m->sliding.z * point->x};
        friction_vector change = solve_friction(patch, point, velocity, coefficient);
        if (change.x != 0.0 || change.y != 0.0) {
            abut_vec3 taken = {change.x, change.y, change.y * point->x - change.x * point->y};
            m->friction = abut_add(m->friction, taken);
            m->sliding = abut_add(m->sliding, solver_symmetric_mul(patch->sliding, taken));
        }
    }
}

/* Velocity along the normal at a point. */
static double normal_velocity(const solver_point *point, abut_vec3 pressing) {
    return pressing.x + pressing.y * point->y - pressing.z * point->x;
}

/* True when no point carries an impulse and none needs one. */
static bool is_idle(const solver_patch *patch, const solver_point *points, abut_vec3 pressing) {
    for (int32_t i = 0; i < patch->count; i++) {
        if (points[i].impulse.normal > 0.0 || normal_velocity(&points[i], pressing) < points[i].target) {
            return false;
        }
    }
    return true;
}

/* One sweep over the normals. Returns the largest change of an impulse. */
static double sweep_normals(const solver_patch *patch, solver_point *points, patch_motion *m) {
    double largest = 0.0;
    for (int32_t i = 0; i < patch->count; i++) {
        solver_point *point = &points[i];
        double change = solve_normal(point, normal_velocity(point, m->pressing));
        if (change != 0.0) {
            abut_vec3 taken = {change, change * point->y, -change * point->x};
            m->load = abut_add(m->load, taken);
            m->pressing = abut_add(m->pressing, solver_symmetric_mul(patch->pressing, taken));
            largest = real_max(largest, fabs(change));
        }
    }
    return largest;
}

/* Normals of all points. */
static void solve_normals(const solver_patch *patch, solver_point *points, patch_motion *m) {
    if (is_idle(patch, points, m->pressing)) {
        return;
    }
    abut_vec3 load = {0.0, 0.0, 0.0};
    bool whole = solver_patch_press(patch, points, m->pressing, &load);
    m->load = abut_add(m->load, load);
    m->pressing = abut_add(m->pressing, solver_symmetric_mul(patch->pressing, load));
    double first = sweep_normals(patch, points, m), largest = first;
    for (int sweep = 1; sweep < sweeps && !whole && largest > settled * first; sweep++) {
        largest = sweep_normals(patch, points, m);
    }
}

/* `back` is an impulse to give back to the points first (force n, moment 0, moment 1). Returns the largest change of a point's velocity. */
static double solve_several(solver_body *a, solver_body *b, const solver_patch *patch, solver_point *points, double coefficient,
                            abut_vec3 back) {
    abut_vec3 velocity = solver_patch_velocity(a, b, patch), spin = solver_patch_spin(a, b, patch);
    patch_motion m = {.sliding = {velocity.x, velocity.y, spin.z}, .pressing = {velocity.z, spin.x, spin.y}, .load = back};
    if (back.x > 0.0) {
        m.sliding = abut_add(m.sliding, couple_back(patch->coupling, back));
        m.pressing = abut_add(m.pressing, solver_symmetric_mul(patch->pressing, back));
    }
    double largest = 0.0;
    if (coefficient > 0.0) {
        abut_vec3 before = m.sliding;
        solve_frictions(patch, points, &m, coefficient);
        largest = fabs(m.sliding.x - before.x) + fabs(m.sliding.y - before.y) + fabs(m.sliding.z - before.z) * patch->reach;
        m.pressing = abut_add(m.pressing, couple(patch->coupling, m.friction));
    }
    abut_vec3 before = m.pressing;
    solve_normals(patch, points, &m);
    if (m.load.x != 0.0 || m.load.y != 0.0 || m.load.z != 0.0 || m.friction.x != 0.0 || m.friction.y != 0.0 || m.friction.z != 0.0) {
        solver_patch_push(a, b, patch, (abut_vec3){m.friction.x, m.friction.y, m.load.x}, (abut_vec3){m.load.y, m.load.z, m.friction.z});
    }
    double turned = fabs(m.pressing.y - before.y) + fabs(m.pressing.z - before.z);
    return real_max(largest, fabs(m.pressing.x - before.x) + turned * patch->reach);
}

/* A pass and its options. */
typedef struct pass {
    const solver_contacts *set;
    bool backward, friction, going_on;
    double factor;
    solver_progress *progress; /* by chunk */
} pass;

static void solve_patch(const pass *of, const solver_pair *pair, const solver_patch *patch, solver_progress *progress) {
    solver_body *a = &of->set->bodies[pair->a], *b = &of->set->bodies[pair->b];
    solver_point *points = &of->set->points[patch->first];
    abut_vec3 back = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < patch->count && of->going_on; i++) {
        double force = go_on(&points[i], of->factor);
        back = abut_add_scaled(back, force, abut_vec3_make(1.0, points[i].y, -points[i].x));
    }
    double coefficient = of->friction ? patch->friction : 0.0;
    double change =
        patch->count > 1 ? solve_several(a, b, patch, points, coefficient, back) : solve_single(a, b, patch, points, coefficient, back.x);
    progress->largest = real_max(progress->largest, change);
    for (int32_t i = 0; i < patch->count && of->going_on; i++) {
        progress->energy += note_change(patch, &points[i]);
    }
}

/* Before the other impulses of the patch. */
static void solve_roll(const pass *of, const solver_pair *pair, int32_t index, solver_progress *progress) {
    const solver_patch *patch = &of->set->patches[index];
    solver_roll *roll = &of->set->rolls[index];
    if (of->going_on) {
        roll_go_on(roll, of->factor);
    }
    if (of->friction) {
        double load = roll_load(patch, &of->set->points[patch->first]);
        double change = roll_solve(&of->set->bodies[pair->a], &of->set->bodies[pair->b], patch, roll, load);
        progress->largest = real_max(progress->largest, change);
    }
    progress->energy += of->going_on ? roll_note_change(roll) : 0.0;
}

static void solve_pairs(void *argument, solver_range range) {
    const pass *of = argument;
    solver_progress progress = {0.0, 0.0};
    for (int32_t i = range.begin; i < range.end; i++) {
        const solver_pair *pair = &of->set->pairs[of->backward ? range.begin + range.end - 1 - i : i];
        for (int32_t k = pair->first; k < pair->first + pair->count; k++) {
            if (of->set->patches[k].rolls) {
                solve_roll(of, pair, k, &progress);
            }
            solve_patch(of, pair, &of->set->patches[k], &progress);
        }
    }
    of->progress[range.chunk] = progress;
}

static solver_progress run(pass of) {
    solver_progress one;
    of.progress = solver_progress_of(of.set, &one);
    solver_each_colour(of.set, of.backward, solve_pairs, &of);
    return solver_all_progress(of.set, &one);
}

double solver_pass(const solver_contacts *set, bool backward, bool friction) {
    return run((pass){.set = set, .backward = backward, .friction = friction}).largest;
}

solver_progress solver_pass_on(const solver_contacts *set, double factor) {
    return run((pass){.set = set, .friction = true, .going_on = true, .factor = factor});
}
