/* Runs the jobs of the narrow phase: see narrow_jobs.h. World frame. */
#include "step/fixed/narrow_jobs.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "narrow/box/collide.h"
#include "narrow/mesh/mesh.h"
#include "narrow/seam/mend.h"
#include "shape/smooth.h"
#include "step/fixed/continuous/impact.h"
#include "step/fixed/margin.h"

static abut_collide_settings settings_of(const abut_world *world, const narrow_job *job) {
    const broad_pair *pair = &world->broad.found[job->pair];
    abut_collide_settings settings = world->def.collide;
    double size = margin_smaller_size(&world->bodies[pair->a], &world->bodies[pair->b]);
    settings.margin = job->margin;
    /* A face tilted by less than margin / size can close over its whole length within the step. */
    settings.feature_angle = real_max_number(job->angle, real_min_number(0.5, job->margin / size));
    settings.previous_normal = world->broad.found_memories[job->pair].normal;
    return settings;
}

static seam seam_of(const narrow_phase *narrow, const abut_world *world, double dt, const narrow_job *job) {
    const broad_pair *pair = &world->broad.found[job->pair];
    return (seam){&narrow->seams, world, job->over, pair->a + pair->b - job->over, dt};
}

/* ---- bodies ---- */

bool narrow_jobs_reserve(narrow_phase *narrow, const abut_world *world) {
    return array_reserve(&narrow->bodies, &narrow->body_capacity, world->body_used, sizeof *narrow->bodies);
}

void narrow_jobs_place(narrow_phase *narrow, const abut_world *world, double dt, int32_t begin, int32_t end) {
    for (int32_t slot = begin; slot < end; slot++) {
        const body *body = &world->bodies[slot];
        narrow->bodies[slot] = (narrow_body){collide_place_body(body->shape, &body->pose), margin_travel(world, body, dt)};
    }
}

/* ---- one pair ---- */

static void run_pair(const narrow_phase *narrow, abut_world *world, double dt, const still_bodies *others, narrow_job *job) {
    const broad_pair *pair = &world->broad.found[job->pair];
    const body *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    const abut_collide_settings settings = settings_of(world, job);
    const abut_placed *placed_a = &narrow->bodies[pair->a].placed, *placed_b = &narrow->bodies[pair->b].placed;
    abut_placed met[2];
    if (job->met > 0.0) {
        abut_pose poses[2];
        impact_poses(world, a, b, dt, job->met, poses);
        met[0] = collide_place_body(a->shape, &poses[0]);
        met[1] = collide_place_body(b->shape, &poses[1]);
        placed_a = &met[0];
        placed_b = &met[1];
    }
    job->status = collide_beside(placed_a, placed_b, others, a->kind != ABUT_BODY_DYNAMIC, &settings,
                                 &world->broad.found_memories[job->pair].cache, narrow->results + job->first, job->capacity, &job->count);
}

/* ---- a body over several meshes ---- */

/* A pair that is joined with others. */
typedef struct joined_job {
    narrow_job *job;
    bool mesh_first; /* the mesh is A of the pair */
    abut_collide_settings settings;
    seam seam;
    still_bodies others;
} joined_job;

static joined_job joined_of(const narrow_phase *narrow, const abut_world *world, double dt, narrow_job *job) {
    const broad_pair *pair = &world->broad.found[job->pair];
    return (joined_job){
        .job = job, .mesh_first = pair->b == job->over, .settings = settings_of(world, job), .seam = seam_of(narrow, world, dt, job)};
}

/* Where the body is when the contacts are made. */
static abut_pose pose_of(const abut_world *world, double dt, const joined_job *joined) {
    const broad_pair *pair = &world->broad.found[joined->job->pair];
    abut_pose poses[2];
    impact_poses(world, &world->bodies[pair->a], &world->bodies[pair->b], dt, joined->job->met, poses);
    return poses[joined->mesh_first];
}

static bool is_alike(const abut_shape *body, const joined_job *p, const joined_job *q) {
    return p->mesh_first == q->mesh_first && p->job->met == q->job->met && mesh_share_is_alike(body, &p->settings, &q->settings);
}

