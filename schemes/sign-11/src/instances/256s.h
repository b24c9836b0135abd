/* Flextree-256s; params.h says what the numbers mean. */
#define FT_N 32
#define FT_HEIGHT 67
#define FT_LAYERS 10

#define FT_T 81271
#define FT_K 25
#define FT_SLOTS 280
#define FT_PORS_HEIGHT 17
#define FT_SUBSET_BITS 325

#define FT_CHAINS 42
#define FT_NARROW_CHAINS 0
#define FT_NARROW_BITS 6
#define FT_WIDE_BITS 6
#define FT_ZERO_BITS 4
