#include "scheme.h"

#include "library.h"

int ngcc_scheme_load(struct ngcc_scheme *scheme, struct ngcc_tally *tally)
{
    const struct ngcc_symbol symbols[] = {
        {"sig_get_pk_len_bytes", &scheme->pk_len_bytes},
        {"sig_get_sk_len_bytes", &scheme->sk_len_bytes},
        {"sig_get_sn_len_bytes", &scheme->sn_len_bytes},
        {"sig_keygen", &scheme->keygen},
        {"sig_sign", &scheme->sign},
        {"sig_verify", &scheme->verify},
    };

    return ngcc_library_load(symbols, sizeof symbols / sizeof *symbols, tally);
}
