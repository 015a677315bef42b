#include "accuracy/least_height.h"

#include <math.h>

typedef long double real;

typedef struct corner {
    height_vec d, p; /* the direction, and the farthest point of C along it */
} corner;

typedef struct cell {
    corner at[3];
    real bound; /* no height in the triangle is below it */
} cell;

typedef struct search {
    height_farthest *farthest;
    const void *body;
    real lowest;
    int looks;
} search;

static real dot(height_vec p, height_vec q) { return p.x * q.x + p.y * q.y + p.z * q.z; }

static corner look(search *s, height_vec d) {
    real n = sqrtl(dot(d, d));
    corner c = {.d = {d.x / n, d.y / n, d.z / n}};
    c.p = s->farthest(s->body, c.d);
    real h = dot(c.p, c.d);
    s->lowest = h < s->lowest ? h : s->lowest;
    s->looks++;
    return c;
}

/* height[k][i]: along the direction of corner i, of the point of corner k. */
typedef real heights[3][3];

static real highest(heights h, const real weight[3]) {
    real most = -INFINITY;
    for (int k = 0; k < 3; k++) {
        real there = weight[0] * h[k][0] + weight[1] * h[k][1] + weight[2] * h[k][2];
        most = there > most ? there : most;
    }
    return most;
}

/* Where two of the three linear functions are equal on an edge of the triangle. */
static real least_on_edges(heights h) {
    real least = INFINITY;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3;
            real from = h[k][i] - h[l][i], to = h[k][j] - h[l][j], t = from / (from - to);
            if (t >= 0.0L && t <= 1.0L) {
                real weight[3] = {0.0L, 0.0L, 0.0L};
                weight[i] = 1.0L - t;
                weight[j] = t;
                least = fminl(least, highest(h, weight));
            }
        }
    }
    return least;
}

/* Where all three are equal. */
static real at_centre(heights h) {
    real a[3], b[3], weight[3];
    for (int i = 0; i < 3; i++) {
        a[i] = h[0][i] - h[1][i];
        b[i] = h[0][i] - h[2][i];
    }
    for (int i = 0; i < 3; i++) {
        weight[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
    real sum = weight[0] + weight[1] + weight[2];
    for (int i = 0; i < 3; i++) {
        weight[i] /= sum;
        if (!(weight[i] >= 0.0L)) {
            return INFINITY;
        }
    }
    return highest(h, weight);
}

/* A lower bound of |y|: its square is a mean of the products d_i . d_j. In an octant it is at least 1/3. */
static real shortest(const cell *c) {
    real least = 1.0L;
    for (int i = 0; i < 3; i++) {
        least = fminl(least, dot(c->at[i].d, c->at[(i + 1) % 3].d));
    }
    return sqrtl(fmaxl(least, 1.0L / 3.0L));
}

/* The least of max p_i . y in the flat triangle. A convex, piecewise linear function is least where its pieces and the triangle's edges meet. */
static real bound_of(const cell *c) {
    heights h;
    real least = INFINITY;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            h[k][i] = dot(c->at[k].p, c->at[i].d);
        }
        least = fminl(least, fmaxl(h[0][i], fmaxl(h[1][i], h[2][i])));
    }
    least = fminl(least, fminl(least_on_edges(h), at_centre(h)));
    return least >= 0.0L ? least : least / shortest(c);
}

static void halve(search *s, cell *c, cell *other) {
    int longest = 0;
    real most = 0.0L;
    for (int i = 0; i < 3; i++) {
        height_vec from = c->at[i].d, to = c->at[(i + 1) % 3].d, edge = {to.x - from.x, to.y - from.y, to.z - from.z};
        real square = dot(edge, edge);
        longest = square > most ? i : longest;
        most = square > most ? square : most;
    }
    const int next = (longest + 1) % 3;
    height_vec p = c->at[longest].d, q = c->at[next].d;
    corner middle = look(s, (height_vec){p.x + q.x, p.y + q.y, p.z + q.z});
    *other = *c;
    c->at[next] = middle;
    other->at[longest] = middle;
    c->bound = bound_of(c);
    other->bound = bound_of(other);
    if (c->bound < other->bound) { /* the lower one comes first */
        cell first = *c;
        *c = *other;
        *other = first;
    }
}

least_height least_height_find(height_farthest *farthest, const void *body, long double known, long double floor, long double tolerance,
                               int most) {
    enum { ROOM = 256 }; /* the cells that wait: one of each size, and the first eight */
    cell stack[ROOM];
    int count = 0;
    search s = {farthest, body, known, 0};
    for (int i = 0; i < 8; i++) {
        height_vec x = {i & 1 ? -1 : 1, 0, 0}, y = {0, i & 2 ? -1 : 1, 0}, z = {0, 0, i & 4 ? -1 : 1};
        stack[count] = (cell){.at = {look(&s, x), look(&s, y), look(&s, z)}};
        stack[count].bound = bound_of(&stack[count]);
        count++;
    }
    while (count > 0 && count < ROOM && s.looks < most && floor < s.lowest - tolerance) {
        if (stack[count - 1].bound >= s.lowest - tolerance) {
            count--;
        } else {
            halve(&s, &stack[count - 1], &stack[count]);
            count++;
        }
    }
    return (least_height){s.lowest, count == 0 || floor >= s.lowest - tolerance};
}

static real power(double x, double norm, double p) { return norm > 0.0 ? (real)pow(x / norm, p - 1.0) : 0.0L; }

height_vec farthest_of_superquadric(height_vec half, long double e1, long double e2, height_vec d) {
    const double p = 2.0 / (2.0 - (double)e2), q = 2.0 / (2.0 - (double)e1); /* of the dual norm */
    double x = (double)fabsl(half.x * d.x), y = (double)fabsl(half.y * d.y), z = (double)fabsl(half.z * d.z);
    double large = fmax(x, y), m = large > 0.0 ? large * pow(pow(x / large, p) + pow(y / large, p), 1.0 / p) : 0.0;
    double most = fmax(m, z), h = most * pow(pow(m / most, q) + pow(z / most, q), 1.0 / q);
    real along = power(m, h, q);
    return (height_vec){copysignl(half.x * along * power(x, m, p), d.x), copysignl(half.y * along * power(y, m, p), d.y),
                        copysignl(half.z * power(z, h, q), d.z)};
}
