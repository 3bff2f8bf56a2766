package launcher

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"reconstruct.dev/leader-launcher/application"
	"reconstruct.dev/leader-launcher/election"
	"reconstruct.dev/leader-launcher/fakes"
)

// TestMain lets the test binary be a launcher too, so that tests can stop and kill launchers as processes.
func TestMain(m *testing.M) {
	if arguments := os.Getenv("LAUNCHER_ARGUMENTS"); arguments != "" {
		options, err := ParseOptions(strings.Split(arguments, "\n"))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		code, err := Run(options)
		fmt.Fprintln(os.Stderr, "ended", code, err)
		os.Exit(code)
	}
	rand.Seed(time.Now().UnixNano())
	os.Exit(m.Run())
}

// servers returns the servers to try, by name: LEADER_SERVERS is such as redis-7=/usr/bin/redis-server,valkey-8=/opt/valkey-server.
func servers(t *testing.T) map[string]string {
	found := map[string]string{}
	for _, pair := range strings.Split(os.Getenv("LEADER_SERVERS"), ",") {
		if name, path, isPair := strings.Cut(pair, "="); isPair {
			found[name] = path
		}
	}
	if path, err := exec.LookPath("redis-server"); err == nil && len(found) == 0 {
		found["redis"] = path
	}
	if len(found) == 0 {
		t.Skip("no server: install redis-server, or set LEADER_SERVERS")
	}
	return found
}

func each(t *testing.T, test func(t *testing.T, server string)) {
	for name, path := range servers(t) {
		t.Run(name, func(t *testing.T) { test(t, path) })
	}
}

// times are those of a fast election.
var times = election.Lease{Name: "cache", Duration: 1500, RenewDeadline: 1000, RetryPeriod: 200}

const appPort = 6379

// pod is a candidate as the kubelet runs it: its launcher is started again when it ends.
type pod struct {
	t                   *testing.T
	name, uid, address  string
	folder, server      string
	bindAddress         string
	door                *fakes.Door
	extra, serverExtra  []string
	mu                  sync.Mutex
	process             *os.Process
	restarts, isRemoved bool
	ended               chan struct{}
}

// group is an election with its Pods.
type group struct {
	t     *testing.T
	store *fakes.Store
	pods  []*pod
	// operatorToken is a file-less token.
	operatorToken string
}

func givenGroup(t *testing.T, server string, size int, extra ...string) *group {
	g := &group{t: t, store: &fakes.Store{}, operatorToken: fakes.Token(fakes.OperatorUser, fakes.Audience, time.Hour)}
	g.store.Elect("", 0, 0)
	network := fmt.Sprintf("127.%d.%d.", 10+rand.Intn(240), rand.Intn(250))
	for at := 0; at < size; at++ {
		p := &pod{
			t: t, name: fmt.Sprintf("cache-%d", at), uid: fmt.Sprintf("uid-%d", at), address: fmt.Sprintf("%s%d", network, at+1),
			folder: t.TempDir(), server: server, door: g.store.NewDoor(), extra: extra, restarts: true,
		}
		os.WriteFile(filepath.Join(p.folder, "token"), []byte(fakes.Token(fakes.PeerUser, fakes.Audience, time.Hour+time.Duration(at)*time.Second)), 0o600)
		os.WriteFile(filepath.Join(p.folder, "role"), nil, 0o600)
		g.pods = append(g.pods, p)
	}
	t.Cleanup(func() {
		for _, p := range g.pods {
			p.remove()
			p.door.Open()
			p.door.Close()
		}
		if t.Failed() {
			for _, p := range g.pods {
				text, _ := os.ReadFile(filepath.Join(p.folder, "log"))
				lines := strings.Split(string(text), "\n")
				if len(lines) > 120 {
					lines = lines[len(lines)-120:]
				}
				t.Logf("%s %s:\n%s", p.name, p.address, strings.Join(lines, "\n"))
			}
		}
	})
	return g
}

func (g *group) start() *group {
	for _, p := range g.pods {
		p.start()
	}
	return g
}

