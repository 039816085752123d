const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

export function printable(text: string): string {
  return text.replace(/(?<!\s)\s*\n\s*/g, ' ⏎ ').replace(CONTROL, visible)
}

export function printableLines(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(CONTROL, (character) =>
      character === '\n' || character === '\t' ? character : visible(character),
    )
}

function visible(character: string): string {
  const code = character.charCodeAt(0)
  if (character === '\t') return ' '
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}
