/** The layout of a YAML text, where its parser does not tell it. */
export interface YamlLayout {
  /** The line end that the text uses first, else `\n`. */
  readonly eol: string
  /** Where the line that holds an offset ends, before its line end. */
  lineEnd(offset: number): number
  /** The white space that the line of an offset begins with. */
  indentAt(offset: number): string
  /** Where a line can be added behind everything: before the marker `...`, else at the end of the text. */
  readonly bottom: number
}

export function yamlLayout(text: string, contentEnd: number): YamlLayout {
  const marker = /^\.\.\.(?=\s|$)/m.exec(text.slice(contentEnd))
  return {
    eol: /\r?\n/.exec(text)?.[0] ?? '\n',
    lineEnd(offset) {
      const next = text.indexOf('\n', offset)
      if (next < 0) return text.length
      return text[next - 1] === '\r' ? next - 1 : next
    },
    indentAt(offset) {
      const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
      return /^\ufeff?([ \t]*)/.exec(line)?.[1] ?? ''
    },
    bottom: marker === null ? text.length : contentEnd + marker.index,
  }
}
