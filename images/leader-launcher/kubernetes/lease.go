package kubernetes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"reconstruct.dev/leader-launcher/election"
)

// ErrLost tells that the Lease names another holder or term.
var ErrLost = errors.New("the Lease names another leader")

// ReleaseAnnotation has why the last leader released the Lease.
const ReleaseAnnotation = "reconstruct.dev/leader-release"

// Release is the content of ReleaseAnnotation. operator/controllers/leader/ports/leases.ts describes its fields.
type Release struct {
	By            election.Identity  `json:"by"`
	Term          int64              `json:"term"`
	Reason        string             `json:"reason"`
	ReplicationID string             `json:"replicationId,omitempty"`
	Offset        *int64             `json:"offset,omitempty"`
	To            *election.Identity `json:"to,omitempty"`
}

// Lease renews and releases the Lease of one election in the name of one holder. Not for concurrent use.
type Lease struct {
	Client    *Client
	Namespace string
	Name      string
	Holder    string
	Term      int64
	Duration  time.Duration

	// seen is the object as last written. Renewing it costs one request.
	seen map[string]any
}

func (l *Lease) path() string {
	return fmt.Sprintf("/apis/coordination.k8s.io/v1/namespaces/%s/leases/%s", l.Namespace, l.Name)
}

// Renew writes the present time, only if the Lease names this holder and this term.
// It returns ErrLost if it names others. Every other error leaves open who leads.
func (l *Lease) Renew(ctx context.Context) error {
	err := l.change(ctx, func(spec, _ map[string]any) error {
		spec["renewTime"] = time.Now().UTC().Format("2006-01-02T15:04:05.000000Z")
		spec["leaseDurationSeconds"] = int(l.Duration / time.Second)
		return nil
	})
	return err
}

// Release leaves the Lease without a holder.
func (l *Lease) Release(ctx context.Context, release Release) error {
	l.seen = nil
	text, err := json.Marshal(release)
	if err != nil {
		return err
	}
	return l.change(ctx, func(spec, metadata map[string]any) error {
		delete(spec, "holderIdentity")
		spec["renewTime"] = time.Now().UTC().Format("2006-01-02T15:04:05.000000Z")
		annotations, _ := metadata["annotations"].(map[string]any)
		if annotations == nil {
			annotations = map[string]any{}
		}
		annotations[ReleaseAnnotation] = string(text)
		metadata["annotations"] = annotations
		return nil
	})
}

func (l *Lease) change(ctx context.Context, edit func(spec, metadata map[string]any) error) error {
	for attempt := 0; ; attempt++ {
		isOld := l.seen != nil
		if !isOld {
			var live map[string]any
			if err := l.Client.call(ctx, http.MethodGet, l.path(), nil, &live); err != nil {
				return err
			}
			l.seen = live
		}
		spec, _ := l.seen["spec"].(map[string]any)
		metadata, _ := l.seen["metadata"].(map[string]any)
		if holder, _ := spec["holderIdentity"].(string); holder != l.Holder || termOf(spec) != l.Term || metadata == nil {
			l.seen = nil
			return ErrLost
		}
		if err := edit(spec, metadata); err != nil {
			return err
		}
		sent := l.seen
		l.seen = nil
		var written map[string]any
		err := l.Client.call(ctx, http.MethodPut, l.path(), sent, &written)
		if err == nil {
			l.seen = written
			return nil
		}
		// Somebody else has changed the object, for example its labels. It is read again once.
		if CodeOf(err) != http.StatusConflict || attempt > 1 {
			return err
		}
	}
}

func termOf(spec map[string]any) int64 {
	number, _ := spec["leaseTransitions"].(float64)
	return int64(number)
}
