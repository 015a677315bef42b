#pragma once

#include "step/fixed/again.h"
#include "step/fixed/colours.h"
#include "step/fixed/contacts.h"
#include "step/fixed/lag.h"
#include "step/fixed/quick.h"
#include "step/fixed/substeps.h"

/* The working memory of the fixed stepper. It is kept from step to step only to save allocations: every step writes its contents anew. */
struct fixed_stepper {
    island_forest islands;
    narrow_phase narrow;
    island_layout layout;
    island_colours colours;
    solver_plan plan;
    passage_guard guard;
    wide_solver quick;
    lag_relief lag;
    again_marks again;
    abut_aabb *reaches; /* by slot: where the body may come in the step; of bodies that move, but for planes */
    int32_t reach_capacity;
};

/* Make one step with the fixed stepper: abut_world_step() without its checks. The report must not be NULL. */
abut_status fixed_step(abut_world *world, double dt, abut_step_report *report);

/* NULL does nothing. */
void fixed_release(struct fixed_stepper *stepper);
