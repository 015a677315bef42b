/*
 * How long a list of near pairs lasts. A list that a step of the world leaves is valid in the next step, too: bodies have not moved since, and within a step
 * they are watched. So it is made anew only when the caller has placed, added or removed a body, or has changed what may touch; or when it is old, to order the
 * balls in memory by their present places. Forces do not depend on the list, but the order in which energies are added up does. So a saved state tells how the
 * list was made, and a restored world makes the same one.
 *
 * Worlds with bodies of triangles, and with a filter of the caller, which may change its mind, get a new list in each step.
 */
#include "base/memory.h"
#include "step/dem/kept.h"
#include "step/world/saved.h"

/* After so many lists the balls have moved so far that their order in memory no longer suits. */
enum { OLDEST = 16 };

/* ---- between steps ---- */

static bool is_of(const struct dem_stepper *stepper, const abut_world *world) {
    return stepper->placements == world->placements && stepper->permissions == world->permissions;
}

static void mark(struct dem_stepper *stepper, const abut_world *world) {
    stepper->placements = world->placements;
    stepper->permissions = world->permissions;
    stepper->finishes = world->finishes;
}

void dem_keep_list(struct dem_stepper *stepper, const abut_world *world) {
    const dem_system *s = &stepper->system;
    stepper->holds = s->round_count == s->ball_count && s->age <= OLDEST && world->def.filter.lets_touch == NULL;
    mark(stepper, world);
}

static void begin(dem_system *s) {
    s->tally = (dem_tally){0};
    s->facets.tally = (dem_facet_tally){.status = ABUT_OK};
    s->lists = 0;
    s->status = ABUT_OK;
}

