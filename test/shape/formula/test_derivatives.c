/*
 * Values and derivatives of formulas against oracles that share no code with them. Functions one by one: their closed forms in long double. Random formulas: a
 * tree is written as text with random blanks and parentheses, and evaluated in long double by walking the tree; differences of such values, extrapolated twice
 * (Richardson), give the derivatives.
 */
#include "shape/formula/parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "shape/formula/functions.h"
#include "support/check.h"
#include "support/random.h"

/* ---- functions, one by one ---- */

typedef long double wide;

static void check_close(const char *name, double x, double actual, wide expected) {
    wide scale = fabsl(expected) > 1e-300L ? fabsl(expected) : 1e-300L;
    if (!(fabsl((wide)actual - expected) <= 4e-15L * scale)) {
        fail_msg("%s at %.17g: %.17g, not %.17Lg", name, x, actual, expected);
    }
}

static void expected_of(const char *name, wide x, wide d[3]) {
    wide s = sinl(x), c = cosl(x);
    if (strcmp(name, "sqrt") == 0) {
        d[0] = sqrtl(x), d[1] = 0.5L * powl(x, -0.5L), d[2] = -0.25L * powl(x, -1.5L);
    } else if (strcmp(name, "cbrt") == 0) {
        d[0] = cbrtl(x), d[1] = powl(fabsl(x), -2.0L / 3.0L) / 3.0L, d[2] = -2.0L / 9.0L * copysignl(powl(fabsl(x), -5.0L / 3.0L), x);
    } else if (strcmp(name, "exp") == 0) {
        d[0] = d[1] = d[2] = expl(x);
    } else if (strcmp(name, "log") == 0) {
        d[0] = logl(x), d[1] = 1.0L / x, d[2] = -1.0L / (x * x);
    } else if (strcmp(name, "sin") == 0) {
        d[0] = s, d[1] = c, d[2] = -s;
    } else if (strcmp(name, "cos") == 0) {
        d[0] = c, d[1] = -s, d[2] = -c;
    } else if (strcmp(name, "tan") == 0) {
        d[0] = s / c, d[1] = 1.0L / (c * c), d[2] = 2.0L * s / (c * c * c);
    } else if (strcmp(name, "atan") == 0) {
        d[0] = atanl(x), d[1] = 1.0L / (1.0L + x * x), d[2] = -2.0L * x / ((1.0L + x * x) * (1.0L + x * x));
    } else {
        d[0] = fabsl(x), d[1] = x < 0.0L ? -1.0L : 1.0L, d[2] = 0.0L;
    }
}

static void functions_of_one(void **ignored) {
    (void)ignored;
    random_state random = random_make(random_seed("functions of one", 7711));
    for (int f = 0; f < formula_function_count; ++f) {
        const formula_function *function = &formula_functions[f];
        if (function->arguments != 1) {
            continue;
        }
        bool positive = strcmp(function->name, "sqrt") == 0 || strcmp(function->name, "log") == 0;
        for (int i = 0; i < 500; ++i) {
            double x = random_log_range(&random, 1e-3, 30.0) * (positive || i % 2 == 0 ? 1.0 : -1.0);
            wide d[3];
            expected_of(function->name, x, d);
            jet_slope s = function->one(x);
            check_close(function->name, x, s.f, d[0]);
            check_close(function->name, x, s.a, d[1]);
            check_close(function->name, x, s.aa, d[2]);
        }
    }
}

