package diag

// Level returns the level that warnings of the code have. A code that is not
// known here is one of doubt, and so is that of an error which became a
// warning, because it concerns only a part of the text.
func (c Code) Level() Level {
	switch c {
	case WarnRedundantMethod, WarnDeprecated, WarnJSONSentAsForm,
		WarnURLCredentials, WarnSecret, WarnInsecure,
		WarnPlaceholder, WarnVariableKept, WarnFileNotSupplied, WarnClockDependent, WarnNegotiated,
		WarnPastedNoise, WarnOtherCommand, WarnPipedOutput, WarnConditional, WarnSchemeGuessed, WarnBrowserAdds, WarnUnquotedQuestion, WarnSecretMoved, WarnPlaceholderMoved,
		WarnFieldsDropped:
		return LevelAdvice
	}
	return LevelDoubt
}
