/* Solves the equations J v = target of the bearing contacts in the least-squares sense, because redundant contacts need not agree to the
 * last bit. The change d of all velocities minimises
 *
 *   1/2 d^T M d + 1/2 sum_i w_i (t_i - J_i (v + d))^2,   so   (M + J^T w J) d = J^T w (t - J v),
 *
 * and the impulses are w_i (t_i - J_i (v + d)). The contacts are springs, so stiff that the next pass corrects their compliance. The matrix
 * couples bodies that touch, in 6 x 6 blocks (solve/contact/block.h), and is factorised in the order of the plan. */
#include "solve/contact/direct.h"

#include "base/real.h"
#include "solve/contact/equation.h"
#include "solve/contact/factor.h"
#include "solve/contact/joint_part.h"
#include "solve/contact/patch.h"
#include "solve/contact/roll_part.h"

/* w_i times the contact's mobility. Its square must stay below the inverse of the rounding error. */
static const double stiffness = 1e7;

/* Largest number of rounds in which contacts are released and taken up. */
static const int rounds = 6;

/* If the first round releases more contacts than this number, and more than this share of them, the passes have not yet found the contacts
 * that bear. */
static const int32_t far_off = 32;
static const double far_off_part = 0.02;

/* A contact that closes slower than this, relative to the speeds that were missing before, is not taken up again. */
static const double negligible = 1e-6;

/* Contacts can contradict each other: impacts may ask for more speeds of separation than a body has freedoms, or a body is crushed. The equations then give
 * impulses that are as large as the contacts are stiff. Wedged by friction, such impulses would stay, and throw the bodies away as soon as they move. So a
 * solution is refused if it changes an impulse by more than this factor times the mass of the island and its speeds. */
static const double most_impulse = 100.0;

/* The same for joints alone: rounds in which rows change their piece, and solutions of what the last one left. */
static const int joint_rounds = 12, refinements = 5;

/* Rates of joints that count as 0, relative to the speeds of the island, and to those that were missing. */
static const double rounding = 1e-15;

/* A walk over all points of an island. */
typedef struct walk {
    const plan_pair *planned;
    const solver_pair *pair;
    const solver_patch *patch;
    solver_point *point;
    plan_point *plan;
    int32_t next_pair, next_patch, next_point;
} walk;

static walk begin_walk(void) {
    walk w = {.next_pair = 0};
    return w;
}

static bool step_on(walk *w, const solver_plan *plan, const plan_island *island, const solver_contacts *set) {
    while (w->patch == NULL || w->next_point == w->patch->first + w->patch->count) {
        if (w->pair == NULL || w->next_patch == w->pair->first + w->pair->count) {
            if (w->next_pair == set->pair_count) {
                return false;
            }
            w->pair = &set->pairs[w->next_pair];
            w->planned = &plan->pairs[island->pair + w->next_pair++];
            w->next_patch = w->pair->first;
        }
        w->patch = &set->patches[w->next_patch++];
        w->next_point = w->patch->first;
    }
    w->point = &set->points[w->next_point];
    w->plan = &plan->points[island->point + w->next_point++];
    return true;
}

/* The equations of a point. Returns their number: 0, 1 or 3. */
static int equations_of(const solver_contacts *set, const walk *w, equation out[3]) {
    if (w->plan->bearing == PLAN_LOOSE) {
        return 0;
    }
    const solver_patch *patch = w->patch;
    const solver_point *point = w->point;
    solver_impulse velocity = solver_velocity(set, w->pair, patch, point);
    abut_vec3 place = abut_add(abut_scale(point->x, patch->tangent[0]), abut_scale(point->y, patch->tangent[1]));
    abut_vec3 arm_a = abut_add(patch->arm_a, place), arm_b = abut_add(patch->arm_b, place);
    out[0] = (equation){equation_row(1.0, patch->normal, arm_a), equation_row(-1.0, patch->normal, arm_b),
                        stiffness * point->inverse_mobility, point->target - velocity.normal};
    if (w->plan->bearing == PLAN_PRESSES) {
        return 1;
    }
    friction_matrix sliding = solver_point_sliding(patch, point);
    for (int t = 0; t < 2; t++) {
        abut_vec3 tangent = patch->tangent[t];
        out[1 + t] = (equation){equation_row(1.0, tangent, arm_a), equation_row(-1.0, tangent, arm_b),
                                stiffness / (t == 0 ? sliding.xx : sliding.yy), t == 0 ? -velocity.x : -velocity.y};
    }
    return 3;
}

