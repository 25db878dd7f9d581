/* tree-sitter formats texts for a log and for graphs, which nobody here asks for. It includes this file before it does and again before its
 * small libc, which is one file with it: in between a text is not formatted, so that neither the texts nor what would format them is in
 * the module. Were the order another, the libc would not compile. */
#include_next <limits.h>
#ifndef BULK_MEMORY_THRESHOLD
#include <stdio.h>
#define snprintf(...) 0
#define vsnprintf(...) 0
#define fprintf(...) 0
#define fputs(...) 0
#define fputc(...) 0
#else
#undef snprintf
#undef vsnprintf
#undef fprintf
#undef fputs
#undef fputc
#endif
