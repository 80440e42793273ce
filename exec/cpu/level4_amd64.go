//go:build amd64.v4

package cpu

func init() { required |= HasAVX512F | HasAVX512CD | HasAVX512BW | HasAVX512DQ | HasAVX512VL }
