"""FlexTree as its specification describes it, in Python: what signatures cost and lead to, over hashlib's SM3."""

from __future__ import annotations

import hashlib
import struct
from math import comb

from sign11_library import Calls, Parameters, Place

SM3 = "sm3"
AVAILABLE = SM3 in hashlib.algorithms_available


def sm3(data: bytes) -> bytes:
    return hashlib.new(SM3, data).digest()


def xof(size: int, data: bytes) -> bytes:
    blocks = (sm3(data + struct.pack(">I", i)) for i in range(1, -(-size // 32) + 1))
    return b"".join(blocks)[:size]


def unrank(p: Parameters, value: int) -> list[int]:
    """The subset of a number in lexicographic order, leaf by leaf."""
    leaves: list[int] = []
    start = 0
    for missing in range(p.k, 0, -1):
        # There are C(t - start, missing) - C(t - x, missing) ways to go on with a leaf from start to x - 1.
        low, high = start, p.t
        while high - low > 1:
            middle = (low + high) // 2
            if comb(p.t - start, missing) - comb(p.t - middle, missing) <= value:
                low = middle
            else:
                high = middle
        value -= comb(p.t - start, missing) - comb(p.t - low, missing)
        leaves.append(low)
        start = low + 1
    return leaves


def rank(p: Parameters, leaves: list[int]) -> int:
    """The number of a subset."""
    return p.subsets - 1 - sum(comb(p.t - 1 - leaf, p.k - i) for i, leaf in enumerate(leaves))


def place(p: Parameters, leaf: int) -> Place:
    return (0, leaf) if leaf < p.deep else (1, leaf - p.deep // 2)


def authentication(p: Parameters, leaves: list[int]) -> list[Place]:
    """Siblings that cannot be computed from the leaves, of all nodes that can: sets instead of a walk."""
    known = {place(p, leaf) for leaf in leaves}
    for height in range(p.pors_height):
        known |= {(height + 1, index // 2) for at, index in known if at == height}
    return sorted(
        (at, index ^ 1) for at, index in known if at < p.pors_height and (at, index ^ 1) not in known
    )


class Verifier:
    """Verification under a public key; `root` follows a signature up and gives None where it is to be rejected."""

    def __init__(self, p: Parameters, pk: bytes) -> None:
        self.p = p
        self.pk = pk

    def hash(self, layer: int, tree: int, words: tuple[int, int, int, int], message: bytes) -> bytes:
        """F, with the type, leaf and two more words of the address."""
        data = self.pk[: self.p.n] + struct.pack(">IIQIIII", layer, 0, tree, *words) + message
        return sm3(data)[: self.p.n] if self.p.n <= 32 else xof(self.p.n, data)

    def pors(self, signature: bytes, md: bytes, tree: int, leaf: int) -> bytes | None:
        p = self.p
        r, counter, rest = signature[: p.n], signature[p.n : p.n + 4], signature[p.n + 4 :]
        leaves = unrank(p, int.from_bytes(xof(p.choice_bytes, r + counter + md), "big") % p.subsets)
        places = authentication(p, leaves)
        if counter == b"\xff\xff\xff\xff" or len(places) > p.slots:
            return None
        values = [rest[i * p.n : (i + 1) * p.n] for i in range(p.k + len(places))]
        nodes = {
            place(p, x): self.hash(0, tree, (3, leaf, 0, x), values[i]) for i, x in enumerate(leaves)
        } | dict(zip(places, values[p.k :], strict=True))
        for height in range(p.pors_height):
            for index in sorted({i // 2 for at, i in nodes if at == height}):
                if (height + 1, index) not in nodes:
                    children = nodes[height, 2 * index] + nodes[height, 2 * index + 1]
                    nodes[height + 1, index] = self.hash(0, tree, (3, leaf, height + 1, index), children)
        return nodes[p.pors_height, 0]

    def digits(self, layer: int, tree: int, leaf: int, counter: int, message: bytes) -> list[int] | None:
        p = self.p
        digest = self.hash(layer, tree, (6, leaf, counter, 0), message)
        if digest[-1] >> (8 - p.zero_bits):
            return None
        number, used, found = int.from_bytes(digest, "big"), 0, []
        for base in p.bases:
            used += base.bit_length() - 1
            found.append(number >> (8 * p.n - used) & (base - 1))
        return found if p.steps - sum(found) == p.steps_left else None

    def xmss(self, layer: int, tree: int, leaf: int, block: bytes, message: bytes) -> bytes | None:
        p, chains = self.p, len(self.p.bases)
        values = [block[i : i + p.n] for i in range(0, len(block) - 4, p.n)]
        counter = int.from_bytes(block[-4:], "big")
        digits = self.digits(layer, tree, leaf, counter, message) if counter else None
        if digits is None:
            return None
        for i, digit in enumerate(digits):
            for step in range(digit, p.bases[i] - 1):
                values[i] = self.hash(layer, tree, (0, leaf, i, step), values[i])
        node = self.hash(layer, tree, (1, leaf, 0, 0), b"".join(values[:chains]))
        for height, sibling in enumerate(values[chains:]):
            children = sibling + node if leaf >> height & 1 else node + sibling
            node = self.hash(layer, tree, (2, 0, height + 1, leaf >> height + 1), children)
        return node

    def root(self, signature: bytes, message: bytes) -> bytes | None:
        p = self.p
        digest = xof(p.digest_bytes, signature[: p.n] + self.pk + message)
        bits = p.heights[0]
        tree = int.from_bytes(digest[:8], "big") % (1 << p.height - bits)
        leaf = int.from_bytes(digest[8 : -p.n], "big") % (1 << bits)
        node = self.pors(signature, digest[-p.n :], tree, leaf)
        for layer in range(p.layers):
            if layer:
                tree, leaf = divmod(tree, 1 << p.heights[layer])
            if node is None:
                return None
            node = self.xmss(layer, tree, leaf, signature[p.block_at(layer) : p.block_at(layer + 1)], node)
        return node


class Costs:
    """Calls of helpers of each operation, by function and bits in and out."""

    def __init__(self, p: Parameters) -> None:
        self.p = p

    def _calls(self, counts: dict[int, int]) -> Calls:
        """Of F, from the number of calls by bytes hashed behind the address."""
        function, out = ("sm3hash", 256) if self.p.n <= 32 else ("pseudoXOF", 8 * self.p.n)
        return {(function, 8 * (self.p.n + 32 + size), out): count for size, count in counts.items()}

    def _tree(self, height: int) -> dict[int, int]:
        """All calls for an XMSS tree."""
        n, chains = self.p.n, len(self.p.bases)
        return {
            n: (chains + self.p.steps) << height,
            chains * n: 1 << height,
            2 * n: (1 << height) - 1,
        }

    def _message(self, message: bytes) -> Calls:
        p = self.p
        return {("pseudoXOF", 8 * (3 * p.n + len(message)), 8 * p.digest_bytes): 1}

    def _choices(self, count: int) -> Calls:
        return {("pseudoXOF", 8 * (2 * self.p.n + 4), 8 * self.p.choice_bytes): count}

    def keygen(self) -> Calls:
        return self._calls(self._tree(self.p.heights[-1])) | {("drng", 0, 24 * self.p.n): 1}

    def counters(self, signature: bytes) -> tuple[int, list[int]]:
        """Of the few-time signature and of the one-time signatures."""
        p = self.p
        ends = [p.block_at(layer + 1) for layer in range(p.layers)]
        return (
            int.from_bytes(signature[p.n : p.n + 4], "big"),
            [int.from_bytes(signature[end - 4 : end], "big") for end in ends],
        )

    def sign(self, signature: bytes, message: bytes) -> Calls:
        """Of the signing that made the signature: it tells by its counters how long the searches took."""
        p = self.p
        choices, digests = self.counters(signature)
        counts = {p.n: 2 * p.t + sum(digests), 2 * p.n: p.t - 1}
        for height in p.heights:
            for size, count in self._tree(height).items():
                counts[size] = counts.get(size, 0) + count
        function, out = ("sm3hash", 256) if p.n <= 32 else ("pseudoXOF", 8 * p.n)
        randomiser: Calls = {(function, 8 * (2 * p.n + len(message)), out): 1}
        return added(
            self._calls(counts),
            randomiser,
            self._message(message),
            self._choices(choices + 1),
            {("drng", 0, 8 * p.n): 1},
        )

    def verify(self, places: int, message: bytes) -> Calls:
        """For a signature with that many authentication nodes of its few-time signature."""
        p = self.p
        counts = {
            p.n: p.k + p.layers * (p.steps_left + 1),
            len(p.bases) * p.n: p.layers,
            2 * p.n: places + p.k - 1 + p.height,
        }
        return added(self._calls(counts), self._message(message), self._choices(1))


def added(*parts: Calls) -> Calls:
    """The sum; calls with equal lengths are one entry."""
    total: Calls = {}
    for part in parts:
        for key, count in part.items():
            total[key] = total.get(key, 0) + count
    return total
