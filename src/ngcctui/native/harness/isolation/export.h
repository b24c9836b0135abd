/* What isolation.so shows to a program that loads it; everything else is built with -fvisibility=hidden. */
#ifndef NGCC_EXPORT_H
#define NGCC_EXPORT_H

#define NGCC_EXPORT __attribute__((visibility("default")))

#endif
