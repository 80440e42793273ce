"""Runs a notebook in its kernel. The request is JSON on stdin, the answer JSON on stdout.

A cell whose metadata has {"tiler": {"interrupt": s}} is interrupted s seconds after it
first showed something, and one with {"tiler": {"interruptBuild": s}} s seconds after it
began, when it is still being built; the answer's "interrupted" says how long the kernel
then took to be idle again.
"start" is when the kernel first answered: the client goes on to listen for another
0.2 s, in case there is more.
"""
import asyncio
import json
import sys
import time

import nbformat
from jupyter_client import KernelClient
from nbclient import NotebookClient
from nbclient.util import ensure_async


async def interrupt(client, cell, sent):
    when = cell.metadata.get("tiler", {})
    while "interrupt" in when and not cell.outputs:
        await asyncio.sleep(0.05)
    await asyncio.sleep(when.get("interrupt", when.get("interruptBuild")))
    sent.append(time.time())
    await ensure_async(client.km.interrupt_kernel())


def note_answers(times):
    handle = KernelClient._handle_kernel_info_reply

    def noted(self, msg):
        times.append(time.time())
        return handle(self, msg)

    KernelClient._handle_kernel_info_reply = noted


async def run(request):
    nb = nbformat.reads(json.dumps(request["notebook"]), as_version=4)
    client = NotebookClient(
        nb,
        timeout=request["timeout"],
        kernel_name=request["kernel"],
        allow_errors=True,
        record_timing=False,
        resources={"metadata": {"path": request["dir"]}},
    )
    answer = {"cells": [], "interrupted": []}
    answers = []
    note_answers(answers)
    began = time.time()
    async with client.async_setup_kernel():
        answer["start"] = answers[0] - began
        for index, cell in enumerate(nb.cells):
            if cell.cell_type != "code":
                answer["cells"].append(0)
                continue
            sent, task = [], None
            if cell.metadata.get("tiler", {}).keys() & {"interrupt", "interruptBuild"}:
                task = asyncio.ensure_future(interrupt(client, cell, sent))
            began = time.time()
            await client.async_execute_cell(cell, index)
            ended = time.time()
            answer["cells"].append(ended - began)
            if task and not sent:
                task.cancel()  # it ended by itself
            elif task:
                await task
                answer["interrupted"].append(ended - sent[0])
    answer["notebook"] = nb
    return answer


def main():
    request = json.load(sys.stdin)
    # What anything else prints must not get between the answer's lines.
    out, sys.stdout = sys.stdout, sys.stderr
    json.dump(asyncio.run(run(request)), out)


main()
