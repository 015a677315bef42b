/*
 * Reads formulas by recursive descent:
 *
 *   sum     = product { (+ | -) product }
 *   product = signed { (* | /) signed }
 *   signed  = (+ | -) signed | power
 *   power   = operand [ ^ signed ]
 *   operand = number | name | name ( sum [ , sum ] ) | ( sum )
 *
 * Each operation follows its operands in the program. Operations whose operands are all constants are computed at once, by the machine that runs programs. So
 * a constant operand is always one step, and an exponent is constant exactly when it is that step.
 */
#include "shape/formula/parse.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/real.h"
#include "shape/formula/decimal.h"
#include "shape/formula/functions.h"

typedef struct parser {
    const char *text, *at;
    const formula_names *names;
    formula_steps *made;
    int32_t first; /* of this formula's steps */
    int pending;   /* operands on the stack */
    int nested;
    abut_status status;
    abut_formula_error *error;
} parser;

/* Fails at a place of the text. Returns false. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static bool
fail_at(parser *p, const char *place, const char *format, ...) {
    if (p->status != ABUT_OK) {
        return false;
    }
    p->status = ABUT_ERROR_INVALID_ARGUMENT;
    p->error->column = 1;
    for (const char *c = p->text; c < place; ++c) {
        p->error->column += ((unsigned char)*c & 0xC0u) != 0x80u; /* further bytes of a UTF-8 character do not count */
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(p->error->message, sizeof p->error->message, format, arguments);
    va_end(arguments);
    return false;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static size_t name_length(const char *text) {
    size_t length = 0;
    while (is_letter(text[length]) || (length > 0 && is_digit(text[length]))) {
        length++;
    }
    return length;
}

static void skip_blanks(parser *p) { p->at += strspn(p->at, " \t\r\n"); }

static bool fail_expected(parser *p, const char *expected) {
    unsigned char c = (unsigned char)*p->at;
    size_t length = name_length(p->at);
    if (c == '\0') {
        return fail_at(p, p->at, "expected %s, found the end", expected);
    }
    if (length > 0) {
        return fail_at(p, p->at, "expected %s, found '%.*s'", expected, (int)(length < 32 ? length : 32), p->at);
    }
    return c > ' ' && c < 0x7F ? fail_at(p, p->at, "expected %s, found '%c'", expected, c)
                               : fail_at(p, p->at, "expected %s, found a character that formulas do not have", expected);
}

static bool take(parser *p, char wanted) {
    skip_blanks(p);
    bool found = *p->at == wanted;
    p->at += found;
    return found;
}

/* ---- steps ---- */

static bool append(parser *p, program_step step) {
    formula_steps *made = p->made;
    if (made->count - p->first >= ABUT_FORMULA_MOST_OPERATIONS) {
        return fail_at(p, p->at, "the formula has more than %d operations", ABUT_FORMULA_MOST_OPERATIONS);
    }
    if (made->count == made->capacity) {
        int32_t capacity = made->capacity > 0 ? 2 * made->capacity : 64;
        program_step *steps = memory_extend(made->steps, (size_t)made->count, (size_t)capacity, sizeof *steps);
        if (steps == NULL) {
            p->status = ABUT_ERROR_OUT_OF_MEMORY;
            return false;
        }
        made->steps = steps;
        made->capacity = capacity;
    }
    made->steps[made->count++] = step;
    return true;
}

static bool push(parser *p, program_step step) {
    p->pending++;
    return p->pending <= PROGRAM_DEEPEST ? append(p, step) : fail_at(p, p->at, "the formula has too many operands that wait for others");
}

/* The last step pushes a constant: the top of the stack is one. */
static bool is_constant(const parser *p, int back) {
    int32_t at = p->made->count - 1 - back;
    return at >= p->first && p->made->steps[at].operation == PROGRAM_CONSTANT;
}

/* The operation with a constant second operand as one with a single operand: the same value, for less. Other operations stay. */
static bool append_with_constant(parser *p, program_step step) {
    static const program_operation single[] = {[PROGRAM_ADD] = PROGRAM_INCREASE,
                                               [PROGRAM_SUBTRACT] = PROGRAM_INCREASE,
                                               [PROGRAM_MULTIPLY] = PROGRAM_SCALE,
                                               [PROGRAM_DIVIDE] = PROGRAM_SHARE};
    if (step.operation >= PROGRAM_ADD && step.operation <= PROGRAM_DIVIDE && is_constant(p, 0)) {
        double number = p->made->steps[--p->made->count].number;
        step.number = step.operation == PROGRAM_SUBTRACT ? -number : number;
        step.operation = single[step.operation];
    }
    return append(p, step);
}

