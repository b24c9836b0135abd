"""A child for the tests: reads its job file and does what the key `do` names.  Needs nothing but Python."""

import json
import os
import signal
import sys
import time

with open(sys.argv[1], encoding="utf-8") as lines:
    JOB = dict(line.rstrip("\n").split("=", 1) for line in lines)
FD = int(JOB["result_fd"])


def frame(kind, payload):
    data = JOB["tag"].encode() + kind.encode() + len(payload).to_bytes(8, "little") + payload
    while data:
        data = data[os.write(FD, data) :]


def say(**data):
    frame("J", json.dumps(data).encode())


def end(**data):
    say(type="end", status="ok", **data)


def hang():
    while True:
        signal.pause()


def forked(body):
    """Fork; the child runs `body(ready)` and must call ready()."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        body(lambda: os.write(writer, b"1"))
        os._exit(0)
    os.close(writer)
    os.read(reader, 1)
    return pid


def everything():
    say(type="setup", text="first")
    frame("S", b"\x01" + bytes(7))
    say(type="trial")
    frame("B", b"raw")
    end()


def surroundings():
    end(
        environment=dict(os.environ),
        cwd=os.getcwd(),
        descriptors=sorted(int(name) for name in os.listdir("/proc/self/fd")),
        stdin=os.readlink("/proc/self/fd/0"),
        mode=os.stat(sys.argv[1]).st_mode & 0o777,
        job={key: value for key, value in JOB.items() if key != "tag"},
    )


def leave():
    if JOB["code"].startswith("-"):
        os.kill(os.getpid(), -int(JOB["code"]))
    os._exit(int(JOB["code"]))


def leave_after_end():
    end()
    leave()


def run_out_of_memory():
    crash = {"signal": "SIGSEGV", "code": 1, "address": "0x0", "near_stack": False}
    frame("C", json.dumps(crash | {"vm_peak_kib": 95, "vm_limit_kib": 100}).encode())
    os.kill(os.getpid(), signal.SIGSEGV)


def print_much():
    os.write(1, b"\x1b[2Jfirst\n")
    os.write(2, b"second\n")
    for _ in range(48):
        os.write(1, b"x" * 65535 + b"\n")
    end()


def stray_bytes():
    os.write(FD, b"printed to the wrong descriptor")
    end()


def wait():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    say(type="pid", pid=os.getpid())
    hang()


def wait_plainly():
    say(type="pid", pid=os.getpid())
    hang()


def family():
    """Hang with a child, and another child that has its own session."""

    def child(ready):
        ready()
        hang()

    def stranger(ready):
        os.setsid()
        ready()
        hang()

    forked(child)
    forked(stranger)
    say(type="ready")
    hang()


def daemon():
    """Leave a process behind that forked twice, has its own session and holds every descriptor."""

    def first(ready):
        os.setsid()
        if os.fork() == 0:
            ready()
            hang()

    os.waitpid(forked(first), 0)
    end()


def runaway():
    """Leave a process behind that goes on as another one in another session, over and over."""

    def runner(ready):
        ready()
        while os.fork() == 0:
            os.setsid()

    forked(runner)
    end()


def own_orphan():
    """With a session of its own, orphan a process; wait for the file `until`, then tell whether the orphan lives."""
    os.setsid()
    reader, writer = os.pipe()

    def first(ready):
        if os.fork() == 0:
            os.write(writer, b"%d\n" % os.getpid())
            ready()
            hang()

    os.waitpid(forked(first), 0)
    orphan = int(os.read(reader, 20))
    say(type="ready")
    while not os.path.exists(JOB["until"]):
        time.sleep(0.002)
    with open(f"/proc/{orphan}/stat", encoding="ascii") as file:
        state = file.read().rsplit(")", 1)[1].split()[0]
    end(orphan=state)


globals()[JOB["do"]]()
