package oracle

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"strconv"
	"strings"
)

// acceptSOCKS answers a SOCKS client as a proxy would that has reached the
// host. It returns the hop for Request.Via.
func acceptSOCKS(conn io.Writer, br *bufio.Reader) (hop string, err error) {
	version, err := br.ReadByte()
	if err != nil {
		return "", err
	}
	if version == 4 {
		return acceptSOCKS4(conn, br)
	}
	return acceptSOCKS5(conn, br)
}

func acceptSOCKS4(conn io.Writer, br *bufio.Reader) (string, error) {
	var fixed [7]byte // command, port, address
	if _, err := io.ReadFull(br, fixed[:]); err != nil {
		return "", err
	}
	user, err := br.ReadString(0)
	if err != nil {
		return "", err
	}
	host := net.IP(fixed[3:]).String()
	if host == "0.0.0.1" {
		// An address that cannot be, of those the one that curl takes: the
		// name follows.
		if host, err = br.ReadString(0); err != nil {
			return "", err
		}
		host = strings.TrimSuffix(host, "\x00")
	}
	if _, err := conn.Write([]byte{0, 0x5a, 0, 0, 0, 0, 0, 0}); err != nil {
		return "", err
	}
	return socksHop("socks4", strings.TrimSuffix(user, "\x00"), host, fixed[1:3]), nil
}

func acceptSOCKS5(conn io.Writer, br *bufio.Reader) (string, error) {
	methods, err := readCounted(br)
	if err != nil {
		return "", err
	}
	user := ""
	const none, password = 0, 2
	if strings.IndexByte(methods, password) >= 0 {
		// Ask for the password, to see it.
		if user, err = socksPassword(conn, br); err != nil {
			return "", err
		}
	} else if _, err := conn.Write([]byte{5, none}); err != nil {
		return "", err
	}
	var fixed [4]byte // version, command, reserved, kind of address
	if _, err := io.ReadFull(br, fixed[:]); err != nil {
		return "", err
	}
	host := ""
	switch fixed[3] {
	case 1:
		host, err = readIP(br, net.IPv4len)
	case 4:
		host, err = readIP(br, net.IPv6len)
	default:
		host, err = readCounted(br)
	}
	var port [2]byte
	if err == nil {
		_, err = io.ReadFull(br, port[:])
	}
	if err == nil {
		_, err = conn.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
	}
	return socksHop("socks5", user, host, port[:]), err
}

// socksPassword lets any user in and returns user:password.
func socksPassword(conn io.Writer, br *bufio.Reader) (string, error) {
	if _, err := conn.Write([]byte{5, 2}); err != nil {
		return "", err
	}
	if _, err := br.ReadByte(); err != nil {
		return "", err
	}
	user, err := readCounted(br)
	if err != nil {
		return "", err
	}
	password, err := readCounted(br)
	if err != nil {
		return "", err
	}
	_, err = conn.Write([]byte{1, 0})
	return user + ":" + password, err
}

// readCounted reads a byte that counts and the bytes that it counts.
func readCounted(br *bufio.Reader) (string, error) {
	n, err := br.ReadByte()
	if err != nil {
		return "", err
	}
	buf := make([]byte, n)
	_, err = io.ReadFull(br, buf)
	return string(buf), err
}

func readIP(br *bufio.Reader, size int) (string, error) {
	ip := make(net.IP, size)
	_, err := io.ReadFull(br, ip)
	return ip.String(), err
}

func socksHop(protocol, user, host string, port []byte) string {
	if user != "" {
		user += "@"
	}
	return protocol + " " + user + net.JoinHostPort(host, strconv.Itoa(int(binary.BigEndian.Uint16(port))))
}
