"""The connection to tiler, and the memory that both sides see.

A launch is one message to the tiler process, and one back: in a mailbox that both look at, or over a
socket. Tensors that both processes map are named in it; others are copied into a region that both
map, and what the kernel wrote is copied back. Memory that is launched on a second time is moved: its
pages become pages of a memfd, at the same addresses, so that nothing that points there notices.
"""
import bisect
import ctypes
import json
import mmap
import os
import secrets
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
import time

from ._tensor import Described

PAGE = mmap.PAGESIZE
STAGING = 64 << 20  # of the region for copies; what does not fit has a region for one launch
WORTH = 128 << 10  # bytes: less is copied in the time that a system call takes

CHECKING = os.environ.get("TILER_SCRIPT_MODE") == "check"


class TilerError(RuntimeError):
    """What tiler says about a kernel or a launch."""


class CompilationError(TilerError):
    """A kernel that is outside of the language."""


class CheckError(TilerError):
    """A finding of a check."""


for _error in (TilerError, CompilationError, CheckError):
    _error.__module__ = "triton"

ERRORS = {"compile": CompilationError, "check": CheckError}

def _encoder():
    """JSON of a message: the library's own encoder, which it would make anew for each."""
    plain = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, check_circular=False)
    try:
        chunks = json.encoder.c_make_encoder(None, plain.default, json.encoder.encode_basestring, None, ":", ",", False, False, True)
        if "".join(chunks([1, "a", {"b": None}], 0)) == '[1,"a",{"b":null}]':
            return lambda o: "".join(chunks(o, 0))
    except TypeError:
        pass
    return plain.encode


encode = _encoder()


# Memory

def _function(name, restype, *argtypes):
    """A function of the C library that is called with the interpreter locked, None if there is none."""
    try:
        f = getattr(ctypes.PyDLL(None), name)
    except (AttributeError, OSError, TypeError):
        return None
    f.restype, f.argtypes = restype, argtypes
    return f