/* Appends an operation on the top of the stack. place: of the operation in the text. */
static bool operate(parser *p, program_step step, const char *place) {
    int operands = program_operands(&step);
    formula_steps *made = p->made;
    p->pending -= operands - 1;
    if (!is_constant(p, 0) || (operands == 2 && !is_constant(p, 1))) {
        return append_with_constant(p, step);
    }
    program_step constant[3];
    jet folded;
    made->count -= operands;
    memcpy(constant, made->steps + made->count, sizeof *constant * (size_t)operands);
    constant[operands] = step;
    program_run(constant, operands + 1, NULL, 0, &folded);
    if (!isfinite(folded.value)) {
        return fail_at(p, place, "a constant that is not finite");
    }
    return append(p, (program_step){.operation = PROGRAM_CONSTANT, .number = folded.value});
}

/* Makes the constant on top the exponent of the operand below it. */
static bool raise(parser *p, const char *exponent) {
    if (!is_constant(p, 0)) {
        return fail_at(p, exponent, "expected a constant exponent; exp(b * log(a)) is a^b for a > 0");
    }
    double power = p->made->steps[--p->made->count].number;
    p->pending--;
    return operate(p, (program_step){.operation = PROGRAM_POWER, .number = power}, exponent);
}

/* ---- the grammar ---- */

static bool parse_sum(parser *p);
static bool parse_signed(parser *p);

static bool parse_number(parser *p) {
    size_t length = 0;
    double value = 0.0;
    switch (decimal_read(p->at, &length, &value)) {
    case DECIMAL_NONE:
        return fail_expected(p, "a number, a name or '('");
    case DECIMAL_TOO_LARGE:
        return fail_at(p, p->at, "the number is too large for double precision");
    case DECIMAL_TOO_SMALL:
        return fail_at(p, p->at, "the number is too small for double precision");
    default:
        break;
    }
    const program_step step = {.operation = PROGRAM_CONSTANT, .number = value};
    return push(p, step) && (p->at += length, true);
}

static bool is_word(const char *name, size_t length, const char *word) { return strlen(word) == length && memcmp(name, word, length) == 0; }

/* -1 if there is none; "pow" follows the functions of the table. */
static int find_function(const char *name, size_t length) {
    for (int i = 0; i < formula_function_count; ++i) {
        if (is_word(name, length, formula_functions[i].name)) {
            return i;
        }
    }
    return is_word(name, length, "pow") ? formula_function_count : -1;
}

static bool find_value(parser *p, const char *name, size_t length, program_step *step) {
    for (int i = 0; i < p->names->variable_count; ++i) {
        if (is_word(name, length, p->names->variables[i])) {
            *step = (program_step){.operation = PROGRAM_VARIABLE, .index = i};
            return true;
        }
    }
    *step = (program_step){.operation = PROGRAM_CONSTANT, .number = REAL_PI};
    if (is_word(name, length, "pi")) {
        return true;
    }
    for (int32_t i = 0; i < p->names->parameter_count; ++i) {
        if (is_word(name, length, p->names->parameters[i].name)) {
            p->names->used[i] = true;
            step->number = p->names->parameters[i].value;
            return true;
        }
    }
    return false;
}

static bool parse_call(parser *p, int function, const char *name) {
    bool is_power = function == formula_function_count;
    int arguments = is_power ? 2 : formula_functions[function].arguments;
    if (!take(p, '(')) {
        return fail_expected(p, "'(' after a function");
    }
    if (!parse_sum(p)) {
        return false;
    }
    skip_blanks(p);
    const char *second = p->at + 1;
    if (arguments == 2 && !(take(p, ',') ? parse_sum(p) : fail_expected(p, "',' and a second argument"))) {
        return false;
    }
    if (!take(p, ')')) {
        return fail_expected(p, arguments == 1 ? "an operator or ')', as this function has one argument" : "an operator or ')'");
    }
    return is_power ? raise(p, second + strspn(second, " \t\r\n"))
                    : operate(p, (program_step){.operation = arguments == 1 ? PROGRAM_ONE : PROGRAM_TWO, .index = function}, name);
}

