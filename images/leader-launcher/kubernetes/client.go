// Package kubernetes speaks with the API server: one Lease, and reviews of tokens.
package kubernetes

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// Client sends requests to the API server. It reads its token anew for each, because the kubelet replaces it.
type Client struct {
	Server    string
	TokenFile string
	HTTP      *http.Client
}

// Status is an answer that is not 2xx.
type Status struct {
	Code    int
	Message string
}

func (s *Status) Error() string {
	return fmt.Sprintf("the API server answered %d: %s", s.Code, s.Message)
}

const accounts = "/var/run/secrets/kubernetes.io/serviceaccount/"

// Files that the kubelet mounts into each container.
const (
	DefaultTokenFile = accounts + "token"
	DefaultCAFile    = accounts + "ca.crt"
)

// DefaultServer is the API server that the kubelet names.
func DefaultServer() string {
	return "https://" + net.JoinHostPort(os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT"))
}

// NewClient makes a client. It sends nothing.
func NewClient(server, caFile, tokenFile string) (*Client, error) {
	transport := &http.Transport{
		MaxIdleConnsPerHost: 2, IdleConnTimeout: 30 * time.Second, TLSHandshakeTimeout: 5 * time.Second,
		DialContext: (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
	}
	if strings.HasPrefix(server, "https:") {
		pem, err := os.ReadFile(caFile)
		if err != nil {
			return nil, err
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s has no certificate", caFile)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	// A redirect would carry the token to another server.
	refuse := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{Server: server, TokenFile: tokenFile, HTTP: &http.Client{Transport: transport, CheckRedirect: refuse}}, nil
}

const longestAnswer = 1 << 20

func (c *Client) call(ctx context.Context, method, path string, body, into any) error {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.Server+path, content)
	if err != nil {
		return err
	}
	if c.TokenFile != "" {
		token, err := os.ReadFile(c.TokenFile)
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.HTTP.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, longestAnswer))
	if err != nil {
		return err
	}
	if response.StatusCode/100 != 2 {
		var status struct{ Message string }
		json.Unmarshal(text, &status)
		return &Status{Code: response.StatusCode, Message: status.Message}
	}
	return json.Unmarshal(text, into)
}

// CodeOf returns the HTTP status of an error. 0 if no server answered.
func CodeOf(err error) int {
	var status *Status
	if errors.As(err, &status) {
		return status.Code
	}
	return 0
}