/* Inverse of a symmetric positive definite matrix by cofactors. */
static abut_mat3 inverse_of(abut_mat3 m) {
    abut_vec3 yz = abut_cross(m.y, m.z), zx = abut_cross(m.z, m.x), xy = abut_cross(m.x, m.y);
    double scale = 1.0 / abut_dot(m.x, yz);
    return abut_mat3_make(abut_scale(scale, yz), abut_scale(scale, zx), abut_scale(scale, xy));
}

static block mass_of(const solver_body *body) {
    abut_mat3 inertia = inverse_of(body->inverse_inertia);
    double mass = 1.0 / body->inverse_mass;
    block m = {{0.0}};
    const abut_vec3 columns[3] = {inertia.x, inertia.y, inertia.z};
    for (int i = 0; i < 3; i++) {
        m.m[BLOCK_SIDE * i + i] = mass;
        m.m[BLOCK_SIDE * (3 + i) + 3] = columns[i].x;
        m.m[BLOCK_SIDE * (3 + i) + 4] = columns[i].y;
        m.m[BLOCK_SIDE * (3 + i) + 5] = columns[i].z;
    }
    return m;
}

static bool is_body(const solver_plan *plan, const solver_contacts *set, int32_t column) { return plan->bodies[column] < set->body_count; }

static void clear_vector(solver_plan *plan, const plan_island *island) {
    for (int32_t c = island->column; c < island->column_end; c++) {
        plan->vector[c] = (block_vector){{0.0}};
    }
}

/* The masses and the joints. */
static void assemble_joints(solver_plan *plan, const plan_island *island, const solver_contacts *set) {
    for (int32_t c = island->column; c < island->column_end; c++) {
        if (is_body(plan, set, c)) {
            plan->diagonal[c] = mass_of(&set->bodies[plan->bodies[c]]);
        }
    }
    for (int32_t k = plan->column_first[island->column]; k < plan->column_first[island->column_end]; k++) {
        plan->below[k] = (block){{0.0}};
    }
    joint_part_matrix(plan, island, set);
}

static void assemble(solver_plan *plan, const plan_island *island, const solver_contacts *set) {
    assemble_joints(plan, island, set);
    clear_vector(plan, island);
    (void)joint_part_missing(plan, island, set);
    for (walk w = begin_walk(); step_on(&w, plan, island, set);) {
        equation equations[3];
        int count = equations_of(set, &w, equations);
        for (int i = 0; i < count; i++) {
            equation_add(plan, w.planned, &equations[i]);
        }
    }
    roll_part_assemble(plan, island, set, stiffness);
}

/* Computes the change of each contact's impulse from the changes of the velocities. Returns the largest one. */
static double find_steps(solver_plan *plan, const plan_island *island, const solver_contacts *set) {
    double largest = 0.0;
    for (walk w = begin_walk(); step_on(&w, plan, island, set);) {
        equation equations[3];
        double step[3] = {0.0, 0.0, 0.0};
        int count = equations_of(set, &w, equations);
        for (int i = 0; i < count; i++) {
            step[i] = equation_step(plan, w.planned, &equations[i]);
            largest = real_max_number(largest, fabs(step[i]));
        }
        w.plan->step = (solver_impulse){step[0], step[1], step[2]};
    }
    roll_part_steps(plan, island, set, stiffness);
    return largest;
}

/* Whether the friction that would stop the contact is within its bound. In a body with several coefficients of friction, normal impulses still change when
 * friction has been solved, and a contact that slides would look as though it held. */
static bool can_hold(const walk *w, double bound) {
    const friction_matrix *h = &w->point->holding;
    solver_impulse l = w->point->impulse, v = w->plan->velocity;
    double x = l.x - h->xx * v.x - h->xy * v.y, y = l.y - h->xy * v.x - h->yy * v.y;
    return x * x + y * y <= bound * bound;
}

