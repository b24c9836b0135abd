/* Inner functions of sign-30 with plain arrays in place of its types. */
#include <string.h>

#include "canon.h"
#include "challenge.h"
#include "field.h"
#include "pack.h"
#include "sample.h"
#include "search.h"
#include "transcript.h"

int probe_base(const unsigned char *secret_seed, unsigned char *packed);
int probe_commitment(const unsigned char *salt, const unsigned char *seed, unsigned t, int16_t *vector,
                     unsigned char *packed);
int probe_canonical(const int16_t *flat, const int16_t *vector, unsigned char *packed);
int probe_points(const int16_t *vector, int16_t *v0, int16_t *w0, int16_t *u1);
int probe_matrix(const unsigned char *seed, int16_t *flat);
int probe_rank(const int16_t *flat, int16_t *kernel);
void probe_invert(int16_t *flat);
void probe_transform(int16_t *flat, const int16_t *u, const int16_t *v, const int16_t *w);
void probe_transcript(const unsigned char *bytes, unsigned long long count, unsigned long long piece,
                      unsigned char *digest);
unsigned probe_wrong_field(void);

static trine_form base;

static trine_row row_of(const int16_t *elements)
{
    trine_row row;

    memset(&row, 0, sizeof row);
    memcpy(row.x, elements, TRINE_N * sizeof *elements);
    return row;
}

static void load_matrix(trine_matrix matrix, const int16_t *flat)
{
    memset(matrix, 0, sizeof(trine_matrix));
    for (int i = 0; i < TRINE_N; i++)
        matrix[i] = row_of(flat + i * TRINE_N);
}

static void store(int16_t *flat, const trine_row *row)
{
    memcpy(flat, row->x, TRINE_N * sizeof *flat);
}

/* The base form of a secret seed, which the other functions then use. */
int probe_base(const unsigned char *secret_seed, unsigned char *packed)
{
    static int16_t flat[TRINE_CUBE];
    unsigned char public_seed[TRINE_SEED_BYTES];

    trine_field_init();
    if (trine_sample_public_seed(public_seed, secret_seed) || trine_sample_base_form(flat, public_seed))
        return -1;
    trine_pack(packed, flat, TRINE_CUBE);
    trine_form_load(&base, flat);
    return 0;
}

int probe_commitment(const unsigned char *salt, const unsigned char *seed, unsigned t, int16_t *vector,
                     unsigned char *packed)
{
    static int16_t flat[TRINE_CUBE];
    trine_stream s;
    trine_row found;
    int result;

    trine_open_round(&s, salt, seed, t);
    result = trine_search(&found, flat, &base, &s);
    trine_stream_close(&s);
    store(vector, &found);
    trine_pack(packed, flat, TRINE_CUBE);
    return result;
}

int probe_canonical(const int16_t *flat, const int16_t *vector, unsigned char *packed)
{
    static int16_t out[TRINE_CUBE];
    static trine_form form;
    const trine_row u = row_of(vector);

    trine_field_init();
    trine_form_load(&form, flat);
    if (trine_canonical(out, &form, &u))
        return -1;
    trine_pack(packed, out, TRINE_CUBE);
    return 0;
}

/* The first points of the chain from a point of the base form. */
int probe_points(const int16_t *vector, int16_t *v0, int16_t *w0, int16_t *u1)
{
    trine_matrix matrix;
    trine_row u = row_of(vector), v, w;
    int ranks = 0;

    trine_form_fix(matrix, base.x, &u);
    ranks += trine_rank(matrix, &v);
    trine_form_fix(matrix, base.y, &v);
    ranks += trine_rank(matrix, &w);
    trine_form_fix(matrix, base.z, &w);
    ranks += trine_rank(matrix, &u);
    store(v0, &v);
    store(w0, &w);
    store(u1, &u);
    return ranks;
}

int probe_matrix(const unsigned char *seed, int16_t *flat)
{
    trine_matrix matrix;

    trine_field_init();
    if (trine_sample_matrix(matrix, seed))
        return -1;
    for (int i = 0; i < TRINE_N; i++)
        store(flat + i * TRINE_N, &matrix[i]);
    return 0;
}

int probe_rank(const int16_t *flat, int16_t *kernel)
{
    trine_matrix matrix;
    trine_row row;
    int rank;

    memset(&row, 0, sizeof row);
    trine_field_init();
    load_matrix(matrix, flat);
    rank = trine_rank(matrix, &row);
    store(kernel, &row);
    return rank;
}

void probe_invert(int16_t *flat)
{
    trine_matrix matrix, inverse;

    trine_field_init();
    load_matrix(matrix, flat);
    trine_invert(inverse, matrix);
    for (int i = 0; i < TRINE_N; i++)
        store(flat + i * TRINE_N, &inverse[i]);
}

/* A form as the rows of three matrices see it, in place. */
void probe_transform(int16_t *flat, const int16_t *u, const int16_t *v, const int16_t *w)
{
    static trine_form form;
    trine_matrix a, b, c;

    trine_form_load(&form, flat);
    load_matrix(a, u);
    load_matrix(b, v);
    load_matrix(c, w);
    trine_form_transform(flat, &form, a, b, c);
}

void probe_transcript(const unsigned char *bytes, unsigned long long count, unsigned long long piece,
                      unsigned char *digest)
{
    trine_transcript transcript;

    trine_transcript_open(&transcript);
    for (; count > piece; bytes += piece, count -= piece)
        trine_transcript_add(&transcript, bytes, piece);
    trine_transcript_add(&transcript, bytes, count);
    trine_transcript_digest(&transcript, digest);
}

/* The first number whose remainder or inverse is wrong, or 0; near all multiples of q that matter, and at the top. */
unsigned probe_wrong_field(void)
{
    trine_field_init();
    for (uint64_t high = 0; high <= UINT32_MAX; high += 4096)
        for (int low = -3; low <= 3; low++) {
            const uint64_t x = high / TRINE_Q * TRINE_Q + TRINE_Q + (uint64_t)low;

            if (x <= UINT32_MAX && (uint64_t)trine_reduce((uint32_t)x) != x % TRINE_Q)
                return (unsigned)x;
        }
    if (trine_reduce(UINT32_MAX) != (int16_t)(UINT32_MAX % TRINE_Q))
        return UINT32_MAX;
    for (int16_t a = 1; a < TRINE_Q; a++)
        if (trine_multiply(a, trine_inverse[a]) != 1)
            return (unsigned)a;
    return 0;
}
