/* The diagonal block of a column is s L L^T with its sign s, and the blocks below become s B L^-T. What is left of the matrix is reduced by their products
 * times s. */
#include "solve/contact/factor.h"

static bool is_joint(const solver_plan *plan, const solver_contacts *set, int32_t column) {
    return plan->bodies[column] >= set->body_count;
}

static block negative(const block *m) {
    block n;
    for (int i = 0; i < BLOCK_SIZE; i++) {
        n.m[i] = -m->m[i];
    }
    return n;
}

static void reduce(solver_plan *plan, const solver_contacts *set, int32_t c) {
    int32_t first = plan->column_first[c], end = plan->column_first[c + 1];
    bool joint = is_joint(plan, set, c);
    for (int32_t k = first; k < end; k++) {
        int32_t column = plan->rows[k], at = plan->column_first[column];
        const block *below = &plan->below[k], other = negative(below);
        block_subtract_product(&plan->diagonal[column], below, joint == is_joint(plan, set, column) ? below : &other);
        for (int32_t i = k + 1; i < end; i++) {
            /* The later neighbours of an eliminated node are neighbours of each other, so the row exists. */
            while (plan->rows[at] != plan->rows[i]) {
                at++;
            }
            block_subtract_product(&plan->below[at], &plan->below[i], joint ? &other : below);
        }
    }
}

void factor_columns(solver_plan *plan, const plan_island *island, const solver_contacts *set) {
    for (int32_t c = island->column; c < island->column_end; c++) {
        bool joint = is_joint(plan, set, c);
        if (joint) {
            block_factorise_above(&plan->diagonal[c], &plan->floors[c]);
        } else {
            block_factorise(&plan->diagonal[c]);
        }
        for (int32_t k = plan->column_first[c]; k < plan->column_first[c + 1]; k++) {
            block_divide(&plan->below[k], &plan->diagonal[c]);
            plan->below[k] = joint ? negative(&plan->below[k]) : plan->below[k];
        }
        reduce(plan, set, c);
    }
}

void factor_substitute(solver_plan *plan, const plan_island *island, const solver_contacts *set) {
    for (int32_t c = island->column; c < island->column_end; c++) {
        block_substitute(&plan->vector[c], &plan->diagonal[c]);
        for (int32_t k = plan->column_first[c]; k < plan->column_first[c + 1]; k++) {
            block_subtract(&plan->vector[plan->rows[k]], &plan->below[k], &plan->vector[c]);
        }
    }
    for (int32_t c = island->column_end - 1; c >= island->column; c--) {
        for (int i = 0; i < BLOCK_SIDE && is_joint(plan, set, c); i++) {
            plan->vector[c].v[i] = -plan->vector[c].v[i];
        }
        for (int32_t k = plan->column_first[c]; k < plan->column_first[c + 1]; k++) {
            block_subtract_transposed(&plan->vector[c], &plan->below[k], &plan->vector[plan->rows[k]]);
        }
        block_substitute_transposed(&plan->vector[c], &plan->diagonal[c]);
    }
}
