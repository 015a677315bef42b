#pragma once

#include "io/scene/data.h"
#include "io/scene/simulation.h"

/*
 * The members of a simulation, and the functions that its files share.
 */

/* A spring or force that acts now. */
typedef struct lasting_action {
    const abut_scene_action *action;
    abut_spring_id spring; /* zero for a force */
    int64_t first, end;    /* the step in which it began, and the first one without it */
} lasting_action;

/* The state of an action with a trigger: below these, FIRED_BEGUN - k says that it began in step k. 0 and above: the step in which it is to begin. */
enum { FIRED_BEGUN = -3, FIRED_NEVER = -2, FIRED_NOT_YET = -1 };

struct abut_simulation {
    const abut_scene *scene;
    abut_world *world;
    abut_body_id *bodies;
    abut_joint_id *joints;
    int64_t step;
    bool at_rest;

    bool stopped;

    int32_t next_action;     /* the first action with a time that has not begun */
    int64_t *fired;          /* [actions] of those with triggers; FIRED_NEVER when it was left out */
    lasting_action *lasting; /* in the order of their beginnings */
    int32_t lasting_count;

    double *series;     /* [series of the scene] row of the last step */
    double *volumes;    /* [bodies] of a scene with averages, else NULL */
    abut_vec3 *centres; /* [bodies] of a scene with flows, else NULL: centres of mass at the start of a step; process/running.c */

    int64_t *shaped; /* [bodies] number of steps after which a deforming body got its present shape; below 0 for the undeformed shape */
};

/* simulation_action.c: performs the actions that begin with the present step, and applies or ends those that last. */
abut_status simulation_perform_actions(abut_simulation *simulation, abut_error *error);

/* A spring or force that begins in its step, or in the step `begins` when it has a trigger. */
lasting_action simulation_lasting(const abut_scene_action *action, int64_t begins);
/* Finds out which triggers are met after the last step. report: of that step; NULL at the beginning, when nothing rests. */
void simulation_pull_triggers(abut_simulation *simulation, const abut_step_report *report);

/* simulation.c: abut_simulation_create(), also for a scene whose recording was not read: it begins as the scene says. */
abut_status simulation_make(const abut_scene *scene, abut_simulation **simulation, abut_error *error);

/* simulation.c: whether the last step ended in a condition of rest. */
bool simulation_rests(const abut_scene_until *rest, const abut_step_report *report);

/* grain/feed.c: bodies of an inlet that are due at the start of a step, and those that have come. */
int32_t simulation_due_at(const scene_inlet *inlet, int64_t step, double dt);
int32_t simulation_placed(const abut_simulation *simulation, const scene_inlet *inlet);

/* simulation_deform.c */

/* Adds the scene's body `index` to the world, as what it is at the beginning. Statuses of abut_world_add_body() and abut_world_make_cell(). */
abut_status simulation_add_body(abut_simulation *simulation, int32_t index);

/* Gives the body, which deforms, the shape that it has after `steps` steps. */
abut_status simulation_deform_body(abut_simulation *simulation, int32_t index, int64_t steps, abut_error *error);
/* Gives all bodies that deform the shapes that they have after `steps` steps. */
abut_status simulation_deform_bodies(abut_simulation *simulation, int64_t steps, abut_error *error);
/* Number of bodies that deform. */
int32_t simulation_deforming_count(const abut_scene *scene);
