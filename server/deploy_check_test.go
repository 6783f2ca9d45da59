package main

import (
	"fmt"
	"go/version"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/types"
	"github.com/jackc/pgx/v5"
)

// problems are what is wrong with a deployment.
type problems []string

func (p *problems) add(format string, args ...any) { *p = append(*p, fmt.Sprintf(format, args...)) }

// The files of the deployment fit one another and the program, as they are and with what README.md lets operators say.
func TestDeployment(t *testing.T) {
	for _, environ := range []map[string]string{
		nil,
		{"FLAGFALL_URL": "https://chess.example", "FRONT_NETWORK": "192.168.250.0/24"},
		{"FLAGFALL_URL": "http://192.168.1.20"},
	} {
		d, err := readDeployment(t, deploymentFiles(t), environ)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range d.check() {
			t.Errorf("with %v: %s", environ, problem)
		}
	}
}

// What TestDeployment holds is noticed when it is not so.
func TestDeploymentBroken(t *testing.T) {
	texts := deploymentFiles(t)
	for _, c := range []struct{ file, old, new, want string }{
		{composeFile, `FLAGFALL_DATA: /data`, `FLAGFALL_FOLDER: /data`, "FLAGFALL_FOLDER is no setting"},
		{composeFile, `FLAGFALL_ADDR: ":8080"`, `FLAGFALL_ADDR: "8080"`, "want host:port"},
		{composeFile, `FLAGFALL_ADDR: ":8080"`, `FLAGFALL_ADDR: ":8081"`, "caddy sends players to"},
		{composeFile, `FLAGFALL_OPS: ":9090"`, `FLAGFALL_OPS: ":9091"`, "caddy asks port 9090 for its health"},
		{composeFile, `FLAGFALL_OPS: ":9090"`, `FLAGFALL_OPS: "127.0.0.1:9090"`, "the operators' listener is not to be reached"},
		{composeFile, `FLAGFALL_DATA: /data`, `FLAGFALL_DATA: /elsewhere`, "/elsewhere is not on a volume"},
		{composeFile, `FLAGFALL_NODE: node2`, `FLAGFALL_NODE: node1`, "node2: calls itself node1"},
		{composeFile, `["node2-data:/data"]`, `["node1-data:/data"]`, "share the volume node1-data"},
		{composeFile, `&url ${FLAGFALL_URL:-http://localhost}`, `&url "https://chess.example/path"`, "-url (FLAGFALL_URL)"},
		{composeFile, "      FLAGFALL_URL: *url", "      FLAGFALL_URL: http://example.org", "caddy serves example.org"},
		{composeFile, `{subnet: *front}`, `{subnet: 10.213.8.0/24}`, "not the subnet of caddy"},
		{composeFile, `networks: [back]`, `networks: [back, front]`, "redis is in the network front"},
		{composeFile, `/run/secrets/postgres-url`, `/run/secrets/postgres-password`, "postgres-password is not among its secrets"},
		{composeFile, `redis://redis:6379`, `redis://redis:6380`, "Redis is at"},
		{composeFile, `redis://redis:6379`, `redis://caddy:6379`, "does not wait for caddy"},
		{composeFile, `  FLAGFALL_REDIS: redis://redis:6379`, ``, `Redis is at ""`},
		{composeFile, `["CMD", "/flagfall", "healthcheck"]`, `["CMD", "/server", "healthcheck"]`, "/server is not in the image"},
		{composeFile, `["CMD", "/flagfall", "healthcheck"]`, `["CMD", "/flagfall", "health"]`, "health check"},
		{composeFile, `stop_grace_period: 20s`, `stop_grace_period: 10s`, "stop_grace_period"},
		{composeFile, `restart: unless-stopped`, `restart: "no"`, "is not started again"},
		{composeFile, `redis:7.2.14`, `redis`, "no version"},
		{composeFile, `redis:7.2.14`, `redis:latest`, "no version"},
		{composeFile, `noeviction`, `allkeys-lru`, "redis: --maxmemory-policy is allkeys-lru"},
		{composeFile, `--appendfsync everysec`, `--appendfsync no`, "redis: --appendfsync is no"},
		{composeFile, `POSTGRES_PASSWORD_FILE: /run/secrets/postgres-password`, `POSTGRES_PASSWORD: changeit`, "POSTGRES_PASSWORD looks like a secret"},
		{composeFile, `FLAGFALL_DB_FILE: /run/secrets/postgres-url`, `FLAGFALL_DB: postgres://flagfall:flagfall@postgres/flagfall`, "password in"},
		{composeFile, `POSTGRES_DB: flagfall`, `POSTGRES_DB: hall`, "the URL of the database"},
		{composeFile, `"127.0.0.1:9090:9090"`, `"9090:9090"`, "prometheus: port 9090 is open to everybody"},
		{composeFile, `./server/deploy/Caddyfile:`, `./server/Caddyfile:`, "no such file"},
		{composeFile, `postgres: {condition: service_healthy}`, `postgres: {condition: service_started}`, "does not wait for postgres"},
		{composeFile, "back: {internal: true}", "back: {}", "back leads outside"},
		{caddyFile, `health_port 9090`, ``, "caddy asks port 0"},
		{caddyFile, `health_uri /readyz`, `health_uri /livez`, "caddy asks /livez"},
		{caddyFile, `least_conn`, `ip_hash`, "caddy keeps"},
		{caddyFile, `node1:8080 node2:8080`, `node1:8080`, "caddy sends players to"},
		{caddyFile, `127.0.0.1:2019`, `127.0.0.1:2020`, "caddy: the health check asks"},
		{prometheusFile, `node1:9090, node2:9090`, `node1:9090`, "prometheus scrapes"},
		{imageFile, "USER 65532:65532", "USER flagfall", "user"},
		{imageFile, "USER 65532:65532", "USER 0:0", "user"},
		{imageFile, "CGO_ENABLED=0 ", "", "CGO_ENABLED=0"},
		{imageFile, "-trimpath ", "", "-trimpath"},
		{imageFile, "golang:1.26.8-bookworm", "golang:1.25.3-bookworm", "go.mod wants"},
		{imageFile, "FROM scratch", "FROM debian:bookworm", "last stage"},
		{imageFile, "VOLUME /data", "VOLUME /var", "VOLUME"},
		{imageFile, `CMD ["/flagfall", "healthcheck"]`, "NONE", "HEALTHCHECK"},
		{imageFile, "FLAGFALL_OPS=127", "FLAGFALL_OPERATORS=127", "FLAGFALL_OPERATORS is no setting"},
		{ignoreFile, "/secrets/", "/other/", "could be committed"},
	} {
		t.Run(c.want, func(t *testing.T) {
			broken := map[string]string{}
			for name, text := range texts {
				broken[name] = text
			}
			if !strings.Contains(texts[c.file], c.old) {
				t.Fatalf("%s has no %q", c.file, c.old)
			}
			broken[c.file] = strings.ReplaceAll(texts[c.file], c.old, c.new)
			d, err := readDeployment(t, broken, nil)
			if err != nil {
				t.Fatal(err)
			}
			if found := strings.Join(d.check(), "\n"); !strings.Contains(found, c.want) {
				t.Errorf("%q instead of %q: found %q", c.new, c.old, found)
			}
		})
	}
}

