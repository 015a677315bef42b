#include "solve/contact/equation.h"

void equation_add(solver_plan *plan, const plan_pair *pair, const equation *e) {
    if (pair->a >= 0) {
        block_add_outer(&plan->diagonal[pair->a], e->weight, &e->a, &e->a);
    }
    if (pair->b >= 0) {
        block_add_outer(&plan->diagonal[pair->b], e->weight, &e->b, &e->b);
    }
    if (pair->block >= 0 && pair->a > pair->b) {
        block_add_outer(&plan->below[pair->block], e->weight, &e->a, &e->b);
    } else if (pair->block >= 0) {
        block_add_outer(&plan->below[pair->block], e->weight, &e->b, &e->a);
    }
    for (int i = 0; i < BLOCK_SIDE; i++) {
        if (pair->a >= 0) {
            plan->vector[pair->a].v[i] += e->weight * e->missing * e->a.v[i];
        }
        if (pair->b >= 0) {
            plan->vector[pair->b].v[i] += e->weight * e->missing * e->b.v[i];
        }
    }
}

static double dot(const block_vector *p, const block_vector *q) {
    double sum = 0.0;
    for (int i = 0; i < BLOCK_SIDE; i++) {
        sum += p->v[i] * q->v[i];
    }
    return sum;
}

double equation_step(const solver_plan *plan, const plan_pair *pair, const equation *e) {
    double gained = (pair->a >= 0 ? dot(&e->a, &plan->vector[pair->a]) : 0.0) + (pair->b >= 0 ? dot(&e->b, &plan->vector[pair->b]) : 0.0);
    return e->weight * (e->missing - gained);
}
