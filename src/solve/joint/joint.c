/* The rows of a joint in the stages of a substep: their laws, and impulses along them. */
#include "solve/joint/joint.h"

#include "base/real.h"
#include "solve/contact/block.h"

/* Errors of this size, relative to the lever of the joint, are rounding errors. The first stage removes them at once. Larger ones are pushed out, which leaves
 * the velocities alone. */
static const double tiny = 1e-10;

/* A coordinate that is closer to its limit than this, relative to the lever for lengths, touches it. */
static const double touching = 1e-9;

double joint_rate(const joint_row *row, const solver_body *a, const solver_body *b) {
    return abut_dot(row->line, abut_sub(b->velocity, a->velocity)) + abut_dot(row->turn_b, b->angular_velocity) -
           abut_dot(row->turn_a, a->angular_velocity) + row->curve;
}

void joint_push(joint_row *row, solver_body *a, solver_body *b, double change) {
    row->impulse += change;
    if (a->inverse_mass > 0.0) {
        a->velocity = abut_add_scaled(a->velocity, -change * a->inverse_mass, row->line);
        a->angular_velocity = abut_add_scaled(a->angular_velocity, -change, abut_mat3_apply(a->inverse_inertia, row->turn_a));
    }
    if (b->inverse_mass > 0.0) {
        b->velocity = abut_add_scaled(b->velocity, change * b->inverse_mass, row->line);
        b->angular_velocity = abut_add_scaled(b->angular_velocity, change, abut_mat3_apply(b->inverse_inertia, row->turn_b));
    }
}

static double mobility_of(const joint_row *row, const solver_body *a, const solver_body *b) {
    return (a->inverse_mass + b->inverse_mass) * abut_length_squared(row->line) +
           abut_dot(row->turn_a, abut_mat3_apply(a->inverse_inertia, row->turn_a)) +
           abut_dot(row->turn_b, abut_mat3_apply(b->inverse_inertia, row->turn_b));
}

void joint_ask_moments(const solver_joint *joint, solver_body *bodies, double h) {
    double load = h * h * real_min(joint->loads[0], real_min(joint->loads[1], joint->loads[2]));
    bodies[joint->a].least_moment += load * abut_length(joint->local_a);
    bodies[joint->b].least_moment += load * abut_length(joint->local_b);
}

void joint_refresh(solver_joint *joint, const solver_body *bodies) {
    joint_row rows[JOINT_ROWS];
    const solver_body *a = &bodies[joint->a], *b = &bodies[joint->b];
    joint->row_count = joint_rows(joint, a, b, joint->turned, rows);
    joint->arm_b = abut_mat3_apply(b->axes, joint->local_b);
    for (int32_t i = 0; i < joint->row_count; i++) {
        joint_row *row = &joint->rows[i];
        row->role = rows[i].role;
        row->line = rows[i].line;
        row->turn_a = rows[i].turn_a;
        row->turn_b = rows[i].turn_b;
        row->at = rows[i].at;
        row->lever = rows[i].lever;
        row->mobility = mobility_of(row, a, b);
    }
}

void joint_note_rates(solver_joint *joint, const solver_body *bodies) {
    for (int32_t i = 0; i < joint->row_count; i++) {
        joint->rows[i].curve = 0.0;
        joint->rows[i].begun = joint_rate(&joint->rows[i], &bodies[joint->a], &bodies[joint->b]);
    }
}

/* The row has turned since the middle of the motion, so what it had then is not its rate now. */
void joint_take_rates(solver_joint *joint) {
    for (int32_t i = 0; i < joint->row_count; i++) {
        joint->rows[i].curve = 0.0;
        joint->rows[i].begun = joint->rows[i].ended;
    }
}

/* ---- laws ---- */

static const joint_law idle = {.low = -INFINITY, .high = INFINITY};

