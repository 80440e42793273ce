"""Tries every message of Jupyter's protocol on a kernel, with Jupyter's own client.

	python3 conformance.py KERNEL-NAME

Prints a line of JSON for each: {"name", "ok", "detail"}, and at the end {"times": {…}}.
"""
import json
import statistics
import sys
import time
from queue import Empty

from jupyter_client.manager import KernelManager

TIMEOUT = 30


class Kernel:
    def __init__(self, name):
        began = time.time()
        self.manager = KernelManager(kernel_name=name)
        self.manager.start_kernel()
        self.connect()
        self.started = self.answered - began

    def connect(self):
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.kernel_info()
        self.client.get_shell_msg(timeout=TIMEOUT)
        self.answered = time.time()
        self.client.wait_for_ready(timeout=TIMEOUT)

    def end(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    def published(self, msg_id):
        """What is published about a request, until the kernel is idle."""
        found = []
        while True:
            msg = self.client.get_iopub_msg(timeout=TIMEOUT)
            if msg["parent_header"].get("msg_id") != msg_id:
                continue
            found.append(msg)
            if msg["msg_type"] == "status" and msg["content"]["execution_state"] == "idle":
                return found

    def answer(self, msg_id, control=False):
        get = self.client.get_control_msg if control else self.client.get_shell_msg
        while True:
            msg = get(timeout=TIMEOUT)
            if msg["parent_header"].get("msg_id") == msg_id:
                return msg

    def send(self, kind, content, control=False):
        msg = self.client.session.msg(kind, content)
        (self.client.control_channel if control else self.client.shell_channel).send(msg)
        return msg["header"]["msg_id"]

    def ask(self, kind, content, control=False):
        msg_id = self.send(kind, content, control)
        return self.answer(msg_id, control), self.published(msg_id)

    def run(self, code, **how):
        how.setdefault("allow_stdin", False)
        msg_id = self.client.execute(code, **how)
        return self.answer(msg_id), self.published(msg_id)


def kinds(published):
    return [m["msg_type"] for m in published]


def one(published, kind):
    return [m for m in published if m["msg_type"] == kind][0]["content"]


TESTS = []


def test(f):
    TESTS.append(f)
    return f


@test
def kernel_info(k):
    for control in (False, True):
        reply, published = k.ask("kernel_info_request", {}, control)
        info = reply["content"]
        assert reply["msg_type"] == "kernel_info_reply" and info["status"] == "ok", reply
        assert info["protocol_version"] == "5.4" and info["language_info"]["pygments_lexer"] == "go", info
        for key in ("name", "version", "mimetype", "file_extension"):
            assert info["language_info"][key], key
        assert kinds(published) == ["status", "status"], kinds(published)


@test
def iopub_welcome(k):
    other = k.manager.client()
    other.start_channels(shell=False, stdin=False, hb=False, control=False)
    msg = other.get_iopub_msg(timeout=TIMEOUT)
    other.stop_channels()
    assert msg["msg_type"] == "iopub_welcome" and msg["content"] == {"subscription": ""}, msg


@test
def execute_result(k):
    reply, published = k.run("tl.Arange(0, 4) * 2")
    assert kinds(published) == ["status", "execute_input", "execute_result", "status"], kinds(published)
    result = one(published, "execute_result")
    assert "0  2  4  6" in result["data"]["text/plain"] and "<t" in result["data"]["text/html"], result
    assert result["execution_count"] == reply["content"]["execution_count"] == 1
    assert one(published, "execute_input")["code"] == "tl.Arange(0, 4) * 2"
    assert reply["content"]["status"] == "ok" and reply["content"]["payload"] == []


@test
def stream(k):
    _, published = k.run('fmt.Print("out")\nprintln("err")')
    texts = [(m["content"]["name"], m["content"]["text"]) for m in published if m["msg_type"] == "stream"]
    assert texts == [("stdout", "out"), ("stderr", "err\n")], texts


@test
def display_data(k):
    _, published = k.run(":heat tl.Arange(0, 4)\n1")
    assert kinds(published) == ["status", "execute_input", "display_data", "execute_result", "status"], kinds(published)
    assert set(one(published, "display_data")) == {"data", "metadata", "transient"}


@test
def update_display_data(k):
    _, published = k.run(
        "func slow(p *tl.Program, x tl.Ptr) {\n\tfor range 20_000 {\n\t\t_ = p.ID(0)\n\t}\n\ttl.Store(x, 1)\n}\n"
        "x := tensor.Zeros(tl.Int32, 1)\nexec.New(slow).Launch(exec.Grid{64}, x)"
    )
    if "display_data" in kinds(published):  # the launch took long enough
        place = one(published, "display_data")["transient"]["display_id"]
        assert one(published, "update_display_data")["transient"]["display_id"] == place


@test
def error(k):
    reply, published = k.run("a := 1\ntl.Aranje(0, 4)")
    content, count = one(published, "error"), reply["content"]["execution_count"]
    assert reply["content"]["status"] == "error" and content["ename"] == reply["content"]["ename"] == "Error", reply
    assert content["evalue"].startswith("In[%d]:2:4: undefined: tl.Aranje" % count), content
    assert content["traceback"] and "/" not in content["evalue"], content


@test
def aborted(k):
    first = k.client.execute("time.Sleep(200 * time.Millisecond)\npanic(1)")
    second = k.client.execute("1")
    assert k.answer(first)["content"]["status"] == "error"
    assert k.answer(second)["content"]["status"] == "aborted"
    k.published(second)


@test
def user_expressions(k):
    reply, _ = k.run("u := 3", user_expressions={"good": "u * 2", "bad": "nope"})
    values = reply["content"]["user_expressions"]
    assert values["good"]["data"]["text/plain"] == "6" and values["bad"]["status"] == "error", values


@test
def silent(k):
    before = k.run("1")[0]["content"]["execution_count"]
    reply, published = k.run('fmt.Println("quiet")', silent=True)
    assert kinds(published) == ["status", "status"] and reply["content"]["execution_count"] == before, published
    assert k.run("1")[0]["content"]["execution_count"] == before + 1


@test
def complete(k):
    reply, _ = k.ask("complete_request", {"code": "tl.Aran", "cursor_pos": 7})
    c = reply["content"]
    assert c["matches"] == ["Arange"] and (c["cursor_start"], c["cursor_end"]) == (3, 7) and "metadata" in c, c


@test
def inspect(k):
    reply, _ = k.ask("inspect_request", {"code": "tl.Load(", "cursor_pos": 8, "detail_level": 0})
    assert reply["content"]["found"] and "func Load(" in reply["content"]["data"]["text/plain"], reply
    assert "<pre" in reply["content"]["data"]["text/html"]
    reply, _ = k.ask("inspect_request", {"code": "nope", "cursor_pos": 4, "detail_level": 1})
    assert reply["content"]["status"] == "ok" and not reply["content"]["found"], reply


@test
def is_complete(k):
    for code, want in (("1", "complete"), ("for {", "incomplete")):
        reply, _ = k.ask("is_complete_request", {"code": code})
        assert reply["content"]["status"] == want, reply


@test
def history(k):
    k.run("remembered := 1")
    reply, _ = k.ask("history_request", {"hist_access_type": "tail", "n": 1, "raw": True, "output": False})
    assert reply["content"]["history"][0][2] == "remembered := 1", reply


@test
def comm_info(k):
    reply, _ = k.ask("comm_info_request", {})
    assert reply["content"] == {"status": "ok", "comms": {}}, reply


@test
def comm_open(k):
    published = k.published(k.send("comm_open", {"comm_id": "c", "target_name": "none", "data": {}}))
    assert one(published, "comm_close")["comm_id"] == "c", published


@test
def comm_msg(k):
    for kind in ("comm_msg", "comm_close"):
        assert kinds(k.published(k.send(kind, {"comm_id": "c", "data": {}}))) == ["status", "status"]


@test
def connect(k):
    reply, _ = k.ask("connect_request", {})
    assert reply["content"]["shell_port"] == k.manager.shell_port, reply


@test
def debug(k):
    reply, _ = k.ask("debug_request", {"type": "request", "command": "debugInfo"}, control=True)
    assert reply["msg_type"] == "debug_reply" and reply["content"]["status"] == "error", reply


@test
def input(k):
    msg_id = k.client.execute("var word string\nfmt.Scanln(&word)\nword", allow_stdin=True)
    question = k.client.get_stdin_msg(timeout=TIMEOUT)
    assert question["msg_type"] == "input_request" and question["content"]["password"] is False, question
    k.client.input("hello")
    assert k.answer(msg_id)["content"]["status"] == "ok"
    assert "hello" in one(k.published(msg_id), "execute_result")["data"]["text/plain"]


@test
def heartbeat(k):
    assert k.client.hb_channel.is_beating()


@test
def interrupt(k):
    k.run("kept := 42")
    msg_id = k.client.execute("for {}")
    time.sleep(0.3)
    began = time.time()
    k.manager.interrupt_kernel()
    reply = k.answer(msg_id)
    TIMES["interrupt"] = time.time() - began
    assert reply["content"]["ename"] == "Interrupted", reply
    assert one(k.run("kept")[1], "execute_result")["data"]["text/plain"] == "42"


@test
def times(k):
    def median(f):
        took = []
        for _ in range(21):
            began = time.time()
            f()
            took.append(time.time() - began)
        return statistics.median(took)

    k.run("A := tensor.Arange(tl.Float32, 0, 64).Reshape(8, 8)\na, b := tl.Arange(0, 4) * 8, tl.Arange(0, 4)")
    TIMES["cell"] = median(lambda: k.run("A + (a[:, None] + b[None, :])"))
    TIMES["completion"] = median(lambda: k.ask("complete_request", {"code": "tl.", "cursor_pos": 3}))


@test
def several(k):
    other = Kernel(k.manager.kernel_name)
    TIMES["start"] = other.started  # the first one waits for Python's own imports
    try:
        k.run("mine := 1")
        assert other.run("mine")[0]["content"]["status"] == "error"
    finally:
        other.end()


@test
def restart(k):
    k.run("gone := 1")
    k.manager.restart_kernel(now=False)
    k.client.stop_channels()
    k.connect()
    reply, _ = k.run("gone")
    assert reply["content"]["status"] == "error" and reply["content"]["execution_count"] == 1, reply


@test
def shutdown(k):
    reply, published = k.ask("shutdown_request", {"restart": False}, control=True)
    assert reply["content"] == {"status": "ok", "restart": False}, reply
    assert "shutdown_reply" in kinds(published), published
    for _ in range(100):
        if not k.manager.is_alive():
            return
        time.sleep(0.05)
    raise AssertionError("the kernel lives on")


TIMES = {}


def main():
    k = Kernel(sys.argv[1])
    try:
        for f in TESTS:
            line = {"name": f.__name__, "ok": True, "detail": ""}
            try:
                f(k)
            except Exception as e:  # of whatever kind: it is reported
                line["ok"], line["detail"] = False, "%s: %s" % (type(e).__name__, e)
            print(json.dumps(line), flush=True)
    finally:
        k.end()
    print(json.dumps({"times": TIMES}))


main()
