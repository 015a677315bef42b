#pragma once

#include "io/tet/cursor.h"

/*
 * The tags of an XML file, one after the other. Enough for files that programs write: entities in values are not replaced, and nesting is left to the caller.
 */
typedef struct xml_tag {
    const char *at;                      /* its '<' */
    int32_t line;                        /* of at */
    const char *name, *attributes, *end; /* the name, what follows it, and the '>' or "/>" */
    bool closes;                         /* </NAME> */
    bool empty;                          /* <NAME/> */
} xml_tag;

/* Moves behind the next tag. Text, comments, declarations and <![CDATA[ ]]> are skipped. False at the end of the file; fails inside of a tag that does not
 * end. */
bool xml_next_tag(tet_cursor *cursor, xml_tag *tag);
bool xml_is(const xml_tag *tag, const char *name);
/* Finds an attribute and copies its value, cut to the size; false, and "", when there is none. */
bool xml_attribute(const xml_tag *tag, const char *name, char *value, size_t size);
