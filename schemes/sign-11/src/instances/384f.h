/* Flextree-384f; params.h says what the numbers mean. */
#define FT_N 48
#define FT_HEIGHT 64
#define FT_LAYERS 12

#define FT_T 71828
#define FT_K 53
#define FT_SLOTS 486
#define FT_PORS_HEIGHT 17
#define FT_SUBSET_BITS 624

#define FT_CHAINS 77
#define FT_NARROW_CHAINS 3
#define FT_NARROW_BITS 4
#define FT_WIDE_BITS 5
#define FT_ZERO_BITS 2
