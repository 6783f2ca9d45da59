// Package web holds the built browser client. Its source is in src; `npm run build` writes dist.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var files embed.FS

// Dist returns the built client: index.html for every page, /assets with names that carry a hash of their content.
func Dist() fs.FS {
	sub, err := fs.Sub(files, "dist")
	if err != nil {
		panic(err) // only an invalid path literal can get here
	}
	return sub
}