/* Returns the largest speed by which a contact misses its target. */
static double begin_points(const solver_plan *plan, const plan_island *island, const solver_contacts *set, bool friction) {
    double missing = 0.0;
    for (walk w = begin_walk(); step_on(&w, plan, island, set);) {
        solver_impulse l = w.point->impulse;
        double bound = w.patch->friction * l.normal;
        bool sticks = friction && l.x * l.x + l.y * l.y < bound * bound * (1.0 - 1e-9);
        w.plan->impulse = l;
        w.plan->velocity = solver_velocity(set, w.pair, w.patch, w.point);
        sticks = sticks && (!w.patch->parted || can_hold(&w, bound));
        w.plan->bearing = !(l.normal > 0.0) ? PLAN_LOOSE : sticks ? PLAN_STICKS : PLAN_PRESSES;
        if (w.plan->bearing != PLAN_LOOSE) {
            missing = real_max_number(missing, fabs(w.point->target - w.plan->velocity.normal));
        }
    }
    return missing;
}

/* Releases contacts that pull, and lets contacts slip that exceed their friction bound. Returns their number. */
static int32_t let_go(const solver_plan *plan, const plan_island *island, const solver_contacts *set, bool friction) {
    int32_t count = 0, rolling = roll_part_let_go(plan, island, set);
    for (walk w = begin_walk(); step_on(&w, plan, island, set);) {
        if (w.plan->bearing == PLAN_LOOSE) {
            continue;
        }
        solver_impulse l = solver_sum(w.point->impulse, 1.0, w.plan->step);
        double bound = w.patch->friction * l.normal, held = sqrt(l.x * l.x + l.y * l.y);
        solver_impulse wanted = w.point->impulse;
        if (l.normal < 0.0) {
            w.plan->bearing = PLAN_LOOSE;
            wanted = friction ? (solver_impulse){0.0, 0.0, 0.0} : (solver_impulse){0.0, wanted.x, wanted.y};
        } else if (w.plan->bearing == PLAN_STICKS && held > bound) {
            w.plan->bearing = PLAN_PRESSES;
            wanted.x = l.x * (bound / held);
            wanted.y = l.y * (bound / held);
        } else {
            continue;
        }
        count++;
        solver_apply(set, w.pair, w.patch, w.point, solver_difference(wanted, w.point->impulse));
    }
    return count + rolling;
}

static void apply_steps(const solver_plan *plan, const plan_island *island, const solver_contacts *set) {
    for (walk w = begin_walk(); step_on(&w, plan, island, set);) {
        solver_apply(set, w.pair, w.patch, w.point, w.plan->step);
    }
    roll_part_apply(set);
}

/* The change of the function that the impulses minimise: 1/2 (kinetic energy) - sum of target times normal impulse. A change of the
 * impulses from l to l' that brings the contact velocities from v to v' changes the energy by the sum of (l' - l) (v + v') / 2. */
static double merit_gained(const solver_plan *plan, const plan_island *island, const solver_contacts *set) {
    double gain = 0.0;
    for (walk w = begin_walk(); step_on(&w, plan, island, set);) {
        solver_impulse d = solver_difference(w.point->impulse, w.plan->impulse);
        solver_impulse v = solver_sum(w.plan->velocity, 1.0, solver_velocity(set, w.pair, w.patch, w.point));
        gain += d.normal != 0.0 ? d.normal * (0.5 * v.normal - w.point->target) : 0.0;
        gain += 0.5 * (d.x * v.x + d.y * v.y);
    }
    return gain + roll_part_merit(set);
}

static void save(solver_plan *plan, const plan_island *island, const solver_contacts *set) {
    joint_part_save(set);
    for (int32_t c = island->column; c < island->column_end; c++) {
        if (!is_body(plan, set, c)) {
            continue;
        }
        abut_vec3 v = set->bodies[plan->bodies[c]].velocity, w = set->bodies[plan->bodies[c]].angular_velocity;
        plan->saved[c] = (block_vector){{v.x, v.y, v.z, w.x, w.y, w.z}};
    }
}

static void take_back(const solver_plan *plan, const plan_island *island, const solver_contacts *set) {
    joint_part_take_back(set);
    for (int32_t c = island->column; c < island->column_end; c++) {
        if (!is_body(plan, set, c)) {
            continue;
        }
        const double *v = plan->saved[c].v;
        set->bodies[plan->bodies[c]].velocity = abut_vec3_make(v[0], v[1], v[2]);
        set->bodies[plan->bodies[c]].angular_velocity = abut_vec3_make(v[3], v[4], v[5]);
    }
    for (walk w = begin_walk(); step_on(&w, plan, island, set);) {
        w.point->impulse = w.plan->impulse;
    }
    roll_part_take_back(set);
}

