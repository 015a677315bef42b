/* Takes the impulses out of the blocks. Included where SIMD_LEVEL is defined. */
#pragma once

#include "base/real.h"
#include "solve/contact/patch.h"
#include "solve/wide/block.h"

/*
 * How the friction of a patch is shared out to its points: a force in proportion to their loads, and a moment as forces across their levers from the middle of
 * the load. These forces have the resultant and the moment of the patch's friction, unless the moment is more than the points can hold.
 */
typedef struct sharing {
    double total, x, y;            /* load and its middle */
    double force_x, force_y, turn; /* for a unit of load */
} sharing;

static double load_of(const wide_point *p, int lane, bool sum) { return sum ? p->sum[lane] : p->load[lane]; }

static sharing share_out(const wide_block *block, int lane, int32_t count, bool sum) {
    const lanes_column *held = sum ? block->held_sum : block->held;
    sharing s = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    double squares = 0.0, farthest = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const wide_point *p = &block->point[i];
        double load = load_of(p, lane, sum);
        s.total += load;
        s.x += load * p->x[lane];
        s.y += load * p->y[lane];
    }
    if (!(s.total > 0.0)) {
        return s;
    }
    s.x /= s.total;
    s.y /= s.total;
    for (int32_t i = 0; i < count; i++) {
        const wide_point *p = &block->point[i];
        double load = load_of(p, lane, sum), x = p->x[lane] - s.x, y = p->y[lane] - s.y;
        squares += load * (x * x + y * y);
        farthest = load > 0.0 ? real_max(farthest, x * x + y * y) : farthest;
    }
    s.force_x = held[0][lane] / s.total;
    s.force_y = held[1][lane] / s.total;
    double moment = held[2][lane] - (s.x * held[1][lane] - s.y * held[0][lane]);
    if (farthest > 1e-12 * block->reach[lane] * block->reach[lane]) { /* not one point alone */
        double most = block->friction[lane] / sqrt(farthest);
        s.turn = real_min(real_max(moment / squares, -most), most);
    }
    return s;
}

static solver_impulse share_of(const sharing *s, const wide_point *p, int lane, double load) {
    double x = p->x[lane] - s->x, y = p->y[lane] - s->y;
    return (solver_impulse){load, load * (s->force_x - s->turn * y), load * (s->force_y + s->turn * x)};
}

/* The impulse of a step. Where a patch has lost its load at once it may have had friction alone; its points share it alike. */
static solver_impulse sum_of(const wide_block *block, const sharing *s, const wide_point *p, int lane) {
    if (s->total > 0.0) {
        return share_of(s, p, lane, p->sum[lane]);
    }
    double part = block->inverse_count[lane];
    return (solver_impulse){p->sum[lane], part * block->held_sum[0][lane], part * block->held_sum[1][lane]};
}

static void keep_lane(const wide_solver *solver, const wide_block *block, int lane) {
    const wide_source *source = &solver->sources[block->source[lane]];
    const solver_contacts *set = &solver->sets[source->set];
    const solver_patch *patch = &set->patches[source->patch];
    sharing last = share_out(block, lane, patch->count, false), step = share_out(block, lane, patch->count, true);
    for (int32_t i = 0; i < patch->count; i++) {
        const wide_point *p = &block->point[i];
        solver_anchor *anchor = &set->anchors[patch->first + i];
        anchor->warm = share_of(&last, p, lane, p->load[lane]);
        anchor->sum = sum_of(block, &step, p, lane);
        anchor->mean = p->mean[lane] < 0.0 ? p->load[lane] : p->mean[lane]; /* a new contact had no mean */
    }
}

static void keep(const wide_task *task, wide_part part) {
    const wide_solver *solver = task->solver;
    for (int32_t i = part.begin; i < part.end; i++) {
        const wide_block *block = wide_block_of(solver, &solver->runs[part.run], i);
        for (int lane = 0; lane < SIMD_WIDTH; lane++) {
            if (block->source[lane] >= 0) {
                keep_lane(solver, block, lane);
            }
        }
    }
}

static void note_lag(const wide_task *task) {
    const wide_solver *solver = task->solver;
    for (int32_t s = task->group->set; s < task->group->set_end; s++) {
        solver->lag[s] = 0.0;
    }
    for (int32_t r = task->group->run; r < task->group->run + task->group->run_count; r++) {
        for (int32_t i = 0; i < solver->runs[r].blocks; i++) {
            const wide_block *block = wide_block_of(solver, &solver->runs[r], i);
            for (int lane = 0; lane < SIMD_WIDTH; lane++) {
                if (block->source[lane] >= 0) {
                    double *lag = &solver->lag[solver->sources[block->source[lane]].set];
                    *lag = real_max(*lag, block->residual[lane]);
                }
            }
        }
    }
}
