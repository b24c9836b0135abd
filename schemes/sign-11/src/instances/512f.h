/* Flextree-512f; params.h says what the numbers mean. */
#define FT_N 64
#define FT_HEIGHT 66
#define FT_LAYERS 11

#define FT_T 181922
#define FT_K 57
#define FT_SLOTS 586
#define FT_PORS_HEIGHT 18
#define FT_SUBSET_BITS 742

#define FT_CHAINS 102
#define FT_NARROW_CHAINS 1
#define FT_NARROW_BITS 4
#define FT_WIDE_BITS 5
#define FT_ZERO_BITS 3
