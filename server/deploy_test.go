package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"gopkg.in/yaml.v3"
)

// repository is the root of it, from this package.
const repository = ".."

// The files of a deployment, from the root of the repository.
const (
	composeFile    = "docker-compose.yml"
	imageFile      = "Dockerfile"
	caddyFile      = "server/deploy/Caddyfile"
	prometheusFile = "server/deploy/prometheus.yml"
	readmeFile     = "README.md"
	ignoreFile     = ".gitignore"
)

// deployment is what the files say.
type deployment struct {
	texts      map[string]string // of the files, by name
	project    *types.Project
	image      image
	caddy      balancer
	prometheus []string // host:port of what is scraped
	secrets    string   // folder in which the line of README.md has been run
}

// deploymentFiles reads the texts of the repository.
func deploymentFiles(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, name := range []string{composeFile, imageFile, caddyFile, prometheusFile, readmeFile, ignoreFile} {
		text, err := os.ReadFile(filepath.Join(repository, name))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	return texts
}

// readDeployment reads the files as those read them whom they are for: docker compose's own library, Caddy itself.
func readDeployment(t *testing.T, texts map[string]string, environ map[string]string) (*deployment, error) {
	t.Helper()
	d := &deployment{texts: texts}
	root, err := filepath.Abs(repository)
	if err != nil {
		return nil, err
	}
	d.project, err = loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir:  root,
		ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(root, composeFile), Content: []byte(texts[composeFile])}},
		Environment: environ,
	}, func(o *loader.Options) { o.SetProjectName("flagfall", false) })
	if err != nil {
		return nil, err
	}
	d.image = readImage(texts[imageFile])
	if d.caddy, err = readCaddyfile(t, texts[caddyFile], d.project.Services["caddy"].Environment); err != nil {
		return nil, err
	}
	if d.prometheus, err = readPrometheus(texts[prometheusFile]); err != nil {
		return nil, err
	}
	d.secrets = makeSecrets(t, texts[readmeFile])
	return d, nil
}

// nodes are the services that run this program, by name.
func (d *deployment) nodes() (nodes []types.ServiceConfig) {
	for _, name := range d.project.ServiceNames() {
		if s := d.project.Services[name]; s.Build != nil {
			nodes = append(nodes, s)
		}
	}
	return nodes
}

// secretFolder is where a container finds its secrets.
const secretFolder = "/run/secrets/"

// environ is the environment of a node's process: the image's with the service's over it, secrets in the test's folder.
func (d *deployment) environ(s types.ServiceConfig) (environ []string) {
	all := map[string]string{}
	for name, value := range d.image.env {
		all[name] = value
	}
	for name, value := range s.Environment {
		if value != nil {
			all[name] = *value
		}
	}
	for name, value := range all {
		if secret, ok := strings.CutPrefix(value, secretFolder); ok {
			value = filepath.Join(d.secrets, secret)
		}
		environ = append(environ, name+"="+value)
	}
	return environ
}

// makeSecrets runs the line of the README that makes the secrets and returns their folder.
func makeSecrets(t *testing.T, readme string) string {
	t.Helper()
	line := regexp.MustCompile(`(?m)^    (.*secrets/postgres-url.*)$`).FindStringSubmatch(readme)
	if line == nil {
		t.Fatal("README.md does not say how to make the secrets")
	}
	dir := t.TempDir()
	cmd := exec.Command("sh", "-e", "-c", line[1])
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line[1], err, out)
	}
	return filepath.Join(dir, "secrets")
}

// image is what a Dockerfile says of its last stage, and how it gets there.
type image struct {
	bases       []string          // of all stages
	copied      []string          // sources that the first stage takes from the repository, "from to"
	commands    []string          // that the first stage runs
	env         map[string]string // of the last stage, as are the rest
	taken       []string          // "--from=... from to"
	user        string
	volume      string
	entrypoint  []string
	healthcheck string
}

func readImage(text string) image {
	all := image{env: map[string]string{}}
	text = regexp.MustCompile(`(?m)^#.*\n`).ReplaceAllString(text, "")
	text = strings.ReplaceAll(text, "\\\n", " ")
	for line := range strings.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch first := len(all.bases) == 1; word {
		case "FROM":
			all.bases = append(all.bases, rest)
		case "COPY":
			if first {
				all.copied = append(all.copied, rest)
			} else {
				all.taken = append(all.taken, rest)
			}
		case "RUN":
			all.commands = append(all.commands, rest)
		case "ENV":
			for pair := range strings.FieldsSeq(rest) {
				name, value, _ := strings.Cut(pair, "=")
				all.env[name] = value
			}
		case "USER":
			all.user = rest
		case "VOLUME":
			all.volume = rest
		case "HEALTHCHECK":
			all.healthcheck = rest
		case "ENTRYPOINT":
			_ = json.Unmarshal([]byte(rest), &all.entrypoint) // what is no list is no entrypoint for a checker
		}
	}
	return all
}

