/*
 * Parameters of OPSsig-128, -256 and -512; OPS_LEVEL (128, 256 or 512) chooses the instance.
 *
 * The ring is Z_q[X]/(X^N + 1) with q = 2^26 - 2^12 + 1.  A is a K x L matrix over it.  Lengths ending in _BYTES are in
 * bytes, those ending in _BITS in bits.
 */
#ifndef OPS_PARAMS_H
#define OPS_PARAMS_H

#define OPS_Q 67104769
#define OPS_D 13 /* low bits of t that the public key leaves out */

#if OPS_LEVEL == 128
#define OPS_N 512
#define OPS_K 3
#define OPS_L 3
#define OPS_ETA 2                     /* secret coefficients lie in [-ETA, ETA] */
#define OPS_TAU 39                    /* nonzero coefficients of a challenge */
#define OPS_Z_BITS 22
#define OPS_GAMMA2 ((OPS_Q - 1) / 32)
#define OPS_W1_BITS 4
#define OPS_OMEGA 80                  /* most ones in a hint */
#define OPS_POSITION_BITS 9           /* log2 N */
#define OPS_SIGN_BYTES 8              /* sign bits at the start of a challenge's first buffer */
#define OPS_ETA_BYTES 274             /* output of one round of sampling a secret polynomial */
#elif OPS_LEVEL == 256
#define OPS_N 512
#define OPS_K 4
#define OPS_L 4
#define OPS_ETA 3
#define OPS_TAU 45
#define OPS_Z_BITS 21
#define OPS_GAMMA2 ((OPS_Q - 1) / 96)
#define OPS_W1_BITS 6
#define OPS_OMEGA 85
#define OPS_POSITION_BITS 9
#define OPS_SIGN_BYTES 8
#define OPS_ETA_BYTES 293
#elif OPS_LEVEL == 512
#define OPS_N 1024
#define OPS_K 4
#define OPS_L 4
#define OPS_ETA 2
#define OPS_TAU 90
#define OPS_Z_BITS 23
#define OPS_GAMMA2 ((OPS_Q - 1) / 48)
#define OPS_W1_BITS 5
#define OPS_OMEGA 90
#define OPS_POSITION_BITS 10
#define OPS_SIGN_BYTES 16
#define OPS_ETA_BYTES 547
#else
#error "OPS_LEVEL must be 128, 256 or 512"
#endif

#define OPS_GAMMA1 (1 << (OPS_Z_BITS - 1)) /* mask coefficients lie in (-GAMMA1, GAMMA1] */
#define OPS_BETA (OPS_TAU * OPS_ETA)       /* bound on the coefficients of c * s1 and c * s2 */
#define OPS_CLASSES ((OPS_Q - 1) / (2 * OPS_GAMMA2)) /* values of the high bits of w */

#define OPS_RHO_BYTES 64
#define OPS_SEED_BYTES 128 /* rho' and rho'' */
#define OPS_CRH_BYTES 128  /* tr and mu */
#define OPS_CHALLENGE_BYTES (OPS_LEVEL / 4)
#define OPS_UNIFORM_BYTES (4 * (OPS_N + 1)) /* output of one round of sampling a polynomial of A */

#define OPS_T_BITS OPS_D
#define OPS_S_BITS 3
#define OPS_T_BYTES (OPS_N * OPS_T_BITS / 8)
#define OPS_S_BYTES (OPS_N * OPS_S_BITS / 8)
#define OPS_Z_BYTES (OPS_N * OPS_Z_BITS / 8)
#define OPS_W1_BYTES (OPS_N * OPS_W1_BITS / 8)
#define OPS_POSITIONS_BYTES ((OPS_OMEGA * OPS_POSITION_BITS + 7) / 8)
#define OPS_HINT_BYTES (OPS_POSITIONS_BYTES + OPS_K)

#define OPS_PUBLIC_KEY_BYTES (OPS_RHO_BYTES + OPS_K * OPS_T_BYTES)
#define OPS_SECRET_KEY_BYTES \
    (OPS_RHO_BYTES + OPS_CRH_BYTES + (OPS_L + OPS_K) * OPS_S_BYTES + OPS_K * OPS_T_BYTES)
#define OPS_SIGNATURE_BYTES (OPS_CHALLENGE_BYTES + OPS_L * OPS_Z_BYTES + OPS_HINT_BYTES)

#endif