/* Takes up loose contacts that close faster than the given speed. Returns their number. */
static int32_t take_up(const solver_plan *plan, const plan_island *island, const solver_contacts *set, double speed) {
    int32_t count = 0;
    for (walk w = begin_walk(); step_on(&w, plan, island, set);) {
        if (w.plan->bearing == PLAN_LOOSE && solver_velocity(set, w.pair, w.patch, w.point).normal < w.point->target - speed) {
            w.plan->bearing = PLAN_PRESSES;
            count++;
        }
    }
    return count;
}

static double mass_of_island(const solver_plan *plan, const plan_island *island, const solver_contacts *set) {
    double mass = 0.0;
    for (int32_t c = island->column; c < island->column_end; c++) {
        mass += is_body(plan, set, c) ? 1.0 / set->bodies[plan->bodies[c]].inverse_mass : 0.0;
    }
    return mass;
}

/* What joints do has no part in the merit, so it does not judge islands with joints.
 * False if the contacts cannot be classified. Those that contradict each other may agree in the next stage. */
static bool solve_island(solver_plan *plan, const plan_island *island, const solver_contacts *set, double speed, bool friction) {
    save(plan, island, set);
    double missing = begin_points(plan, island, set, friction);
    roll_part_begin(set, friction);
    double most = most_impulse * mass_of_island(plan, island, set) * (speed + missing);
    bool settled = false, contradicts = false;
    joint_part_classify(set);
    for (int round = 0; round < rounds && !settled && !contradicts; round++) {
        assemble(plan, island, set);
        factor_columns(plan, island, set);
        factor_substitute(plan, island, set);
        double largest = find_steps(plan, island, set);
        int32_t left = joint_part_steps(plan, island, set), gone = let_go(plan, island, set, friction);
        if (round == 0 && gone > far_off && gone > far_off_part * set->point_count) {
            break;
        }
        contradicts = gone + left == 0 && !(largest <= most);
        if (left > 0) {
            joint_part_move_on(set);
        } else if (gone == 0 && !contradicts) {
            apply_steps(plan, island, set);
            joint_part_apply(set);
            settled = take_up(plan, island, set, negligible * missing) == 0;
        }
    }
    bool solved = settled && (set->joint_count > 0 || merit_gained(plan, island, set) <= 0.0);
    if (!solved) {
        take_back(plan, island, set);
    }
    return solved || contradicts;
}

void direct_solve(solver_plan *plan, int32_t island, const solver_contacts *set, double speed, bool friction) {
    plan_island *planned = &plan->islands[island];
    if (planned->column_end > planned->column && !planned->joints_only && !planned->hopeless[friction]) {
        planned->factored = false;
        planned->hopeless[friction] = !solve_island(plan, planned, set, speed, friction);
    }
}

void direct_forget(solver_plan *plan, int32_t island) { plan->islands[island].factored = false; }

/* The matrix is that of the last time where the bodies stand still and all rows are on pieces of the same kind. */
static void factor_joints(solver_plan *plan, plan_island *island, const solver_contacts *set) {
    if (island->factored && joint_part_is_factored(set)) {
        return;
    }
    assemble_joints(plan, island, set);
    factor_columns(plan, island, set);
    island->factored = true;
}

bool direct_solve_joints(solver_plan *plan, int32_t island, const solver_contacts *set, double speed) {
    plan_island *planned = &plan->islands[island];
    if (planned->column_end == planned->column) {
        return false;
    }
    joint_part_classify(set);
    bool settled = false;
    for (int round = 0; round < joint_rounds && !settled; round++) {
        factor_joints(plan, planned, set);
        double before = INFINITY;
        for (int again = 0; again < refinements; again++) {
            clear_vector(plan, planned);
            double missing = joint_part_missing(plan, planned, set);
            speed = real_max(speed, missing);
            if (again > 0 && (missing <= rounding * speed || missing > 0.5 * before)) {
                break;
            }
            factor_substitute(plan, planned, set);
            settled = joint_part_steps(plan, planned, set) == 0 || again > 0;
            if (!settled) {
                joint_part_move_on(set);
                break;
            }
            joint_part_apply(set);
            before = missing;
        }
    }
    return settled;
}
