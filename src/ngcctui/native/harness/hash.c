/* One call of a hash function over a message of fixed length. */
#include "buffers.h"
#include "inputs.h"
#include "library.h"
#include "operation.h"

static int (*crypto_hash)(int digest_bits, const unsigned char *msg, unsigned long long msg_bits,
                          unsigned char *digest);
static struct ngcc_buffer message, digest;
static int digest_bits, varied;

static int load(const struct ngcc_settings *settings, struct ngcc_sizes *sizes, struct ngcc_tally *tally)
{
    const struct ngcc_symbol symbols[] = {{"crypto_hash", &crypto_hash}};

    (void)sizes;
    digest_bits = (int)settings->digest_bits;
    varied = settings->varied;
    if (ngcc_library_load(symbols, 1, tally))
        return -1;
    if (ngcc_buffer_make(&message, "message", (size_t)settings->message_bytes) ||
        ngcc_buffer_make(&digest, "digest", ((size_t)digest_bits + 7) / 8))
        return ngcc_tally_end(tally, NGCC_LOADFAIL, "no memory for a message of %lld bytes", settings->message_bytes);
    ngcc_message_base(message.data, message.bytes);
    return 0;
}

static int setup(const struct ngcc_settings *settings, struct ngcc_tally *tally)
{
    return ngcc_library_seed(settings, tally);
}

static void prepare(uint64_t number)
{
    if (varied)
        ngcc_message_vary(message.data, message.bytes, number);
}

static int call(struct ngcc_tally *tally)
{
    const int code = crypto_hash(digest_bits, message.data, 8 * (unsigned long long)message.bytes, digest.data);

    return code ? ngcc_tally_failed(tally, "crypto_hash", code) : 0;
}

const struct ngcc_operation ngcc_hash = {"hash", "hash", load, setup, prepare, call};
