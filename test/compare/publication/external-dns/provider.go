// Package factory takes the place of external-dns' own, which has all providers and so the clients of all clouds.
package factory

import (
	"context"
	"fmt"

	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/pkg/apis/externaldns"
	"sigs.k8s.io/external-dns/provider"
	"sigs.k8s.io/external-dns/provider/rfc2136"
)

// Select returns the only provider that is compared.
func Select(ctx context.Context, cfg *externaldns.Config, filter *endpoint.DomainFilter) (provider.Provider, error) {
	if cfg.Provider != externaldns.ProviderRFC2136 {
		return nil, fmt.Errorf("provider %s is not compiled", cfg.Provider)
	}
	return rfc2136.New(ctx, cfg, filter)
}