func (p *pod) start() {
	arguments := []string{
		"--role-file", filepath.Join(p.folder, "role"), "--token-file", filepath.Join(p.folder, "token"),
		"--socket-dir", filepath.Join(p.folder, "run"), "--loopback=false", "--api-server", p.door.URL, "--api-token-file", "",
	}
	arguments = append(arguments, p.extra...)
	arguments = append(arguments, "--", p.server, "--port", fmt.Sprint(appPort), "--save", "", "--dir", p.folder,
		"--repl-diskless-sync-delay", "0", "--loglevel", "notice")
	arguments = append(arguments, p.serverExtra...)
	run := exec.Command(os.Args[0])
	run.Env = append(os.Environ(), "LAUNCHER_ARGUMENTS="+strings.Join(arguments, "\n"),
		"POD_NAME="+p.name, "POD_UID="+p.uid, "POD_NAMESPACE=shop", "POD_IP="+p.address)
	output, _ := os.OpenFile(filepath.Join(p.folder, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	run.Stdout, run.Stderr = output, output
	run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := run.Start(); err != nil {
		p.t.Fatal(err)
	}
	ended := make(chan struct{})
	p.mu.Lock()
	p.process, p.ended = run.Process, ended
	p.mu.Unlock()
	go func() {
		run.Wait()
		output.Close()
		// What the process left behind dies with the container.
		syscall.Kill(-run.Process.Pid, syscall.SIGKILL)
		p.mu.Lock()
		again := p.restarts && !p.isRemoved
		p.mu.Unlock()
		close(ended)
		if again {
			time.Sleep(50 * time.Millisecond)
			p.start()
		}
	}()
}

// signal sends a signal to the launcher and its server.
func (p *pod) signal(sig syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	syscall.Kill(-p.process.Pid, sig)
}

// signalLauncher sends a signal to the launcher alone.
func (p *pod) signalLauncher(sig syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.process.Signal(sig)
}

// signalServer sends a signal to the server alone.
func (p *pod) signalServer(sig syscall.Signal) {
	p.mu.Lock()
	pid := p.process.Pid
	p.mu.Unlock()
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, task := range tasks {
		more, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name()))
		text = append(append(text, ' '), more...)
	}
	for _, field := range strings.Fields(string(text)) {
		var child int
		fmt.Sscan(field, &child)
		syscall.Kill(child, sig)
	}
}

func (p *pod) remove() {
	p.mu.Lock()
	p.isRemoved = true
	process, ended := p.process, p.ended
	p.mu.Unlock()
	if process != nil {
		syscall.Kill(-process.Pid, syscall.SIGKILL)
		<-ended
	}
}

// assign writes the role file as the kubelet does: at once.
func (p *pod) assign(text string) {
	os.WriteFile(filepath.Join(p.folder, "role.new"), []byte(text), 0o600)
	os.Rename(filepath.Join(p.folder, "role.new"), filepath.Join(p.folder, "role"))
}

func (p *pod) assignRole(role election.Role) {
	text, _ := json.Marshal(role)
	p.assign(string(text))
}

// report asks a launcher as the operator does.
func (g *group) report(p *pod) (Report, error) {
	client := http.Client{Timeout: 500 * time.Millisecond}
	request, _ := http.NewRequest(http.MethodGet, fmt.Sprintf("http://%s:%d/v1/status", p.address, Port), nil)
	request.Header.Set("Authorization", "Bearer "+g.operatorToken)
	request.Close = true
	response, err := client.Do(request)
	if err != nil {
		return Report{}, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return Report{}, fmt.Errorf("status %d", response.StatusCode)
	}
	var report Report
	return report, json.NewDecoder(response.Body).Decode(&report)
}

// role returns a valid role for a report.
func (g *group) role(kind election.Kind, term int64, of Report, leader *Report) election.Role {
	role := election.Role{
		Election: "cache", UID: "e", Term: term, Role: kind, Boot: of.Boot, Lease: times, Port: appPort, MinReplicas: 1, MaxLag: 2000,
	}
	for _, other := range g.pods {
		if other.name == of.Name {
			continue
		}
		candidate := election.Candidate{Identity: election.Identity{Name: other.name, UID: other.uid}, Address: other.address}
		if report, err := g.report(other); err == nil {
			candidate.Boot = report.Boot
		}
		role.Candidates = append(role.Candidates, candidate)
	}
	if leader != nil {
		role.Leader = &election.Candidate{Identity: leader.Identity, Address: g.pod(leader.Name).address}
	}
	return role
}

func (g *group) pod(name string) *pod {
	for _, p := range g.pods {
		if p.name == name {
			return p
		}
	}
	panic(name)
}

// until waits for a condition.
func (g *group) until(what string, holds func() bool) {
	g.t.Helper()
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if holds() {
			return
		}
	}
	g.t.Fatalf("it did not become true that %s", what)
}

func (g *group) boots(p *pod) Report {
	var report Report
	g.until(p.name+" answers", func() bool {
		var err error
		report, err = g.report(p)
		return err == nil && report.App.IsRunning
	})
	return report
}

// client is a client of the application.
func client(p *pod) *application.Connection {
	return &application.Connection{Network: "tcp", Socket: fmt.Sprintf("%s:%d", p.address, appPort)}
}

// isClosed tells that no client can connect.
func isClosed(p *pod) bool {
	c := client(p)
	defer c.Close()
	_, err := c.Do(300*time.Millisecond, []string{"PING"})
	return err != nil
}

func ask(p *pod, command ...string) string {
	c := client(p)
	defer c.Close()
	answers, err := c.Do(time.Second, command)
	if err != nil {
		return "error: " + err.Error()
	}
	return fmt.Sprint(answers[0])
}

func writeFile(t *testing.T, path, text string) {
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