/* Runs the first job and all that are like it. Returns how many there were; they come first. */
static int32_t run_alike(const narrow_phase *narrow, const abut_world *world, double dt, joined_job *joined, mesh_share *shares,
                         int32_t count) {
    const seam_meshes meshes = seams_meshes(&joined[0].seam);
    const abut_shape *body = world->bodies[joined[0].job->over].shape;
    const mesh_group group = {body, pose_of(world, dt, &joined[0]), meshes.parts, meshes.count, joined[0].mesh_first};
    int32_t alike = 1;
    for (int32_t i = 1; i < count; i++) { /* those that are alike come first */
        if (is_alike(body, &joined[0], &joined[i])) {
            joined_job other = joined[alike];
            joined[alike++] = joined[i];
            joined[i] = other;
        }
    }
    for (int32_t i = 0; i < alike; i++) {
        joined_job *one = &joined[i];
        one->others = seams_beside(&one->seam);
        shares[i] = (mesh_share){.own = seams_meshes(&one->seam).own,
                                 .others = &one->others,
                                 .settings = &one->settings,
                                 .contacts = narrow->results + one->job->first,
                                 .capacity = one->job->capacity};
    }
    collide_among_meshes(&group, shares, alike);
    for (int32_t i = 0; i < alike; i++) {
        joined[i].job->count = shares[i].count;
        joined[i].job->status = shares[i].status;
    }
    return alike;
}

/* Runs the jobs with that status among those of a body's meshes. */
static void run_joined(const narrow_phase *narrow, const abut_world *world, double dt, const seam_meshes *meshes, abut_status which) {
    const int32_t *jobs = narrow->mesh_jobs + meshes->first;
    joined_job *joined = memory_allocate((size_t)meshes->count, sizeof *joined);
    mesh_share *shares = memory_allocate((size_t)meshes->count, sizeof *shares);
    bool fine = joined != NULL && shares != NULL;
    int32_t count = 0;
    for (int32_t i = 0; i < meshes->count; i++) {
        narrow_job *job = jobs[i] >= 0 ? &narrow->jobs[jobs[i]] : NULL;
        if (job != NULL && job->status == which && fine) {
            joined[count++] = joined_of(narrow, world, dt, job);
        } else if (job != NULL && !fine) {
            job->status = ABUT_ERROR_OUT_OF_MEMORY;
        }
    }
    for (int32_t done = 0; done < count;) {
        done += run_alike(narrow, world, dt, joined + done, shares, count - done);
    }
    memory_release(shares);
    memory_release(joined);
}

/* The first job of those of a body's meshes. */
static int32_t first_joined(const narrow_phase *narrow, const seam_meshes *meshes) {
    int32_t i = meshes->first;
    while (narrow->mesh_jobs[i] < 0) {
        i++;
    }
    return narrow->mesh_jobs[i];
}

bool narrow_jobs_join(narrow_phase *narrow, const abut_world *world) {
    int32_t count = seams_mesh_count(&narrow->seams);
    if (!array_reserve(&narrow->mesh_jobs, &narrow->mesh_capacity, count, sizeof *narrow->mesh_jobs)) {
        return false;
    }
    for (int32_t i = 0; i < count; i++) {
        narrow->mesh_jobs[i] = -1;
    }
    for (int32_t i = 0; i < narrow->job_count && count > 0; i++) {
        if (narrow->jobs[i].over >= 0) {
            const seam seam = seam_of(narrow, world, 0.0, &narrow->jobs[i]);
            const seam_meshes meshes = seams_meshes(&seam);
            if (meshes.own >= 0) {
                narrow->mesh_jobs[meshes.first + meshes.own] = i;
            }
        }
    }
    return true;
}

/* ---- any job ---- */

static void run(narrow_phase *narrow, abut_world *world, double dt, int32_t index, abut_status which) {
    narrow_job *job = &narrow->jobs[index];
    if (job->over < 0) {
        run_pair(narrow, world, dt, NULL, job);
        return;
    }
    const seam seam = seam_of(narrow, world, dt, job);
    const seam_meshes meshes = seams_meshes(&seam);
    /* A smooth body that is not convex meets each mesh by a mesh of its own, one of rounded triangles by facets. */
    const abut_shape *body = world->bodies[job->over].shape;
    if (meshes.own < 0 || meshes.count == 1 || smooth_is_unknown(body) || body->kind == ABUT_SHAPE_FACETMESH) {
        const still_bodies others = seams_beside(&seam);
        run_pair(narrow, world, dt, &others, job);
    } else if (which != ABUT_OK || first_joined(narrow, &meshes) == index) {
        run_joined(narrow, world, dt, &meshes, which);
    }
}

