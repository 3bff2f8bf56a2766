// Package launcher runs an application as its child and enforces the role that the operator gives.
package launcher

import (
	"errors"
	"flag"
	"net"
	"os"
	"strconv"

	"reconstruct.dev/leader-launcher/kubernetes"
)

// Port is where launchers listen.
const Port = 7481

// Options are the flags and the environment of `run`.
type Options struct {
	PodName, PodUID, Namespace, Address string

	RoleFile     string
	TokenFile    string
	SocketDir    string
	Listen       string
	PasswordFile string
	Username     string
	Loopback     bool
	APIServer    string
	APICAFile    string
	APITokenFile string
	// Command is the application with its arguments.
	Command []string
}

// ParseOptions reads flags. The command follows after --.
func ParseOptions(arguments []string) (Options, error) {
	o := Options{
		PodName: os.Getenv("POD_NAME"), PodUID: os.Getenv("POD_UID"),
		Namespace: os.Getenv("POD_NAMESPACE"), Address: os.Getenv("POD_IP"),
	}
	flags := flag.NewFlagSet("leader-launcher run", flag.ContinueOnError)
	flags.StringVar(&o.RoleFile, "role-file", "/etc/reconstruct/leader/role", "file with the role, from a downward API volume")
	flags.StringVar(&o.TokenFile, "token-file", "/var/run/secrets/reconstruct.dev/leader/token",
		"file with a token whose audience is "+kubernetes.Audience)
	flags.StringVar(&o.SocketDir, "socket-dir", "/reconstruct/run", "directory for the application's Unix socket")
	flags.StringVar(&o.Listen, "listen", net.JoinHostPort(o.Address, strconv.Itoa(Port)), "address for the operator and other launchers")
	flags.StringVar(&o.PasswordFile, "password-file", "", "file with the application's password")
	flags.StringVar(&o.Username, "username", "", "user of the password, if it is not the default one")
	flags.BoolVar(&o.Loopback, "loopback", true, "let other containers of the Pod connect, while clients may")
	flags.StringVar(&o.APIServer, "api-server", kubernetes.DefaultServer(), "URL of the API server")
	flags.StringVar(&o.APICAFile, "api-ca-file", kubernetes.DefaultCAFile, "CA certificates of the API server")
	flags.StringVar(&o.APITokenFile, "api-token-file", kubernetes.DefaultTokenFile, "file with the token for the API server")
	if err := flags.Parse(arguments); err != nil {
		return o, err
	}
	o.Command = flags.Args()
	return o, o.problem()
}

func (o Options) problem() error {
	switch {
	case o.PodName == "" || o.PodUID == "" || o.Namespace == "":
		return errors.New("set POD_NAME, POD_UID and POD_NAMESPACE from the downward API")
	case net.ParseIP(o.Address) == nil:
		return errors.New("POD_IP must be the IP address of the Pod: set it from status.podIP")
	case len(o.Command) == 0:
		return errors.New("name the application after --, such as: leader-launcher run -- redis-server")
	}
	return nil
}

// openAddresses is the value of bind while clients may connect.
func (o Options) openAddresses() string {
	if o.Loopback {
		// The minus sign: it is no error if the Pod has no IPv6.
		return o.Address + " 127.0.0.1 -::1"
	}
	return o.Address
}

func (o Options) socket() string { return o.SocketDir + "/application.sock" }
