import type { TokenCounter } from '@palimpsest/core'

/** Counts lines with their ends; each text once. */
export function countOnce(tokens: TokenCounter): (line: string) => number {
  const known = new Map<string, number>()
  return (line) => {
    const count = known.get(line) ?? tokens.countText(`${line}\n`)
    known.set(line, count)
    return count
  }
}