static void functions_of_two(void **ignored) {
    (void)ignored;
    random_state random = random_make(random_seed("functions of two", 7712));
    for (int f = 0; f < formula_function_count; ++f) {
        const formula_function *function = &formula_functions[f];
        for (int i = 0; i < 500 && function->arguments == 2; ++i) {
            double a = random_range(&random, -3.0, 3.0), b = random_range(&random, -3.0, 3.0);
            jet_slopes s = function->two(a, b);
            wide p = a, q = b, square = p * p + q * q, r = sqrtl(square), fourth = square * square;
            if (strcmp(function->name, "atan2") == 0) {
                check_close("atan2", a, s.f, atan2l(p, q));
                check_close("atan2", a, s.a, q / square);
                check_close("atan2", a, s.b, -p / square);
                check_close("atan2", a, s.aa, -2.0L * p * q / fourth);
                check_close("atan2", a, s.bb, 2.0L * p * q / fourth);
                assert_near(s.ab, (double)((p - q) * (p + q) / fourth), 4e-15 / (double)square);
            } else if (strcmp(function->name, "hypot") == 0) {
                check_close("hypot", a, s.f, r);
                check_close("hypot", a, s.a, p / r);
                check_close("hypot", a, s.b, q / r);
                check_close("hypot", a, s.aa, q * q / (r * square));
                check_close("hypot", a, s.ab, -p * q / (r * square));
                check_close("hypot", a, s.bb, p * p / (r * square));
            } else {
                bool first = strcmp(function->name, "min") == 0 ? a <= b : a >= b;
                assert_true(s.f == (first ? a : b) && s.a == (first ? 1.0 : 0.0) && s.b == (first ? 0.0 : 1.0));
                assert_true(s.aa == 0.0 && s.ab == 0.0 && s.bb == 0.0);
            }
        }
    }
    /* Neither overflow nor underflow between; NaN is not lost. */
    for (int f = 0; f < formula_function_count; ++f) {
        if (formula_functions[f].arguments == 2) {
            assert_true(isnan(formula_functions[f].two(NAN, 1.0).f) && isnan(formula_functions[f].two(1.0, NAN).f));
        }
    }
}

static void powers(void **ignored) {
    (void)ignored;
    random_state random = random_make(random_seed("powers", 7713));
    static const double exponents[] = {-3, -2, -1, -0.5, 0.5, 1, 1.5, 2, 2.5, 3, 4, 7, 0.1};
    for (int i = 0; i < 2000; ++i) {
        double p = exponents[random_below(&random, 13)], x = random_log_range(&random, 1e-3, 1e3);
        x = p == floor(p) && i % 2 == 0 ? -x : x;
        jet_slope s = formula_power(x, p);
        check_close("pow", x, s.f, powl(x, p));
        check_close("pow", x, s.a, p * powl(x, (wide)p - 1.0L));
        check_close("pow", x, s.aa, p == 1.0 ? 0.0L : p * ((wide)p - 1.0L) * powl(x, (wide)p - 2.0L));
    }
    /* At 0, where the power of a factor 0 may be infinite. */
    static const double at_zero[][4] = {{0, 1, 0, 0}, {1, 0, 1, 0}, {2, 0, 0, 2}, {3, 0, 0, 0}, {2.5, 0, 0, 0}, {1.5, 0, 0, INFINITY}};
    for (int i = 0; i < 6; ++i) {
        jet_slope s = formula_power(0.0, at_zero[i][0]);
        assert_true(s.f == at_zero[i][1] && s.a == at_zero[i][2] && s.aa == at_zero[i][3]);
    }
    assert_true(isnan(formula_power(-1.0, 0.5).f));
}

/* ---- random formulas ---- */

typedef struct node {
    char kind;        /* x y z variables, a b parameters, # number, + - * /, ~ minus, ^ power, f function of one, g of two */
    const char *name; /* of a function */
    double number;    /* of a number or an exponent */
    int left, right;
} node;

enum { MOST_NODES = 60 };

typedef struct tree {
    node nodes[MOST_NODES];
    int count;
    char text[4096];
} tree;

static const abut_formula_parameter parameters[] = {{"a", 1.75}, {"b_1", -0.625}};

static int add_node(tree *t, node made) {
    t->nodes[t->count] = made;
    return t->count++;
}

static int add_number(tree *t, double number) { return add_node(t, (node){.kind = '#', .number = number}); }

static int grow(tree *t, random_state *random, int depth);

/* Positive, and away from 0: c + (operand)^2. */
static int grow_positive(tree *t, random_state *random, int depth) {
    int square = add_node(t, (node){.kind = '^', .number = 2.0, .left = grow(t, random, depth)});
    return add_node(t, (node){.kind = '+', .left = add_number(t, random_range(random, 0.3, 2.0)), .right = square});
}

