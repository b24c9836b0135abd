/* Flextree-256f; params.h says what the numbers mean. */
#define FT_N 32
#define FT_HEIGHT 68
#define FT_LAYERS 17

#define FT_T 16900
#define FT_K 35
#define FT_SLOTS 270
#define FT_PORS_HEIGHT 15
#define FT_SUBSET_BITS 359

#define FT_CHAINS 64
#define FT_NARROW_CHAINS 1
#define FT_NARROW_BITS 3
#define FT_WIDE_BITS 4
#define FT_ZERO_BITS 1