/* Makes the list by the bodies as they are in the system. */
static abut_status list(dem_system *s, const struct dem_stepper *stepper, const abut_world *world) {
    s->pair_count = 0;
    if (!dem_recall(s, stepper, world)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    return dem_pairs_list(s) ? ABUT_OK : s->status;
}

abut_status dem_prepare_anew(dem_system *s, const struct dem_stepper *stepper, const abut_world *world) {
    begin(s);
    abut_status status = dem_system_gather(s, world, false);
    s->age = 0;
    return status == ABUT_OK ? list(s, stepper, world) : status;
}

/* ---- a list that is still valid ---- */

/* A plane that turns has other near bodies. */
static bool planes_are_near(const dem_system *s) {
    bool near = true;
    for (int32_t i = s->round_count; i < s->body_count; ++i) {
        const dem_plane *plane = dem_plane_of(s, i);
        const abut_vec3 n = plane->normal, was = s->places[i];
        near = near && n.x == was.x && n.y == was.y && n.z == was.z && fabs(plane->offset - s->reaches[i]) <= 0.5 * s->skin;
    }
    return near;
}

/* Reads the bodies for the list that there is. *fits: whether it can be used. */
static abut_status use(struct dem_stepper *stepper, const abut_world *world, bool *fits) {
    dem_system *s = &stepper->system;
    const bool laws = stepper->finishes == world->finishes;
    begin(s);
    abut_status status = laws ? dem_system_refresh(s) : dem_system_gather(s, world, true);
    *fits = status == ABUT_OK && planes_are_near(s);
    return status;
}

/* ---- the list of a saved state ---- */

/* Exchanges the places of the bodies with those of the listing. */
static void exchange_places(dem_system *s, dem_listing *listing) {
    for (int32_t rank = 0; rank < s->ball_count; ++rank) {
        dem_sphere *ball = &s->spheres[s->order.at[rank]];
        const abut_vec3 centre = ball->centre;
        ball->centre = listing->places[rank];
        listing->places[rank] = centre;
    }
    for (int32_t i = 0; i < listing->plane_count; ++i) {
        const dem_plane plane = s->planes[i];
        s->planes[i] = listing->planes[i];
        listing->planes[i] = plane;
    }
}

/* Makes the list as it was made before the state was saved, and reads the bodies again. */
static abut_status list_as_saved(struct dem_stepper *stepper, const abut_world *world) {
    dem_system *s = &stepper->system;
    dem_listing *listing = &stepper->listing;
    begin(s);
    if (!dem_order_take(&s->order, world, listing->at)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    abut_status status = dem_system_gather(s, world, true);
    if (status == ABUT_OK) {
        exchange_places(s, listing);
        status = list(s, stepper, world);
        exchange_places(s, listing);
    }
    s->age = listing->age;
    s->lists = 0;
    return status;
}

/* ---- at the beginning of a step ---- */

abut_status dem_prepare(struct dem_stepper *stepper, const abut_world *world) {
    const bool waits = stepper->waits && is_of(stepper, world);
    bool fits = stepper->holds && is_of(stepper, world);
    abut_status status = waits ? list_as_saved(stepper, world) : ABUT_OK;
    stepper->holds = false; /* until the step has succeeded */
    if (status == ABUT_OK && (waits || fits)) {
        status = use(stepper, world, &fits);
    }
    if (status == ABUT_OK) {
        stepper->waits = false;
        dem_listing_release(&stepper->listing);
        status = fits ? ABUT_OK : dem_prepare_anew(&stepper->system, stepper, world);
    }
    return status;
}

/* ---- saved states ---- */

enum { BALL_BYTES = 4 + 24, PLANE_BYTES = 24 + 8 };

void dem_listing_release(dem_listing *listing) {
    memory_release(listing->at);
    memory_release(listing->places);
    memory_release(listing->planes);
    *listing = (dem_listing){.balls = 0};
}

bool dem_list_exists(const abut_world *world) {
    const struct dem_stepper *stepper = world->dem;
    return stepper != NULL && (stepper->holds || stepper->waits) && is_of(stepper, world);
}

static void save_counts(saved_stream *s, int32_t *balls, int32_t *planes, int32_t *age) {
    saved_int32(s, balls);
    saved_int32(s, planes);
    saved_int32(s, age);
}

static void save_ball(saved_stream *s, int32_t *at, abut_vec3 *place) {
    saved_int32(s, at);
    saved_vec3(s, place);
}

static void save_plane(saved_stream *s, dem_plane *plane) {
    saved_vec3(s, &plane->normal);
    saved_real(s, &plane->offset);
}

void dem_list_save(saved_stream *s, const abut_world *world) {
    const struct dem_stepper *stepper = world->dem;
    const dem_system *system = &stepper->system;
    const dem_listing *listing = &stepper->listing;
    const bool waits = stepper->waits;
    int32_t balls = waits ? listing->balls : system->ball_count, age = waits ? listing->age : system->age,
            planes = waits ? listing->plane_count : system->body_count - system->round_count;
    save_counts(s, &balls, &planes, &age);
    for (int32_t rank = 0; rank < balls; ++rank) {
        int32_t at = waits ? listing->at[rank] : system->order.at[rank];
        abut_vec3 place = waits ? listing->places[rank] : system->places[at];
        save_ball(s, &at, &place);
    }
    for (int32_t i = 0, first = system->round_count; i < planes; ++i) {
        dem_plane plane = waits ? listing->planes[i] : (dem_plane){system->places[first + i], system->reaches[first + i]};
        save_plane(s, &plane);
    }
}

static void count_bodies(const body *bodies, int32_t body_used, int32_t *balls, int32_t *planes, int32_t *others) {
    *balls = *planes = *others = 0;
    for (int32_t slot = 0; slot < body_used; ++slot) {
        const body *b = &bodies[slot];
        if (b->used) {
            ++*(b->shape->kind == ABUT_SHAPE_SPHERE ? balls : b->shape->kind == ABUT_SHAPE_PLANE ? planes : others);
        }
    }
}

/* Whether each place in the order is taken once. */
static abut_status check_order(const dem_listing *listing) {
    bool *taken = memory_allocate((size_t)listing->balls + 1, sizeof *taken), fine = true;
    if (taken == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t rank = 0; rank < listing->balls && fine; ++rank) {
        int32_t at = listing->at[rank];
        fine = at >= 0 && at < listing->balls && !taken[at] && abut_vec3_is_finite(listing->places[rank]);
        taken[fine ? at : 0] = true;
    }
    memory_release(taken);
    return fine ? ABUT_OK : ABUT_ERROR_FORMAT;
}

abut_status dem_list_read(saved_stream *s, const body *bodies, int32_t body_used, struct dem_stepper *stepper) {
    dem_listing *listing = &stepper->listing;
    int32_t balls, planes, others;
    save_counts(s, &listing->balls, &listing->plane_count, &listing->age);
    count_bodies(bodies, body_used, &balls, &planes, &others);
    if (s->broken || listing->balls != balls || listing->plane_count != planes || others > 0 || listing->age < 0 || listing->age > OLDEST ||
        s->size - s->at < (size_t)balls * BALL_BYTES + (size_t)planes * PLANE_BYTES) {
        return ABUT_ERROR_FORMAT;
    }
    listing->at = saved_room(balls, sizeof *listing->at);
    listing->places = saved_room(balls, sizeof *listing->places);
    listing->planes = saved_room(planes, sizeof *listing->planes);
    if (listing->at == NULL || listing->places == NULL || listing->planes == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t rank = 0; rank < balls; ++rank) {
        save_ball(s, &listing->at[rank], &listing->places[rank]);
    }
    for (int32_t i = 0; i < planes; ++i) {
        save_plane(s, &listing->planes[i]);
        s->broken = s->broken || !abut_vec3_is_finite(listing->planes[i].normal) || !isfinite(listing->planes[i].offset);
    }
    stepper->waits = true;
    return s->broken ? ABUT_ERROR_FORMAT : check_order(listing);
}

void dem_list_restored(abut_world *world) {
    if (world->dem != NULL) {
        mark(world->dem, world);
    }
}
