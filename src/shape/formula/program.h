#pragma once

#include <stdint.h>

#include "shape/formula/jet.h"

/*
 * A formula as a program for a stack machine. Its length and its stack are bounded, it holds no pointers, and it is one block of memory.
 */

/* Most operands that wait while others are computed, as x and y in x + y * (...). Formulas that need more are refused. */
enum { PROGRAM_DEEPEST = 64 };

typedef enum program_operation {
    PROGRAM_CONSTANT, /* pushes the number */
    PROGRAM_VARIABLE, /* pushes the variable `index` */
    PROGRAM_NEGATE,
    PROGRAM_ADD,
    PROGRAM_SUBTRACT,
    PROGRAM_MULTIPLY,
    PROGRAM_DIVIDE,
    PROGRAM_INCREASE, /* by `number`: this and the next two are for constants, which have no derivatives */
    PROGRAM_SCALE,    /* times `number` */
    PROGRAM_SHARE,    /* divided by `number` */
    PROGRAM_POWER,    /* to the power `number` */
    PROGRAM_ONE,      /* the function `index` of one number */
    PROGRAM_TWO       /* the function `index` of two numbers */
} program_operation;

typedef struct program_step {
    int32_t operation, index;
    double number;
} program_step;

/* How many operands a step takes from the stack; it pushes one. */
int program_operands(const program_step *step);

/*
 * Runs the steps: the values of the variables give the value, and the derivatives by the first `count` of them, which are all of them, or none for the value
 * alone. A program without variables needs no values.
 */
void program_run(const program_step *steps, int32_t length, const double *variables, int count, jet *result);
