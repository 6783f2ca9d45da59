package edge

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strings"
	"time"

	"flagfall/server/wire"
)

// files are pages and what they need, read once: the browser client, the rule books.
type files struct{ all map[string]*file }

type file struct {
	data, zipped []byte // zipped is nil where gzip does not pay
	kind         string
	etag         string
	forever      bool // the name has a hash of the content in it
}

const indexPage = "index.html"

// hashedName is how esbuild names what it builds with [name]-[hash].
var hashedName = regexp.MustCompile(`[-.][A-Z0-9]{8}\.[a-z0-9.]+$`)

var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".json": "application/json", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml",
	".png": "image/png", ".ico": "image/x-icon", ".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8", ".map": "application/json",
}

func loadFiles(web fs.FS) (*files, error) {
	f := &files{all: map[string]*file{}}
	if web == nil {
		return f, nil
	}
	err := fs.WalkDir(web, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(web, name)
		if err != nil {
			return err
		}
		f.add(name, data)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("edge: the browser client: %w", err)
	}
	return f, nil
}

func (f *files) add(name string, data []byte) {
	sum := sha256.Sum256(data)
	one := &file{data: data, kind: kinds[path.Ext(name)], forever: hashedName.MatchString(name), etag: `"` + hex.EncodeToString(sum[:8]) + `"`}
	if one.kind == "" {
		one.kind = mime.TypeByExtension(path.Ext(name))
	}
	if zipped := compress(data); len(zipped) < len(data)*9/10 {
		one.zipped = zipped
	}
	f.all[name] = one
}

func compress(data []byte) []byte {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // fails only on an unknown level
	z.Write(data)
	z.Close()
	return out.Bytes()
}

// getPage answers the client's own routes.
func (s *Server) getPage(w http.ResponseWriter, r *http.Request) {
	s.sendFile(w, r, s.web.all[indexPage], http.StatusOK)
}

func (s *Server) getFile(w http.ResponseWriter, r *http.Request) {
	name, status := strings.TrimPrefix(r.URL.Path, "/"), http.StatusOK
	if s.web.all[name] == nil && strings.Contains(r.Header.Get("Accept"), "text/html") {
		name, status = indexPage, http.StatusNotFound // the client says in plain words that nothing is here
	}
	s.sendFile(w, r, s.web.all[name], status)
}

// sendFile answers with a file; nil is none.
func (s *Server) sendFile(w http.ResponseWriter, r *http.Request, one *file, status int) {
	if one == nil {
		s.refuse(w, r, wire.Refuse(wire.CodeNotFound))
		return
	}
	h := w.Header()
	h.Set("Content-Type", one.kind)
	h.Set("Cache-Control", "no-cache")
	if one.forever {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	data := one.data
	h.Set("ETag", one.etag)
	if one.zipped != nil {
		h.Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			h.Set("ETag", strings.TrimSuffix(one.etag, `"`)+`-z"`)
			data = one.zipped
		}
	}
	if status != http.StatusOK {
		h.Del("ETag")
		w.WriteHeader(status)
		if r.Method != http.MethodHead {
			_, _ = w.Write(data) // whoever is gone does not need it
		}
		return
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}
