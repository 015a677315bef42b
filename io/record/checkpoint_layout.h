#pragma once

/* Where a checkpoint has its state: docs/recording.md. */
#define CHECKPOINT_GROUP "checkpoint"
#define CHECKPOINT_VERSION 1
