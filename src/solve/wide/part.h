#pragma once

#include "solve/wide/kernel.h"

/*
 * Loops over the blocks and the bodies of a group, for a large group in parts on several threads. Blocks of one colour share no body that moves, and a pass
 * writes only to such bodies. So no two parts of a loop write to the same memory, and results do not depend on the number of threads.
 */

typedef void wide_block_piece(const wide_task *task, wide_part part, const void *argument);
typedef void wide_body_piece(const wide_task *task, wide_bodies part, const void *argument);

/* Over all blocks, in any order. Pieces change only their blocks and what belongs to their patches. */
void wide_each_block(const wide_task *task, wide_block_piece *piece, const void *argument);

/* Over all blocks, colour after colour. Pieces also change the bodies that move. */
void wide_each_colour(const wide_task *task, wide_block_piece *piece, const void *argument);

/* Over all bodies. The last part has also the row of idle lanes, which is behind them. */
void wide_each_body(const wide_task *task, wide_body_piece *piece, const void *argument);
