package launcher

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"reconstruct.dev/leader-launcher/election"
)

// peers asks other launchers.
type peers struct {
	tokenFile string
	port      int
	client    *http.Client
}

func newPeers(tokenFile string, port int) *peers {
	transport := &http.Transport{
		MaxIdleConnsPerHost: 1, IdleConnTimeout: 30 * time.Second,
		DialContext: (&net.Dialer{Timeout: 2 * time.Second}).DialContext,
	}
	refuse := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &peers{tokenFile: tokenFile, port: port, client: &http.Client{Transport: transport, CheckRedirect: refuse}}
}

// PromiseRequest asks not to lead. PromiseAnswer is the answer.
type PromiseRequest struct {
	Election string                `json:"election"`
	Term     int64                 `json:"term"`
	Boot     string                `json:"boot"`
	Name     string                `json:"name"`
	Duration election.Milliseconds `json:"duration"`
}

// PromiseAnswer tells whether the launcher promises, and who it is.
type PromiseAnswer struct {
	UID      string `json:"uid"`
	Boot     string `json:"boot"`
	Promised bool   `json:"promised"`
	Problem  string `json:"problem,omitempty"`
}

func (p *peers) status(ctx context.Context, of election.Candidate) (Report, error) {
	var report Report
	err := p.call(ctx, http.MethodGet, of.Address, "/v1/status", nil, &report)
	return report, err
}

// promise asks one candidate. Another start of the same Pod's container may promise too: it could lead as well.
func (p *peers) promise(ctx context.Context, of election.Candidate, request PromiseRequest) error {
	var answer PromiseAnswer
	if err := p.call(ctx, http.MethodPost, of.Address, "/v1/promise", request, &answer); err != nil {
		return err
	}
	if !answer.Promised || answer.UID != of.UID {
		return fmt.Errorf("%s does not promise: %s", of.Name, answer.Problem)
	}
	return nil
}

const longestReport = 64 << 10

func (p *peers) call(ctx context.Context, method, address, path string, body, into any) error {
	token, err := os.ReadFile(p.tokenFile)
	if err != nil {
		return err
	}
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	url := "http://" + net.JoinHostPort(address, strconv.Itoa(p.port)) + path
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	response, err := p.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, longestReport))
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK && response.StatusCode != http.StatusConflict {
		return fmt.Errorf("the launcher at %s answered with status %d", address, response.StatusCode)
	}
	return json.Unmarshal(answer, into)
}
