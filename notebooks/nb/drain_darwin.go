package nb

// fionread is FIONREAD of sys/filio.h.
const fionread = 0x4004667f
