/*
 * Forces between bodies of rounded triangles, and with balls and planes. Each pair is computed in the frame of its first body in these
 * steps: facets that may touch (step/dem/facet_near.c), their contacts (narrow/facet/facet.h), the places that these form
 * (narrow/facet/regions.h), and the forces of each place (solve/pressure/pressure.h). A place is recognised in the next step by its
 * position. Forces act on the first body.
 */
#include "step/dem/facets.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "geom/closest.h"
#include "narrow/facet/counts.h"
#include "narrow/facet/regions.h"
#include "shape/facet/mesh.h"
#include "shape/shape.h"
#include "step/dem/system.h"

/* Number of pairs that one task sums. */
enum { BLOCK = 8 };

void dem_facets_place(dem_system *s, int32_t i) {
    dem_mesh *mesh = &s->facets.meshes[i - s->ball_count];
    const body *own = &s->world->bodies[s->tags[i].slot];
    const abut_quat turn = own->cell != NULL ? own->pose.rotation : abut_quat_mul(s->frames[i], abut_quat_conjugate(own->principal));
    mesh->at.rotation = abut_mat3_from_quat(turn);
    mesh->at.position = abut_sub(s->spheres[i].centre, abut_mat3_apply(mesh->at.rotation, own->local_centre));
}

/* ---- contacts of facets ---- */

static facet_side whole_guest(const dem_system *s, const dem_facet_pair *pair, const facet_placement *at) {
    return dem_is_plane(s, pair->guest) ? facet_whole_plane(at->rotation.x, at->position.x)
                                        : facet_whole_sphere(at->position, s->spheres[pair->guest].radius);
}

/* Whether only contacts under pressure matter: in area mode without adhesion and bridges. */
static bool is_only_pressing(const dem_system *s, const dem_facet_pair *pair) {
    const abut_pressure_law *law = dem_law(s, s->tags[pair->frame].kind, s->tags[pair->guest].kind);
    return !dem_cell_touches(s, pair) && law->mode == ABUT_PRESSURE_AREA && law->adhesion == ABUT_ADHESION_NONE &&
           !pressure_law_is_wet(law);
}

static facet_bodies bodies_of(const dem_system *s, const dem_facet_pair *pair, const facet_placement *at) {
    const abut_shape *frame = dem_mesh_of(s, pair->frame)->shape;
    const dem_mesh *guest = dem_mesh_of(s, pair->guest);
    return guest != NULL ? facet_bodies_of(frame, guest->shape, at)
                         : (facet_bodies){.a = frame, .on_plane = dem_is_plane(s, pair->guest), .centre_b = at->position};
}

static void find_contacts(const dem_system *s, const dem_facet_pair *pair, const facet_placement *at, facet_found *found) {
    const facetmesh *frame = dem_mesh_of(s, pair->frame)->shape->facets;
    const dem_mesh *guest = dem_mesh_of(s, pair->guest);
    facet_side side = guest == NULL ? whole_guest(s, pair, at) : (facet_side){.radius = 0.0};
    const abut_vec3 origin = {0.0, 0.0, 0.0};
    const bool pressing = is_only_pressing(s, pair), cell = dem_cell_touches(s, pair);
    const facet_bodies bodies = bodies_of(s, pair, at);
    abut_vec3 corner[3];
    int32_t posed = -1;
    for (int32_t i = 0; i < pair->near.count; ++i) {
        facet_candidate c = pair->near.pair[i];
        if (c.b != posed) {
            const facet_side *own = &guest->shape->facets->side[c.b];
            side = facet_side_placed(own, at);
            facet_corners_placed(own, at, corner);
            side.corner = corner;
            posed = c.b;
        }
        const facet_side *own = &frame->side[c.a];
        if (guest != NULL && !(pair->reach > 0.0) && facet_is_away(own, &side)) {
            continue;
        }
        abut_facet_contact contact = pressing ? facet_meet_pressing(own, &side, origin) : facet_meet(own, &side, origin, pair->reach);
        const bool near =
            !cell || contact.gap <= pair->reach; /* spheres of facets that turned may overlap where the facets are far apart */
        if (contact.relation == ABUT_FACET_CONTACT && near && facet_contact_counts(&bodies, own, &side, &contact)) {
            facet_found_add(found, c.a, c.b, &contact);
        }
    }
}

/* ---- places from step to step ---- */

