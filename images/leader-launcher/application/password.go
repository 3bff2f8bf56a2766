package application

import (
	"errors"
	"os"
	"strings"
)

// Password logs in, and sets what clients and leaders ask for. The server has no port before the first login has succeeded, because
// nothing else is sent after an error. The file may change: the server then gets the new password.
type Password struct {
	File string
	// Username is the user of the password. Empty for the default one, whose password is set.
	Username string
	// accepted is the last password of the server, which it has until it gets a new one.
	accepted string
}

// NewPassword returns nil without a file.
func NewPassword(file, username string) *Password {
	if file == "" {
		return nil
	}
	return &Password{File: file, Username: username}
}

// Login prepares a new connection.
func (p *Password) Login(send Send) error {
	if p == nil {
		return nil
	}
	password, err := p.read()
	if err != nil {
		return err
	}
	if err := p.enter(send, password); err != nil {
		return err
	}
	p.accepted = password
	if p.Username != "" {
		if err := send("CONFIG", "SET", "masteruser", p.Username); err != nil {
			return err
		}
	}
	return send("CONFIG", "SET", "masterauth", password)
}

// HasChanged tells whether the file has another password than the server.
func (p *Password) HasChanged() bool {
	if p == nil || p.accepted == "" {
		return false
	}
	password, err := p.read()
	return err == nil && password != p.accepted
}

func (p *Password) read() (string, error) {
	text, err := os.ReadFile(p.File)
	if err != nil {
		return "", err
	}
	password := strings.TrimRight(string(text), "\r\n")
	if password == "" {
		return "", errors.New("the password file is empty")
	}
	return password, nil
}

func (p *Password) enter(send Send, password string) error {
	// An ACL knows the password of a user, which is not changed here.
	if p.Username != "" {
		return send("AUTH", p.Username, password)
	}
	err := send("AUTH", password)
	if err == nil {
		return nil
	}
	if strings.Contains(err.Error(), "without any password") {
		return send("CONFIG", "SET", "requirepass", password)
	}
	if p.accepted == "" || send("AUTH", p.accepted) != nil {
		return err
	}
	return send("CONFIG", "SET", "requirepass", password)
}
