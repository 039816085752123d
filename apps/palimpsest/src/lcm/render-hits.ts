import {
  type MessageHit,
  messageRef,
  rangeRef,
  type SessionHits,
  type SummaryHit,
  summaryRef,
  timeText,
} from '@palimpsest/lcm'
import { colors } from '../colors.ts'
import { counted } from '../count.ts'
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

/** Says how a query was read when nothing matched it as it is, and where its words stand. */
export function renderReading(found: SessionHits): string[] {
  const result = found.messages ?? found.summaries
  if (result === undefined) return []
  const { order, replacedNotSearched: replaced = 0 } = result
  return [
    ...(order === undefined ? [] : ['no text has all of these words: the best of those that have some']),
    ...(replaced === 0
      ? []
      : [`${counted(replaced, 'replaced message')} not searched: --replaced searches them too`]),
  ].map((line) => colors.dim(line))
}

/** Says how much of a session was searched, and how to see more. */
export function renderScan(found: SessionHits): string {
  const { messages, summaries } = found
  const results = resultsOf(found)
  const scanned = [
    ...(summaries ? [counted(summaries.scanned.summaries, 'summary', 'summaries')] : []),
    ...(messages ? [counted(messages.scanned.messages, 'message')] : []),
  ]
  const scan = `${counted(hitsOf(results), 'hit')}; ${scanned.join(' and ')} searched`
  if (results.every(({ complete }) => complete)) return colors.dim(`${scan}, which is all`)
  const [stopped] = results.flatMap((result) => result.stopped ?? [])
  const [cursor] = results.flatMap(({ next }) => next ?? [])
  const isOne = results.length === 1 && cursor !== undefined
  const more = isOne ? `there may be more: --cursor ${cursor}` : 'there may be more: --limit'
  // Behind a message that a pattern takes too long on, a command goes no further.
  const ends = stopped !== undefined && cursor === undefined
  return colors.dim([scan, ...(stopped ? [stopped] : []), ...(ends ? [] : [more])].join('; '))
}

/** The same of all sessions. */
export function renderAll(found: readonly SessionHits[], complete: boolean): string {
  const hits = hitsOf(found.flatMap(resultsOf))
  const where = `${counted(hits, 'hit')} in ${counted(found.length, 'session')}`
  const rest = complete ? 'all sessions were searched' : 'there may be more: --limit, or one session'
  return colors.dim(`${where}; ${rest}`)
}

function resultsOf({ messages, summaries }: SessionHits) {
  return [summaries, messages].filter((result) => result !== undefined)
}

function hitsOf(results: readonly { readonly hits: readonly unknown[] }[]): number {
  return results.reduce((sum, { hits }) => sum + hits.length, 0)
}
