/* The scanner of tree-sitter-bash calls isdigit, which tree-sitter's small libc for wasm32 lacks. */
#ifndef PORTCULLIS_CTYPE_H
#define PORTCULLIS_CTYPE_H
#include_next <ctype.h>
static inline int isdigit(int c) { return c >= '0' && c <= '9'; }
#endif
