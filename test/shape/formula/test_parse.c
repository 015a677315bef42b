/* Formulas as text: values of the language's rules, the column and words of every mistake, limits, and random texts. */
#include "shape/formula/parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/random.h"

static const char *const variables[] = {"x", "y", "z"};
static const abut_formula_parameter parameters[] = {{"a", 2.0}, {"R_2", 5.0}};

typedef struct parsed {
    formula_steps made;
    abut_formula_error error;
    bool used[2];
} parsed;

static abut_status parse(const char *text, parsed *p) {
    *p = (parsed){.made = {NULL, 0, 0}};
    const formula_names names = {variables, 3, parameters, 2, p->used};
    return formula_parse(text, &names, &p->made, &p->error);
}

static double value_of(const char *text) {
    const double at[] = {3.0, -0.5, 0.25};
    parsed p;
    jet result;
    if (parse(text, &p) != ABUT_OK) {
        fail_msg("'%s': column %d: %s", text, (int)p.error.column, p.error.message);
    }
    program_run(p.made.steps, p.made.count, at, 3, &result);
    memory_release(p.made.steps);
    return result.value;
}

static void rules(void **ignored) {
    (void)ignored;
    const double x = 3.0, y = -0.5, z = 0.25;
    const struct {
        const char *text;
        double value;
    } cases[] = {{"1", 1.0},
                 {" 1 +\t2\n*3 ", 7.0},
                 {"(1 + 2) * 3", 9.0},
                 {"8 / 4 / 2", 1.0},
                 {"8 - 4 - 2", 2.0},
                 {"2 ^ 3 ^ 2", 512.0},
                 {"-2 ^ 2", -4.0},
                 {"(-2) ^ 2", 4.0},
                 {"2 ^ -1", 0.5},
                 {"--3", 3.0},
                 {"+3 - +4", -1.0},
                 {"2 * -3", -6.0},
                 {"-x^2", -x * x},
                 {"x^2/4 + y^2 + z^2 - 1", x * x / 4 + y * y + z * z - 1},
                 {"a * x - R_2 / a", 2 * x - 2.5},
                 {"pi", PI},
                 {"1e-3 + .5 + 2.", 2.501},
                 {"sqrt(x * x)", 3.0},
                 {"cbrt(-8 * x / 3)", -2.0},
                 {"log(exp(x))", 3.0},
                 {"sin(pi / 2) + cos(0)", 2.0},
                 {"tan(atan(y))", y},
                 {"atan2(1, -1)", 0.75 * PI},
                 {"hypot(x, 4)", 5.0},
                 {"abs(y) + abs(z)", 0.75},
                 {"min(x, y) + max(y, z)", -0.25},
                 {"pow(x, 3)", 27.0},
                 {"pow(abs(y), 0.5)", 0.70710678118654752},
                 {"y^3", -0.125},
                 {"x^(1 + a)", 27.0},
                 {"x^0", 1.0},
                 {"min ( x , 2 )", 2.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        assert_near(value_of(cases[i].text), cases[i].value, 4e-16 * fabs(cases[i].value));
    }
}

static void mistakes(void **ignored) {
    (void)ignored;
    static const struct {
        const char *text;
        int column;
        const char *words;
    } cases[] = {{"", 1, "expected a number, a name or '(', found the end"},
                 {"   ", 4, "found the end"},
                 {"x +", 4, "found the end"},
                 {"x + * y", 5, "expected a number, a name or '(', found '*'"},
                 {"2 x", 3, "expected an operator or the end, found 'x'"},
                 {"2x", 2, "found 'x'"},
                 {"x ** 2", 4, "found '*'"},
                 {"(x", 3, "expected an operator or ')', found the end"},
                 {"(x, y)", 3, "expected an operator or ')', found ','"},
                 {"x)", 2, "expected an operator or the end, found ')'"},
                 {"()", 2, "expected a number, a name or '(', found ')'"},
                 {"x + w", 5, "unknown name 'w'; expected x, y, z, pi, a parameter or a function"},
                 {"X", 1, "unknown name 'X'"},
                 {"Sin(x)", 1, "unknown name 'Sin'"},
                 {"sin x", 5, "expected '(' after a function, found 'x'"},
                 {"sin", 4, "expected '(' after a function, found the end"},
                 {"sin()", 5, "expected a number, a name or '('"},
                 {"sin(x, y)", 6, "this function has one argument, found ','"},
                 {"atan2(x)", 8, "expected ',' and a second argument, found ')'"},
                 {"atan2(x, y, z)", 11, "found ','"},
                 {"x(2)", 2, "expected an operator or the end, found '('"},
                 {"x^y", 3, "expected a constant exponent"},
                 {"2^(x)", 3, "expected a constant exponent"},
                 {"pow(2, x)", 8, "expected a constant exponent"},
                 {"pow(x)", 6, "',' and a second argument"},
                 {"1 / 0", 3, "division by zero"},
                 {"x / (2 - a)", 3, "division by zero"},
                 {"x + log(-1)", 5, "a constant that is not finite"},
                 {"sqrt(2 - 3) * x", 1, "a constant that is not finite"},
                 {"x + (0 - 8)^0.5", 13, "a constant that is not finite"},
                 {"x * 1e308 * 10 + 1e308 * 10", 24, "a constant that is not finite"},
                 {"1e309", 1, "too large"},
                 {"x * 1e-309", 5, "too small"},
                 {"1..2", 3, "expected an operator or the end, found '.'"},
                 {"x = 1", 3, "found '='"},
                 {"x; y", 2, "found ';'"},
                 {"x \x01", 3, "a character that formulas do not have"},
                 {"x \xc3\xb7 \xc3\x97", 3, "a character that formulas do not have"},
                 {"\xc3\xa4 + ", 1, "a character that formulas do not have"},
                 {"x + unknown_name_that_is_very_long_indeed_and_goes_on", 5, "'unknown_name_that_is_very_long_i'"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        parsed p;
        assert_status(parse(cases[i].text, &p), ABUT_ERROR_INVALID_ARGUMENT);
        if (p.error.column != cases[i].column || strstr(p.error.message, cases[i].words) == NULL) {
            fail_msg("'%s': column %d: %s", cases[i].text, (int)p.error.column, p.error.message);
        }
        memory_release(p.made.steps);
    }
}

/* `count` times the piece, then the end, then `count` times the close. */
static char *repeated(const char *piece, int count, const char *end, const char *close) {
    char *text = check_memory((strlen(piece) + strlen(close)) * (size_t)count + strlen(end) + 1, 1), *at = text;
    for (int i = 0; i < count; ++i) {
        at += sprintf(at, "%s", piece);
    }
    at += sprintf(at, "%s", end);
    for (int i = 0; i < count; ++i) {
        at += sprintf(at, "%s", close);
    }
    return text;
}

static void limits(void **ignored) {
    (void)ignored;
    static const struct {
        const char *piece;
        int count;
        const char *end, *close, *words; /* words NULL: accepted */
    } cases[] = {{"(", 63, "x", ")", NULL},
                 {"(", 64, "x", ")", "nested more than 64 deep"},
                 {"-", 63, "x", "", NULL},
                 {"-", 64, "x", "", "nested more than 64 deep"},
                 {"sin(", 63, "x", ")", NULL},
                 {"1^", 64, "1", "", "nested more than 64 deep"},
                 {"(", 1000000, "x", ")", "more than 16384 characters"},
                 {"x+", 500000, "x", "", "more than 16384 characters"},
                 {"x+", 2047, "x", "", NULL},
                 {"x+", 2048, "x", "", "more than 4096 operations"},
                 {"2+", 8000, "x", "", NULL}, /* constants are added at once */
                 {"x+y*(", 31, "x", ")", NULL},
                 {"x+y*(", 32, "x", ")", "operands that wait"},
                 {" ", 16383, "x", "", NULL},
                 {" ", 16384, "x", "", "more than 16384 characters"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        parsed p;
        char *text = repeated(cases[i].piece, cases[i].count, cases[i].end, cases[i].close);
        abut_status status = parse(text, &p);
        if ((status == ABUT_OK) != (cases[i].words == NULL) ||
            (cases[i].words != NULL && strstr(p.error.message, cases[i].words) == NULL)) {
            fail_msg("case %zu, %d '%s': %s", i, cases[i].count, cases[i].piece, p.error.message);
        }
        if (status == ABUT_OK) {
            const double at[] = {0.5, 0.25, 0.125};
            jet result;
            program_run(p.made.steps, p.made.count, at, 3, &result);
            assert_true(isfinite(result.value));
        }
        memory_release(p.made.steps);
        free(text);
    }
}

/* Characters and words of the language in any order: an answer with a column within the text, or a program that can be run. */
static void random_texts(void **ignored) {
    (void)ignored;
    static const char *const words[] = {"x",     "y",      "z",    "a", "R_2", "pi", "1",    "2.5", "1e300", "0",
                                        "+",     "-",      "*",    "/", "^",   "(",  ")",    ",",   "sin(",  "pow(",
                                        "sqrt(", "atan2(", "max(", " ", "e",   ".",  "\xff", "log", "_",     ";"};
    enum { WORDS = sizeof words / sizeof *words };
    random_state random = random_make(random_seed("random texts", 7703));
    int accepted = 0;
    for (int i = 0; i < 40000; ++i) {
        char text[256] = "";
        int count = random_below(&random, 14);
        bool bytes = i % 4 == 0;
        for (int k = 0; k < count; ++k) {
            char byte[2] = {(char)(1 + random_below(&random, 255)), '\0'};
            strcat(text, bytes ? byte : words[random_below(&random, WORDS)]);
        }
        parsed p;
        abut_status status = parse(text, &p);
        if (status == ABUT_OK) {
            const double at[] = {random_range(&random, -2, 2), 0.0, 1.0};
            jet result;
            program_run(p.made.steps, p.made.count, at, 3, &result);
            accepted++;
        } else {
            assert_status(status, ABUT_ERROR_INVALID_ARGUMENT);
            assert_in_range(p.error.column, 1, strlen(text) + 1);
            assert_true(p.error.message[0] != '\0');
        }
        memory_release(p.made.steps);
    }
    assert_true(accepted > 500);
}

static void no_memory(void **ignored) {
    (void)ignored;
    char *text = repeated("x+", 300, "x", "");
    counting_allocator memory;
    int64_t refused_at = 0;
    do {
        parsed p;
        memory = (counting_allocator){.refuse_at = refused_at++};
        counting_allocator_install(&memory);
        abut_status status = parse(text, &p);
        memory_release(p.made.steps);
        counting_allocator_remove();
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused_at > 3);
    free(text);
}

static void names(void **ignored) {
    (void)ignored;
    assert_true(formula_is_name("a") && formula_is_name("R_2") && formula_is_name("_x"));
    assert_false(formula_is_name("") || formula_is_name("2a") || formula_is_name("a b") || formula_is_name("a-b") ||
                 formula_is_name("\xc3\xa4"));
    assert_true(formula_has_name("pi") && formula_has_name("pow") && formula_has_name("sqrt") && formula_has_name("max"));
    assert_false(formula_has_name("x") || formula_has_name("sq"));
    parsed p;
    assert_ok(parse("R_2 * x", &p));
    assert_true(p.used[1] && !p.used[0]);
    memory_release(p.made.steps);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rules),        cmocka_unit_test(mistakes),  cmocka_unit_test(limits),
                                       cmocka_unit_test(random_texts), cmocka_unit_test(no_memory), cmocka_unit_test(names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
