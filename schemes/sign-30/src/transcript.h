/*
 * The hash of the transcript, message and all canonical forms, in pieces.  It equals sm3hash or pseudohash of the
 * whole, which has up to 426 million bytes.
 */
#ifndef TRINE_TRANSCRIPT_H
#define TRINE_TRANSCRIPT_H

#include "params.h"
#include "sm3.h"

typedef struct {
    sm3_ctx plain;
#if TRINE_LEVEL > 128
    sm3_ctx keyed; /* inner hash of HMAC */
#endif
} trine_transcript;

void trine_transcript_open(trine_transcript *t);
void trine_transcript_add(trine_transcript *t, const unsigned char *bytes, unsigned long long count);
void trine_transcript_digest(trine_transcript *t, unsigned char digest[TRINE_DIGEST_BYTES]);

#endif
