"""The signature interface of a compiled scheme, called through ctypes."""

from __future__ import annotations

import ctypes
from ctypes import c_ulonglong
from pathlib import Path

from helpers_library import guarded, opened


class SignatureLibrary:
    """A library with probe.c; what it writes is guarded, its lengths must be the declared ones."""

    def __init__(self, library: Path) -> None:
        self.library = ctypes.CDLL(str(library))
        lengths = []
        for part in ("pk", "sk", "sn"):
            function = self.library[f"sig_get_{part}_len_bytes"]
            function.restype = c_ulonglong
            lengths.append(function())
        self.pk_len, self.sk_len, self.sn_len = lengths

    def seed(self, seed: bytes) -> None:
        """Instantiate the generator that the scheme draws from."""
        assert self.library.probe_seed(seed, c_ulonglong(len(seed))) == 0

    def keygen(self) -> tuple[bytes, bytes]:
        """A key pair, public key first."""
        pk, sk = guarded(self.pk_len), guarded(self.sk_len)
        pk_len, sk_len = c_ulonglong(), c_ulonglong()
        assert self.library.sig_keygen(pk, ctypes.byref(pk_len), sk, ctypes.byref(sk_len)) == 0
        assert (pk_len.value, sk_len.value) == (self.pk_len, self.sk_len)
        return opened(pk), opened(sk)

    def sign(self, sk: bytes, message: bytes | None) -> bytes:
        """A signature; no message is a null pointer of length 0."""
        sn, sn_len = guarded(self.sn_len), c_ulonglong()
        length = c_ulonglong(len(message or b""))
        code = self.library.sig_sign(sk, c_ulonglong(len(sk)), message, length, sn, ctypes.byref(sn_len))
        assert code == 0 and sn_len.value == self.sn_len
        return opened(sn)

    def verify(self, pk: bytes, signature: bytes, message: bytes | None) -> int:
        """The return code of verification."""
        lengths = [c_ulonglong(len(part or b"")) for part in (pk, signature, message)]
        code: int = self.library.sig_verify(pk, lengths[0], signature, lengths[1], message, lengths[2])
        return code
