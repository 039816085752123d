import type { Pair, ParsedNode, YAMLMap } from 'yaml'

export type ParsedPair = Pair<ParsedNode, ParsedNode | null>

/** Writes something in place of a value. White space behind it stays, and the comment in a block text's header. */
export function replaceNode(text: string, { range }: ParsedNode, written: string): TextEdit {
  const [start, end] = range
  const old = text.slice(start, end).trimEnd()
  const comment = /^[|>][^\r\n#]*(#[^\r\n]*)/.exec(old)?.[1]
  return { start, end: start + old.length, text: comment === undefined ? written : `${written} ${comment}` }
}

/** Writes the value of a key that may have none yet, or not even a colon. */
export function setValue(text: string, { key, value, srcToken }: ParsedPair, written: string): TextEdit {
  if (value === null) return insert(key.range[1], `: ${written}`)
  if (value.range[0] < value.range[1]) return replaceNode(text, value, written)
  // Behind the colon, or behind the anchor or tag that the missing value has.
  const marks = srcToken?.sep?.filter(({ type }) => ['map-value-ind', 'anchor', 'tag'].includes(type)) ?? []
  const last = marks.at(-1)
  return insert(last === undefined ? key.range[1] : last.offset + last.source.length, ` ${written}`)
}

/** Writes a member behind the opening brace of a map, with the spaces that the brace has. */
export function addInBraces(text: string, map: YAMLMap.Parsed, member: string): TextEdit {
  const at = map.range[0] + 1
  const isSpaced = /\s/.test(text.charAt(at))
  const comma = map.items.length === 0 ? '' : ','
  return insert(at, isSpaced ? ` ${member}${comma}` : `${member}${comma && ', '}`)
}

/** Writes a line below that of a key: a comment behind the key, or above the next one, stays where it is. */
export function addLineBelow({ eol, lineEnd }: YamlLayout, { key }: ParsedPair, line: string): TextEdit {
  return insert(lineEnd(key.range[1]), eol + line)
}

/** Writes lines behind everything. A text without a last line end stays one. */
export function addLinesAtBottom(
  text: string,
  { eol, bottom }: YamlLayout,
  lines: readonly string[],
): TextEdit {
  const written = lines.join(eol)
  const isLineStart = /(?:^\ufeff?|\n)$/.test(text.slice(0, bottom))
  return insert(bottom, isLineStart ? written + eol : eol + written)
}

function insert(at: number, text: string): TextEdit {
  return { start: at, end: at, text }
}

/** A piece of a text that is replaced, by offsets in UTF-16 units; `start` equal to `end` inserts. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The text with all edits made; they must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((edited, edit) => edited.slice(0, edit.start) + edit.text + edited.slice(edit.end), text)
}

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
