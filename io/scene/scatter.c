/*
 * Random sequential addition. A grid of cells holds the balls by their centres. A cell is as wide as two of the largest balls and the spacing, so all balls
 * that could touch a ball are in its own cell or in the 26 around it.
 */
#include "io/scene/scatter.h"

#include <math.h>
#include <stdlib.h>

enum { TRIES = 2000 }; /* for one ball */

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

static abut_status make_grid(cell_grid *grid, const scatter_ball *balls, int32_t count, const scatter_box *box) {
    double radius = 0.0;
    for (int32_t i = 0; i < count; i++) {
        radius = fmax(balls[i].radius, radius);
    }
    grid->mask = 63;
    while (grid->mask < 2 * (uint64_t)count) {
        grid->mask = 2 * grid->mask + 1;
    }
    grid->origin = box->lower;
    grid->width = (2.0 * radius + box->spacing) * (1.0 + 1e-12);
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

bool scatter_fits(const scatter_box *box, double radius) {
    abut_vec3 room = abut_sub(box->upper, box->lower);
    return room.x >= 2.0 * radius && room.y >= 2.0 * radius && room.z >= 2.0 * radius;
}

/* A random number between the ends, or their middle when rounding leaves no room between them. */
static double draw_between(scatter_random *random, double lower, double upper) {
    double share = scatter_draw(random);
    return upper > lower ? lower + share * (upper - lower) : 0.5 * (lower + upper);
}

static bool place(const cell_grid *grid, const scatter_ball *balls, scatter_ball *ball, const scatter_box *box, scatter_random *random) {
    for (int k = 0; k < TRIES; k++) {
        ball->centre.x = draw_between(random, box->lower.x + ball->radius, box->upper.x - ball->radius);
        ball->centre.y = draw_between(random, box->lower.y + ball->radius, box->upper.y - ball->radius);
        ball->centre.z = draw_between(random, box->lower.z + ball->radius, box->upper.z - ball->radius);
        if (is_free(grid, balls, *ball, box->spacing)) {
            return true;
        }
    }
    return false;
}

abut_status scatter_balls(scatter_ball *balls, int32_t taken, int32_t count, const scatter_box *box, scatter_random *random,
                          int32_t *placed) {
    cell_grid grid = {0};
    abut_status status = make_grid(&grid, balls, count, box);
    for (int32_t i = 0; status == ABUT_OK && i < taken; i++) {
        put(&grid, balls, i);
    }
    int32_t done = taken;
    while (status == ABUT_OK && done < count && place(&grid, balls, &balls[done], box, random)) {
        put(&grid, balls, done++);
    }
    free(grid.first);
    free(grid.next);
    *placed = done;
    return status;
}
