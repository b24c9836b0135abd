#include "sample.h"

#include <string.h>

enum purpose {
    PUBLIC_SEED = 1,
    BASE_FORM = 2,
    SECRET_MATRIX = 3 /* of x; of y and z the next two */
};

int trine_sample_element(trine_stream *s)
{
    int element;

    do {
        const unsigned char *two = trine_stream_read(s, 2);

        if (!two)
            return -1;
        element = (two[0] | two[1] << 8) & 4095;
    } while (element >= TRINE_Q);
    return element;
}

static unsigned char *append(unsigned char *out, const void *bytes, size_t count)
{
    memcpy(out, bytes, count);
    return out + count;
}

static unsigned char *append_index(unsigned char *out, unsigned index)
{
    for (int i = 0; i < 4; i++)
        *out++ = (unsigned char)(index >> 8 * i);
    return out;
}

static void open_expansion(trine_stream *s, unsigned purpose, unsigned index,
                           const unsigned char seed[TRINE_SEED_BYTES])
{
    unsigned char input[TRINE_INPUT_BYTES], *end = append(input, "MEDS2END-TRINE-EXPAND-v1", 24);

    *end++ = (unsigned char)purpose;
    end = append_index(end, index);
    end = append(end, seed, TRINE_SEED_BYTES);
    trine_stream_open(s, input, (size_t)(end - input));
}

void trine_open_round(trine_stream *s, const unsigned char salt[TRINE_SEED_BYTES],
                      const unsigned char seed[TRINE_ROUND_SEED_BYTES], unsigned t)
{
    unsigned char input[TRINE_INPUT_BYTES], *end = append(input, "MEDS2END-TRINE-ROUND-v1", 23);

    end = append(end, salt, TRINE_SEED_BYTES);
    end = append(end, seed, TRINE_ROUND_SEED_BYTES);
    end = append_index(end, t);
    trine_stream_open(s, input, (size_t)(end - input));
}

static int expand_seed(unsigned char out[TRINE_SEED_BYTES], unsigned purpose, unsigned index,
                       const unsigned char seed[TRINE_SEED_BYTES])
{
    trine_stream s;
    const unsigned char *bytes;

    open_expansion(&s, purpose, index, seed);
    bytes = trine_stream_read(&s, TRINE_SEED_BYTES);
    if (bytes)
        memcpy(out, bytes, TRINE_SEED_BYTES);
    trine_stream_close(&s);
    return bytes ? 0 : -1;
}

int trine_sample_public_seed(unsigned char public_seed[TRINE_SEED_BYTES],
                             const unsigned char secret_seed[TRINE_SEED_BYTES])
{
    return expand_seed(public_seed, PUBLIC_SEED, 0, secret_seed);
}

int trine_sample_base_form(int16_t *flat, const unsigned char public_seed[TRINE_SEED_BYTES])
{
    trine_stream s;
    int element = 0;

    open_expansion(&s, BASE_FORM, 0, public_seed);
    for (int i = 0; i < TRINE_CUBE && element >= 0; i++) {
        element = trine_sample_element(&s);
        flat[i] = (int16_t)element;
    }
    trine_stream_close(&s);
    return element < 0 ? -1 : 0;
}

/* The next n^2 elements by rows. */
static int read_matrix(trine_matrix matrix, trine_stream *s)
{
    memset(matrix, 0, sizeof(trine_matrix));
    for (int i = 0; i < TRINE_N; i++)
        for (int j = 0; j < TRINE_N; j++) {
            const int element = trine_sample_element(s);

            if (element < 0)
                return -1;
            matrix[i].x[j] = (int16_t)element;
        }
    return 0;
}

int trine_sample_matrix(trine_matrix matrix, const unsigned char seed[TRINE_SEED_BYTES])
{
    trine_stream s;
    trine_matrix copy;
    trine_row kernel;
    int result;

    trine_stream_open(&s, seed, TRINE_SEED_BYTES);
    do {
        result = read_matrix(matrix, &s);
        memcpy(copy, matrix, sizeof copy);
    } while (!result && trine_rank(copy, &kernel) != TRINE_N);
    trine_stream_close(&s);
    return result;
}

int trine_sample_secret(trine_matrix matrix, const unsigned char secret_seed[TRINE_SEED_BYTES], char which,
                        unsigned index)
{
    unsigned char seed[TRINE_SEED_BYTES];

    if (expand_seed(seed, SECRET_MATRIX + (unsigned)(which - 'x'), index, secret_seed))
        return -1;
    return trine_sample_matrix(matrix, seed);
}
