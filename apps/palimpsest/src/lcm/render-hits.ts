import { type MessageHit, messageRef, rangeRef, type SummaryHit, summaryRef, timeText } from '@palimpsest/lcm'
import { colors } from '../colors.ts'
import { counted } from '../count.ts'
import type { Found } from './found.ts'
import { printable } from './printable.ts'

/** Each hit as a line that says where it is, and below it what stands there. */
export function renderHits(hits: readonly (MessageHit | SummaryHit)[]): string[] {
  const rows = hits.map((hit) => ({ hit, ...('seq' in hit ? messagePlace(hit) : summaryPlace(hit)) }))
  const refWidth = Math.max(0, ...rows.map(({ ref }) => ref.length))
  const whatWidth = Math.max(0, ...rows.map(({ what }) => what.length))
  return rows.flatMap(({ hit, ref, what, where }) => {
    const line = hit.line > 1 ? `, line ${hit.line}` : ''
    const matches = hit.matches > 1 ? `, ${hit.matches} matches` : ''
    const place = `${what.padEnd(whatWidth)}  ${timeText(hit.at)}  ${where}${line}${matches}`
    const text = (hit.context?.split('\n') ?? [hit.snippet]).map(
      (shown) => `    ${highlight(shown, hit.found)}`,
    )
    return [`${colors.cyan(ref.padEnd(refWidth))}  ${colors.dim(place)}`, ...text]
  })
}

function messagePlace({ seq, role, summary, replaced }: MessageHit) {
  const where = replaced ? 'replaced' : summary === null ? 'shown' : `in ${summaryRef(summary)}`
  return { ref: messageRef(seq), what: printable(role), where }
}

function summaryPlace({ number, depth, first, last }: SummaryHit) {
  return { ref: summaryRef(number), what: `depth ${depth}`, where: `covers ${rangeRef(first, last)}` }
}

/** The text on one line, with what was found in it in colour where there are colours. */
function highlight(text: string, found: string): string {
  if (found === '') return printable(text)
  return text
    .split(found)
    .map(printable)
    .join(colors.bold(colors.yellow(printable(found))))
}

/** How a query was read when nothing matched it as it is, and where its words stand. */
export function renderReading(found: readonly Found[]): string[] {
  const [result] = found.flatMap(({ messages, summaries }) => [messages, summaries].filter(isPresent))
  if (found.length !== 1 || result === undefined) return []
  const { ignored = [], terms = [], replacedNotSearched: replaced = 0 } = result
  return [
    ...(ignored.length === 0 ? [] : [`searched without: ${ignored.map(printable).join(', ')}`]),
    ...(terms.length === 0
      ? []
      : [
          `no text has all of these: ${terms.map(({ term, count, isAtLeast }) => `${printable(term)} (${count}${isAtLeast ? '+' : ''})`).join(', ')}`,
        ]),
    ...(replaced === 0
      ? []
      : [`${counted(replaced, 'replaced message')} not searched: --replaced searches them too`]),
  ].map((line) => colors.dim(line))
}

/**
 * How much was searched, and how to see more.
 *
 * @param isCut Sessions are left that were not searched.
 */
export function renderScan(found: readonly Found[], isCut: boolean): string {
  const results = found.flatMap(({ messages, summaries }) => [summaries, messages].filter(isPresent))
  const hits = results.reduce((sum, result) => sum + result.hits.length, 0)
  const messages = found.reduce((sum, result) => sum + (result.messages?.scanned.messages ?? 0), 0)
  const summaries = found.reduce((sum, result) => sum + (result.summaries?.scanned.summaries ?? 0), 0)
  const scanned = [
    ...(found.some((result) => result.summaries) ? [counted(summaries, 'summary', 'summaries')] : []),
    ...(found.some((result) => result.messages) ? [counted(messages, 'message')] : []),
  ]
  const where = found.length > 1 ? ` of ${found.length} sessions` : ''
  const scan = `${counted(hits, 'hit')}; ${scanned.join(' and ')}${where} searched`
  if (!isCut && results.every(({ complete }) => complete)) return colors.dim(`${scan}, which is all`)
  const [stopped] = results.flatMap((result) => result.stopped ?? [])
  const [cursor] = results.flatMap(({ next }) => next ?? [])
  const isOne = results.length === 1 && cursor !== undefined
  const more = isOne ? `there may be more: --cursor ${cursor}` : 'there may be more: --limit, or one session'
  return colors.dim([scan, ...(stopped === undefined ? [] : [stopped]), more].join('; '))
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined
}
