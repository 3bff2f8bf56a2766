// Command leader-launcher starts a Redis or Valkey server and lets it be what the operator elects: the leader, a replica, or nothing.
package main

import (
	"fmt"
	"os"

	"reconstruct.dev/leader-launcher/launcher"
)

const usage = `Usage:
  leader-launcher install DIRECTORY          copies this program
  leader-launcher run [flags] -- COMMAND …   starts a server and enforces its role
  leader-launcher ready [--listen ADDRESS]   succeeds if the server answers`

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "leader-launcher:", err)
	}
	os.Exit(code)
}

func run(arguments []string) (int, error) {
	if len(arguments) == 0 {
		return 2, fmt.Errorf("name a command\n%s", usage)
	}
	command, rest := arguments[0], arguments[1:]
	switch {
	case command == "install" && len(rest) == 1:
		return failed(launcher.Install(rest[0]))
	case command == "run":
		options, err := launcher.ParseOptions(rest)
		if err != nil {
			return 2, err
		}
		return launcher.Run(options)
	case command == "ready":
		options, _ := launcher.ParseOptions(rest)
		return failed(launcher.Ready(options))
	}
	return 2, fmt.Errorf("%q is no command\n%s", command, usage)
}

func failed(err error) (int, error) {
	if err != nil {
		return 1, err
	}
	return 0, nil
}
