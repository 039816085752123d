// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours are what this removes
const TERMINAL_CODES = /\u001b(?:\[[0-9;?]{0,16}[A-Za-z]|\][^\u0007\u001b]{0,200}\u0007)/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters become spaces
const SPACES = /[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
const LONE_SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Anything that the replacements below would change; most pieces have nothing of it. */
const UNCLEAN = /[^ -~\u00a1-\u1fff\u2010-\u2027\u2030-\ud7ff]|[ ]{2}/

/**
 * The text on one line: terminal codes removed, white space and control characters collapsed to single
 * spaces, lone surrogates replaced by U+FFFD. What comes out can stand in a list item and start no heading
 * of its own. Callers pass short pieces.
 */
export function oneLine(text: string): string {
  if (!UNCLEAN.test(text)) return text.trim()
  return text.replace(TERMINAL_CODES, '').replace(SPACES, ' ').replace(LONE_SURROGATES, '\ufffd').trim()
}
