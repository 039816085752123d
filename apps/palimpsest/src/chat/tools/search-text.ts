import type { ByteSource } from './byte-source.ts'
import { runBounded } from './run-bounded.ts'
import { TOOL_LIMITS } from './tool-limits.ts'

/** A line that matches. */
export interface LineMatch {
  /** From 1. */
  readonly line: number
  readonly text: string
}

/** Characters that are shown of a long line, around what was found. */
const SHOWN = 300

/**
 * Finds the lines of a text that match, piece by piece, so that a file may be of any size. A line that is longer than a
 * piece is searched in pieces.
 *
 * @param limit lines to find at most.
 * @throws ToolFault when the pattern takes too long.
 */
export async function searchText(
  source: ByteSource,
  pattern: RegExp,
  limit: number,
  check: () => void,
): Promise<LineMatch[]> {
  const decoder = new TextDecoder('utf-8')
  const matches: LineMatch[] = []
  let rest = ''
  let line = 1
  for (let position = 0; matches.length < limit; ) {
    check()
    const chunk = await source.read(position, TOOL_LIMITS.chunkBytes)
    const isEnd = chunk.length < TOOL_LIMITS.chunkBytes
    position += chunk.length
    const lines = (rest + decoder.decode(chunk, { stream: !isEnd })).split('\n')
    const last = lines.pop() ?? ''
    const isPiece = isEnd || last.length > TOOL_LIMITS.chunkBytes
    rest = isPiece ? '' : last
    if (isPiece && last !== '') lines.push(last)
    const found = isPlain(pattern)
      ? matching(lines, pattern)
      : runBounded(() => matching(lines, pattern), 'the pattern')
    for (const { index, text } of found.slice(0, limit - matches.length))
      matches.push({ line: line + index, text })
    line += lines.length
    if (isEnd) break
  }
  return matches
}

/** True for a pattern that cannot but be fast, because nothing in it can be tried in more than one way. */
function isPlain({ source }: RegExp): boolean {
  return !/[(*+{?]/.test(source)
}

function matching(
  lines: readonly string[],
  pattern: RegExp,
): { readonly index: number; readonly text: string }[] {
  const found: { index: number; text: string }[] = []
  for (const [index, ended] of lines.entries()) {
    const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended
    const at = line.search(pattern)
    if (at !== -1) found.push({ index, text: around(line, at) })
  }
  return found
}

function around(line: string, at: number): string {
  if (line.length <= SHOWN) return line
  const start = Math.max(0, at - SHOWN / 3)
  const end = start + SHOWN
  return `${start > 0 ? '…' : ''}${line.slice(start, end).toWellFormed()}${end < line.length ? '…' : ''}`
}