/* The rate of a row that only its own impulse changes; `free` is that without it. */
static double rate_on(const joint_law *law, double free, double mobility, joint_piece *piece) {
    double yields = 1.0 / (1.0 + mobility * law->weight);
    double slow = (free + mobility * (law->constant + law->most)) * yields, fast = (free + mobility * (law->constant - law->most)) * yields;
    *piece = slow <= law->target   ? (joint_piece){false, law->constant + law->most}
             : fast >= law->target ? (joint_piece){false, law->constant - law->most}
                                   : (joint_piece){true, law->target};
    double rate = slow <= law->target ? slow : fast >= law->target ? fast : law->target;
    if (rate < law->low || rate > law->high) {
        rate = rate < law->low ? law->low : law->high;
        *piece = (joint_piece){true, rate};
    }
    return rate;
}

joint_piece joint_piece_at(const joint_row *row, double rate, double p) {
    joint_piece piece;
    (void)rate_on(&row->law, rate - row->mobility * p, row->mobility, &piece);
    return piece;
}

static void hold_at(joint_row *row, double rate) {
    row->law = idle;
    row->law.target = rate;
    row->law.most = INFINITY;
}

/*
 * A spring in half a substep. Its elastic force is that of solve/contact/spring.c. The damper feels the mean of the rates before and after the half, which is
 * of second order and takes no more than all. One that would take nearly all feels the rate after it only, so that it does not reverse it.
 */
static void add_spring(joint_row *row, const abut_joint_def *def, double h) {
    double squared_ratio = def->stiffness * h * h * row->mobility, theta = 1.0 - 1.0 / (1.0 + squared_ratio);
    double taken = 0.5 * h * def->damping * row->mobility, after = 1.0 - 0.5 / (1.0 + taken * taken);
    row->law.weight = 0.5 * h * (def->damping * after + theta * h * def->stiffness);
    row->law.constant = -0.5 * h * (def->stiffness * (row->at - def->rest) + def->damping * (1.0 - after) * row->begun);
}

/* The mobility of the last row when the rows before it hold. */
static double held_mobility(const solver_joint *joint, const solver_body *bodies) {
    const solver_body *a = &bodies[joint->a], *b = &bodies[joint->b];
    block m = {{0.0}};
    block_vector least = {{1.0, 1.0, 1.0, 1.0, 1.0, 1.0}};
    for (int i = 0; i < BLOCK_SIDE; i++) {
        const joint_row *p = &joint->rows[i];
        m.m[BLOCK_SIDE * i + i] = i < joint->row_count ? p->mobility : 1.0;
        least.v[i] = i < joint->row_count && p->mobility > 0.0 ? 1e-12 * p->mobility : 1.0;
        for (int k = i + 1; k < joint->row_count; k++) {
            const joint_row *q = &joint->rows[k];
            m.m[BLOCK_SIDE * i + k] = (a->inverse_mass + b->inverse_mass) * abut_dot(p->line, q->line) +
                                      abut_dot(p->turn_a, abut_mat3_apply(a->inverse_inertia, q->turn_a)) +
                                      abut_dot(p->turn_b, abut_mat3_apply(b->inverse_inertia, q->turn_b));
        }
    }
    block_factorise_above(&m, &least);
    int last = joint->row_count - 1;
    double inverse = m.m[BLOCK_SIDE * last + last];
    return 1.0 / (inverse * inverse);
}

static double least(double p, double q) { return p < q ? p : q; }

/* A row with a motor is the last one of its joint. */
static void add_motor(const solver_joint *joint, const solver_body *bodies, joint_row *row, double h) {
    const abut_joint_motor *motor = &joint->def->motor;
    if (motor->mode == ABUT_MOTOR_OFF) {
        return;
    }
    row->law.most = 0.5 * h * motor->max_force;
    row->law.target = motor->target;
    if (motor->mode == ABUT_MOTOR_POSITION) {
        /* Slow enough to stop in time with half of the force. */
        double way = motor->target - row->at, far = fabs(way), speed = least(far / h, motor->speed);
        bool bounded = motor->max_force < INFINITY && far > 0.0;
        row->law.target = copysign(bounded ? least(speed, sqrt(motor->max_force * held_mobility(joint, bodies) * far)) : speed, way);
    }
}

