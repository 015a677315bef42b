#include "solve/contact/joint_part.h"

#include "base/real.h"

/* The compliance of rows that hold, relative to their mobility. Rows that say the same twice, as in a closed chain, need one. What it lets through is solved
 * for again. */
static const double yields = 1e-9;

/* A spring with a smaller weight than this, relative to the inverse of the mobility, is no equation. Its impulse does not depend on the change. */
static const double slack = 1e-12;

static block_vector of_a(const joint_row *row) {
    return (block_vector){{-row->line.x, -row->line.y, -row->line.z, -row->turn_a.x, -row->turn_a.y, -row->turn_a.z}};
}

static block_vector of_b(const joint_row *row) {
    return (block_vector){{row->line.x, row->line.y, row->line.z, row->turn_b.x, row->turn_b.y, row->turn_b.z}};
}

/* A row along which no impulse moves anything. */
static bool is_dead(const joint_row *row) { return !(row->mobility > 0.0); }

static bool is_equation(const joint_row *row) { return row->piece.holds || row->law.weight * row->mobility > slack; }

static double rate_of(const solver_contacts *set, const solver_joint *joint, const joint_row *row) {
    return joint_rate(row, &set->bodies[joint->a], &set->bodies[joint->b]);
}

void joint_part_classify(const solver_contacts *set) {
    for (int32_t j = 0; j < set->joint_count; j++) {
        solver_joint *joint = &set->joints[j];
        for (int32_t i = 0; i < joint->row_count; i++) {
            joint_row *row = &joint->rows[i];
            row->piece = is_dead(row) ? (joint_piece){false, 0.0} : joint_piece_at(row, rate_of(set, joint, row), row->impulse - row->base);
        }
    }
}

/* Couples row i of a joint with a body. */
static void couple(solver_plan *plan, const plan_joint *planned, int32_t body, int32_t at, const block_vector *row, int i) {
    block_vector unit = {{0.0}};
    unit.v[i] = 1.0;
    if (body < 0) {
        return;
    }
    if (body > planned->column) {
        block_add_outer(&plan->below[at], 1.0, row, &unit);
    } else {
        block_add_outer(&plan->below[at], 1.0, &unit, row);
    }
}

/* The compliance of a row in the matrix; negative for a row that is no equation. */
static double compliance_of(const joint_row *row) {
    return is_dead(row) || !is_equation(row) ? -1.0 : row->piece.holds ? yields * row->mobility : 1.0 / row->law.weight;
}

bool joint_part_is_factored(const solver_contacts *set) {
    for (int32_t j = 0; j < set->joint_count; j++) {
        for (int32_t i = 0; i < set->joints[j].row_count; i++) {
            const joint_row *row = &set->joints[j].rows[i];
            if (row->factored != compliance_of(row)) {
                return false;
            }
        }
    }
    return true;
}

void joint_part_matrix(solver_plan *plan, const plan_island *island, const solver_contacts *set) {
    for (int32_t j = 0; j < set->joint_count; j++) {
        solver_joint *joint = &set->joints[j];
        const plan_joint *planned = &plan->joints[island->joint + j];
        block own = {{0.0}};
        block_vector least = {{0.0}};
        for (int i = 0; i < BLOCK_SIDE; i++) {
            joint_row *row = &joint->rows[i];
            row->factored = i < joint->row_count ? compliance_of(row) : -1.0;
            bool solved = row->factored >= 0.0;
            own.m[BLOCK_SIDE * i + i] = solved ? row->factored : 1.0;
            least.v[i] = solved ? yields * row->mobility : 1.0;
            if (solved) {
                block_vector a = of_a(row), b = of_b(row);
                couple(plan, planned, planned->a, planned->block_a, &a, i);
                couple(plan, planned, planned->b, planned->block_b, &b, i);
            }
        }
        plan->diagonal[planned->column] = own;
        plan->floors[planned->column] = least;
    }
}

