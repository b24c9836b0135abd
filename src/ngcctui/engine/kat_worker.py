"""The KAT worker: a script in a Python of its own that loads one candidate and streams what it produces.

`kat_worker.py JOB`, with only the standard library and cffi.  It isolates itself with our C library before it loads the
candidate's, checks guard bytes around every buffer after every call, and sends raw fields as frames; it judges only what
must be judged on the spot: return codes, guards, lengths and verifications.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import sys
import time
from collections.abc import Callable
from typing import Any

GUARD = b"\xa5" * 64

#: Largest buffer that a candidate may ask for, bytes.
MAX_BUFFER = 64 << 20

EXIT_NOT_ISOLATED = 3

_ISOLATION = """
int ngcc_isolate(const char *job_path);
const char *ngcc_isolate_error(void);
const char *ngcc_isolate_report(void);
const char *ngcc_isolate_library(void);
void ngcc_isolate_library_loaded(void);
int ngcc_frame(char type, const void *data, unsigned long long bytes);
"""
_CANDIDATE = """
unsigned long long sig_get_pk_len_bytes(void);
unsigned long long sig_get_sk_len_bytes(void);
unsigned long long sig_get_sn_len_bytes(void);
int sig_keygen(unsigned char *pk, unsigned long long *pk_len, unsigned char *sk, unsigned long long *sk_len);
int sig_sign(unsigned char *sk, unsigned long long sk_len, unsigned char *m, unsigned long long m_len,
             unsigned char *sn, unsigned long long *sn_len);
int sig_verify(unsigned char *pk, unsigned long long pk_len, unsigned char *sn, unsigned long long sn_len,
               unsigned char *m, unsigned long long m_len);
int crypto_hash(int digest_bits, const unsigned char *msg, unsigned long long msg_bits, unsigned char *digest);
int ngcc_seed(const unsigned char *seed, unsigned long long seed_bytes);
const char *ngcc_instance(void);
"""


class Stop(Exception):
    """The end of the work: a status and one line that tells why."""

    def __init__(self, status: str, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class Page:
    """The driver's half of the live page; writes nothing without one."""

    PID, ITERATION, ITERATIONS, START_NS, PHASE, HOLD = 64, 80, 88, 96, 104, 640
    PHASE_KAT, PHASE_HELD = 5, 6
    NAP_S = 0.05

    def __init__(self, path: str, records: int) -> None:
        self._memory: mmap.mmap | None = None
        if path:
            fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
            self._memory = mmap.mmap(fd, 4096)
            os.close(fd)
        self._put(self.PID, os.getpid())
        self._put(self.ITERATIONS, records)
        self._put(self.START_NS, time.monotonic_ns())
        self._put(self.PHASE, self.PHASE_KAT)

    def record(self, number: int) -> None:
        """Tell that record `number` is at work."""
        self._put(self.ITERATION, number)

    def wait_while_held(self) -> None:
        """Wait as long as the engine asks for it; this process dies with the engine."""
        if self._memory is None or not self._get(self.HOLD):
            return
        self._put(self.PHASE, self.PHASE_HELD)
        while self._get(self.HOLD):
            then = time.monotonic_ns()
            time.sleep(self.NAP_S)
            self._put(self.START_NS, self._get(self.START_NS) + time.monotonic_ns() - then)
        self._put(self.PHASE, self.PHASE_KAT)

    def _get(self, offset: int) -> int:
        assert self._memory is not None
        return int(struct.unpack_from("<Q", self._memory, offset)[0])

    def _put(self, offset: int, value: int) -> None:
        if self._memory is not None:
            struct.pack_into("<Q", self._memory, offset, value)


class Buffer:
    """Bytes for a candidate on a 64-byte boundary, between two guards; zero, or filled with `content`."""

    def __init__(self, ffi: Any, name: str, size: int, content: bytes = b"") -> None:
        self.name = name
        self.size = size
        self._ffi = ffi
        self._memory = ffi.new("unsigned char[]", size + 3 * len(GUARD))
        pad = -int(ffi.cast("uintptr_t", self._memory)) % len(GUARD)
        self._front = self._memory + pad
        self.pointer = self._front + len(GUARD)
        self._back = self.pointer + size
        ffi.memmove(self._front, GUARD, len(GUARD))
        ffi.memmove(self._back, GUARD, len(GUARD))
        ffi.memmove(self.pointer, content, len(content))

    def intact(self) -> bool:
        """True while nobody has written outside."""
        return all(self._ffi.buffer(part, len(GUARD))[:] == GUARD for part in (self._front, self._back))

    def take(self, length: int) -> bytes:
        """The first `length` bytes."""
        return bytes(self._ffi.buffer(self.pointer, length))