static void move_freely(const solver_joint *joint, const solver_body *bodies, joint_row *row, double h) {
    row->law = idle;
    if (row->role != JOINT_SPINS) {
        add_spring(row, joint->def, h);
    }
    if (row->role != JOINT_SLIDES) {
        add_motor(joint, bodies, row, h);
    }
}

static bool has_limits(const joint_row *row, const abut_joint_def *def) { return def->limited && row->role != JOINT_SPINS; }

static bool is_tiny(const joint_row *row, const solver_joint *joint) { return fabs(row->at) * row->lever <= tiny * joint->lever; }

static void begin_row(solver_joint *joint, const solver_body *bodies, joint_row *row, double h) {
    const abut_joint_def *def = joint->def;
    row->impulse = row->base = row->pressed[0] = row->pressed[1] = 0.0;
    if (row->role == JOINT_HOLDS) {
        hold_at(row, is_tiny(row, joint) ? -row->at / h : 0.0);
        return;
    }
    move_freely(joint, bodies, row, h);
    if (has_limits(row, def)) {
        row->law.low = real_min(def->lower - row->at, 0.0) / h;
        row->law.high = real_max(def->upper - row->at, 0.0) / h;
    }
}

void joint_first_stage(solver_joint *joint, const solver_body *bodies, const joint_rule *rule) {
    for (int32_t i = 0; i < joint->row_count; i++) {
        begin_row(joint, bodies, &joint->rows[i], rule->substep);
    }
}

/* A limit that pressed in the first stage, or that is touched, stops what comes. What it pressed too much, it takes back. */
static void limit_again(const solver_joint *joint, joint_row *row) {
    const abut_joint_def *def = joint->def;
    double near = touching * (row->lever == 1.0 ? joint->lever : 1.0);
    row->law.constant += row->pressed[1] - row->pressed[0];
    row->law.low = row->pressed[0] > 0.0 || row->at - def->lower <= near ? 0.0 : -INFINITY;
    row->law.high = row->pressed[1] > 0.0 || def->upper - row->at <= near ? 0.0 : INFINITY;
}

void joint_second_stage(solver_joint *joint, const solver_body *bodies, const joint_rule *rule) {
    for (int32_t i = 0; i < joint->row_count; i++) {
        joint_row *row = &joint->rows[i];
        row->base = row->impulse;
        row->curve = 0.0;
        if (row->role == JOINT_HOLDS) {
            hold_at(row, 0.0);
            continue;
        }
        move_freely(joint, bodies, row, rule->substep);
        if (has_limits(row, joint->def)) {
            limit_again(joint, row);
        }
    }
}

/* How far the position of a row is from where it may be: what a push has to add. */
static double missing(const joint_row *row, const solver_joint *joint) {
    if (row->role == JOINT_HOLDS) {
        return is_tiny(row, joint) ? 0.0 : -row->at;
    }
    if (!has_limits(row, joint->def)) {
        return 0.0;
    }
    return row->at < joint->def->lower ? joint->def->lower - row->at : row->at > joint->def->upper ? joint->def->upper - row->at : 0.0;
}

double joint_begin_push(solver_joint *joint, const solver_body *bodies, const joint_rule *rule) {
    double fastest = 0.0;
    for (int32_t i = 0; i < joint->row_count; i++) {
        joint_row *row = &joint->rows[i];
        double most = rule->max_push / row->lever, push = missing(row, joint) / rule->substep;
        double rate = joint_rate(row, &bodies[joint->a], &bodies[joint->b]), low = row->law.low, high = row->law.high;
        push = push > most ? most : push < -most ? -most : push;
        row->base = row->impulse;
        if (row->role == JOINT_HOLDS) {
            hold_at(row, rate + push);
        } else {
            row->law = idle;
            row->law.low = push > 0.0 ? rate + push : low < rate ? low : rate;
            row->law.high = push < 0.0 ? rate + push : high > rate ? high : rate;
        }
        fastest = real_max(fastest, fabs(push) * row->lever);
    }
    return fastest;
}

