/* The engines of this build. Peers that CMake did not find are left out. */
#include "engines.h"

#include <stddef.h>

#include "remote.h"

static const engine *const all[] = {
    &abut_collide_minimum,
    &abut_collide_growth,
    &abut_collide_minimum_cached,
    &abut_collide_growth_cached,
    &abut_collide_of_placed,
    &abut_collide_in_batches,
#ifdef BENCH_ODE
    &ode_box_box,
    &ode_collide,
#endif
#ifdef BENCH_CCD
    &ccd_mpr,
    &ccd_gjk_epa,
#endif
#ifdef BENCH_FCL
    &fcl_collide_libccd,
    &fcl_collide_indep,
    &fcl_collide_cached,
#endif
#ifdef BENCH_BULLET
    &bullet_box_box,
    &bullet_gjk_epa,
#endif
    &remote_mujoco_collision,
    &remote_coal_collide,
    &abut_distance_cold,
    &abut_distance_cached,
#ifdef BENCH_FCL
    &fcl_distance_libccd,
    &fcl_distance_indep,
#endif
#ifdef BENCH_BULLET
    &bullet_distance,
#endif
    &remote_mujoco_distance,
    &remote_coal_distance,
};

/* With room for those of remote.h. */
static const char *peers[] = {
#ifdef BENCH_ODE
    "ODE " BENCH_ODE,
#endif
#ifdef BENCH_CCD
    "libccd " BENCH_CCD,
#endif
#ifdef BENCH_FCL
    "FCL " BENCH_FCL,
#endif
#ifdef BENCH_BULLET
    "Bullet " BENCH_BULLET,
#endif
    NULL,
    NULL,
    NULL};

int32_t engines_count(void) { return (int32_t)(sizeof all / sizeof all[0]); }

const engine *engines_get(int32_t index) { return all[index]; }

const char *const *engines_peers(void) {
    int32_t count = (int32_t)(sizeof peers / sizeof peers[0]) - 3;
    for (int peer = 0; peer < 2; peer++) {
        peers[count + peer] = remote_name(peer);
    }
    return peers;
}