// balancer is what Caddy makes of its file.
type balancer struct {
	Admin struct {
		Listen string `json:"listen"`
	} `json:"admin"`
	listen []string
	hosts  []string
	proxy  proxy
}

// proxy is Caddy's handler of that name.
type proxy struct {
	Handler string `json:"handler"`
	Health  struct {
		Active struct {
			URI    string `json:"uri"`
			Port   int    `json:"port"`
			Status int    `json:"expect_status"`
		} `json:"active"`
	} `json:"health_checks"`
	Balancing struct {
		Policy struct {
			Policy string `json:"policy"`
		} `json:"selection_policy"`
	} `json:"load_balancing"`
	Upstreams []struct {
		Dial string `json:"dial"`
	} `json:"upstreams"`
}

// balancerFolder has a Caddy of the version that docker-compose.yml names: Debian's is years older, and what it does when
// a node is gone is not the same.
const balancerFolder = "artifacts/bin"

// installCaddy builds Caddy, once for all tests; make setup has done it before.
var installCaddy = sync.OnceValues(func() (program string, err error) {
	compose, err := os.ReadFile(filepath.Join(repository, composeFile))
	if err != nil {
		return "", err
	}
	image := regexp.MustCompile(`image: caddy:(\S+)`).FindSubmatch(compose)
	if image == nil {
		return "", errors.New(composeFile + " has no caddy")
	}
	folder, err := filepath.Abs(filepath.Join(repository, balancerFolder))
	if err != nil {
		return "", err
	}
	program = filepath.Join(folder, "caddy")
	version := "v" + string(image[1])
	if info, err := buildinfo.ReadFile(program); err == nil && info.Main.Version == version {
		return program, nil
	}
	cmd := exec.Command("go", "install", "github.com/caddyserver/caddy/v2/cmd/caddy@"+version)
	cmd.Env = append(os.Environ(), "GOBIN="+folder)
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", cmd, err, text)
	}
	return program, nil
})

// caddyCommand is Caddy with the environment of its service.
func caddyCommand(t *testing.T, environ types.MappingWithEquals, args ...string) *exec.Cmd {
	t.Helper()
	program, err := installCaddy()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	cmd := exec.Command(program, args...)
	cmd.Env = []string{"HOME=" + home, "XDG_DATA_HOME=" + home, "XDG_CONFIG_HOME=" + home}
	for name, value := range environ {
		if value != nil {
			cmd.Env = append(cmd.Env, name+"="+*value)
		}
	}
	return cmd
}

func readCaddyfile(t *testing.T, text string, environ types.MappingWithEquals) (b balancer, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "Caddyfile")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return b, err
	}
	var errs bytes.Buffer
	cmd := caddyCommand(t, environ, "adapt", "--adapter", "caddyfile", "--config", path)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return b, fmt.Errorf("%s: %w: %s", caddyFile, err, errs.String())
	}
	var tree struct {
		Apps struct {
			HTTP struct {
				Servers map[string]struct {
					Listen []string         `json:"listen"`
					Routes []map[string]any `json:"routes"`
				} `json:"servers"`
			} `json:"http"`
		} `json:"apps"`
	}
	if err := json.Unmarshal(out, &tree); err != nil {
		return b, err
	}
	if err := json.Unmarshal(out, &b); err != nil {
		return b, err
	}
	for _, server := range tree.Apps.HTTP.Servers {
		b.listen = append(b.listen, server.Listen...)
		b.walk(map[string]any{"routes": server.Routes})
	}
	return b, nil
}

// walk finds the hosts and the proxy in a tree of routes.
func (b *balancer) walk(node any) {
	text, _ := json.Marshal(node) // what came from JSON
	switch node := node.(type) {
	case map[string]any:
		if node["handler"] == "reverse_proxy" {
			_ = json.Unmarshal(text, &b.proxy)
			return
		}
		for key, value := range node {
			if key == "host" {
				text, _ := json.Marshal(value)
				_ = json.Unmarshal(text, &b.hosts)
				continue
			}
			b.walk(value)
		}
	case []any:
		for _, value := range node {
			b.walk(value)
		}
	case []map[string]any:
		for _, value := range node {
			b.walk(value)
		}
	}
}

func readPrometheus(text string) (targets []string, err error) {
	var config struct {
		Global struct {
			Interval string `yaml:"scrape_interval"`
		} `yaml:"global"`
		Jobs []struct {
			Name   string `yaml:"job_name"`
			Static []struct {
				Targets []string `yaml:"targets"`
			} `yaml:"static_configs"`
		} `yaml:"scrape_configs"`
	}
	decoder := yaml.NewDecoder(strings.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&config); err != nil {
		return nil, fmt.Errorf("%s: %w", prometheusFile, err)
	}
	for _, job := range config.Jobs {
		for _, group := range job.Static {
			targets = append(targets, group.Targets...)
		}
	}
	return targets, nil
}

// port is that of host:port.
func port(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return port
}
