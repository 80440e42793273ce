package asm

// The general registers at their four widths.
const (
	RAX = Operand(kR64) | 0<<8
	RCX = Operand(kR64) | 1<<8
	RDX = Operand(kR64) | 2<<8
	RBX = Operand(kR64) | 3<<8
	RSP = Operand(kR64) | 4<<8
	RBP = Operand(kR64) | 5<<8
	RSI = Operand(kR64) | 6<<8
	RDI = Operand(kR64) | 7<<8
	R8  = Operand(kR64) | 8<<8
	R9  = Operand(kR64) | 9<<8
	R10 = Operand(kR64) | 10<<8
	R11 = Operand(kR64) | 11<<8
	R12 = Operand(kR64) | 12<<8
	R13 = Operand(kR64) | 13<<8
	R14 = Operand(kR64) | 14<<8
	R15 = Operand(kR64) | 15<<8

	EAX  = Operand(kR32) | 0<<8
	ECX  = Operand(kR32) | 1<<8
	EDX  = Operand(kR32) | 2<<8
	EBX  = Operand(kR32) | 3<<8
	ESP  = Operand(kR32) | 4<<8
	EBP  = Operand(kR32) | 5<<8
	ESI  = Operand(kR32) | 6<<8
	EDI  = Operand(kR32) | 7<<8
	R8D  = Operand(kR32) | 8<<8
	R9D  = Operand(kR32) | 9<<8
	R10D = Operand(kR32) | 10<<8
	R11D = Operand(kR32) | 11<<8
	R12D = Operand(kR32) | 12<<8
	R13D = Operand(kR32) | 13<<8
	R14D = Operand(kR32) | 14<<8
	R15D = Operand(kR32) | 15<<8

	AX   = Operand(kR16) | 0<<8
	CX   = Operand(kR16) | 1<<8
	DX   = Operand(kR16) | 2<<8
	BX   = Operand(kR16) | 3<<8
	SP   = Operand(kR16) | 4<<8
	BP   = Operand(kR16) | 5<<8
	SI   = Operand(kR16) | 6<<8
	DI   = Operand(kR16) | 7<<8
	R8W  = Operand(kR16) | 8<<8
	R9W  = Operand(kR16) | 9<<8
	R10W = Operand(kR16) | 10<<8
	R11W = Operand(kR16) | 11<<8
	R12W = Operand(kR16) | 12<<8
	R13W = Operand(kR16) | 13<<8
	R14W = Operand(kR16) | 14<<8
	R15W = Operand(kR16) | 15<<8

	AL   = Operand(kR8) | 0<<8
	CL   = Operand(kR8) | 1<<8
	DL   = Operand(kR8) | 2<<8
	BL   = Operand(kR8) | 3<<8
	SPL  = Operand(kR8) | 4<<8
	BPL  = Operand(kR8) | 5<<8
	SIL  = Operand(kR8) | 6<<8
	DIL  = Operand(kR8) | 7<<8
	R8B  = Operand(kR8) | 8<<8
	R9B  = Operand(kR8) | 9<<8
	R10B = Operand(kR8) | 10<<8
	R11B = Operand(kR8) | 11<<8
	R12B = Operand(kR8) | 12<<8
	R13B = Operand(kR8) | 13<<8
	R14B = Operand(kR8) | 14<<8
	R15B = Operand(kR8) | 15<<8
)

var regNames = [...][16]string{
	kR8:  {"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8b", "r9b", "r10b", "r11b", "r12b", "r13b", "r14b", "r15b"},
	kR16: {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8w", "r9w", "r10w", "r11w", "r12w", "r13w", "r14w", "r15w"},
	kR32: {"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d", "r15d"},
	kR64: {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"},
}
