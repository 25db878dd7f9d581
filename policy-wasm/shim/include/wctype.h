/* Character classes of the C locale, as a native build of the scanner sees them (a program starts in that locale). The
 * small libc knows all of Unicode, and then the second reader would read names differently in the module. */
#ifndef PORTCULLIS_WCTYPE_H
#define PORTCULLIS_WCTYPE_H
#include_next <wctype.h>
static inline int portcullis_iswdigit(unsigned c) { return c >= '0' && c <= '9'; }
static inline int portcullis_iswupper(unsigned c) { return c >= 'A' && c <= 'Z'; }
static inline int portcullis_iswlower(unsigned c) { return c >= 'a' && c <= 'z'; }
static inline int portcullis_iswalpha(unsigned c) { return portcullis_iswupper(c) || portcullis_iswlower(c); }
static inline int portcullis_iswalnum(unsigned c) { return portcullis_iswalpha(c) || portcullis_iswdigit(c); }
static inline int portcullis_iswspace(unsigned c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
#define iswdigit portcullis_iswdigit
#define iswupper portcullis_iswupper
#define iswlower portcullis_iswlower
#define iswalpha portcullis_iswalpha
#define iswalnum portcullis_iswalnum
#define iswspace portcullis_iswspace
#endif