static int grow_leaf(tree *t, random_state *random) {
    static const char kinds[] = "xyzxyzab";
    int which = random_below(random, 11);
    return which < 8 ? add_node(t, (node){.kind = kinds[which]}) : add_number(t, random_range(random, 0.1, 3.0));
}

static int grow_function(tree *t, random_state *random, int depth) {
    static const char *const any[] = {"sin", "cos", "atan", "abs", "exp", "tan", "cbrt"}, *const positive[] = {"sqrt", "log"},
                             *const two[] = {"min", "max"}, *const round[] = {"atan2", "hypot"};
    int which = random_below(random, 13);
    if (which < 7) {
        return add_node(t, (node){.kind = 'f', .name = any[which], .left = grow(t, random, depth - 1)});
    }
    if (which < 9) {
        return add_node(t, (node){.kind = 'f', .name = positive[which - 7], .left = grow_positive(t, random, depth - 1)});
    }
    int left = which < 11 ? grow(t, random, depth - 1) : grow_positive(t, random, depth - 1);
    int right = grow(t, random, depth - 1);
    return add_node(t, (node){.kind = 'g', .name = which < 11 ? two[which - 9] : round[which - 11], .left = left, .right = right});
}

static int grow(tree *t, random_state *random, int depth) {
    static const double exponents[] = {2, 3, 4, -1, -2, 1};
    int which = depth <= 0 || t->count > MOST_NODES - 24 ? 0 : 1 + random_below(random, 11);
    if (which < 2) {
        return grow_leaf(t, random);
    }
    if (which == 8 || which == 9) {
        return grow_function(t, random, depth);
    }
    if (which == 7) {
        return add_node(t, (node){.kind = '~', .left = grow(t, random, depth - 1)});
    }
    if (which == 10) {
        double exponent = exponents[random_below(random, 6)];
        return add_node(t, (node){.kind = '^', .number = exponent, .left = grow(t, random, depth - 1)});
    }
    if (which == 11) {
        return add_node(t, (node){.kind = '^', .number = random_range(random, -1.5, 2.5), .left = grow_positive(t, random, depth - 1)});
    }
    int left = grow(t, random, depth - 1), right = which == 6 ? grow_positive(t, random, depth - 1) : grow(t, random, depth - 1);
    return add_node(t, (node){.kind = "++-**/"[which - 1], .left = left, .right = right});
}

/* ---- as text ---- */

static void put(tree *t, random_state *random, const char *words) {
    strcat(t->text, random_below(random, 4) == 0 ? "  " : "");
    strcat(t->text, words);
}

/* How tightly a node binds: sum 1, product 2, minus 3, power 4, operand 5. */
static int binding(const node *n) {
    return n->kind == '+' || n->kind == '-' ? 1 : n->kind == '*' || n->kind == '/' ? 2 : n->kind == '~' ? 3 : n->kind == '^' ? 4 : 5;
}

static void write_node(tree *t, random_state *random, int at, int least) {
    const node *n = &t->nodes[at];
    char words[64];
    bool braces = binding(n) < least || random_below(random, 6) == 0;
    put(t, random, braces ? "(" : "");
    switch (n->kind) {
    case 'x':
    case 'y':
    case 'z':
        put(t, random, (char[]){n->kind, '\0'});
        break;
    case 'a':
    case 'b':
        put(t, random, parameters[n->kind == 'b'].name);
        break;
    case '#':
        snprintf(words, sizeof words, random_below(random, 2) == 0 ? "%.17g" : "%.17e", n->number);
        put(t, random, words);
        break;
    case '~':
        put(t, random, "-");
        write_node(t, random, n->left, 3);
        break;
    case '^': {
        bool call = random_below(random, 3) == 0;
        put(t, random, call ? "pow(" : "");
        write_node(t, random, n->left, call ? 0 : 5);
        put(t, random, call ? "," : "^");
        snprintf(words, sizeof words, "%.17g", n->number);
        put(t, random, words);
        put(t, random, call ? ")" : "");
        break;
    }
    case 'f':
    case 'g':
        put(t, random, n->name);
        put(t, random, "(");
        write_node(t, random, n->left, 0);
        if (n->kind == 'g') {
            put(t, random, ",");
            write_node(t, random, n->right, 0);
        }
        put(t, random, ")");
        break;
    default:
        write_node(t, random, n->left, binding(n));
        put(t, random, (char[]){n->kind, '\0'});
        write_node(t, random, n->right, binding(n) + 1);
        break;
    }
    put(t, random, braces ? ")" : "");
}