/* ---- pairs of boxes ---- */

enum { BOXES_AT_ONCE = 32 };

/* Pairs of boxes that are run together. */
typedef struct box_jobs {
    box_task tasks[BOXES_AT_ONCE];
    box_terms terms[BOXES_AT_ONCE];
    int32_t jobs[BOXES_AT_ONCE];
    int32_t count;
} box_jobs;

/* Whether the job is one of boxes that are where they were placed, with no other body beside them. */
static bool is_of_boxes(const abut_world *world, const narrow_phase *narrow, const narrow_job *job) {
    const broad_pair *pair = &world->broad.found[job->pair];
    const abut_placed *a = &narrow->bodies[pair->a].placed, *b = &narrow->bodies[pair->b].placed;
    const abut_collide_settings *settings = &world->def.collide;
    bool fit = box_tasks_are_fit(a->shape, b->shape, settings->normal == ABUT_NORMAL_MINIMUM, settings->refine_normal);
    return fit && job->over < 0 && !(job->met > 0.0) && a->is_valid && b->is_valid;
}

static void run_generally(const narrow_phase *narrow, abut_world *world, narrow_job *job) {
    const broad_pair *pair = &world->broad.found[job->pair];
    const abut_collide_settings settings = settings_of(world, job);
    job->status =
        collide_generally(&narrow->bodies[pair->a].placed, &narrow->bodies[pair->b].placed, NULL, false, &settings,
                          &world->broad.found_memories[job->pair].cache, narrow->results + job->first, job->capacity, &job->count);
}

/* Runs those that were collected. The general path takes those that the kernel does not decide. */
static void run_boxes(narrow_phase *narrow, abut_world *world, box_jobs *boxes) {
    box_tasks_run(boxes->tasks, boxes->count);
    for (int32_t i = 0; i < boxes->count; i++) {
        narrow_job *job = &narrow->jobs[boxes->jobs[i]];
        const box_task *task = &boxes->tasks[i];
        if (task->decided) {
            job->count = task->count;
            job->status = task->count > job->capacity ? ABUT_ERROR_CAPACITY : ABUT_OK;
        } else {
            run_generally(narrow, world, job);
        }
    }
    boxes->count = 0;
}

/* False when the settings are refused. */
static bool collect_boxes(narrow_phase *narrow, abut_world *world, int32_t index, box_jobs *boxes) {
    const narrow_job *job = &narrow->jobs[index];
    const broad_pair *pair = &world->broad.found[job->pair];
    const abut_collide_settings settings = settings_of(world, job);
    if (collide_check_settings(&settings) != ABUT_OK) {
        return false;
    }
    box_task *task = &boxes->tasks[boxes->count];
    boxes->terms[boxes->count] = box_terms_of(&settings);
    box_task_place(task, &narrow->bodies[pair->a].placed, &narrow->bodies[pair->b].placed);
    task->terms = &boxes->terms[boxes->count];
    task->cache = &world->broad.found_memories[job->pair].cache;
    task->contacts = narrow->results + job->first;
    task->capacity = job->capacity;
    boxes->jobs[boxes->count++] = index;
    return true;
}

void narrow_jobs_run(narrow_phase *narrow, abut_world *world, double dt, int32_t begin, int32_t end) {
    box_jobs boxes;
    boxes.count = 0;
    for (int32_t i = begin; i < end; i++) {
        if (!is_of_boxes(world, narrow, &narrow->jobs[i]) || !collect_boxes(narrow, world, i, &boxes)) {
            run(narrow, world, dt, i, ABUT_OK);
        } else if (boxes.count == BOXES_AT_ONCE) {
            run_boxes(narrow, world, &boxes);
        }
    }
    run_boxes(narrow, world, &boxes);
}

void narrow_job_repeat(narrow_phase *narrow, abut_world *world, double dt, int32_t job) {
    run(narrow, world, dt, job, ABUT_ERROR_CAPACITY);
}