double joint_begin_return(solver_joint *joint, const double planned[JOINT_ROWS]) {
    double largest = 0.0;
    for (int32_t i = 0; i < joint->row_count; i++) {
        joint_row *row = &joint->rows[i];
        row->curve = 0.0;
        row->base = row->impulse;
        if (row->role == JOINT_HOLDS) {
            hold_at(row, planned[i] - row->at);
            largest = real_max_number(largest, fabs(row->law.target) * row->lever);
            continue;
        }
        row->law = idle;
        if (has_limits(row, joint->def)) {
            row->law.low = real_min(joint->def->lower, planned[i]) - row->at;
            row->law.high = real_max(joint->def->upper, planned[i]) - row->at;
            largest = real_max_number(largest, real_max(row->law.low, -row->law.high) * row->lever);
        }
    }
    return largest;
}

double joint_bend(solver_joint *joint, const solver_body *bodies, const solver_body *a, const solver_body *b, const joint_rule *rule) {
    joint_row rows[JOINT_ROWS];
    double turned[2] = {joint->turned[0], joint->turned[1]}, largest = 0.0;
    (void)joint_rows(joint, a, b, turned, rows);
    for (int32_t i = 0; i < joint->row_count; i++) {
        joint_row *row = &joint->rows[i];
        double change = (rows[i].at - row->at) / rule->substep - joint_rate(row, &bodies[joint->a], &bodies[joint->b]);
        row->curve += change;
        largest = real_max(largest, fabs(change) * row->lever);
    }
    return largest;
}

void joint_unbend(solver_joint *joint) {
    for (int32_t i = 0; i < joint->row_count; i++) {
        joint->rows[i].curve = 0.0;
    }
}

/* ---- impulses ---- */

void joint_warm_start(solver_joint *joint, solver_body *bodies) {
    for (int32_t i = 0; i < joint->row_count; i++) {
        joint_push(&joint->rows[i], &bodies[joint->a], &bodies[joint->b], 0.5 * joint->rows[i].warm);
    }
}

double joint_pass(solver_joint *joint, solver_body *bodies) {
    double largest = 0.0;
    for (int32_t i = 0; i < joint->row_count; i++) {
        joint_row *row = &joint->rows[i];
        if (!(row->mobility > 0.0)) {
            continue;
        }
        double rate = joint_rate(row, &bodies[joint->a], &bodies[joint->b]), p = row->impulse - row->base;
        joint_piece unused;
        double change = rate_on(&row->law, rate - row->mobility * p, row->mobility, &unused) - rate;
        joint_push(row, &bodies[joint->a], &bodies[joint->b], change / row->mobility);
        largest = real_max(largest, fabs(change) * row->lever);
    }
    return largest;
}

/* What the limits pressed in this stage: what is beyond spring and motor. */
static void note_limits(joint_row *row, double rate, double p) {
    const joint_law *law = &row->law;
    double rest = p - (law->constant - law->weight * rate);
    if (law->low == -INFINITY && law->high == INFINITY) {
        return;
    }
    row->pressed[0] = rest > law->most ? rest - law->most : 0.0;
    row->pressed[1] = rest < -law->most ? -law->most - rest : 0.0;
}

void joint_end_stage(solver_joint *joint, const solver_body *bodies) {
    for (int32_t i = 0; i < joint->row_count; i++) {
        joint_row *row = &joint->rows[i];
        double p = row->impulse - row->base;
        joint->force = abut_add_scaled(joint->force, p, row->line);
        joint->torque = abut_add_scaled(joint->torque, p, abut_sub(row->turn_b, abut_cross(joint->arm_b, row->line)));
        row->ended = joint_rate(row, &bodies[joint->a], &bodies[joint->b]);
        note_limits(row, row->ended, p);
    }
}

void joint_end_substep(solver_joint *joint, double h) {
    abut_vec3 impulse = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < joint->row_count; i++) {
        joint->rows[i].warm = joint->rows[i].impulse;
        impulse = abut_add_scaled(impulse, joint->rows[i].impulse, joint->rows[i].line);
    }
    joint->loads[2] = joint->loads[1];
    joint->loads[1] = joint->loads[0];
    joint->loads[0] = abut_length(impulse) / h;
}
