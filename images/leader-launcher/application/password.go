package application

import (
	"errors"
	"os"
	"strings"
)

// Password logs in, and sets what clients and leaders ask for. The server has no port at that time. The file is read for each
// connection. A server that cannot be secured is never opened, because nothing else is sent after an error.
func Password(file, username string) Login {
	if file == "" {
		return nil
	}
	return func(send Send) error {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		password := strings.TrimRight(string(text), "\r\n")
		if password == "" {
			return errors.New("the password file is empty")
		}
		if err := enter(send, username, password); err != nil {
			return err
		}
		if username != "" {
			if err := send("CONFIG", "SET", "masteruser", username); err != nil {
				return err
			}
		}
		return send("CONFIG", "SET", "masterauth", password)
	}
}

func enter(send Send, username, password string) error {
	if username != "" {
		return send("AUTH", username, password)
	}
	err := send("AUTH", password)
	// The server was started without a password, or anybody may log in. Both end here.
	if err != nil && strings.Contains(err.Error(), "without any password") {
		return send("CONFIG", "SET", "requirepass", password)
	}
	return err
}
