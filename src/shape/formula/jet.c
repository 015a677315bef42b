/*
 * The rules of calculus for sums, products, quotients and functions, up to second derivatives. They write second derivatives before first ones, because the
 * former need the old first ones.
 */
#include "shape/formula/jet.h"

void jet_set_constant(jet *a, double value, int count) {
    a->value = value;
    for (int i = 0; i < count; ++i) {
        a->first[i] = 0.0;
    }
    for (int i = 0; i < count * (count + 1) / 2; ++i) {
        a->second[i] = 0.0;
    }
}

void jet_set_variable(jet *a, double value, int index, int count) {
    jet_set_constant(a, value, count);
    if (count > 0) {
        a->first[index] = 1.0;
    }
}

void jet_negate(jet *a, int count) {
    a->value = -a->value;
    for (int i = 0; i < count; ++i) {
        a->first[i] = -a->first[i];
    }
    for (int i = 0; i < count * (count + 1) / 2; ++i) {
        a->second[i] = -a->second[i];
    }
}

void jet_add(jet *a, const jet *b, int count) {
    a->value += b->value;
    for (int i = 0; i < count; ++i) {
        a->first[i] += b->first[i];
    }
    for (int i = 0; i < count * (count + 1) / 2; ++i) {
        a->second[i] += b->second[i];
    }
}

void jet_subtract(jet *a, const jet *b, int count) {
    a->value -= b->value;
    for (int i = 0; i < count; ++i) {
        a->first[i] -= b->first[i];
    }
    for (int i = 0; i < count * (count + 1) / 2; ++i) {
        a->second[i] -= b->second[i];
    }
}

void jet_multiply(jet *a, const jet *b, int count) {
    for (int i = 0, at = 0; i < count; ++i) {
        for (int k = 0; k <= i; ++k, ++at) {
            a->second[at] = a->second[at] * b->value + a->value * b->second[at] + (a->first[i] * b->first[k] + a->first[k] * b->first[i]);
        }
    }
    for (int i = 0; i < count; ++i) {
        a->first[i] = a->first[i] * b->value + a->value * b->first[i];
    }
    a->value *= b->value;
}

/* From a = q b: a' = q' b + q b' and a'' = q'' b + 2 q' b' + q b''. */
void jet_divide(jet *a, const jet *b, int count) {
    double q = a->value / b->value;
    for (int i = 0; i < count; ++i) {
        a->first[i] = (a->first[i] - q * b->first[i]) / b->value;
    }
    for (int i = 0, at = 0; i < count; ++i) {
        for (int k = 0; k <= i; ++k, ++at) {
            double mixed = a->first[i] * b->first[k] + a->first[k] * b->first[i];
            a->second[at] = (a->second[at] - mixed - q * b->second[at]) / b->value;
        }
    }
    a->value = q;
}

void jet_scale(jet *a, double factor, int count) {
    a->value *= factor;
    for (int i = 0; i < count; ++i) {
        a->first[i] *= factor;
    }
    for (int i = 0; i < count * (count + 1) / 2; ++i) {
        a->second[i] *= factor;
    }
}

void jet_share(jet *a, double divisor, int count) {
    a->value /= divisor;
    for (int i = 0; i < count; ++i) {
        a->first[i] /= divisor;
    }
    for (int i = 0; i < count * (count + 1) / 2; ++i) {
        a->second[i] /= divisor;
    }
}

void jet_apply(jet *a, const jet_slope *s, int count) {
    for (int i = 0, at = 0; i < count; ++i) {
        for (int k = 0; k <= i; ++k, ++at) {
            a->second[at] = s->a * a->second[at] + s->aa * (a->first[i] * a->first[k]);
        }
    }
    for (int i = 0; i < count; ++i) {
        a->first[i] *= s->a;
    }
    a->value = s->f;
}

void jet_apply_two(jet *a, const jet *b, const jet_slopes *s, int count) {
    for (int i = 0, at = 0; i < count; ++i) {
        for (int k = 0; k <= i; ++k, ++at) {
            double both = a->first[i] * b->first[k] + a->first[k] * b->first[i];
            a->second[at] = s->a * a->second[at] + s->b * b->second[at] + s->aa * (a->first[i] * a->first[k]) + s->ab * both +
                            s->bb * (b->first[i] * b->first[k]);
        }
    }
    for (int i = 0; i < count; ++i) {
        a->first[i] = s->a * a->first[i] + s->b * b->first[i];
    }
    a->value = s->f;
}
