/* Flextree-160s; params.h says what the numbers mean. */
#define FT_N 20
#define FT_HEIGHT 67
#define FT_LAYERS 9

#define FT_T 42429
#define FT_K 15
#define FT_SLOTS 160
#define FT_PORS_HEIGHT 16
#define FT_SUBSET_BITS 191

#define FT_CHAINS 26
#define FT_NARROW_CHAINS 1
#define FT_NARROW_BITS 5
#define FT_WIDE_BITS 6
#define FT_ZERO_BITS 5
