"""Writes *.npy, arrays.npz, deflated.npz and index.txt with NumPy: file, dtype, shape, values.

Run as: python3 write.py. Made with NumPy 1.24. A file whose line ends in "same" is what tiler writes too, byte for byte.
"""
import numpy as np
from numpy.lib import format as npf

index = []
def put(name, a, dtype=None, version=None, same=False):
    with open(f"{name}.npy", "wb") as f:
        npf.write_array(f, a, version=version, allow_pickle=False)
    values = " ".join(repr(float(v)) for v in a.reshape(-1))
    shape = "[" + ",".join(map(str, a.shape)) + "]"
    index.append(f"{name} {dtype or a.dtype} {shape} {'same' if same else 'other'}\n{values}\n")

for code in "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8".split():
    a = np.arange(6).reshape(2, 3)
    if code[0] == "f":
        a = a * -0.3
    if code[0] == "i":
        a = a * -3
    if code == "b1":
        a = a % 2
    a = a.astype("<" + code)
    put(code, a, same=True)
    if code[1] != "1":
        put(code + "_big", a.astype(">" + code), dtype=a.dtype)
    put(code + "_fortran", np.asfortranarray(a), same=True)
put("rank0", np.array(2.5, dtype="<f4"), same=True)
put("rank1", np.arange(5, dtype="<i4"), same=True)
put("rank3", np.arange(24, dtype="<i4").reshape(2, 3, 4), same=True)
put("rank3_fortran", np.asfortranarray(np.arange(24, dtype="<i4").reshape(2, 3, 4)), same=True)
put("rank8", np.arange(256, dtype="<i2").reshape((2,) * 8), same=True)
put("empty", np.zeros((0,), dtype="<f4"), same=True)
put("empty2", np.zeros((3, 0, 2), dtype="<f8"), same=True)
put("v2", np.arange(3, dtype="<f4"), version=(2, 0))
put("v3", np.arange(3, dtype="<f4"), version=(3, 0))
put("special", np.array([np.nan, np.inf, -np.inf, -0.0, 1e-45], dtype="<f4"), same=True)
np.savez("arrays.npz", a=np.arange(6, dtype="<f4").reshape(2, 3), b=np.array([True, False]))
np.savez_compressed("deflated.npz", a=np.arange(6, dtype="<f4").reshape(2, 3), b=np.array([True, False]))
open("index.txt", "w").write("".join(index))