/* One pair of bodies in one step. */
typedef struct job {
    const dem_system *s;
    dem_facet_pair *pair;
    const abut_mat3 *turn; /* first body's frame to world */
    pressure_pair pressing;
    dem_region *old; /* regions of the last step, their memories in the first body's frame */
    bool *claimed;   /* [old_count] */
    int32_t old_count;
    double stiffness, damper; /* summed over all places */
    double near;              /* a place moves no farther than this in a step [length] */
    dem_cell_touch *touch;    /* of elastic cells; NULL for other pairs */
    bool out_of_memory;
} job;

/* The unclaimed old place nearest to a contact; -1 for none. */
static int32_t find_old(const job *j, const abut_facet_contact *c) {
    int32_t best = -1;
    double least = j->near * j->near;
    for (int32_t i = 0; i < j->old_count; ++i) {
        double square = abut_length_squared(abut_sub(j->old[i].place, c->point));
        if (!j->claimed[i] && square <= least && abut_dot(j->old[i].memory.normal, c->normal) > 0.7) {
            least = square;
            best = i;
        }
    }
    return best;
}

static const abut_facetmesh_contact *nearest_to_middle(const facet_found *found, const int32_t *order, int32_t begin, int32_t end) {
    const abut_facetmesh_contact *best = &found->items[order[begin]];
    for (int32_t i = begin + 1; i < end; ++i) {
        const abut_facetmesh_contact *c = &found->items[order[i]];
        best = c->contact.offset < best->contact.offset ? c : best;
    }
    return best;
}

/* The point of the contact's polygon nearest to its summit. */
static abut_vec3 nearest_to_summit(const abut_facet_contact *c) {
    abut_vec3 best = c->point;
    double least = INFINITY, side[2] = {INFINITY, -INFINITY};
    for (int32_t i = 0; i < c->corner_count; ++i) {
        const abut_vec3 p = c->corner[i], q = c->corner[i + 1 < c->corner_count ? i + 1 : 0];
        const abut_vec3 place = abut_lerp(p, q, closest_on_segment(c->summit, p, q));
        const double distance = abut_distance_between(place, c->summit);
        const double turn = abut_dot(c->normal, abut_cross(abut_sub(q, p), abut_sub(c->summit, p)));
        side[0] = real_min(side[0], turn);
        side[1] = real_max(side[1], turn);
        best = distance < least ? place : best;
        least = real_min(least, distance);
    }
    return side[0] >= 0.0 || side[1] <= 0.0 ? c->summit : best;
}

/* The largest overlap of the surfaces. The gap of a contact with a saddle is that of the spheres of the mean curvatures. */
static double overlap_of(const abut_facet_contact *c) {
    const double size = abut_length(c->saddle);
    if (!(size > 0.0)) {
        return -c->gap;
    }
    const abut_vec3 way = abut_sub(nearest_to_summit(c), c->summit);
    const double along = abut_dot(c->saddle, way), square = abut_length_squared(way);
    return real_max(0.0, -c->summit_gap - 0.5 * (square * (1.0 / c->radius - size) + 2.0 * along * (along / size)));
}

/* The largest overlap of a place. */
static double deepest_of(const facet_found *found, const int32_t *order, int32_t begin, int32_t end) {
    double most = -INFINITY;
    for (int32_t i = begin; i < end; ++i) {
        most = real_max(most, overlap_of(&found->items[order[i]].contact));
    }
    return most;
}

/* ---- stiffness of a pair ---- */

static double moving_radius(const dem_system *s, int32_t body) {
    return s->bodies[body].inverse_mass > 0.0 ? dem_inertial_radius(s, body) : INFINITY;
}

/* Stiffness and damper of the pair, over those of the contact that step/dem/limit.c assumes. Bodies that lie along each other, for example
 * a ball in a ring, have many times both. */
static void measure_hardness(const job *j) {
    const dem_system *s = j->s;
    const pressure_pair *p = &j->pressing;
    double radius = real_min(moving_radius(s, j->pair->frame), moving_radius(s, j->pair->guest));
    bool linear = pressure_is_linear(p->law);
    double usual = linear ? p->law->stiffness : 2.0 * p->law->modulus * DEM_LIMIT_DISC * radius,
           usual_damper = 2.0 * (linear ? 1.0 : sqrt(5.0 / 6.0)) * p->law->damping * sqrt(p->mass * usual);
    j->pair->hardness = j->stiffness / usual;
    j->pair->damping = usual_damper > 0.0 ? j->damper / usual_damper : 0.0;
}