_mallopt = _function("mallopt", ctypes.c_int, ctypes.c_int, ctypes.c_int)
_mmap = _function("mmap", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
_pwrite = _function("pwrite", ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_long)
_MAP_FIXED, _MAP_POPULATE = 0x10, 0x8000

# glibc gives a block that is large enough a mapping of its own. The size from which it does is the
# usual one, which does not grow from now on.
CAN_MOVE = bool(hasattr(os, "memfd_create") and _mmap and _pwrite and _mallopt and ctypes.sizeof(ctypes.c_void_p) == 8 and _mallopt(-3, WORTH))


def _words(address):
    return (ctypes.c_uint64 * 2).from_address(address)


class Block:
    """A block of malloc's that is a mapping of its own: nothing else lies on its pages.

    mark is 16 bytes on one of its pages that nobody uses: behind NumPy's elements, or before
    PyTorch's, whose blocks begin 64 bytes into the page and leave 48 to nobody.
    """

    __slots__ = ("lo", "hi", "start", "end", "mark")

    @staticmethod
    def at(lo, nbytes, behind):
        """The block of nbytes at lo, None if that is none; behind says whether what follows is nobody's."""
        at = lo % PAGE
        if not (at == 16 and behind or at == 64) or nbytes < WORTH:
            return None
        before, size = _words(lo - 16)
        start, end = lo - at, lo - 16 + (size & ~7)
        if size & 7 != 2 or before != at - 16 or end % PAGE or not lo + nbytes <= end <= lo + nbytes + 2 * PAGE:
            return None
        b = Block()
        b.lo, b.hi, b.start, b.end = lo, lo + nbytes, start, end
        if at == 64:
            b.mark = start + 16
        else:
            b.mark = -(-b.hi // 16) * 16
            if b.mark + 16 > -(-b.hi // PAGE) * PAGE:
                return None
        return b


# A mailbox: see mailbox.go, which has the same numbers.
LAUNCH, BELL = ord("L"), ord("B")
MAILBOX, REQUEST_AT, ANSWER_AT = 128 << 10, 4 << 10, 64 << 10
MOST_REQUEST = ANSWER_AT - REQUEST_AT
REQUEST, LISTENS, ANSWER, SLEEPS = 0, 8, 16, 24
ELSEWHERE = (1 << 64) - 1
LOOKS = 2000  # about 100 µs
SLOW = 300e-6  # seconds: from here on a launch is not worth looking for its end


def _can_look():
    """Whether a mailbox is of use: where stores are seen in order, and who looks keeps the other from no processor."""
    if os.uname().machine != "x86_64" or not hasattr(os, "memfd_create"):
        return False
    return len(os.sched_getaffinity(0)) > 1


class Mailbox:
    """Memory through which launches and answers go without a system call, while both sides look."""

    def __init__(self, link):
        self.link = link
        fd = link.memory(MAILBOX)
        self.map = mmap.mmap(fd, MAILBOX)
        self.words = memoryview(self.map).cast("Q")
        self.number, self.taken = 0, 0  # of the last request, and of the last answer
        self.slow = {}  # by kernel: whether its last launch took so long that it is no use to look
        self.fence = threading.Lock()
        link.hand(ord("M"), b"", fd)

    def barrier(self):
        """What was written before is seen before what is read afterwards."""
        self.fence.acquire()
        self.fence.release()

    def ask(self, payload):
        words, n = self.words, len(payload)
        self.map[REQUEST_AT:REQUEST_AT + n] = payload
        words[REQUEST + 1], words[REQUEST + 2] = n, self.link.frames
        self.number += 1
        words[REQUEST] = self.number
        self.barrier()
        if not words[LISTENS] and words[ANSWER] != self.number:
            self.link.send(BELL, b"")

    def waits(self):
        """Whether a launch was asked for whose answer nobody has taken."""
        return self.words[REQUEST] != self.taken

    def answer(self, kernel):
        words, number, start = self.words, self.number, time.perf_counter()
        looks = 0 if self.slow.get(kernel) else LOOKS
        while words[ANSWER] != number:
            looks -= 1
            if looks < 0:
                self.sleep(number)
            elif looks % 16 == 0:
                os.sched_yield()  # to tiler, if it waits for this core
        self.slow[kernel] = time.perf_counter() - start > SLOW
        n, kind = words[ANSWER + 1], words[ANSWER + 2]
        z = self.link.answer() if n == ELSEWHERE else (kind, self.map[ANSWER_AT:ANSWER_AT + n])
        self.taken = number
        return z

    def sleep(self, number):
        words = self.words
        words[SLEEPS] = 1
        self.barrier()
        while words[ANSWER] != number:  # until a bell, or the answer where it is too long for a mailbox
            if self.link.receive(peek=True)[0] == BELL:
                self.link.receive()
        words[SLEEPS] = 0


class Region:
    """Memory that both processes map."""

    __slots__ = ("id", "lo", "hi", "start", "end", "page", "mark", "token", "held")

    def alive(self, lo, hi):
        """Whether bytes lo to hi, which are memory of the process, are still this region's."""
        return hi > self.page and lo < self.page + PAGE and tuple(self.mark) == self.token


# The connection

def _program():
    for path in (os.environ.get("TILER"), _recorded()):
        if path and os.access(path, os.X_OK):
            return path
    path = shutil.which("tiler")
    if path is None:
        raise TilerError("the program tiler is not found: put it on PATH, or its path into the environment variable TILER")
    return path


def _recorded():
    """The program that wrote this package."""
    try:
        with open(os.path.join(os.path.dirname(__file__), "_program.txt"), encoding="utf-8") as f:
            return f.read()
    except OSError:
        return None


_inherited = os.environ.pop("TILER_SCRIPT_FD", None)


class Link:
    """A connection to a tiler process, which ends with it."""

    def __init__(self):
        global _inherited
        self.lock = threading.RLock()
        self.ids = 1  # 0 is the staging region
        self.starts, self.regions = [], []  # by address
        self.swept = 64
        self.texts = {}
        self.server = None
        self.frames, self.rest = 0, b""  # sent; received and not yet looked at
        self.marker = tuple(_words_of(secrets.token_bytes(16)))
        if _inherited is not None:
            self.socket = socket.socket(fileno=int(_inherited))
            self.socket.set_inheritable(False)
            _inherited = None
        else:
            ours, theirs = socket.socketpair()
            with theirs:
                n = theirs.fileno()
                self.server = subprocess.Popen([_program(), "python-path", "-serve", str(n)], pass_fds=[n], stdin=subprocess.DEVNULL,
                                               start_new_session=True)
            self.socket = ours
        self.staging = mmap.mmap(-1, PAGE)
        fd = self.memory(STAGING)
        self.staging = mmap.mmap(fd, STAGING)
        self.base = ctypes.addressof(ctypes.c_char.from_buffer(self.staging))
        self.share(0, STAGING, fd)
        self.mailbox = Mailbox(self) if _can_look() else None

    @staticmethod
    def memory(size):
        """A file of zeros in memory."""
        if hasattr(os, "memfd_create"):
            fd = os.memfd_create("tiler", os.MFD_CLOEXEC)
        else:
            fd, path = tempfile.mkstemp()
            os.unlink(path)
        os.ftruncate(fd, size)
        return fd

    def share(self, id, size, fd):
        """Tells tiler of a region, and closes the file."""
        self.hand(ord("R"), encode([id, size]).encode(), fd)

    def hand(self, kind, payload, fd):
        """Sends a file, and closes it."""
        try:
            socket.send_fds(self.socket, [_head.pack(len(payload), kind)], [fd])
            self.socket.sendall(payload)
            self.frames += 1
        finally:
            os.close(fd)

    def send(self, kind, payload):
        self.socket.sendall(_head.pack(len(payload), kind) + payload)
        self.frames += 1

    def receive(self, peek=False):
        """The next frame, which stays if it is only looked at."""
        self._fill(5)
        n, kind = _head.unpack_from(self.rest)
        self._fill(5 + n)
        text = self.rest[5:5 + n]
        if not peek:
            self.rest = self.rest[5 + n:]
        return kind, text

    def _fill(self, n):
        while len(self.rest) < n:
            more = self.socket.recv(max(4096, n - len(self.rest)))
            if not more:
                raise TilerError("tiler has ended: the launch is lost")
            self.rest += more

    def answer(self):
        """The answer on the socket."""
        kind, text = self.receive()
        while kind == BELL:
            kind, text = self.receive()
        return kind, text

    def ask(self, kind, payload, kernel=None):
        """Sends a request and returns its answer; an interrupt ends what it asked for."""
        box = self.mailbox if kind == LAUNCH and len(payload) <= MOST_REQUEST else None
        try:
            if box:
                box.ask(payload)
                kind, answer = box.answer(kernel)
            else:
                self.send(kind, payload)
                kind, answer = self.answer()
        except OSError as e:
            raise TilerError("tiler has ended: the launch is lost") from e
        except (KeyboardInterrupt, SystemExit, Exception) as e:
            if not isinstance(e, TilerError) and (not box or box.waits()):
                self.send(ord("C"), b"")
                box.answer(kernel) if box else self.answer()
            raise
        if kind == ord("E"):
            what, text = json.loads(answer)
            raise ERRORS.get(what, TilerError)(text)
        return answer

    def find(self, t):
        """The region that a tensor lies in, None if it lies in none."""
        i = bisect.bisect_right(self.starts, t.lo) - 1
        if i < 0:
            return None
        r = self.regions[i]
        if t.hi > r.hi:
            return None
        if r.alive(t.lo, t.hi):
            return r
        owner = t.owner()
        return r if owner and owner[0] == r.lo and owner[1] == r.hi - r.lo and r.alive(r.lo, r.hi) else None

    def move(self, t):
        """Moves a tensor's memory where tiler sees it, if it was met before; else notes that it was met."""
        owner = t.owner() if CAN_MOVE and t.hi - t.lo >= WORTH else None
        b = owner and Block.at(*owner)
        if not b:
            return None
        mark = _words(b.mark)
        if tuple(mark) != self.marker:
            mark[:] = self.marker
            return None
        fd = self.memory(1 << 40)  # sparse: realloc may make the mapping longer
        size, at = b.end - b.start, 0
        while at < size:
            n = _pwrite(fd, b.start + at, size - at, at)
            if n <= 0:
                os.close(fd)
                return None
            at += n
        flags = mmap.MAP_SHARED | _MAP_FIXED | _MAP_POPULATE
        if _mmap(b.start, size, mmap.PROT_READ | mmap.PROT_WRITE, flags, fd, 0) != b.start:
            os.close(fd)
            return None
        r = Region()
        r.id, self.ids = self.ids, self.ids + 1
        r.lo, r.hi, r.start, r.end = b.lo, b.hi, b.start, b.end
        r.page, r.mark = b.mark // PAGE * PAGE, mark
        r.token = _words_of(secrets.token_bytes(16))
        mark[:] = r.token
        r.held = os.fstat(fd).st_ino
        self.forget(r.start, r.end)
        i = bisect.bisect_left(self.starts, r.lo)
        self.starts.insert(i, r.lo)
        self.regions.insert(i, r)
        self.share(r.id, size, fd)
        if len(self.regions) >= self.swept:
            self.sweep()
        return r

    def forget(self, start, end):
        """Drops regions whose addresses are others' now."""
        self.drop([r for r in self.regions if r.start < end and start < r.end])

    def drop(self, dead):
        if dead:
            ids = {r.id for r in dead}
            self.regions = [r for r in self.regions if r.id not in ids]
            self.starts = [r.lo for r in self.regions]
            self.send(ord("D"), encode(sorted(ids)).encode())

    def sweep(self):
        """Drops regions whose memory has been freed."""
        mapped = _mapped()
        self.drop([r for r in self.regions if r.held not in mapped])
        self.swept = max(64, 2 * len(self.regions))

    def place(self, tensors):
        """Gives each tensor its region and offset, and returns what is copied: (from, to, bytes, tensors)."""
        loose = []
        for t in tensors:
            r = t.writable and self.find(t)
            if not r and t.writable:
                r = self.move(t)
                if r and not r.lo <= t.lo < t.hi <= r.hi:
                    r = None
            if r:
                t.region, t.at = r.id, t.lo - r.start
            else:
                loose.append(t)
        if not loose:
            return (), None
        loose.sort(key=_lo)
        groups = []
        for t in loose:
            if groups and t.lo < groups[-1][1]:
                g = groups[-1]
                g[1] = max(g[1], t.hi)
                g[2].append(t)
            else:
                groups.append([t.lo, t.hi, [t]])
        at, starts = 0, []
        for lo, hi, _ in groups:
            starts.append(at + lo % 64)
            at = (at + lo % 64 + hi - lo + 63) & ~63
        id, base, extra = 0, self.base, None
        if at > STAGING:
            extra = _Extra(self, at)
            id, base = extra.id, extra.base
        copies = []
        for (lo, hi, ts), start in zip(groups, starts):
            ctypes.memmove(base + start, lo, hi - lo)
            copies.append((lo, base + start, hi - lo, ts))
            for t in ts:
                t.region, t.at = id, start + t.lo - lo
        return copies, extra

    def launch(self, kind, kernel, grid, args, tensors):
        """Asks for a launch; args are as JSON writes them, tensors those among them by place."""
        with self.lock:
            copies, extra = self.place(list(tensors.values()))
            try:
                for i, t in tensors.items():
                    args[i] = ["t", t.region, t.at, t.dtype, t.shape, t.strides]
                    if type(t) is Described:
                        args[i] = ["q", args[i]] + t.descriptor
                answer = self.ask(kind, encode([kernel, grid, args]).encode(), kernel)
                if kind != ord("L"):
                    return answer
                if copies:
                    written = [tensors[i] for i in answer[1:1 + answer[0]]]
                    for t in written:
                        if not t.writable:
                            raise ValueError("the kernel stores into a tensor that is read-only")
                    for lo, base, n, ts in copies:
                        if any(t in written for t in ts):
                            ctypes.memmove(lo, base, n)
                return answer[1 + answer[0]:].decode()
            finally:
                if extra:
                    extra.close()


_head = struct.Struct("<IB")


def _words_of(b):
    return struct.unpack("<QQ", b)


def _lo(t):
    return t.lo


class _Extra:
    """A region for one launch."""

    def __init__(self, link, size):
        fd = link.memory(size)
        self.link, self.map = link, mmap.mmap(fd, size)
        self.hold = ctypes.c_char.from_buffer(self.map)
        self.base = ctypes.addressof(self.hold)
        self.id, link.ids = link.ids, link.ids + 1
        link.share(self.id, size, fd)

    def close(self):
        self.hold = None
        self.link.send(ord("D"), encode([self.id]).encode())
        self.map.close()


_link = None
_starting = threading.Lock()


def link():
    """The process's connection."""
    global _link
    if _link is None:
        with _starting:
            if _link is None:
                _link = Link()
    return _link


# A process that is forked off has memory of its own, as ever, and starts a tiler of its own: its
# parent waits until moved memory is copied.
_forking = None


def _before():
    global _forking
    _forking = os.pipe() if _link and _link.regions else None


def _in_parent():
    if _forking:
        os.close(_forking[1])
        os.read(_forking[0], 1)
        os.close(_forking[0])


def _in_child():
    global _link
    if _link:
        mapped = _mapped() if _link.regions else ()
        for r in _link.regions:
            n = r.end - r.start
            if r.held in mapped:
                copy = ctypes.string_at(r.start, n)
                _mmap(r.start, n, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_FIXED, -1, 0)
                ctypes.memmove(r.start, copy, n)
        _link.socket.close()
        _link = None
    if _forking:
        os.close(_forking[0])
        os.close(_forking[1])


def _mapped():
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as f:
        return {int(line.split()[4]) for line in f if "/memfd:tiler" in line}


os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
