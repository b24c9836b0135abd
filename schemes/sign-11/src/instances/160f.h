/* Flextree-160f; params.h says what the numbers mean. */
#define FT_N 20
#define FT_HEIGHT 67
#define FT_LAYERS 17

#define FT_T 4721
#define FT_K 27
#define FT_SLOTS 155
#define FT_PORS_HEIGHT 13
#define FT_SUBSET_BITS 237

#define FT_CHAINS 40
#define FT_NARROW_CHAINS 1
#define FT_NARROW_BITS 3
#define FT_WIDE_BITS 4
#define FT_ZERO_BITS 1