class Worker:
    """One candidate's library and the channel for what it produces."""

    def __init__(self, job: dict[str, str], ffi: Any, isolation: Any, page: Page) -> None:
        self._job = job
        self._ffi = ffi
        self._isolation = isolation
        self._page = page
        self._times: dict[str, int] = {}

    def frame(self, kind: bytes, data: bytes) -> None:
        """Send one frame."""
        if self._isolation.ngcc_frame(kind, data, len(data)):
            sys.exit("the result channel is gone")

    def say(self, **data: object) -> None:
        """Send one J frame."""
        self.frame(b"J", json.dumps(data).encode("ascii"))

    def work(self) -> None:
        """Load the candidate and generate all records; Stop when something is wrong with it."""
        self._library = self._load()
        if self._job["function"] == "hash":
            self._hash_records()
        else:
            self._signature_records()

    def _load(self) -> Any:
        path = self._ffi.string(self._isolation.ngcc_isolate_library()).decode("utf-8", "surrogateescape")
        needed = ["ngcc_seed", "ngcc_instance"]
        if self._job["function"] == "hash":
            needed += ["crypto_hash"]
        else:
            needed += [f"sig_get_{part}_len_bytes" for part in ("pk", "sk", "sn")]
            needed += ["sig_keygen", "sig_sign", "sig_verify"]
        try:
            library = self._ffi.dlopen(path, self._ffi.RTLD_NOW | self._ffi.RTLD_LOCAL)
        except OSError as error:
            # Only the loader's own words: the path is that of a descriptor.
            reason = str(error).partition(f"{path}: ")[2].partition(".  ")[0] or "unknown error"
            raise Stop("loadfail", f"the library cannot be loaded: {reason}") from None
        self._isolation.ngcc_isolate_library_loaded()
        for name in needed:
            if not hasattr(library, name):
                raise Stop("loadfail", f"the library has no function {name}")
        instance = self._ffi.string(library.ngcc_instance()).decode("utf-8", "replace")
        if instance != self._job["instance"]:
            raise Stop("loadfail", f"the library is that of {instance}")
        return library

    def _setup(self, sizes: dict[str, int]) -> None:
        report = json.loads(self._ffi.string(self._isolation.ngcc_isolate_report()))
        self.say(type="setup", sizes=sizes, isolation=report)
        for name, size in sizes.items():
            if not 1 <= size <= MAX_BUFFER:
                raise Stop("failed", f"a {name.replace('_', ' ')} of {size} bytes is declared")

    def _call(self, record: int, name: str, buffers: list[Buffer], function: Callable[[], int]) -> int:
        """Time one call of the candidate's function `name` and check every buffer that it could reach."""
        self._page.wait_while_held()
        started = time.monotonic_ns()
        code = function()
        self._times[name] = time.monotonic_ns() - started
        for buffer in buffers:
            if not buffer.intact():
                raise Stop("overflow", f"{name} wrote outside of {buffer.name} in record {record}")
        return code

    def _field(self, record: int, step: str, buffer: Buffer, length: int) -> None:
        """Send what `step` wrote into `buffer`."""
        if length > buffer.size:
            raise Stop(
                "overflow", f"{step} returned {length} bytes of {buffer.name}, declared are {buffer.size}"
            )
        self.say(type="field", record=record, field=buffer.name, length=length)
        self.frame(b"B", buffer.take(length))

    def _signature_records(self) -> None:
        library = self._library
        sizes = {
            "public_key": library.sig_get_pk_len_bytes(),
            "secret_key": library.sig_get_sk_len_bytes(),
            "signature": library.sig_get_sn_len_bytes(),
        }
        self._setup(sizes)
        for record in range(int(self._job["records"])):
            self._page.record(record)
            self._signature_record(record, sizes)
            self.say(type="record", record=record, times_ns=self._times)

    def _signature_record(self, record: int, sizes: dict[str, int]) -> None:
        library, ffi = self._library, self._ffi
        seed = bytes.fromhex(self._job[f"seed_{record}"])
        text = bytes.fromhex(self._job[f"message_{record}"])
        pk = Buffer(ffi, "pk", sizes["public_key"])
        sk = Buffer(ffi, "sk", sizes["secret_key"])
        sn = Buffer(ffi, "sn", sizes["signature"])
        message = Buffer(ffi, "message", len(text), text)
        buffers = [pk, sk, sn, message]
        pk_len, sk_len, sn_len = (ffi.new("unsigned long long *", buffer.size) for buffer in (pk, sk, sn))
        self._times = {}
        if library.ngcc_seed(seed, len(seed)):
            raise Stop("failed", f"the DRNG cannot be seeded in record {record}")

        def keygen() -> int:
            return int(library.sig_keygen(pk.pointer, pk_len, sk.pointer, sk_len))

        def sign() -> int:
            return int(
                library.sig_sign(sk.pointer, sk_len[0], message.pointer, len(text), sn.pointer, sn_len)
            )

        def verify() -> int:
            signed = (sn.pointer, sn_len[0], message.pointer, len(text))
            return int(library.sig_verify(pk.pointer, pk_len[0], *signed))

        self._must_succeed(record, "sig_keygen", buffers, keygen)
        self._field(record, "sig_keygen", pk, pk_len[0])
        self._field(record, "sig_keygen", sk, sk_len[0])
        self._must_succeed(record, "sig_sign", buffers, sign)
        self._field(record, "sig_sign", sn, sn_len[0])
        code = self._call(record, "sig_verify", buffers, verify)
        if code:
            raise Stop("rejected", f"sig_verify rejected the honest signature of record {record}: {code}")
        honest_ns = self._times["sig_verify"]
        message.pointer[0] ^= 0x80
        if self._call(record, "sig_verify", buffers, verify) == 0:
            raise Stop(
                "rejected", f"sig_verify accepted another message for the signature of record {record}"
            )
        self._times["sig_verify"] = honest_ns

    def _must_succeed(
        self, record: int, name: str, buffers: list[Buffer], function: Callable[[], int]
    ) -> None:
        code = self._call(record, name, buffers, function)
        if code:
            raise Stop("failed", f"{name} returned {code} in record {record}")

    def _hash_records(self) -> None:
        bits = int(self._job["digest_bits"])
        size = (bits + 7) // 8
        self._setup({"digest": size})
        for record, length in enumerate(map(int, self._job["lengths"].split(","))):
            self._page.record(record)
            self._hash_record(record, bits, length, size)
            self.say(type="record", record=record, times_ns=self._times)

    def _hash_record(self, record: int, bits: int, length: int, size: int) -> None:
        count = (length + 7) // 8
        text = bytes((131 * j + 7 * record + 1) & 255 for j in range(count))
        message = Buffer(self._ffi, "message", count, text)
        digest = Buffer(self._ffi, "dst", size)
        self._times = {}

        def hash_message() -> int:
            return int(self._library.crypto_hash(bits, message.pointer, length, digest.pointer))

        self._must_succeed(record, "crypto_hash", [message, digest], hash_message)
        self._field(record, "crypto_hash", digest, size)