func (d *deployment) check() (p problems) {
	d.checkVariables(&p)
	d.checkServices(&p)
	d.checkNodes(&p)
	d.checkBalancer(&p)
	d.checkSecrets(&p)
	d.checkRedis(&p)
	d.checkImage(&p)
	return p
}

// checkVariables holds every variable of this program's prefix, wherever it stands, against the settings.
func (d *deployment) checkVariables(p *problems) {
	for _, file := range []string{composeFile, imageFile, caddyFile} {
		for _, name := range regexp.MustCompile(prefix+`[A-Z_]+`).FindAllString(d.texts[file], -1) {
			base := strings.TrimSuffix(name, "_FILE")
			if !slices.ContainsFunc(allSettings(), func(s setting) bool { return s.variable() == base }) {
				p.add("%s: %s is no setting of the program", file, name)
			}
		}
	}
}

// versioned is an image's name with a version that says more than the major one.
var versioned = regexp.MustCompile(`:v?[0-9]+\.[0-9]+[0-9.]*(-[a-z0-9.]+)?$`)

// checkServices holds what is true of every service.
func (d *deployment) checkServices(p *problems) {
	for name, s := range d.project.Services {
		if s.Build == nil && !versioned.MatchString(s.Image) {
			p.add("%s: the image %s has no version", name, s.Image)
		}
		if s.Restart != types.RestartPolicyUnlessStopped && s.Restart != types.RestartPolicyAlways {
			p.add("%s: is not started again when it dies", name)
		}
		if s.HealthCheck == nil || len(s.HealthCheck.Test) < 2 {
			p.add("%s: has no health check", name)
		}
		for _, published := range s.Ports {
			if name != "caddy" && published.HostIP != "127.0.0.1" {
				p.add("%s: port %s is open to everybody", name, published.Published)
			}
		}
		for _, mount := range s.Volumes {
			if mount.Type != types.VolumeTypeBind {
				continue
			}
			if _, err := os.Stat(mount.Source); err != nil {
				p.add("%s: %v", name, err)
			}
			if !mount.ReadOnly {
				p.add("%s: could write %s", name, mount.Source)
			}
		}
	}
	if !d.project.Networks["back"].Internal {
		p.add("the network back leads outside")
	}
}