static bool parse_name(parser *p) {
    const char *name = p->at;
    size_t length = name_length(name);
    int function = find_function(name, length), shown = (int)(length < 32 ? length : 32);
    program_step step;
    p->at += length;
    if (function >= 0) {
        return parse_call(p, function, name);
    }
    if (!find_value(p, name, length, &step)) {
        return p->names->variable_count == 3
                   ? fail_at(p, name, "unknown name '%.*s'; expected x, y, z, pi, a parameter or a function", shown, name)
                   : fail_at(p, name, "unknown name '%.*s'; expected u, v, pi, a parameter or a function", shown, name);
    }
    return push(p, step);
}

static bool parse_operand(parser *p) {
    skip_blanks(p);
    if (is_letter(*p->at)) {
        return parse_name(p);
    }
    if (!take(p, '(')) {
        return parse_number(p);
    }
    return parse_sum(p) && (take(p, ')') || fail_expected(p, "an operator or ')'"));
}

static bool parse_power(parser *p) {
    if (!parse_operand(p)) {
        return false;
    }
    if (!take(p, '^')) {
        return true;
    }
    skip_blanks(p);
    const char *exponent = p->at;
    return parse_signed(p) && raise(p, exponent);
}

/* All recursion passes here: it bounds the stack of calls. */
static bool parse_signed(parser *p) {
    if (p->nested == ABUT_FORMULA_MOST_NESTED) {
        return fail_at(p, p->at, "parentheses, signs and powers are nested more than %d deep", ABUT_FORMULA_MOST_NESTED);
    }
    p->nested++;
    skip_blanks(p);
    const char *sign = p->at;
    bool fine;
    if (take(p, '-')) {
        fine = parse_signed(p) && operate(p, (program_step){.operation = PROGRAM_NEGATE}, sign);
    } else {
        fine = take(p, '+') ? parse_signed(p) : parse_power(p);
    }
    p->nested--;
    return fine;
}

static bool parse_product(parser *p) {
    if (!parse_signed(p)) {
        return false;
    }
    for (;;) {
        skip_blanks(p);
        const char *sign = p->at;
        program_operation operation = *sign == '*' ? PROGRAM_MULTIPLY : PROGRAM_DIVIDE;
        if (!take(p, '*') && !take(p, '/')) {
            return true;
        }
        if (!parse_signed(p)) {
            return false;
        }
        if (operation == PROGRAM_DIVIDE && is_constant(p, 0) && p->made->steps[p->made->count - 1].number == 0.0) {
            return fail_at(p, sign, "division by zero");
        }
        if (!operate(p, (program_step){.operation = operation}, sign)) {
            return false;
        }
    }
}

static bool parse_sum(parser *p) {
    if (!parse_product(p)) {
        return false;
    }
    for (;;) {
        skip_blanks(p);
        const char *sign = p->at;
        program_operation operation = *sign == '+' ? PROGRAM_ADD : PROGRAM_SUBTRACT;
        if (!take(p, '+') && !take(p, '-')) {
            return true;
        }
        if (!parse_product(p) || !operate(p, (program_step){.operation = operation}, sign)) {
            return false;
        }
    }
}

static bool is_too_long(const char *text) { return memchr(text, '\0', ABUT_FORMULA_MOST_CHARACTERS + 1) == NULL; }

abut_status formula_parse(const char *text, const formula_names *names, formula_steps *made, abut_formula_error *error) {
    parser p = {.text = text, .at = text, .names = names, .made = made, .first = made->count, .error = error};
    if (is_too_long(text)) {
        fail_at(&p, text, "the formula has more than %d characters", ABUT_FORMULA_MOST_CHARACTERS);
        return p.status;
    }
    if (parse_sum(&p) && *p.at != '\0') {
        fail_expected(&p, "an operator or the end");
    }
    return p.status;
}

bool formula_is_name(const char *name) { return name[0] != '\0' && name_length(name) == strlen(name); }

bool formula_has_name(const char *name) { return find_function(name, strlen(name)) >= 0 || strcmp(name, "pi") == 0; }
