// Command kubernetes is a control plane in one executable: the first argument says which component
// this process is, the rest are that component's own flags.
package main

import (
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

// Commands are made on demand: making one registers flags and metrics that the others register too.
var components = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": controllermanager.NewControllerManagerCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kubectl":                 kubectl.NewDefaultKubectlCommand,
}

func main() {
	if len(os.Args) < 2 {
		refuse("no component named")
	}
	component := os.Args[1]
	os.Args = os.Args[1:] // the components parse os.Args themselves

	if component == "etcd" {
		etcdmain.Main(os.Args)
		return
	}
	command, known := components[component]
	if !known {
		refuse(fmt.Sprintf("unknown component %q", component))
	}
	os.Exit(cli.Run(command()))
}

func refuse(why string) {
	names := []string{"etcd"}
	for name := range components {
		names = append(names, name)
	}
	sort.Strings(names)
	fmt.Fprintf(os.Stderr, "kubernetes: %s: name one of %s\n", why, strings.Join(names, ", "))
	os.Exit(2)
}
