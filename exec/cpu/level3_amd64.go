//go:build amd64.v3

package cpu

func init() { required |= HasAVX | HasAVX2 | HasBMI1 | HasBMI2 | HasFMA | HasPOPCNT }