def read_job(path: str) -> dict[str, str]:
    """The keys of a job file."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        return dict(line.rstrip("\n").split("=", 1) for line in file if "=" in line)


def memory() -> dict[str, int]:
    """Peaks and limit of this process's memory, KiB."""
    import resource

    peaks = {}
    with open("/proc/self/status", encoding="ascii", errors="replace") as file:
        for line in file:
            name, _, value = line.partition(":")
            if name in ("VmPeak", "VmHWM"):
                peaks[name] = int(value.split()[0])
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return {
        "peak_rss_kib": peaks.get("VmHWM", 0),
        "vm_peak_kib": peaks.get("VmPeak", 0),
        "vm_limit_kib": 0 if limit == resource.RLIM_INFINITY else limit >> 10,
    }


def verdict(worker: Worker) -> tuple[str, str]:
    """Do the work; status and detail of the last frame."""
    try:
        worker.work()
    except Stop as stop:
        return stop.status, stop.detail
    except MemoryError:
        return "oom", "no memory for a buffer"
    except Exception as error:  # noqa: BLE001 -- a fault of ours must not pass for one of the candidate
        return "error", f"{type(error).__name__}: {error}"
    return "ok", ""


def main(job_path: str) -> int:
    """Run the job; 0 after a last frame, 3 when this process could not isolate itself."""
    job = read_job(job_path)
    if job["packages"] not in sys.path:
        sys.path.append(job["packages"])
    from cffi import FFI

    ffi = FFI()
    ffi.cdef(_ISOLATION + _CANDIDATE)
    isolation = ffi.dlopen(job["isolation"])
    page = Page(job.get("live_page", ""), int(job.get("records", "0")))
    worker = Worker(job, ffi, isolation, page)
    if isolation.ngcc_isolate(os.fsencode(job_path)):
        reason = ffi.string(isolation.ngcc_isolate_error()).decode("utf-8", "replace")
        print(f"kat_worker: {reason}", file=sys.stderr)  # the result channel may not be open yet
        worker.say(type="end", status="isolation", detail=reason)
        return EXIT_NOT_ISOLATED
    status, detail = verdict(worker)
    worker.say(type="end", status=status, detail=detail, **memory())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
