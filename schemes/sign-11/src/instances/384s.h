/* Flextree-384s; params.h says what the numbers mean. */
#define FT_N 48
#define FT_HEIGHT 67
#define FT_LAYERS 8

#define FT_T 250491
#define FT_K 35
#define FT_SLOTS 398
#define FT_PORS_HEIGHT 18
#define FT_SUBSET_BITS 495

#define FT_CHAINS 94
#define FT_NARROW_CHAINS 0
#define FT_NARROW_BITS 4
#define FT_WIDE_BITS 4
#define FT_ZERO_BITS 8
