/* Rijndael (FIPS 197, and its form with blocks of 256 bits), one table of SubBytes and MixColumns together. */
#include "cipher.h"

#if LYNX_LEVEL != 512

#include "bytes.h"
#include "rijndael_tables.h"

#define COLUMNS (LYNX_BLOCK_BYTES / 4)
#define KEY_COLUMNS (LYNX_KEY_BYTES / 4)

/* From how many columns to the right ShiftRows fetches rows 2 and 3. */
#define SHIFT2 (COLUMNS == 8 ? 3 : 2)
#define SHIFT3 (COLUMNS == 8 ? 4 : 3)

static uint32_t rotate_left(uint32_t x, int by)
{
    return x << by | x >> (32 - by);
}

/* Columns are little-endian words: row 0 is the lowest byte. */
static uint32_t sub_word(uint32_t x)
{
    return (uint32_t)sbox[x & 0xff] | (uint32_t)sbox[x >> 8 & 0xff] << 8 | (uint32_t)sbox[x >> 16 & 0xff] << 16 |
           (uint32_t)sbox[x >> 24] << 24;
}

void lynx_cipher_expand(cipher_key *key, const unsigned char bytes[LYNX_KEY_BYTES])
{
    uint32_t rcon = 1;

    for (int i = 0; i < KEY_COLUMNS; i++)
        key->w[i] = lynx_load32(bytes + 4 * i);
    for (int i = KEY_COLUMNS; i < LYNX_ROUND_KEY_WORDS; i++) {
        uint32_t t = key->w[i - 1];

        if (i % KEY_COLUMNS == 0) {
            t = sub_word(rotate_left(t, 24)) ^ rcon;
            rcon = (rcon << 1 ^ (rcon >> 7) * 0x11b) & 0xff;
        } else if (KEY_COLUMNS > 6 && i % KEY_COLUMNS == 4) {
            t = sub_word(t);
        }
        key->w[i] = key->w[i - KEY_COLUMNS] ^ t;
    }
}

/* Column c of the state after a round out of the columns of `s` before it. */
#define ROUND(c)                                                                                                  \
    (table0[s[c] & 0xff] ^ table1[s[((c) + 1) % COLUMNS] >> 8 & 0xff] ^                                           \
     table2[s[((c) + SHIFT2) % COLUMNS] >> 16 & 0xff] ^ table3[s[((c) + SHIFT3) % COLUMNS] >> 24] ^ key->w[k + (c)])

#define LAST(c)                                                                                                   \
    (((uint32_t)sbox[s[c] & 0xff] | (uint32_t)sbox[s[((c) + 1) % COLUMNS] >> 8 & 0xff] << 8 |                     \
      (uint32_t)sbox[s[((c) + SHIFT2) % COLUMNS] >> 16 & 0xff] << 16 |                                            \
      (uint32_t)sbox[s[((c) + SHIFT3) % COLUMNS] >> 24] << 24) ^                                                  \
     key->w[k + (c)])

#if COLUMNS == 8
#define ALL_COLUMNS(f) f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)
#else
#define ALL_COLUMNS(f) f(0), f(1), f(2), f(3)
#endif

void lynx_cipher_encrypt(const cipher_key *key, const unsigned char in[LYNX_BLOCK_BYTES],
                         unsigned char out[LYNX_BLOCK_BYTES])
{
    uint32_t s[COLUMNS];
    int k = COLUMNS;

    for (int i = 0; i < COLUMNS; i++)
        s[i] = lynx_load32(in + 4 * i) ^ key->w[i];
    for (; k < COLUMNS * LYNX_ROUNDS; k += COLUMNS) {
        const uint32_t next[COLUMNS] = {ALL_COLUMNS(ROUND)};

        for (int i = 0; i < COLUMNS; i++)
            s[i] = next[i];
    }
    {
        const uint32_t last[COLUMNS] = {ALL_COLUMNS(LAST)};

        for (int i = 0; i < COLUMNS; i++)
            lynx_store32(out + 4 * i, last[i]);
    }
}

#else
typedef int lynx_no_rijndael; /* a source file must not be empty */
#endif
