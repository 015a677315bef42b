#pragma once

/* Where a checkpoint has its state: docs/formats/recording.md. */
#define CHECKPOINT_GROUP "checkpoint"
#define CHECKPOINT_VERSION 3