func (d *deployment) checkNodes(p *problems) {
	nodes := d.nodes()
	if len(nodes) < 2 {
		p.add("%d nodes, want two", len(nodes))
	}
	volumes := map[string]bool{}
	for _, s := range nodes {
		for name, value := range s.Environment {
			secret, ok := strings.CutPrefix(deref(value), secretFolder)
			if ok && !slices.ContainsFunc(s.Secrets, func(c types.ServiceSecretConfig) bool { return c.Source == secret }) {
				p.add("%s: %s: %s is not among its secrets", s.Name, name, secret)
			}
		}
		set, err := readSettings(nil, d.environ(s), io.Discard)
		if err != nil {
			p.add("%s: %v", s.Name, err)
			continue
		}
		if set.node != s.Name {
			p.add("%s: calls itself %s", s.Name, set.node)
		}
		i := slices.IndexFunc(s.Volumes, func(v types.ServiceVolumeConfig) bool {
			return v.Target == set.data && v.Type == types.VolumeTypeVolume && v.Source != ""
		})
		if i < 0 {
			p.add("%s: %s is not on a volume", s.Name, set.data)
		} else if volumes[s.Volumes[i].Source] {
			p.add("%s: nodes share the volume %s", s.Name, s.Volumes[i].Source)
		} else {
			volumes[s.Volumes[i].Source] = true
		}
		d.checkDatabase(p, s, set)
		d.checkProxies(p, s, set)
		d.checkLife(p, s)
		if ops := set.ops; strings.HasPrefix(ops, "127.") || strings.HasPrefix(ops, "localhost") || ops == "" {
			p.add("%s: the operators' listener is not to be reached at %q", s.Name, ops)
		}
	}
}

// checkDatabase holds the URL that the README makes against the service that it leads to.
func (d *deployment) checkDatabase(p *problems, s types.ServiceConfig, set settings) {
	config, err := pgx.ParseConfig(set.db)
	if err != nil {
		p.add("%s: %v", s.Name, err)
		return
	}
	database := d.project.Services[config.Host]
	password, _ := os.ReadFile(filepath.Join(d.secrets, strings.TrimPrefix(deref(database.Environment["POSTGRES_PASSWORD_FILE"]), secretFolder)))
	if config.User != deref(database.Environment["POSTGRES_USER"]) || config.Database != deref(database.Environment["POSTGRES_DB"]) ||
		config.Port != 5432 || config.Password != strings.TrimSpace(string(password)) || len(config.Password) < 32 {
		p.add("%s: the URL of the database is not that of the service %q", s.Name, config.Host)
	}
	d.checkReached(p, s, config.Host)
	if u, err := url.Parse(set.redis); err != nil || u.Scheme != "redis" || u.Port() != "6379" {
		p.add("%s: Redis is at %q", s.Name, set.redis)
	} else {
		d.checkReached(p, s, u.Hostname())
	}
}

// checkReached: a service that a node needs is in a network of his, and he waits for it.
func (d *deployment) checkReached(p *problems, s types.ServiceConfig, needed string) {
	for name := range d.project.Services[needed].Networks {
		if _, ok := s.Networks[name]; ok && s.DependsOn[needed].Condition == types.ServiceConditionHealthy {
			return
		}
	}
	p.add("%s: shares no network with %s, or does not wait for %[2]s", s.Name, needed)
}