static void press_region(job *j, const facet_found *found, const int32_t *order, pressure_named *named, int32_t begin, int32_t end) {
    const abut_facetmesh_contact *middle = nearest_to_middle(found, order, begin, end);
    for (int32_t i = begin; i < end; ++i) {
        const abut_facetmesh_contact *c = &found->items[order[i]];
        named[i] = (pressure_named){{c->facet_a, c->facet_b, middle->facet_a, middle->facet_b}, &c->contact};
    }
    int32_t old = find_old(j, &middle->contact);
    pressure_borne borne;
    if (j->touch != NULL) {
        dem_cell_touch_region(j->touch, &j->pressing, named + begin, named + end, old >= 0);
    }
    if (!pressure_bear(&j->pressing, named + begin, named + end, old >= 0 ? &j->old[old].memory : NULL, &borne)) {
        return;
    }
    if (j->touch != NULL && !dem_cell_touch_share(j->touch, &j->pressing, named + begin, named + end, &borne)) {
        j->out_of_memory = true;
    }
    if (old >= 0) {
        j->claimed[old] = true;
    }
    j->stiffness += borne.stiffness;
    j->damper += borne.damper;
    dem_region *region = &j->pair->region[j->pair->region_count++];
    *region = (dem_region){.memory = borne.memory,
                           .place = middle->contact.point,
                           .arm = abut_mat3_apply(*j->turn, borne.arm),
                           .force = abut_mat3_apply(*j->turn, borne.force),
                           .overlap = deepest_of(found, order, begin, end),
                           .area = borne.area};
    region->memory.normal = abut_mat3_apply(*j->turn, borne.memory.normal);
    region->memory.stretch = abut_mat3_apply(*j->turn, borne.memory.stretch);
    region->memory.roll = abut_mat3_apply(*j->turn, borne.memory.roll);
}

static void press_regions(job *j, const facet_found *found, int32_t regions, const int32_t *order, const int32_t *first,
                          pressure_named *named) {
    dem_facet_pair *pair = j->pair;
    pair->region_count = 0;
    for (int32_t i = 0; i < regions; ++i) {
        press_region(j, found, order, named, first[i], first[i + 1]);
    }
    for (int32_t i = 0; i < j->old_count; ++i) {
        if (!j->claimed[i]) {
            pressure_forget(&j->pressing, &j->old[i].memory);
        }
    }
}

/* ---- a pair ---- */

static abut_pressure_body body_in_frame(const dem_system *s, int32_t body, abut_vec3 centre, const abut_mat3 *turn) {
    const dem_body *b = &s->bodies[body];
    return (abut_pressure_body){
        centre, {abut_mat3_apply_transposed(*turn, b->velocity), abut_mat3_apply_transposed(*turn, b->angular_velocity)}, b->inverse_mass};
}

/* Working memory for one pair in one step; on the stack while contacts are few. */
typedef struct scratch {
    int32_t *order, *first;
    pressure_named *named;
    dem_region *old;
    bool *claimed;
    void *block;
} scratch;

static size_t rounded_up(size_t size) { return (size + 15) / 16 * 16; }

static bool take_scratch(scratch *at, int32_t contacts, int32_t old, void *few, size_t few_size) {
    const size_t sizes[5] = {rounded_up((size_t)contacts * sizeof *at->order), rounded_up(((size_t)contacts + 1) * sizeof *at->first),
                             rounded_up((size_t)contacts * sizeof *at->named), rounded_up((size_t)old * sizeof *at->old),
                             rounded_up((size_t)old * sizeof *at->claimed)};
    size_t whole = sizes[0] + sizes[1] + sizes[2] + sizes[3] + sizes[4];
    at->block = whole > few_size ? memory_allocate(whole, 1) : NULL;
    char *begin = whole > few_size ? at->block : few;
    if (begin == NULL) {
        return false;
    }
    at->order = (int32_t *)begin;
    at->first = (int32_t *)(begin + sizes[0]);
    at->named = (pressure_named *)(begin + sizes[0] + sizes[1]);
    at->old = (dem_region *)(begin + sizes[0] + sizes[1] + sizes[2]);
    at->claimed = (bool *)(begin + sizes[0] + sizes[1] + sizes[2] + sizes[3]);
    return true;
}

