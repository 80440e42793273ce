module github.com/tiler-go/tiler

go 1.26
