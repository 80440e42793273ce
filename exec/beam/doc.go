// Package tilerbeam runs kernels with Apache Beam: a launch whose tensors are files, in pieces that fit the memory of
// a worker, on any runner that Beam has.
//
//   - A Job (job.go) is a launch with the files of its tensors, as data. Complete compiles and cuts it.
//   - Run (launch.go) adds the job to a pipeline: tasks, which are ranges of pieces; a DoFn, which compiles the kernel
//     on each worker, tries it there against the interpreter, and runs pieces (worker.go); and what gives the files
//     their names when all pieces are written.
//   - With Job.Workers the pieces run in processes of their own (child.go): a piece whose process died runs again.
//   - Map (map.go) applies a kernel to each tensor of a collection, between Beam's other transforms.
//
// A piece that runs again, or twice at a time, writes the same bits to the same places.
package tilerbeam
