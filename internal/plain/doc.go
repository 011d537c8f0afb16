// Package plain answers at once the commands that most texts hold: curl with a
// URL, header fields and data, quoted as every POSIX shell reads them, with
// nothing to guess. One pass over the text finds the words, which are slices
// of it, and what is asked for goes straight into the answer.
//
// It knows no rule of its own. What it answers, the full grammar answers with
// the same bytes (a fuzz target holds that), and whatever it is not sure of it
// declines: other shells, pasted noise, values of variables, contents of
// files, the rarer options, and errors, but for the commonest: the data is in a
// file that is not there. So it may be left out anywhere, at no cost but time.
package plain