static void recall_old(job *j) {
    for (int32_t i = 0; i < j->old_count; ++i) {
        j->old[i] = j->pair->region[i];
        j->old[i].memory.normal = abut_mat3_apply_transposed(*j->turn, j->old[i].memory.normal);
        j->old[i].memory.stretch = abut_mat3_apply_transposed(*j->turn, j->old[i].memory.stretch);
        j->old[i].memory.roll = abut_mat3_apply_transposed(*j->turn, j->old[i].memory.roll);
        j->claimed[i] = false;
    }
}

static void add_to_tally(const pressure_pair *p, const dem_facet_pair *pair, double h, dem_facet_tally *tally) {
    tally->elastic += p->sum.elastic_energy;
    tally->spring += p->sum.spring_energy;
    tally->damped += h * p->sum.damping_power;
    tally->rubbed += p->sum.friction_work;
    tally->touching += pair->region_count > 0;
    tally->regions += pair->region_count;
    tally->sliding += p->sum.sliding;
}

static abut_status bear(const dem_system *s, dem_facet_pair *pair, facet_found *found, abut_vec3 way, double h, dem_facet_tally *tally) {
    union {
        double align;
        char bytes[4096];
    } few;
    scratch room;
    if (!array_extend(&pair->region, &pair->region_capacity, pair->region_count, found->count + 1, sizeof *pair->region) ||
        !take_scratch(&room, found->count, pair->region_count, few.bytes, sizeof few.bytes)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    const dem_mesh *frame = dem_mesh_of(s, pair->frame), *guest = dem_mesh_of(s, pair->guest);
    const abut_mat3 *turn = &frame->at.rotation;
    abut_vec3 centre = s->world->bodies[s->tags[pair->frame].slot].local_centre;
    const abut_pressure_body bodies[2] = {body_in_frame(s, pair->frame, centre, turn),
                                          body_in_frame(s, pair->guest, abut_add(centre, abut_mat3_apply_transposed(*turn, way)), turn)};
    abut_pressure_law law = *dem_law(s, s->tags[pair->frame].kind, s->tags[pair->guest].kind);
    law.layer = pair->layer;
    if (dem_cell_touches(s, pair)) {
        dem_cell_touch_widen(&law, found->items, found->count);
    }
    job j = {.s = s,
             .pair = pair,
             .turn = turn,
             .pressing = pressure_pair_of(&law, bodies, h),
             .old = room.old,
             .claimed = room.claimed,
             .old_count = pair->region_count,
             .near = 0.5 * dem_smaller_reach(s, pair)};
    dem_cell_touch touch;
    if (dem_cell_touches(s, pair)) {
        j.out_of_memory = !dem_cell_touch_begin(&touch, s, pair, &j.pressing, turn, found->count);
        if (j.out_of_memory) {
            memory_release(room.block);
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
        j.touch = &touch;
    }
    recall_old(&j);
    int32_t regions = facet_regions_find(frame->shape->facets->topology, guest != NULL ? guest->shape->facets->topology : NULL,
                                         found->items, found->count, room.order, room.first);
    press_regions(&j, found, regions, room.order, room.first, room.named);
    if (j.touch != NULL) {
        dem_cell_touch_end(&touch, &j.pressing);
    }
    pair->force = abut_mat3_apply(*turn, j.pressing.sum.force);
    pair->torque_frame = abut_mat3_apply(*turn, j.pressing.sum.moment_a);
    pair->torque_guest = abut_mat3_apply(*turn, j.pressing.sum.moment_b);
    add_to_tally(&j.pressing, pair, h, tally);
    measure_hardness(&j);
    memory_release(room.block);
    return j.out_of_memory ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK;
}

/* Whether the centre of one body may be inside the other one. */
static bool may_be_inside(const dem_system *s, const dem_facet_pair *pair, abut_vec3 way) {
    const dem_sphere *a = &s->spheres[pair->frame], *b = &s->spheres[pair->guest];
    if (dem_is_plane(s, pair->guest)) {
        const dem_plane *plane = dem_plane_of(s, pair->guest);
        return abut_dot(plane->normal, a->centre) < plane->offset;
    }
    double radius = real_max(a->radius, b->radius);
    return abut_length_squared(way) < radius * radius;
}

static void press_near(const dem_system *s, dem_facet_pair *pair, abut_vec3 way, double h, dem_facet_tally *tally) {
    facet_placement at = dem_guest_placement(s, pair, way);
    dem_keep_near(s, pair, &at, h);
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    pair->force = pair->torque_frame = pair->torque_guest = zero;
    pair->hardness = pair->damping = pair->square = pair->pace = 0.0;
    pair->push_count = 0;
    if (pair->near.count == 0 && pair->region_count == 0 && !pair->near.out_of_memory) {
        return;
    }
    facet_found found;
    facet_found_init(&found);
    find_contacts(s, pair, &at, &found);
    abut_status status = found.out_of_memory || pair->near.out_of_memory ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK;
    if (status == ABUT_OK && (found.count > 0 || pair->region_count > 0)) {
        status = bear(s, pair, &found, way, h, tally);
    }
    facet_found_free(&found);
    tally->status = tally->status == ABUT_OK ? status : tally->status;
}

static void press(const dem_system *s, dem_facet_pair *pair, double h, dem_facet_tally *tally) {
    abut_vec3 way = dem_way_to_guest(s, pair);
    press_near(s, pair, way, h, tally);
    pair->engulfed = pair->region_count == 0 && may_be_inside(s, pair, way);
    tally->engulfed += pair->engulfed;
}

/* ---- all pairs ---- */

typedef struct all {
    dem_system *s;
    double h;
} all;

static void press_blocks(void *argument, int32_t begin, int32_t end) {
    const all *a = argument;
    dem_facets *f = &a->s->facets;
    for (int32_t block = begin; block < end; ++block) {
        int32_t first = block * BLOCK, last = f->pair_count - first < BLOCK ? f->pair_count : first + BLOCK;
        dem_facet_tally tally = {.status = ABUT_OK};
        for (int32_t i = first; i < last; ++i) {
            press(a->s, &f->pairs[i], a->h, &tally);
        }
        f->tallies[block] = tally;
    }
}

void dem_facets_press(dem_system *s, double h) {
    dem_facets *f = &s->facets;
    all a = {s, h};
    int32_t blocks = f->pair_count / BLOCK + (f->pair_count % BLOCK != 0);
    abut_parallel_for(&s->world->def.parallel, blocks, 1, press_blocks, &a);
    dem_facet_tally *sum = &f->tally;
    sum->elastic = sum->spring = 0.0;
    sum->touching = sum->regions = sum->sliding = sum->engulfed = 0;
    for (int32_t i = 0; i < blocks; ++i) {
        const dem_facet_tally *t = &f->tallies[i];
        sum->elastic += t->elastic;
        sum->spring += t->spring;
        sum->damped += t->damped;
        sum->rubbed += t->rubbed;
        sum->touching += t->touching;
        sum->regions += t->regions;
        sum->sliding += t->sliding;
        sum->engulfed += t->engulfed;
        s->status = s->status == ABUT_OK ? t->status : s->status;
    }
}

double dem_facets_hardness(const dem_system *s) {
    const dem_facets *f = &s->facets;
    double hardest = 0.0;
    for (int32_t i = 0; i < s->round_count && f->pair_count > 0; ++i) {
        double stiffness = 0.0, damping = 0.0;
        bool rigid = s->bodies[i].inverse_mass > 0.0 && dem_cell_of(s, i) == NULL;
        for (int32_t k = f->first[i]; k < f->first[i + 1] && rigid; ++k) {
            const dem_facet_pair *pair = &f->pairs[f->of[k] < 0 ? -1 - f->of[k] : f->of[k]];
            stiffness += pair->hardness;
            damping += pair->damping;
        }
        hardest = real_max(hardest, real_max(sqrt(stiffness / DEM_LIMIT_NEIGHBOURS), damping / DEM_LIMIT_NEIGHBOURS));
    }
    return hardest;
}

void dem_facets_push(const dem_system *s, int32_t body, abut_vec3 *force, abut_vec3 *torque) {
    const dem_facets *f = &s->facets;
    for (int32_t k = f->first[body]; k < f->first[body + 1]; ++k) {
        bool guest = f->of[k] < 0;
        const dem_facet_pair *pair = &f->pairs[guest ? -1 - f->of[k] : f->of[k]];
        *force = guest ? abut_sub(*force, pair->force) : abut_add(*force, pair->force);
        *torque = abut_add(*torque, guest ? pair->torque_guest : pair->torque_frame);
    }
}
