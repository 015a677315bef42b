/* Contacts of smooth bodies over several meshes: see facing.h. */
#include "step/fixed/facing.h"

#include "base/array.h"
#include "base/real.h"
#include "narrow/patch/contact_list.h"
#include "shape/smooth.h"

/* The slot of the smooth body of a job over several meshes; -1 for other jobs. */
static int32_t smooth_of(const abut_world *world, const narrow_job *job) {
    const broad_pair *pair = &world->broad.found[job->pair];
    const body *over = job->over >= 0 ? &world->bodies[job->over] : NULL;
    return over != NULL && smooth_is_unknown(over->shape) && world->bodies[pair->a + pair->b - job->over].shape->kind == ABUT_SHAPE_TRIMESH
               ? job->over
               : -1;
}

/* Notes the least gap of facing places of each body. */
static void note(narrow_phase *narrow, const abut_world *world, double *least) {
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        least[slot] = INFINITY;
    }
    for (int32_t i = 0; i < narrow->job_count; i++) {
        const narrow_job *job = &narrow->jobs[i];
        const abut_contact *contact = narrow->results + job->first;
        int32_t body = smooth_of(world, job);
        for (int32_t k = 0; body >= 0 && k < job->count; k++) {
            least[body] = contact_is_settled(&contact[k]) ? real_min(least[body], contact[k].gap) : least[body];
        }
    }
}

bool facing_keep(narrow_phase *narrow, const abut_world *world) {
    bool any = false;
    for (int32_t i = 0; i < narrow->job_count && !any; i++) {
        any = smooth_of(world, &narrow->jobs[i]) >= 0;
    }
    if (!any) {
        return true;
    }
    if (!array_reserve(&narrow->first_met, &narrow->met_capacity, world->body_used, sizeof *narrow->first_met)) {
        return false;
    }
    note(narrow, world, narrow->first_met);
    for (int32_t i = 0; i < narrow->job_count; i++) {
        narrow_job *job = &narrow->jobs[i];
        int32_t body = smooth_of(world, job);
        if (body >= 0) {
            job->count = contact_keep_deeper(narrow->results + job->first, job->count, narrow->first_met[body]);
        }
    }
    return true;
}
