#include "textflag.h"

// Each function adds a product to a block of four rows of z, 64 bytes wide, which stays in registers:
//
//	for l := range k { z[i][j] = a[i][l]*b[l][j] + z[i][j] }    i < 4, 64 bytes of j
//
// with one rounding. zStep, aStep and bStep are how many elements lie between rows. A step of 0 takes one row
// four times: what is stored is the same each time. k is at least 1.

// LOAD finds the rows, SIZE being the log of an element's, and loads z.
#define LOAD(SIZE) \
	MOVQ z+0(FP), DI          \
	MOVQ zStep+8(FP), R8      \
	MOVQ a+16(FP), SI         \
	MOVQ aStep+24(FP), R9     \
	MOVQ b+32(FP), DX         \
	MOVQ bStep+40(FP), R10    \
	MOVQ k+48(FP), CX         \
	SHLQ $SIZE, R8            \
	SHLQ $SIZE, R9            \
	SHLQ $SIZE, R10           \
	LEAQ (R8)(R8*2), R11      \
	LEAQ (R9)(R9*2), R12      \
	VMOVUPS (DI), Y0          \
	VMOVUPS 32(DI), Y1        \
	VMOVUPS (DI)(R8*1), Y2    \
	VMOVUPS 32(DI)(R8*1), Y3  \
	VMOVUPS (DI)(R8*2), Y4    \
	VMOVUPS 32(DI)(R8*2), Y5  \
	VMOVUPS (DI)(R11*1), Y6   \
	VMOVUPS 32(DI)(R11*1), Y7

// STEP is one l: BROADCAST fills Y10 with an element of a, ROW adds its product with Y8 and Y9.
#define STEP(BROADCAST, ROW, BYTES) \
	VMOVUPS (DX), Y8          \
	VMOVUPS 32(DX), Y9        \
	BROADCAST (SI), Y10       \
	ROW(Y0, Y1)               \
	BROADCAST (SI)(R9*1), Y10 \
	ROW(Y2, Y3)               \
	BROADCAST (SI)(R9*2), Y10 \
	ROW(Y4, Y5)               \
	BROADCAST (SI)(R12*1), Y10 \
	ROW(Y6, Y7)               \
	ADDQ $BYTES, SI           \
	ADDQ R10, DX

#define STORE \
	VMOVUPS Y0, (DI)          \
	VMOVUPS Y1, 32(DI)        \
	VMOVUPS Y2, (DI)(R8*1)    \
	VMOVUPS Y3, 32(DI)(R8*1)  \
	VMOVUPS Y4, (DI)(R8*2)    \
	VMOVUPS Y5, 32(DI)(R8*2)  \
	VMOVUPS Y6, (DI)(R11*1)   \
	VMOVUPS Y7, 32(DI)(R11*1) \
	VZEROUPPER                \
	RET

#define FMA32(P, Q) \
	VFMADD231PS Y8, Y10, P \
	VFMADD231PS Y9, Y10, Q

#define FMA64(P, Q) \
	VFMADD231PD Y8, Y10, P \
	VFMADD231PD Y9, Y10, Q

#define WRAP32(P, Q) \
	VPMULLD Y8, Y10, Y11 \
	VPADDD  Y11, P, P    \
	VPMULLD Y9, Y10, Y11 \
	VPADDD  Y11, Q, Q

// BLOCK is the whole of a function.
#define BLOCK(SIZE, BROADCAST, ROW, BYTES) \
	LOAD(SIZE)                  \
next:                           \
	STEP(BROADCAST, ROW, BYTES) \
	DECQ CX                     \
	JNZ  next                   \
	STORE

// func block32(z *float32, zStep int, a *float32, aStep int, b *float32, bStep, k int)
TEXT ·block32(SB), NOSPLIT, $0-56
	BLOCK(2, VBROADCASTSS, FMA32, 4)

// func block64(z *float64, zStep int, a *float64, aStep int, b *float64, bStep, k int)
TEXT ·block64(SB), NOSPLIT, $0-56
	BLOCK(3, VBROADCASTSD, FMA64, 8)

// func blockInt(z *uint32, zStep int, a *uint32, aStep int, b *uint32, bStep, k int)
TEXT ·blockInt(SB), NOSPLIT, $0-56
	BLOCK(2, VPBROADCASTD, WRAP32, 4)
