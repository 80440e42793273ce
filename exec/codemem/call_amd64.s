#include "textflag.h"
#include "funcdata.h"

// func call(pc uintptr, args unsafe.Pointer)
//
// Not NOSPLIT, and with a frame large enough that the assembler does not make it so: the stack check in the prologue
// is the point at which a loop of calls can be preempted.
TEXT ·call(SB), 0, $512-16
	NO_LOCAL_POINTERS
	MOVQ pc+0(FP), AX
	MOVQ args+8(FP), DI
	CALL AX
	RET

// func Pause(n uint32)
//
// The frame is for the stack check, as above.
TEXT ·Pause(SB), 0, $512-4
	NO_LOCAL_POINTERS
	MOVL n+0(FP), AX
	TESTL AX, AX
	JZ done
again:
	PAUSE
	DECL AX
	JNZ again
done:
	RET

// func restoreState(vectors bool)
TEXT ·restoreState(SB), NOSPLIT, $8-1
	CLD
	MOVL $0x1f80, mxcsr-8(SP)
	LDMXCSR mxcsr-8(SP)
	CMPB vectors+0(FP), $0
	JEQ done
	VZEROUPPER
done:
	RET
