package launcher

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// child is the application. The kernel kills it if the launcher dies for whatever reason.
type child struct {
	process *os.Process
	// done is closed after the end.
	done chan struct{}
	code int
}

func startChild(command []string) (*child, error) {
	run := exec.Command(command[0], command[1:]...)
	run.Stdout, run.Stderr = os.Stdout, os.Stderr
	run.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	c := &child{done: make(chan struct{})}
	started := make(chan error)
	go func() {
		// The kernel sends the signal when the thread ends that has started the child. So this thread never ends.
		runtime.LockOSThread()
		err := run.Start()
		started <- err
		if err != nil {
			return
		}
		run.Wait()
		c.code = run.ProcessState.ExitCode()
		if status, is := run.ProcessState.Sys().(syscall.WaitStatus); is && status.Signaled() {
			c.code = 128 + int(status.Signal())
		}
		close(c.done)
		select {}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	c.process = run.Process
	return c, nil
}

// arguments of the application: they follow those of the user, so they win. It follows nobody and has no port until it has a role.
func serverArguments(o Options) []string {
	added := []string{
		"--bind", "",
		"--unixsocket", o.socket(), "--unixsocketperm", "700",
		"--replicaof", "127.0.0.1 1",
		"--replica-read-only", "yes",
		"--replica-announce-ip", o.Address,
		"--daemonize", "no",
	}
	if o.PasswordFile == "" {
		// Protected mode refuses replicas and clients of a server without a password.
		added = append(added, "--protected-mode", "no")
	}
	return append(append([]string{}, o.Command...), added...)
}

func (c *child) hasEnded() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}
