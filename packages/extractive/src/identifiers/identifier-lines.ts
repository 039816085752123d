import { IDENTIFIER_KINDS, type Identifier, type IdentifierKind } from './identifier.ts'

const LABELS: Readonly<Record<IdentifierKind, string>> = {
  path: 'paths',
  symbol: 'symbols',
  setting: 'settings',
  error: 'errors',
  url: 'urls',
  branch: 'branches',
  reference: 'references',
  hash: 'hashes',
  version: 'versions',
  number: 'numbers',
  quoted: 'names',
}
const KINDS = new Map(IDENTIFIER_KINDS.map((kind) => [LABELS[kind], kind]))

/**
 * One line per kind, `label: a b c`, in the order given within each kind. Identifiers are separated by
 * spaces, which costs no token of its own; one that holds a space or a quote stands in double quotes.
 */
export function identifierLines(identifiers: readonly Identifier[], labelPrefix = ''): string[] {
  const groups = new Map<IdentifierKind, string[]>()
  for (const { text, kind } of identifiers) {
    const group = groups.get(kind)
    if (group === undefined) groups.set(kind, [written(text)])
    else group.push(written(text))
  }
  return IDENTIFIER_KINDS.filter((kind) => groups.has(kind)).map(
    (kind) => `${labelPrefix}${LABELS[kind]}: ${groups.get(kind)?.join(' ')}`,
  )
}

/** Reads a line back. `bare`: also without the prefix `other `, as in an appendix. Undefined for other lines. */
export function parseIdentifierLine(line: string, bare: boolean): Identifier[] | undefined {
  const match = /^(other )?([a-z]{4,10}): (.+)$/.exec(line)
  const kind = KINDS.get(match?.[2] ?? '')
  if (match === null || kind === undefined || (match[1] === undefined && !bare)) return undefined
  const words = match[3]?.match(/"[^"]+"|[^\s"]+/g) ?? []
  return words.map((word) => ({ text: word.replace(/^"|"$/g, ''), kind }))
}

function written(text: string): string {
  return /[\s"]/.test(text) ? `"${text.replaceAll('"', '')}"` : text
}
