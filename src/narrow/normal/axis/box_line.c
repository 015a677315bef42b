#include "narrow/normal/axis/box_line.h"

#include "base/real.h"

/* How far x is outside of +-half. One of both parts is zero. Which one is hard to foresee: no branches. */
static inline double clamped(double x, double half) { return real_max(x - half, 0.0) + real_min(x + half, 0.0); }

/* Half of the derivative of the squared distance from the box. It never falls. */
static double rate_at(const box_line *l, double place) {
    double rate = 0.0;
    for (int i = 0; i < 3; ++i) {
        rate += clamped(l->middle[i] + place * l->reach[i], l->half[i]) * l->reach[i];
    }
    return rate;
}

/* Narrows the range by the places where the axis crosses planes of faces. Between them the derivative is linear. */
static double root_between(const box_line *l, double rate_low, double rate_high) {
    double low = -1.0, high = 1.0;
    for (int i = 0; i < 6; ++i) {
        double at = ((i & 1 ? l->half[i >> 1] : -l->half[i >> 1]) - l->middle[i >> 1]) / l->reach[i >> 1];
        if (at > low && at < high) {
            double rate = rate_at(l, at);
            low = rate <= 0.0 ? at : low;
            rate_low = rate <= 0.0 ? rate : rate_low;
            high = rate <= 0.0 ? high : at;
            rate_high = rate <= 0.0 ? rate_high : rate;
        }
    }
    return rate_high > rate_low ? low + (high - low) * (-rate_low / (rate_high - rate_low)) : 0.5 * (low + high);
}

static double place_of(const box_line *l) {
    double first = rate_at(l, -1.0);
    if (first >= 0.0) {
        return -1.0;
    }
    double last = rate_at(l, 1.0);
    return last <= 0.0 ? 1.0 : root_between(l, first, last);
}

void box_line_nearest(const box_line *l, bool is_point, box_nearest *near) {
    double place = is_point ? 0.0 : place_of(l), square = 0.0;
    near->place = place;
    near->outside = near->vertex = 0;
    for (int i = 0; i < 3; ++i) {
        double x = l->middle[i] + place * l->reach[i], excess = fabs(x) - l->half[i];
        near->excess[i] = excess;
        near->outside |= (excess > 0.0) << i;
        near->vertex |= (x > 0.0) << i;
        double out = real_max(excess, 0.0);
        square += out * out;
    }
    near->distance = sqrt(square);
}

bool box_line_is_plain(const box_line *l, double size, double scale, double far, double length) {
    double least = real_min(l->half[0], real_min(l->half[1], l->half[2]));
    return least > 1e-4 * size && far < 200.0 * scale && far < 1e6 * size && (length == 0.0 || length > 1e-5 * (scale + far));
}

bool box_line_is_clear(const box_nearest *near, double size, double all) {
    double distance = near->distance, rounding = 4e-16 * all + 1e-15 * distance, room = 2e-6 * (size + distance);
    return fabs(near->excess[0]) > room && fabs(near->excess[1]) > room && fabs(near->excess[2]) > room &&
           distance > 2e-6 * size + 1e-10 * all && 20.0 * distance * rounding <= room * room;
}

bool box_line_is_level(const box_line *l, const box_nearest *near, double length) {
    return fabs(rate_at(l, near->place)) <= 1e-5 * near->distance * length;
}