/* ---- as a number ---- */

typedef struct evaluation {
    wide point[3];
    uint64_t branches; /* which sides of kinks it took */
    wide largest;      /* number on the way */
} evaluation;

static wide choose(evaluation *e, bool first, wide a, wide b) {
    e->branches = 2 * e->branches + first + 1;
    return first ? a : b;
}

static wide function_value(evaluation *e, const char *name, wide a, wide b) {
    wide d[3];
    if (strcmp(name, "atan2") == 0) {
        return atan2l(a, b);
    }
    if (strcmp(name, "hypot") == 0) {
        return hypotl(a, b);
    }
    if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0) {
        return choose(e, name[1] == 'i' ? a < b : a > b, a, b);
    }
    if (strcmp(name, "abs") == 0) {
        return choose(e, a < 0.0L, -a, a);
    }
    if (strcmp(name, "tan") == 0) {
        (void)choose(e, fmodl(floorl(a / 3.14159265358979323846L + 0.5L), 2.0L) == 0.0L, 0.0L, 0.0L);
    }
    if (strcmp(name, "cbrt") == 0) {
        e->largest = fabsl(a) < 1e-9L ? INFINITY : e->largest; /* no derivative */
    }
    expected_of(name, a, d);
    return d[0];
}

static wide walk(const tree *t, evaluation *e, int at) {
    const node *n = &t->nodes[at];
    bool leaf = strchr("xyzab#", n->kind) != NULL;
    wide a = leaf ? 0.0L : walk(t, e, n->left), b = strchr("+-*/g", n->kind) != NULL ? walk(t, e, n->right) : 0.0L, value;
    switch (n->kind) {
    case 'x':
    case 'y':
    case 'z':
        value = e->point[n->kind - 'x'];
        break;
    case 'a':
    case 'b':
        value = parameters[n->kind == 'b'].value;
        break;
    case '#':
        value = n->number;
        break;
    case '~':
        value = -a;
        break;
    case '^':
        value = powl(a, n->number);
        break;
    case '+':
        value = a + b;
        break;
    case '-':
        value = a - b;
        break;
    case '*':
        value = a * b;
        break;
    case '/':
        value = a / b;
        break;
    default:
        value = function_value(e, n->name, a, b);
        break;
    }
    e->largest = fabsl(value) > e->largest || isnan(value) ? fabsl(value) : e->largest;
    return value;
}

typedef struct stencil {
    const tree *t;
    int root;
    wide point[3];
    uint64_t branches;
    bool kinked;
} stencil;

static wide value_at(stencil *s, const wide off[3]) {
    evaluation e = {.point = {s->point[0] + off[0], s->point[1] + off[1], s->point[2] + off[2]}};
    wide value = walk(s->t, &e, s->root);
    s->kinked = s->kinked || e.branches != s->branches;
    return value;
}

static wide slope(stencil *s, int i, wide h) {
    wide plus[3] = {0}, minus[3] = {0};
    plus[i] = h;
    minus[i] = -h;
    return (value_at(s, plus) - value_at(s, minus)) / (2.0L * h);
}

static wide bend(stencil *s, int i, int k, wide h) {
    wide corner[2][2];
    for (int p = 0; p < 2; ++p) {
        for (int q = 0; q < 2; ++q) {
            wide off[3] = {0};
            off[i] += p == 0 ? h : -h;
            off[k] += q == 0 ? h : -h;
            corner[p][q] = value_at(s, off);
        }
    }
    return (corner[0][0] - corner[0][1] - corner[1][0] + corner[1][1]) / (4.0L * h * h);
}

/* Errors h^2 and h^4 are removed; *error tells how far the last removal still moved the result. */
static wide extrapolated(wide coarse, wide middle, wide fine, wide *error) {
    wide a = middle + (middle - coarse) / 3.0L, b = fine + (fine - middle) / 3.0L, c = b + (b - a) / 15.0L;
    *error = fabsl(c - b);
    return c;
}

