/*
 * Random sequential addition. A grid of cells holds the balls by their centres. A cell is as wide as two of the largest balls and the spacing, so all balls
 * that could touch a ball are in its own cell or in the 26 around it.
 */
#include "io/scene/grain/scatter.h"

#include <math.h>
#include <stdlib.h>

/* Cells by their hash. Cells that share a hash need no distinction, because the distance test covers all balls. */
typedef struct cell_grid {
    int32_t *first, *next; /* [mask + 1], [count]; ball or -1 */
    uint64_t mask;
    abut_vec3 origin;
    double width;
} cell_grid;

/* ---- chance ---- */

static uint64_t draw_bits(scatter_random *random) {
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

double scatter_draw(scatter_random *random) { return (double)(draw_bits(random) >> 11) * 0x1p-53; }

scatter_random scatter_part(uint64_t seed, uint64_t index) {
    scatter_random random = {seed};
    random.state = draw_bits(&random) ^ index * UINT64_C(0xd1342543de82ef95);
    random.state = draw_bits(&random);
    return random;
}

/* A random point of the four-dimensional ball, projected to its surface. */
abut_quat scatter_turn(scatter_random *random) {
    for (;;) {
        double x[4], square = 0.0;
        for (int i = 0; i < 4; i++) {
            x[i] = 2.0 * scatter_draw(random) - 1.0;
            square += x[i] * x[i];
        }
        if (square > 1e-3 && square <= 1.0) {
            return abut_quat_unit(abut_quat_make(x[0], x[1], x[2], x[3]));
        }
    }
}

/* ---- cells ---- */

static int64_t cell_of(double x, double origin, double width) { return (int64_t)fmax(-1e15, fmin(floor((x - origin) / width), 1e15)); }

static uint64_t place_of(const cell_grid *grid, int64_t x, int64_t y, int64_t z) {
    uint64_t key = (uint64_t)x * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)y * UINT64_C(0xbf58476d1ce4e5b9) ^
                   (uint64_t)z * UINT64_C(0x94d049bb133111eb);
    return (key ^ key >> 29) & grid->mask;
}

static void put(cell_grid *grid, const scatter_ball *balls, int32_t index) {
    abut_vec3 p = balls[index].centre;
    uint64_t place = place_of(grid, cell_of(p.x, grid->origin.x, grid->width), cell_of(p.y, grid->origin.y, grid->width),
                              cell_of(p.z, grid->origin.z, grid->width));
    grid->next[index] = grid->first[place];
    grid->first[place] = index;
}

static bool is_free(const cell_grid *grid, const scatter_ball *balls, scatter_ball ball, double spacing) {
    int64_t x = cell_of(ball.centre.x, grid->origin.x, grid->width), y = cell_of(ball.centre.y, grid->origin.y, grid->width),
            z = cell_of(ball.centre.z, grid->origin.z, grid->width);
    for (int k = 0; k < 27; k++) {
        for (int32_t i = grid->first[place_of(grid, x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1)]; i >= 0; i = grid->next[i]) {
            double least = ball.radius + balls[i].radius + spacing;
            if (!(abut_length_squared(abut_sub(ball.centre, balls[i].centre)) >= least * least)) {
                return false;
            }
        }
    }
    return true;
}

static abut_status make_grid(cell_grid *grid, const scatter_ball *balls, int32_t count, const scatter_region *region) {
    double radius = 0.0;
    for (int32_t i = 0; i < count; i++) {
        radius = fmax(balls[i].radius, radius);
    }
    grid->mask = 63;
    while (grid->mask < 2 * (uint64_t)count) {
        grid->mask = 2 * grid->mask + 1;
    }
    grid->origin = region->radius > 0.0 ? region->centre : region->lower;
    grid->width = (2.0 * radius + region->spacing) * (1.0 + 1e-12);
    grid->first = malloc((size_t)(grid->mask + 1) * sizeof *grid->first);
    grid->next = malloc((size_t)count * sizeof *grid->next);
    if (!grid->first || !grid->next) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (uint64_t i = 0; i <= grid->mask; i++) {
        grid->first[i] = -1;
    }
    return ABUT_OK;
}

/* ---- places ---- */

scatter_region scatter_disc(abut_vec3 centre, abut_vec3 n, double radius) {
    abut_vec3 axis = fabs(n.x) < 0.6 ? abut_vec3_make(1, 0, 0) : abut_vec3_make(0, 1, 0);
    abut_vec3 along = abut_unit(abut_cross(n, axis));
    return (scatter_region){.centre = centre, .along = along, .across = abut_cross(n, along), .radius = radius};
}

bool scatter_fits(const scatter_region *region, double radius) {
    abut_vec3 room = abut_sub(region->upper, region->lower);
    return region->radius > 0.0 ? radius <= region->radius : room.x >= 2.0 * radius && room.y >= 2.0 * radius && room.z >= 2.0 * radius;
}

/* A random number between the ends, or their middle when rounding leaves no room between them. */
static double draw_between(scatter_random *random, double lower, double upper) {
    double share = scatter_draw(random);
    return upper > lower ? lower + share * (upper - lower) : 0.5 * (lower + upper);
}

static abut_vec3 draw_in_box(const scatter_region *box, double radius, scatter_random *random) {
    abut_vec3 p;
    p.x = draw_between(random, box->lower.x + radius, box->upper.x - radius);
    p.y = draw_between(random, box->lower.y + radius, box->upper.y - radius);
    p.z = draw_between(random, box->lower.z + radius, box->upper.z - radius);
    return p;
}

static abut_vec3 draw_in_disc(const scatter_region *disc, double radius, scatter_random *random) {
    for (;;) {
        double x = 2.0 * scatter_draw(random) - 1.0, y = 2.0 * scatter_draw(random) - 1.0, room = disc->radius - radius;
        if (x * x + y * y <= 1.0) {
            return abut_add_scaled(abut_add_scaled(disc->centre, room * x, disc->along), room * y, disc->across);
        }
    }
}

static bool place(const cell_grid *grid, const scatter_ball *balls, scatter_ball *ball, const scatter_search *search,
                  scatter_random *random) {
    const scatter_region *region = search->region;
    for (int32_t k = 0; k < search->tries; k++) {
        ball->centre = region->radius > 0.0 ? draw_in_disc(region, ball->radius, random) : draw_in_box(region, ball->radius, random);
        if (is_free(grid, balls, *ball, region->spacing) && (!search->has_room || search->has_room(search->context, *ball))) {
            return true;
        }
    }
    return false;
}

abut_status scatter_balls(scatter_ball *balls, int32_t taken, int32_t count, const scatter_search *search, scatter_random *random,
                          int32_t *placed) {
    cell_grid grid = {0};
    abut_status status = make_grid(&grid, balls, count, search->region);
    for (int32_t i = 0; status == ABUT_OK && i < taken; i++) {
        put(&grid, balls, i);
    }
    int32_t done = taken;
    while (status == ABUT_OK && done < count && place(&grid, balls, &balls[done], search, random)) {
        put(&grid, balls, done++);
    }
    free(grid.first);
    free(grid.next);
    *placed = done;
    return status;
}
