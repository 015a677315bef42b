/* Support points of a GJK simplex: see gjk_points.h. */
#include "narrow/normal/gjk_points.h"

static int32_t free_slot(const gjk_simplex *s) {
    for (int32_t slot = 0; slot < GJK_SLOTS; ++slot) {
        if (!gjk_simplex_has(s, slot, slot)) {
            return slot;
        }
    }
    return 0;
}

abut_vec3 gjk_points_add(gjk_points *at, abut_vec3 direction) {
    int32_t slot = free_slot(&at->s);
    (void)convex_support(at->a, direction, &at->on_a[slot]);
    (void)convex_support(at->b, abut_neg(direction), &at->on_b[slot]);
    at->on_b[slot] = abut_add(at->on_b[slot], at->shift);
    abut_vec3 w = abut_sub(at->on_a[slot], at->on_b[slot]);
    gjk_simplex_add(&at->s, w, slot, slot);
    return w;
}

void gjk_points_read(const gjk_points *at, abut_vec3 *on_a, abut_vec3 *on_b) {
    *on_a = *on_b = abut_vec3_make(0.0, 0.0, 0.0);
    for (int32_t i = 0; i < at->s.count; ++i) {
        *on_a = abut_add_scaled(*on_a, at->s.weight[i], at->on_a[at->s.vertex_a[i]]);
        *on_b = abut_add_scaled(*on_b, at->s.weight[i], at->on_b[at->s.vertex_a[i]]);
    }
}
