// Package files reads and writes regions of tensors that are files: .npy, arrays of an .npz that is stored, and tensors
// of a .safetensors file, through Beam's file systems. Of a file only the rows that are asked for are read, where the
// file system can begin anywhere; where it cannot, what comes before is passed over.
//
// A file that is written has its name only when it is complete: see Sink.
package files