// checkProxies: whose forwarded address is believed is Caddy's network and nothing else.
func (d *deployment) checkProxies(p *problems, s types.ServiceConfig, set settings) {
	front := d.project.Networks["front"]
	if front.Ipam.Config == nil || len(set.proxies) != 1 || set.proxies[0].String() != front.Ipam.Config[0].Subnet {
		p.add("%s: believes %v, which is not the subnet of caddy", s.Name, set.proxies)
	}
	for name, other := range d.project.Services {
		if _, in := other.Networks["front"]; in && name != "caddy" && other.Build == nil {
			p.add("%s is in the network front, whose members are believed", name)
		}
	}
}

// checkLife holds the health check and the time to stop against the program.
func (d *deployment) checkLife(p *problems, s types.ServiceConfig) {
	if need := closeTime + byeTime + answerTime + time.Second; s.StopGracePeriod == nil || time.Duration(*s.StopGracePeriod) < need {
		p.add("%s: stop_grace_period is %v, the program may take %v", s.Name, s.StopGracePeriod, need)
	}
	if s.HealthCheck == nil {
		return
	}
	test := s.HealthCheck.Test
	if len(test) != 3 || test[0] != "CMD" || test[2] != "healthcheck" {
		p.add("%s: the health check is %q", s.Name, test)
		return
	}
	if test[1] != d.image.entrypoint[0] {
		p.add("%s: the health check: %s is not in the image", s.Name, test[1])
	}
	if _, err := healthURL(nil, d.environ(s), io.Discard); err != nil {
		p.add("%s: the health check: %v", s.Name, err)
	}
	if timeout := s.HealthCheck.Timeout; timeout == nil || time.Duration(*timeout) <= healthcheckTime {
		p.add("%s: the health check may take %v", s.Name, healthcheckTime)
	}
}

// checkBalancer holds Caddy and Prometheus against what the nodes listen on.
func (d *deployment) checkBalancer(p *problems) {
	caddy := d.project.Services["caddy"]
	var players, operators, dialled []string
	for _, s := range d.nodes() {
		set, err := readSettings(nil, d.environ(s), io.Discard)
		if err != nil {
			continue // told by checkNodes
		}
		players, operators = append(players, s.Name+":"+port(set.addr)), append(operators, s.Name+":"+port(set.ops))
		if health := d.caddy.proxy.Health.Active; fmt.Sprint(health.Port) != port(set.ops) {
			p.add("%s: caddy asks port %d for its health, operators are at %s", s.Name, health.Port, set.ops)
		}
		if u, err := url.Parse(set.url); err != nil || !slices.Contains(d.caddy.hosts, u.Hostname()) {
			p.add("%s: is at %s, caddy serves %s", s.Name, set.url, strings.Join(d.caddy.hosts, " "))
		}
	}
	for _, upstream := range d.caddy.proxy.Upstreams {
		dialled = append(dialled, upstream.Dial)
	}
	if !slices.Equal(dialled, players) {
		p.add("caddy sends players to %q, nodes listen on %q", dialled, players)
	}
	if !slices.Equal(d.prometheus, operators) {
		p.add("prometheus scrapes %q, operators are at %q", d.prometheus, operators)
	}
	if health := d.caddy.proxy.Health.Active; health.URI != "/readyz" || health.Status != 200 {
		p.add("caddy asks %s for %d", health.URI, health.Status)
	}
	if policy := d.caddy.proxy.Balancing.Policy.Policy; policy != "least_conn" && policy != "round_robin" && policy != "random" {
		p.add("caddy keeps people at one node: %s", policy)
	}
	if test := strings.Join(caddy.HealthCheck.Test, " "); !strings.Contains(test, "http://"+d.caddy.Admin.Listen+"/") {
		p.add("caddy: the health check asks %s, it listens on %s", test, d.caddy.Admin.Listen)
	}
	for _, listen := range d.caddy.listen {
		if !slices.ContainsFunc(caddy.Ports, func(c types.ServicePortConfig) bool { return ":"+fmt.Sprint(c.Target) == listen }) {
			p.add("caddy: listens on %s, which is not published", listen)
		}
	}
}

// secretName is how a variable is called that should not stand in a file.
var secretName = regexp.MustCompile(`(?i)(PASSWORD|PASSWD|SECRET|TOKEN|CREDENTIAL|PRIVATE|_KEY)`)