static void add_scaled(block_vector *to, double s, block_vector row) {
    for (int i = 0; i < BLOCK_SIDE; i++) {
        to->v[i] += s * row.v[i];
    }
}

double joint_part_missing(solver_plan *plan, const plan_island *island, const solver_contacts *set) {
    double largest = 0.0;
    for (int32_t j = 0; j < set->joint_count; j++) {
        solver_joint *joint = &set->joints[j];
        const plan_joint *planned = &plan->joints[island->joint + j];
        block_vector missing = {{0.0}};
        for (int32_t i = 0; i < joint->row_count; i++) {
            joint_row *row = &joint->rows[i];
            double rate = rate_of(set, joint, row), wanted = row->piece.at - (row->impulse - row->base);
            row->step = 0.0;
            if (is_dead(row)) {
                continue;
            }
            if (row->piece.holds) {
                missing.v[i] = row->piece.at - rate;
                largest = real_max(largest, fabs(missing.v[i]) * row->lever);
            } else if (is_equation(row)) {
                missing.v[i] = wanted / row->law.weight - rate;
            } else {
                row->step = wanted - row->law.weight * rate;
                if (planned->a >= 0) {
                    add_scaled(&plan->vector[planned->a], row->step, of_a(row));
                }
                if (planned->b >= 0) {
                    add_scaled(&plan->vector[planned->b], row->step, of_b(row));
                }
            }
        }
        plan->vector[planned->column] = missing;
    }
    return largest;
}

static double dot(block_vector p, const block_vector *q) {
    double sum = 0.0;
    for (int i = 0; i < BLOCK_SIDE; i++) {
        sum += p.v[i] * q->v[i];
    }
    return sum;
}

int32_t joint_part_steps(const solver_plan *plan, const plan_island *island, const solver_contacts *set) {
    int32_t count = 0;
    for (int32_t j = 0; j < set->joint_count; j++) {
        solver_joint *joint = &set->joints[j];
        const plan_joint *planned = &plan->joints[island->joint + j];
        for (int32_t i = 0; i < joint->row_count; i++) {
            joint_row *row = &joint->rows[i];
            row->next = row->piece;
            if (is_dead(row)) {
                continue;
            }
            row->step = is_equation(row) ? -plan->vector[planned->column].v[i] : row->step;
            double gained = (planned->a >= 0 ? dot(of_a(row), &plan->vector[planned->a]) : 0.0) +
                            (planned->b >= 0 ? dot(of_b(row), &plan->vector[planned->b]) : 0.0);
            joint_piece piece = joint_piece_at(row, rate_of(set, joint, row) + gained, row->impulse - row->base + row->step);
            count += piece.holds != row->piece.holds || piece.at != row->piece.at;
            row->next = piece;
        }
    }
    return count;
}

void joint_part_move_on(const solver_contacts *set) {
    for (int32_t j = 0; j < set->joint_count; j++) {
        for (int32_t i = 0; i < set->joints[j].row_count; i++) {
            set->joints[j].rows[i].piece = set->joints[j].rows[i].next;
        }
    }
}

void joint_part_apply(const solver_contacts *set) {
    for (int32_t j = 0; j < set->joint_count; j++) {
        solver_joint *joint = &set->joints[j];
        for (int32_t i = 0; i < joint->row_count; i++) {
            joint_push(&joint->rows[i], &set->bodies[joint->a], &set->bodies[joint->b], joint->rows[i].step);
        }
    }
}

void joint_part_save(const solver_contacts *set) {
    for (int32_t j = 0; j < set->joint_count; j++) {
        for (int32_t i = 0; i < set->joints[j].row_count; i++) {
            set->joints[j].rows[i].before = set->joints[j].rows[i].impulse;
        }
    }
}

void joint_part_take_back(const solver_contacts *set) {
    for (int32_t j = 0; j < set->joint_count; j++) {
        for (int32_t i = 0; i < set->joints[j].row_count; i++) {
            set->joints[j].rows[i].impulse = set->joints[j].rows[i].before;
        }
    }
}
