// Package factory takes the place of external-dns' own, which has registries of clouds too.
package factory

import (
	"fmt"

	"sigs.k8s.io/external-dns/pkg/apis/externaldns"
	"sigs.k8s.io/external-dns/provider"
	"sigs.k8s.io/external-dns/registry"
	"sigs.k8s.io/external-dns/registry/txt"
)

// Select returns the only registry that is compared.
func Select(cfg *externaldns.Config, p provider.Provider) (registry.Registry, error) {
	if cfg.Registry != externaldns.RegistryTXT {
		return nil, fmt.Errorf("registry %s is not compiled", cfg.Registry)
	}
	return txt.New(cfg, p)
}
