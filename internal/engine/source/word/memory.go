package word

// Memory is where a reader puts commands and their words, so that the next
// conversion can use it again. Commands and words are good until Reset. A nil
// Memory works: then everything is new.
type Memory struct {
	words    [64]Word
	used     int // of words
	commands [4]Command
}

// Words returns an empty list with room for n words, which the caller makes
// where there is none left.
func (m *Memory) Words(n int) (list []Word, ok bool) {
	if m == nil || n > len(m.words)-m.used {
		return nil, false
	}
	m.used += n
	return m.words[m.used-n : m.used-n : m.used], true
}

// Commands returns the empty list of the commands of a text, once.
func (m *Memory) Commands() []Command {
	if m == nil {
		return nil
	}
	return m.commands[:0]
}

// Reset makes room for the words of the next conversion.
func (m *Memory) Reset() {
	m.used = 0
}
