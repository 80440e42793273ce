"""Writes format.txt: what PyTorch prints, with dtype=torch.x spelled dtype=x and int32 without it.

Run as: python3 format.py > format.txt. Made with PyTorch 1.13.
A case is a line "dtype shape", a line of values ("@a b" stands for a*i + b, i = 0, 1, …), the text, and ====.
"""
import random, re, sys
import torch
import torch._tensor_str as ts

plain = ts._add_suffixes
def add_suffixes(text, suffixes, indent, force_newline):
    out = []
    for s in suffixes:
        if s == "dtype=torch.int32" and not text.endswith("[]"):
            continue
        out.append(s.replace("torch.", ""))
    return plain(text, out, indent, force_newline)
ts._add_suffixes = add_suffixes

def case(dtype, shape, values):
    n = 1
    for s in shape:
        n *= s
    if isinstance(values, str):
        a, b = map(float, values[1:].split())
        flat, text = [a * i + b for i in range(n)], values
    else:
        flat = torch.tensor(list(values), dtype=torch.float64).to(getattr(torch, dtype)).to(torch.float64).tolist()
        text = " ".join(map(repr, flat))
        assert len(flat) == n, (shape, len(flat))
    wide = torch.tensor(flat, dtype=torch.float64)
    x = wide.to(getattr(torch, dtype)).reshape(shape)
    print(dtype, "[" + ",".join(map(str, shape)) + "]")
    print(text)
    print(x)
    print("====")

nan, inf = float("nan"), float("inf")
def fixed():
    case("int32", (4, 4), [r * 8 + c for r in range(4) for c in range(4)])
    case("int64", (3,), [1, -20, 300])
    case("int32", (), [7])
    case("float32", (), [3])
    case("float32", (), [3.14159])
    case("float32", (), [nan])
    case("float32", (), [1e-7])
    case("float64", (), [0.1])
    case("float32", (0,), [])
    case("float32", (2, 0), [])
    case("int64", (0,), [])
    case("int32", (0, 3), [])
    case("float16", (0,), [])
    case("bool", (2, 2), [1, 0, 0, 1])
    case("uint8", (5,), [0, 1, 2, 100, 255])
    case("int8", (2, 3), [-128, 0, 1, 2, 3, 127])
    case("int16", (3,), [1, 2, 3])
    case("float32", (3,), [0, 0, 0])
    case("float32", (3,), [1, 2, 3])
    case("float32", (4,), [nan, 1, 0, -inf])
    case("float32", (3,), [nan, inf, -inf])
    case("float32", (3,), [nan, 1.5, inf])
    case("float32", (3,), [-0.0, 0, 1])
    case("float32", (2, 2), [1, 1000, 2, 3])
    case("float32", (2, 2), [1, 1001, 2, 3])
    case("float32", (2,), [1e8, 1e8])
    case("float32", (2,), [1.1e8, 1.1e8])
    case("float32", (2,), [1e-4, 1.5e-3])
    case("float32", (2,), [0.9e-4, 1.5e-3])
    case("float32", (2,), [0.5, 500])
    case("float32", (2,), [0.5, 500.5])
    case("float32", (3,), [0.5, 0, 501])
    case("float64", (3,), [1e300, 1, 0])
    case("float64", (3,), [5e-324, 1, nan])
    case("float16", (2, 3), [0.1, 0.2, 0.3, 65504, 1, -1])
    case("bfloat16", (2, 3), [0.1, 0.2, 0.3, 1, 2, -1])
    case("float16", (9,), "@1 0.5")
    case("float16", (10,), "@1 0.5")
    case("float16", (3, 9), "@0.25 0")
    case("float64", (8,), "@0.5 0")
    case("float32", (9,), "@0.25 0")
    case("float32", (10, 16), "@0.0625 1")
    case("float32", (40,), "@1 -20")
    case("int64", (100,), "@1 0")
    case("int64", (7, 30), "@3 -5")
    case("bool", (30,), "@0 1")
    case("float32", (2, 2, 3), "@1 0")
    case("float32", (2, 1, 2, 2), "@0.5 0")
    case("int64", (2, 2, 2, 2, 2), "@1 0")
    case("float32", (1, 1, 1), [2.5])
    case("float32", (1000,), "@1 0")
    case("float32", (1001,), "@1 0")
    case("int64", (1001,), "@1 0")
    case("int32", (50, 50), "@1 0")
    case("float16", (100, 100), "@0.125 0")
    case("float64", (20, 20, 20), "@0.5 -4")
    case("float32", (2, 3, 400), "@0.01 0")
    case("float32", (400, 3, 2), "@0.01 0")
    case("int64", (6, 6, 6, 6), "@1 0")
    case("int64", (7, 7, 7, 7), "@1 0")
    case("bool", (40, 40), "@0 1")

def rand(count):
    rng = random.Random(1)
    for _ in range(count):
        rank = rng.choice([0, 1, 1, 2, 2, 3, 4])
        shape = tuple(rng.choice([1, 2, 3, 5, 9]) if rank > 2 else rng.choice([1, 2, 3, 7, 12, 33]) for _ in range(rank))
        n = 1
        for s in shape:
            n *= s
        dtype = rng.choice(["float32", "float32", "float16", "bfloat16", "float64", "int64", "int32", "int8", "bool"])
        scale = 10.0 ** rng.choice([-30, -8, -5, -4, -3, -1, 0, 0, 0, 1, 2, 3, 5, 8, 9, 20])
        kind = rng.choice(["int", "real", "real", "wide", "special"])
        values = []
        for _ in range(n):
            v = rng.gauss(0, 1) * scale
            if kind == "int" or "int" in dtype:
                v = float(round(rng.gauss(0, 1) * min(max(scale, 1), 50)))
            if kind == "wide":
                v *= 10.0 ** rng.randint(-3, 3)
                if "int" in dtype:
                    v = float(int(v) % 100)
            if kind == "special" and dtype.startswith(("float", "bf")) and rng.random() < 0.3:
                v = rng.choice([nan, inf, -inf, 0.0, -0.0])
            if dtype == "bool":
                v = float(v > 0)
            if dtype == "int8":
                v = float(max(-128, min(127, v)))
            values.append(v)
        if n > 60 and len(sys.argv) < 2:
            continue
        case(dtype, shape, values)

fixed()
rand(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
