import type { Decision } from '../log/decision.ts'
import { saysNothingNew, type Words, wordsOf } from '../resolve/near-text.ts'
import { claimant } from './claim.ts'

/** One thing that L1 says. */
export interface Clause {
  readonly text: string
  /** Whose word it is when it is not a part of what the decision's line says: of a claim in another one's decision. */
  readonly note?: string
}

type Written = Pick<Decision, 'l1' | 'merged' | 'status' | 'authority' | 'sources'>

/** Lines that are looked at: 1,000 characters of L1 have fewer that say anything. */
const MAX_LINES = 50
/** The marker of a point of a list, a heading or a quotation. */
const MARKER = /^(?:\s*(?:[-*+•>]|\d{1,3}[.)]|#{1,6})(?:\s|$))+/
const FENCE = /^\s*(?:```|~~~)/

/**
 * L1 as it was written, and what merges added to it: the union of their clauses, each once and in the order in which they
 * were said. A claim that a source of more weight makes too is left out. Empty when nothing was written.
 */
export function l1Clauses(decision: Written): Clause[] {
  const { l1, merged, status, authority: by, sources } = decision
  const kept: { clause: Clause; words: Words }[] = []
  const add = (text: string, note: string | undefined): void => {
    const words = wordsOf(text)
    const isKnown = kept.some(
      (other) =>
        saysNothingNew(words, other.words) && (note !== undefined || other.clause.note === undefined),
    )
    if (isKnown) return
    if (note === undefined)
      for (const other of kept.filter(
        ({ clause, words: said }) => clause.note && saysNothingNew(said, words),
      ))
        kept.splice(kept.indexOf(other), 1)
    kept.push({ clause: { text, ...(note !== undefined && { note }) }, words })
  }
  // The user said the line in own words, and not what the assistant had written below it.
  const isOwnClaim = by === 'stated' && sources[0]?.role === 'assistant'
  for (const text of linesOf(l1)) add(text, isOwnClaim ? claimant(sources[0]) : undefined)
  for (const { l1: detail, authority, source } of merged) {
    const isClaim = authority === 'proposed' && status !== 'proposed'
    for (const text of linesOf(detail)) add(text, isClaim ? claimant(source) : undefined)
  }
  return kept.map(({ clause }) => clause)
}

/** L1 as Markdown: as it was written while nothing was added, else a list of its clauses. Undefined when there is none. */
export function l1Text(decision: Written): string | undefined {
  const clauses = l1Clauses(decision)
  if (clauses.length === 0) return undefined
  if (decision.merged.length === 0 && clauses.every(({ note }) => note === undefined)) return decision.l1
  return clauses.map(({ text, note }) => `- ${text}${note === undefined ? '' : ` (${note})`}`).join('\n')
}

/** The points and paragraphs of a Markdown text, a line each, without the marks of lists, headings and fences. */
function linesOf(markdown = ''): string[] {
  const lines: string[] = []
  let continues = false
  for (const raw of markdown.split(/\r\n|[\n\r\u2028\u2029]/, MAX_LINES)) {
    const line = FENCE.test(raw) ? '' : raw.replace(MARKER, '').trim()
    if (line !== '' && continues && !MARKER.test(raw)) lines.push(`${lines.pop()} ${line}`)
    else if (line !== '') lines.push(line)
    continues = line !== '' && !/^\s*#/.test(raw)
  }
  return lines
}