// checkSecrets: nothing secret stands in the files, and what does is not committed.
func (d *deployment) checkSecrets(p *problems) {
	for name, s := range d.project.Services {
		for variable, value := range s.Environment {
			if secretName.MatchString(variable) && !strings.HasSuffix(variable, "_FILE") && deref(value) != "" {
				p.add("%s: %s looks like a secret", name, variable)
			}
		}
	}
	for file, text := range d.texts {
		if found := regexp.MustCompile(`[a-z]+://[^/\s:@]*:[^/\s@$%]+@`).FindString(text); found != "" && file != readmeFile {
			p.add("%s: a password in %s", file, found)
		}
	}
	for name, secret := range d.project.Secrets {
		if _, err := os.Stat(filepath.Join(d.secrets, name)); err != nil || filepath.Base(secret.File) != name {
			p.add("the README does not make the secret %s", name)
		}
		dir := filepath.Base(filepath.Dir(secret.File))
		if !strings.Contains("\n"+d.texts[ignoreFile], "\n/"+dir+"/\n") {
			p.add("%s could be committed", secret.File)
		}
	}
}

// checkRedis: what lives survives a crash of Redis but for a second, and is never dropped for want of room.
func (d *deployment) checkRedis(p *problems) {
	flags := redisFlags(d.project.Services["redis"].Command)
	for name, want := range map[string]string{"--appendonly": "yes", "--appendfsync": "everysec", "--maxmemory-policy": "noeviction"} {
		if flags[name] != want {
			p.add("redis: %s is %s, want %s", name, flags[name], want)
		}
	}
	if flags["--maxmemory"] == "" {
		p.add("redis: takes all the memory that there is")
	}
}

func redisFlags(command []string) map[string]string {
	flags := map[string]string{}
	for i := 1; i+1 < len(command); i += 2 {
		flags[command[i]] = command[i+1]
	}
	return flags
}

func (d *deployment) checkImage(p *problems) {
	i := d.image
	if len(i.bases) != 2 || i.bases[1] != "scratch" {
		p.add("the last stage of %q is not scratch", i.bases)
	}
	base := strings.TrimSuffix(i.bases[0], " AS build")
	if !versioned.MatchString(base) {
		p.add("the image %s has no version", base)
	}
	module, err := os.ReadFile(filepath.Join(repository, "go.mod"))
	if err != nil {
		p.add("%v", err)
	}
	wanted := regexp.MustCompile(`(?m)^go (\S+)$`).FindStringSubmatch(string(module))[1]
	has, _, _ := strings.Cut(strings.TrimPrefix(base, "golang:"), "-")
	if version.Compare("go"+has, "go"+wanted) < 0 {
		p.add("go.mod wants Go %s, the image has %s", wanted, has)
	}
	for _, want := range []string{"CGO_ENABLED=0", "-trimpath"} {
		if !strings.Contains(i.buildCommand(), want) {
			p.add("the program is built without %s", want)
		}
	}
	if !regexp.MustCompile(`^[1-9][0-9]*:[1-9][0-9]*$`).MatchString(i.user) {
		p.add("the user %s is not a number, or is root", i.user)
	}
	if i.volume == "" || i.volume != i.env["FLAGFALL_DATA"] {
		p.add("VOLUME is %q, data %q", i.volume, i.env["FLAGFALL_DATA"])
	}
	if !slices.Contains(i.taken, "--from=build --chown="+i.user+" /out/data "+i.volume) {
		p.add("%s does not belong to %s", i.volume, i.user)
	}
	if len(i.entrypoint) != 1 || !slices.Contains(i.taken, "--from=build /out/flagfall "+i.entrypoint[0]) {
		p.add("ENTRYPOINT %q is not what is built", i.entrypoint)
	} else if !strings.HasSuffix(i.healthcheck, fmt.Sprintf("CMD [%q, \"healthcheck\"]", i.entrypoint[0])) {
		p.add("HEALTHCHECK is %q", i.healthcheck)
	}
}

// buildCommand is the one that makes the program.
func (i image) buildCommand() string {
	at := slices.IndexFunc(i.commands, func(c string) bool { return strings.Contains(c, "go build") })
	if at < 0 {
		return ""
	}
	return i.commands[at]
}

func deref(value *string) string {
	if value == nil {
		return ""
	}
	return *value
}
