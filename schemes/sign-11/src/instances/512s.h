/* Flextree-512s; params.h says what the numbers mean. */
#define FT_N 64
#define FT_HEIGHT 66
#define FT_LAYERS 8

#define FT_T 429271
#define FT_K 48
#define FT_SLOTS 560
#define FT_PORS_HEIGHT 19
#define FT_SUBSET_BITS 696

#define FT_CHAINS 101
#define FT_NARROW_CHAINS 0
#define FT_NARROW_BITS 5
#define FT_WIDE_BITS 5
#define FT_ZERO_BITS 7
