/* Reads a world's bodies for the dem stepper: balls, meshes of rounded triangles, which may be the skins of other shapes, and planes. Makes
 * one pressure law for each pair of materials. */
#include "step/dem/system.h"

#include "base/array.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/parts.h"
#include "base/real.h"
#include "shape/facet/mesh.h"
#include "shape/shape.h"
#include "step/world/meet/substances.h"
#include "step/world/takes.h"

/* ---- materials ---- */

static bool same_material(const body *p, const body *q) {
    return p->substance == q->substance && p->material.young == q->material.young && p->material.poisson == q->material.poisson &&
           p->friction == q->friction && p->restitution == q->restitution && p->adhesion_work == q->adhesion_work &&
           p->adhesion_strength == q->adhesion_strength && p->contact_stiffness == q->contact_stiffness &&
           p->liquid_volume == q->liquid_volume && p->surface_tension == q->surface_tension && p->contact_angle == q->contact_angle &&
           p->rolling_resistance == q->rolling_resistance && p->twisting_resistance == q->twisting_resistance;
}

static abut_status find_kind(dem_system *s, int32_t slot, int32_t *kind) {
    const body *bodies = s->world->bodies;
    for (*kind = 0; *kind < s->kind_count; ++*kind) {
        if (same_material(&bodies[s->kind_slots[*kind]], &bodies[slot])) {
            return ABUT_OK;
        }
    }
    if (!array_extend(&s->kind_slots, &s->kind_capacity, s->kind_count, s->kind_count + 1, sizeof *s->kind_slots)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    s->kind_slots[s->kind_count++] = slot;
    return ABUT_OK;
}

/* Of two springs in a row; 0, Hertz's law, where one of the bodies has none. */
static double series(double a, double b) { return a > 0.0 && b > 0.0 ? 1.0 / (1.0 / a + 1.0 / b) : 0.0; }

/* The liquid between two bodies. By Derjaguin's approximation the force of a bridge is proportional to the mean cosine of both contact angles. */
static void wet(const body *p, const body *q, abut_pressure_law *law) {
    law->liquid_volume = sqrt(p->liquid_volume) * sqrt(q->liquid_volume);
    law->surface_tension = sqrt(p->surface_tension) * sqrt(q->surface_tension);
    law->contact_angle = p->contact_angle;
    if (p->contact_angle != q->contact_angle) {
        double cosine = 0.5 * (elementary_cos(p->contact_angle) + elementary_cos(q->contact_angle));
        law->contact_angle = elementary_atan2(sqrt((1.0 - cosine) * (1.0 + cosine)), cosine);
    }
}

/* By the table of substances. */
static void say(const abut_substance_pair *said, abut_pressure_law *law, double *restitution) {
    if (said != NULL) {
        law->friction = substances_value(said->friction, law->friction);
        law->rolling_resistance = substances_value(said->rolling_resistance, law->rolling_resistance);
        law->twisting_resistance = substances_value(said->twisting_resistance, law->twisting_resistance);
        *restitution = substances_value(said->restitution, *restitution);
    }
}

/* Friction is the geometric mean of both bodies; restitution and resistances are the larger ones, as in the other steppers; unless the table of substances says
 * something else. */
static abut_status make_law(const dem_system *s, const body *p, const body *q, abut_pressure_law *law) {
    const double least_restitution = 0.01;
    abut_status status = abut_pressure_law_make(&p->material, &q->material, law);
    if (status != ABUT_OK) {
        return world_refuse_pair(status, s->world, (int32_t)(p - s->world->bodies), (int32_t)(q - s->world->bodies));
    }
    law->mode = s->world->def.dem.mode;
    law->friction = sqrt(p->friction * q->friction);
    law->rolling_resistance = real_max(p->rolling_resistance, q->rolling_resistance);
    law->twisting_resistance = real_max(p->twisting_resistance, q->twisting_resistance);
    law->adhesion_work = sqrt(p->adhesion_work * q->adhesion_work);
    law->adhesion_strength = sqrt(p->adhesion_strength) * sqrt(q->adhesion_strength);
    law->adhesion = !(law->adhesion_work > 0.0)    ? ABUT_ADHESION_NONE
                    : law->adhesion_strength > 0.0 ? ABUT_ADHESION_MAUGIS
                                                   : ABUT_ADHESION_JKR;
    law->stiffness = series(p->contact_stiffness, q->contact_stiffness);
    wet(p, q, law);
    double restitution = real_max(p->restitution, q->restitution);
    say(substances_find(s->world, p->substance, q->substance), law, &restitution);
    return abut_pressure_damping(real_max(restitution, least_restitution), law->adhesion != ABUT_ADHESION_NONE, &law->damping);
}

static dem_law_row linear_row(const abut_pressure_law *law) {
    double shear = pressure_linear_shear(law);
    return (dem_law_row){.pressing = law->stiffness,
                         .damper = 2.0 * law->damping * sqrt(law->stiffness),
                         .slide_damper = pressure_damper(law, 1.0, shear),
                         .shear = shear,
                         .friction = law->friction,
                         .pulls = law->damping_pulls ? 1.0 : 0.0,
                         .linear = 1.0};
}

static dem_law_row law_row(const abut_pressure_law *law) {
    if (pressure_is_linear(law)) {
        return linear_row(law);
    }
    double ratio = 2.0 * sqrt(5.0 / 6.0) * law->damping;
    bool adheres = law->adhesion != ABUT_ADHESION_NONE;
    return (dem_law_row){.pressing = 4.0 / 3.0 * law->modulus,
                         .damper = ratio * sqrt(2.0 * law->modulus),
                         .slide_damper = pressure_damper(law, 1.0, 8.0 * law->shear_modulus),
                         .shear = 8.0 * law->shear_modulus,
                         .friction = law->friction,
                         .pulls = law->damping_pulls || adheres ? 1.0 : 0.0,
                         .adheres = adheres ? 1.0 : 0.0};
}

static abut_status make_laws(dem_system *s) {
    int32_t count = s->kind_count * s->kind_count;
    if (!array_reserve(&s->laws, &s->law_capacity, count + 1, sizeof *s->laws) ||
        !array_reserve(&s->law_rows, &s->law_row_capacity, count + 1, sizeof *s->law_rows)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    s->adheres = s->linear = s->wets = s->rolls = false;
    for (int32_t i = 0; i < s->kind_count; ++i) {
        for (int32_t k = 0; k < s->kind_count; ++k) {
            const body *p = &s->world->bodies[s->kind_slots[i]], *q = &s->world->bodies[s->kind_slots[k]];
            abut_pressure_law *law = &s->laws[i * s->kind_count + k];
            abut_status status = make_law(s, p, q, law);
            if (status != ABUT_OK) {
                return status;
            }
            s->law_rows[i * s->kind_count + k] = law_row(law);
            s->adheres = s->adheres || law->adhesion != ABUT_ADHESION_NONE;
            s->linear = s->linear || pressure_is_linear(law);
            s->wets = s->wets || pressure_law_is_wet(law);
            s->rolls = s->rolls || pressure_law_rolls(law);
        }
    }
    s->other_laws = s->adheres || s->linear || s->wets;
    return ABUT_OK;
}

/* ---- bodies ---- */

/* skin: of a body that is neither a ball nor a plane, else NULL. */
static dem_sphere sphere_of(const body *b, const abut_shape *skin) {
    const bool plane = b->shape->kind == ABUT_SHAPE_PLANE;
    return (dem_sphere){b->centre, plane ? INFINITY : skin == NULL ? b->shape->radius : skin->facets->centre_reach};
}

static dem_body motion_of(const body *b) {
    dem_body made = {.velocity = b->velocity, .angular_velocity = b->angular_velocity};
    if (b->kind == ABUT_BODY_DYNAMIC) {
        made.inverse_mass = 1.0 / b->mass;
        made.inverse_inertia = 1.0 / real_min(b->moments.x, real_min(b->moments.y, b->moments.z));
    }
    return made;
}

static void place_plane(dem_system *s, int32_t i, const body *b) {
    dem_plane *plane = dem_plane_of(s, i);
    body_plane(b, &plane->normal, &plane->offset);
}

static bool is_zero(abut_vec3 v) { return v.x == 0.0 && v.y == 0.0 && v.z == 0.0; }

static bool is_loaded(const body *b) {
    return !is_zero(b->force) || !is_zero(b->torque) || b->linear_damping != 0.0 || b->angular_damping != 0.0 || b->gravity_scale != 1.0;
}

/* Balls and planes are whole surfaces; all other bodies are meshes: of rounded triangles, or of their skin. */
typedef enum dem_class { BALLS, MESHES, PLANES } dem_class;

static dem_class class_of(const body *b) {
    return b->shape->kind == ABUT_SHAPE_SPHERE ? BALLS : b->shape->kind == ABUT_SHAPE_PLANE ? PLANES : MESHES;
}

/* Whether a body touches all others, if these have the same filter as the first one, and this one has, too. */
static bool touches_all(const body *b, const body *first) {
    const abut_filter f = b->filter, g = first->filter;
    return !b->sensor && f.category == g.category && f.mask == g.mask && f.group == g.group && abut_filters_agree(f, f);
}

static abut_status gather_body(dem_system *s, int32_t slot) {
    const body *b = &s->world->bodies[slot];
    int32_t material;
    const abut_shape *skin = NULL;
    abut_status status = find_kind(s, slot, &material);
    if (status == ABUT_OK && class_of(b) == MESHES) {
        status = facetmesh_skin_of(b->shape, &skin);
    }
    if (status != ABUT_OK) {
        return status == ABUT_ERROR_OUT_OF_MEMORY ? status
                                                  : world_refuse_body(status, s->world, slot, "its surface has no triangles with an area");
    }
    const int32_t i = s->body_count++;
    s->tags[i] = (dem_tag){material, slot};
    s->spheres[i] = sphere_of(b, skin);
    s->bodies[i] = motion_of(b);
    s->frames[i] = b->frame;
    if (class_of(b) == MESHES) {
        s->facets.meshes[i - s->ball_count].shape = skin;
    } else if (class_of(b) == PLANES) {
        place_plane(s, i, b);
    }
    s->loaded = s->loaded || is_loaded(b);
    s->all_touch = s->all_touch && touches_all(b, &s->world->bodies[s->tags[0].slot]);
    return ABUT_OK;
}

/* Adds all balls, by place. Their materials are numbered by slots. */
static abut_status gather_balls(dem_system *s, bool ordered) {
    if (!ordered && !dem_order_make(&s->order, s->world)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    int32_t kind;
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < s->order.count && status == ABUT_OK; ++i) {
        status = find_kind(s, s->order.slots[i], &kind);
    }
    for (int32_t i = 0; i < s->order.count && status == ABUT_OK; ++i) {
        status = gather_body(s, s->order.slots[s->order.ranks[i]]);
    }
    return status;
}

/* Adds all bodies of another class. */
static abut_status gather_class(dem_system *s, dem_class class) {
    const int32_t most = s->world->body_used - s->body_count + 1;
    bool room = class == MESHES ? array_reserve(&s->facets.meshes, &s->facets.mesh_capacity, most, sizeof *s->facets.meshes)
                                : array_reserve(&s->planes, &s->plane_capacity, most, sizeof *s->planes);
    abut_status status = room ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
    for (int32_t slot = 0; slot < s->world->body_used && status == ABUT_OK; ++slot) {
        const body *b = &s->world->bodies[slot];
        status = b->used && class_of(b) == class ? gather_body(s, slot) : ABUT_OK;
    }
    return status;
}

static bool has_room(dem_system *s, int32_t count) {
    return array_reserve(&s->bodies, &s->body_capacity, count, sizeof *s->bodies) &&
           array_reserve(&s->spheres, &s->sphere_capacity, count, sizeof *s->spheres) &&
           array_reserve(&s->tags, &s->tag_capacity, count, sizeof *s->tags) &&
           array_reserve(&s->frames, &s->frame_capacity, count, sizeof *s->frames) &&
           array_reserve(&s->pushes, &s->push_capacity, count, sizeof *s->pushes);
}

static void read_loads(void *argument, int32_t begin, int32_t end) {
    dem_system *s = argument;
    for (int32_t i = begin; i < end; ++i) {
        const body *b = &s->world->bodies[s->tags[i].slot];
        s->loads[i] = (dem_load){b->force, b->linear_damping, b->torque, b->angular_damping, body_gravity(s->world, b), 0.0};
    }
}

enum { GRAIN = 256 }; /* bodies worth a thread */

/* Most worlds have no loads, and need no memory for them. */
static bool gather_loads(dem_system *s) {
    if (s->loaded && !array_reserve(&s->loads, &s->load_capacity, s->body_count, sizeof *s->loads)) {
        return false;
    }
    if (s->loaded) {
        abut_parallel_for(&s->world->def.parallel, s->body_count, GRAIN, read_loads, s);
    }
    return true;
}

static void place_meshes(dem_system *s) {
    for (int32_t i = s->ball_count; i < s->round_count; ++i) {
        dem_facets_place(s, i);
    }
}

static double find_skin(const dem_system *s) {
    double least = INFINITY;
    for (int32_t i = 0; i < s->round_count; ++i) {
        least = real_min(s->spheres[i].radius, least);
    }
    return isfinite(least) ? s->world->def.dem.skin * least : 0.0;
}

abut_status dem_system_gather(dem_system *s, const abut_world *world, bool ordered) {
    const abut_dem_settings *settings = &world->def.dem;
    s->world = world;
    s->body_count = s->ball_count = s->round_count = s->kind_count = 0;
    s->loaded = false;
    s->all_touch = world->excluded.count == 0 && world->def.filter.lets_touch == NULL;
    s->space = (neighbour_space){settings->lower, settings->upper, {settings->periodic[0], settings->periodic[1], settings->periodic[2]}};
    if (!has_room(s, world->body_used + 1)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    abut_status status = world_takes_bodies(world);
    if (status != ABUT_OK) {
        return status;
    }
    status = gather_balls(s, ordered);
    s->ball_count = s->body_count;
    status = status == ABUT_OK ? gather_class(s, MESHES) : status;
    s->round_count = s->body_count;
    status = status == ABUT_OK ? gather_class(s, PLANES) : status;
    place_meshes(s);
    status = status == ABUT_OK ? dem_cells_gather(s) : status;
    s->skin = find_skin(s);
    if (status == ABUT_OK && !(gather_loads(s) && dem_bonds_gather(s))) {
        status = ABUT_ERROR_OUT_OF_MEMORY;
    }
    return status == ABUT_OK ? make_laws(s) : status;
}

/* ---- the same bodies again ---- */

typedef struct refreshing {
    dem_system *s;
    atomic_bool loaded;
} refreshing;

static void refresh_some(void *argument, int32_t begin, int32_t end) {
    refreshing *r = argument;
    dem_system *s = r->s;
    bool loaded = false;
    for (int32_t k = begin; k < end; ++k) {
        int32_t i = k < s->ball_count ? s->order.at[k] : k; /* in the order of the world's memory */
        const body *b = &s->world->bodies[s->tags[i].slot];
        s->spheres[i] = sphere_of(b, NULL);
        s->bodies[i] = motion_of(b);
        if (dem_is_plane(s, i)) {
            place_plane(s, i, b);
        }
        s->frames[i] = b->frame;
        loaded = loaded || is_loaded(b);
    }
    if (loaded) {
        atomic_store_explicit(&r->loaded, true, memory_order_relaxed);
    }
}

abut_status dem_system_refresh(dem_system *s) {
    refreshing r = {.s = s};
    abut_parallel_for(&s->world->def.parallel, s->body_count, GRAIN, refresh_some, &r);
    s->loaded = r.loaded;
    return gather_loads(s) && dem_bonds_gather(s) ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

/* ---- limits ---- */

double dem_inertial_radius(const dem_system *s, int32_t i) {
    const dem_body *b = &s->bodies[i];
    return i < s->ball_count ? s->spheres[i].radius : sqrt(2.5 * b->inverse_mass / b->inverse_inertia);
}

/* The travel time of a Rayleigh wave: pi r sqrt(rho / G) / (0.1631 nu + 0.8766). */
static double rayleigh_step(const dem_system *s, int32_t i) {
    const abut_material *m = &s->world->bodies[s->tags[i].slot].material;
    double radius = dem_inertial_radius(s, i);
    double density = 0.75 / (s->bodies[i].inverse_mass * REAL_PI * radius * radius * radius), shear = 0.5 * m->young / (1.0 + m->poisson);
    return REAL_PI * radius * sqrt(density / shear) / (0.1631 * m->poisson + 0.8766);
}

/* The stiffest linear law of a body; 0 for none. *hertz: whether there are other laws. Flat facets have one of their own. */
static double stiffest_law(const dem_system *s, int32_t i, bool *hertz) {
    double most = 0.0;
    *hertz = i >= s->ball_count;
    for (int32_t kind = 0; kind < s->kind_count; ++kind) {
        const abut_pressure_law *law = dem_law(s, s->tags[i].kind, kind);
        most = real_max(most, law->stiffness);
        *hertz = *hertz || !pressure_is_linear(law);
    }
    return most;
}

/* ---- the least of a bound ---- */

typedef struct seeking {
    const dem_system *s;
    dem_bound *bound;
    double parts[PARTS_MOST];
} seeking;

static void seek(void *argument, int32_t begin, int32_t end) {
    seeking *of = argument;
    const int32_t count = of->s->round_count;
    for (int32_t part = begin; part < end; ++part) {
        double least = INFINITY;
        for (int32_t first = part * parts_length(count), i = first; i < parts_end(count, first); ++i) {
            least = of->s->bodies[i].inverse_mass > 0.0 ? real_min(of->bound(of->s, i), least) : least;
        }
        of->parts[part] = least;
    }
}

double dem_least_bound(const dem_system *s, dem_bound *bound) {
    seeking of = {.s = s, .bound = bound};
    const int32_t parts = parts_count(s->round_count);
    double least = INFINITY;
    abut_parallel_for(&s->world->def.parallel, parts, 1, seek, &of);
    for (int32_t part = 0; part < parts; ++part) {
        least = real_min(of.parts[part], least);
    }
    return least;
}

static double critical_step(const dem_system *s, int32_t i) {
    bool hertz = true;
    double stiffness = s->linear ? stiffest_law(s, i, &hertz) : 0.0, least = hertz ? rayleigh_step(s, i) : INFINITY;
    return stiffness > 0.0 ? real_min(sqrt(1.0 / (s->bodies[i].inverse_mass * stiffness)), least) : least;
}

double dem_system_critical_step(const dem_system *s) {
    return real_min(dem_least_bound(s, critical_step), real_min(s->bonds.critical, s->cells.critical));
}

void dem_system_release(dem_system *s) {
    void *blocks[] = {s->bodies,   s->tags,         s->planes, s->frames,  s->pushes,      s->loads, s->laws,
                      s->law_rows, s->kind_slots,   s->places, s->reaches, s->pairs,       s->spare, s->touching,
                      s->found,    s->spare_rolled, s->blocks, s->own,     s->other_first, s->others};
    memory_release(s->spheres);
    for (int32_t i = 0; i < s->block_capacity; ++i) {
        memory_release(s->blocks[i].contacts);
        memory_release(s->blocks[i].rolls);
    }
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
        memory_release(blocks[i]);
    }
    dem_order_release(&s->order);
    dem_facets_release(&s->facets);
    dem_bonds_release(&s->bonds);
    dem_cells_release(&s->cells);
    neighbours_release(&s->near);
}