static wide slope_of(stencil *s, int i, wide *error) {
    const wide h = 1e-3L;
    return extrapolated(slope(s, i, 2.0L * h), slope(s, i, h), slope(s, i, 0.5L * h), error);
}

static wide bend_of(stencil *s, int i, int k, wide *error) {
    const wide h = 2e-3L;
    return extrapolated(bend(s, i, k, 2.0L * h), bend(s, i, k, h), bend(s, i, k, 0.5L * h), error);
}

/* Rounding grows with numbers on the way, and with the derivatives through them; `scale` covers them. */
static bool is_near(double actual, wide expected, wide error, wide scale) {
    return fabsl((wide)actual - expected) <= 20.0L * error + 1e-9L * (1.0L + scale);
}

/* False where differences cannot judge: at a kink, or where numbers are large. */
static bool check_tree(const tree *t, int root, const double at[3]) {
    static const char *const variables[] = {"x", "y", "z"};
    bool used[2];
    const formula_names names = {variables, 3, parameters, 2, used};
    formula_steps made = {NULL, 0, 0};
    abut_formula_error error;
    evaluation e = {.point = {at[0], at[1], at[2]}};
    wide value = walk(t, &e, root);
    abut_status status = formula_parse(t->text, &names, &made, &error);
    if (status != ABUT_OK && strstr(error.message, "constant") == NULL && strstr(error.message, "operands") == NULL) {
        fail_msg("'%s': column %d: %s", t->text, (int)error.column, error.message);
    }
    bool judged = status == ABUT_OK && e.largest < 1e3L;
    jet result = {.value = 0.0};
    if (judged) {
        program_run(made.steps, made.count, at, 3, &result);
    }
    memory_release(made.steps);
    if (!judged) {
        return false;
    }
    if (!(fabsl(result.value - value) <= 1e-11L * (1.0L + e.largest))) {
        fail_msg("'%s' at %.17g %.17g %.17g: value %.17g, not %.17Lg", t->text, at[0], at[1], at[2], result.value, value);
    }
    stencil s = {.t = t, .root = root, .point = {at[0], at[1], at[2]}, .branches = e.branches};
    wide first[3], second[6], unsure[9], scale = e.largest;
    for (int i = 0, n = 0; i < 3; ++i) {
        first[i] = slope_of(&s, i, &unsure[i]);
        scale += fabsl(first[i]);
        for (int k = 0; k <= i; ++k, ++n) {
            second[n] = bend_of(&s, i, k, &unsure[3 + n]);
            scale += fabsl(second[n]);
        }
    }
    if (s.kinked || !(scale < 1e4L)) {
        return false;
    }
    for (int n = 0; n < 9; ++n) {
        double actual = n < 3 ? result.first[n] : result.second[n - 3];
        wide expected = n < 3 ? first[n] : second[n - 3];
        if (unsure[n] > 1e-5L * scale) {
            return false;
        }
        if (!is_near(actual, expected, unsure[n], scale)) {
            fail_msg("'%s' at %.17g %.17g %.17g: derivative %d is %.17g, not %.17Lg", t->text, at[0], at[1], at[2], n, actual, expected);
        }
    }
    return true;
}

static void random_formulas(void **ignored) {
    (void)ignored;
    random_state random = random_make(random_seed("random formulas", 7714));
    int32_t samples = random_samples("random formulas", 20000), judged = 0;
    for (int32_t i = 0; i < samples; ++i) {
        static tree t;
        t = (tree){.count = 0};
        int root = grow(&t, &random, 1 + random_below(&random, 5));
        write_node(&t, &random, root, 0);
        const double at[] = {random_range(&random, -1.5, 1.5), random_range(&random, -1.5, 1.5), random_range(&random, -1.5, 1.5)};
        judged += check_tree(&t, root, at);
    }
    printf("%d of %d formulas judged\n", (int)judged, (int)samples);
    assert_true(judged > samples / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(functions_of_one), cmocka_unit_test(functions_of_two), cmocka_unit_test(powers),
                                       cmocka_unit_test(random_formulas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
