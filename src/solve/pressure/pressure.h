#pragma once

#include <abut/pressure.h>

/*
 * Forces of rounded surfaces, a piece at a time: the law of two whole spheres, the share of it that a polygon bears, what the contacts of two surfaces
 * bear together, and the spring of friction there.
 */

/* ---- two whole spheres ---- */

/* ABUT_OK or ABUT_ERROR_INVALID_ARGUMENT. */
abut_status pressure_check_law(const abut_pressure_law *law);
/* Says in the name of a public function what is wrong with such a law; returns ABUT_ERROR_INVALID_ARGUMENT. */
abut_status pressure_refuse_law(const char *call, const abut_pressure_law *law);

/* What two whole spheres at rest do to each other over the disc of their contact. */
typedef struct pressure_disc {
    double radius;   /* a */
    double pressing; /* force of the pressure that goes as sqrt(1 - r^2 / a^2), > 0 */
    double even;     /* pull that is shared out as that is, >= 0 */
    double brim;     /* pull that goes as its inverse, >= 0 */
    double hold;     /* what friction counts besides the force, >= 0 */
    double energy;
} pressure_disc;

/* False where spheres do not touch. radius: effective. touched: whether they did before. */
bool pressure_disc_of(const abut_pressure_law *law, double radius, double overlap, bool touched, pressure_disc *disc);

/* At the distance r < a from the middle; of JKR's disc, less than its brim pulls. */
double pressure_within(const abut_pressure_law *law, double radius, const pressure_disc *disc, double r);

/* ---- contacts in order ---- */

typedef struct pressure_named {
    abut_pressure_id id;
    const abut_facet_contact *contact;
} pressure_named;

/* Below, at or above 0: which pair of surfaces comes first. */
int pressure_compare_surfaces(int32_t a, int32_t b, int32_t other_a, int32_t other_b);

/* Those contacts that touch, checked, by rising surface_a, surface_b, facet_a, facet_b. ids: NULL for places. out: [count]. Sets their number.
 * ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT, also for two of one name; ABUT_ERROR_NOT_FINITE */
abut_status pressure_sort(const char *call, const abut_facet_contact *contacts, const abut_pressure_id *ids, int32_t count, pressure_named *out,
                          int32_t *number);

/* ---- what they bear ---- */

/* What a contact bears of its disc. Points are seen from the middle of the contact's circle. */
typedef struct pressure_share {
    double dome, brim;            /* parts of either pressure, 0 .. 1 */
    abut_vec3 dome_arm, brim_arm; /* the same times the position */
    double area;
} pressure_share;

pressure_share pressure_share_of(const abut_facet_contact *contact, double radius);

/* What the contacts of two surfaces bear together. Arms from the centre of A. */
typedef struct pressure_region {
    abut_vec3 push;    /* force on A at rest */
    abut_vec3 turn;    /* its moment about the centre of A */
    abut_vec3 normals; /* the contacts' normals and arms, times their pressing forces; and the sum of these */
    abut_vec3 arms;
    double pressing;
    double hold;  /* what friction counts besides the force */
    double root;  /* sum of sqrt(2 E* a) times the share: of it damping is made */
    double stiffness;   /* sum of 2 E* a times the share */
    double shear; /* stiffness of the spring of friction */
    double energy, area, largest;
    int32_t contacts; /* that bear something */
} pressure_region;

/* Adds one contact in area mode. */
void pressure_add_area(const abut_pressure_law *law, const abut_facet_contact *contact, bool touched, abut_vec3 centre_a,
                       pressure_region *region);

/* Adds one contact with all that its overlap amounts to, at its point. */
void pressure_add_point(const abut_pressure_law *law, const abut_facet_contact *contact, bool touched, abut_vec3 centre_a,
                        pressure_region *region);

/* ---- friction ---- */

/* A spring of friction in one step. */
typedef struct pressure_spring {
    abut_vec3 stretch;
    abut_vec3 force; /* on A: of the spring and, while it holds, its damper */
    double lost;     /* energy that went neither into the spring nor to the bodies nor to the damper */
    double damping;  /* power of the damper, >= 0 */
    bool sliding;
} pressure_spring;

typedef struct pressure_slide {
    abut_vec3 normal;   /* now */
    abut_vec3 way;      /* what A has moved along B in this step, in any direction */
    double spin;        /* angle about the normal by which the bodies turned */
    double stiffness;   /* now, > 0 */
    double limit;       /* largest force, >= 0 */
    abut_vec3 velocity; /* of A along B, in any direction */
    double damper;      /* force of the damper per velocity, >= 0 */
} pressure_slide;

/* The damper beside a spring of friction, of that stiffness and on that effective mass, by the law's ratio: the surfaces of balls give way by 2/7 of their
 * mass, for they also turn. Without it what sticks would swing for ever (Y. Tsuji and others, 1992). */
double pressure_damper(const abut_pressure_law *law, double mass, double stiffness);

/* before: NULL for a spring that begins. */
pressure_spring pressure_slide_on(const abut_pressure_memory *before, const pressure_slide *slide);

/* Energy of a memory's spring. */
static inline double pressure_spring_energy(const abut_pressure_memory *memory) {
    return 0.5 * memory->stiffness * abut_length_squared(memory->stretch);
}

/* ---- two bodies ---- */

/* Two bodies that press on each other in one or more regions, and what they do so far. */
typedef struct pressure_pair {
    const abut_pressure_law *law;
    const abut_pressure_body *bodies; /* A and B */
    double time_step, mass;           /* effective mass; 0 where damping has none to go by */
    abut_pressure_result sum;
} pressure_pair;

/* Of no regions yet. */
pressure_pair pressure_pair_of(const abut_pressure_law *law, const abut_pressure_body bodies[2], double time_step);

/* What a region bears, and keeps for the next step. */
typedef struct pressure_borne {
    abut_pressure_memory memory;
    abut_vec3 arm;   /* from the centre of A to the pressure's own centre */
    abut_vec3 force; /* on A */
    double area;
    double stiffness, damper; /* force along the normal per overlap, and per velocity */
} pressure_borne;

/* The contacts begin <= c < end of one region; before: NULL where nothing touched. False, and nothing added, where they bear nothing. */
bool pressure_bear(pressure_pair *pair, const pressure_named *begin, const pressure_named *end, const abut_pressure_memory *before,
                   pressure_borne *borne);

/* A memory whose region does not touch any more: its energy is lost. */
void pressure_forget(pressure_pair *pair, const abut_pressure_memory *memory);
