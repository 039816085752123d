import { factTexts } from '../identifiers/appendix-text.ts'
import type { Identifier } from '../identifiers/identifier.ts'
import { parseIdentifierLine } from '../identifiers/identifier-lines.ts'
import { oneLine } from '../text/one-line.ts'
import { shorten } from '../text/shorten.ts'
import { type Header, NO_HEADER, parseHeaderLine } from './header-line.ts'
import { type HeadingTarget, headingSlot } from './heading-slot.ts'
import { type Item, turnOf } from './item.ts'

/** Characters of an earlier summary that are read; more than any summary has. */
const MAX_SUMMARY_CHARS = 400_000
/** Characters that our first line has at most. */
const MAX_HEADER_CHARS = 400
/** Characters of one item: code and long notes of a model are cut to this. */
const MAX_ITEM_CHARS = 1200

/** An earlier summary, taken apart. */
export interface ParsedSummary {
  /** True when this package wrote it. */
  readonly own: boolean
  readonly header: Header
  readonly items: readonly Item[]
  /** Identifiers of its identifier lines, in their order. */
  readonly identifiers: readonly Identifier[]
}

/** What an absent summary parses to. */
export const NO_SUMMARY: ParsedSummary = { own: false, header: NO_HEADER, items: [], identifiers: [] }

/**
 * Takes a summary apart by its headings, whoever wrote it: `##` or `###`, bold or numbered headings, bullets,
 * numbers or paragraphs. What stands under an unknown heading keeps it; text without any heading is critical
 * context. Our own first line is recognised and not taken for content.
 */
export function parseSummary(summary: string | undefined): ParsedSummary {
  if (summary === undefined || summary.trim() === '') return NO_SUMMARY
  const items: Item[] = []
  const identifiers: Identifier[] = []
  let header: Header | undefined
  let headers = 0
  let target: HeadingTarget = { slot: 'Critical Context', prefix: '' }
  let pending = ''
  const flush = (): void => {
    const whole = oneLine(pending)
    pending = ''
    if (whole === '' || /^\(?(?:none|n\/a|nothing)\)?\.?$/i.test(whole)) return
    const facts = target.identifiers === true ? factTexts(whole) : []
    for (const text of facts) items.push({ slot: target.slot, text, turn: -1, weight: 0.5 })
    if (facts.length > 0) return
    const line = parseIdentifierLine(whole, target.identifiers === true)
    const text = shorten(whole, MAX_ITEM_CHARS)
    if (line !== undefined) identifiers.push(...line)
    else
      items.push({
        slot: target.slot,
        text: shorten(target.prefix + text, MAX_ITEM_CHARS),
        turn: turnOf(text),
        weight: 0.5,
      })
  }
  for (const line of summary.slice(0, MAX_SUMMARY_CHARS).split('\n')) {
    const ownLine = line.startsWith('[') ? parseHeaderLine(line) : undefined
    if (ownLine !== undefined) {
      flush()
      headers++
      header ??= ownLine
      continue
    }
    const next = headingSlot(line, target)
    if (next !== undefined) {
      flush()
      target = next
      continue
    }
    const bullet = /^(\s*)(?:[-*•]|\d{1,3}[.)])\s+/.exec(line)
    // Each line of an appendix is one list.
    if (target.identifiers === true) flush()
    // A nested bullet belongs to the one above it, as long as that stays one line to read.
    const nested =
      bullet !== null &&
      (bullet[1] ?? '').length > 1 &&
      pending !== '' &&
      pending.length + line.length < MAX_ITEM_CHARS / 2
    if (line.trim() === '' || (bullet !== null && !nested)) flush()
    const text = bullet === null ? line : line.slice(bullet[0].length)
    pending =
      pending === '' ? text : `${pending}${nested && !pending.trimEnd().endsWith(':') ? '; ' : ' '}${text}`
  }
  flush()
  const own =
    headers === 1 && parseHeaderLine(summary.slice(0, MAX_HEADER_CHARS).split('\n', 1)[0] ?? '') !== undefined
  return { own, header: header ?? { ...NO_HEADER, earlier: items.length > 0 }, items, identifiers }
}
