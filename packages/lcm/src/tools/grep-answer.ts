import type { SummarySearchResult } from '../search/search-summaries.ts'
import type { MessageHit, SearchResult, SummaryHit, TermCount } from '../search/search-types.ts'
import { labelText, messageRef, rangeRef, summaryRef, timeText } from './refs.ts'

/** A page of hits in messages as `lcm_grep` answers it. */
export function messageHits(result: SearchResult<MessageHit>) {
  const { messages, from, to } = result.scanned
  const scanned = {
    messages,
    from: from === null ? null : messageRef(from),
    to: to === null ? null : messageRef(to),
  }
  const { replacedNotSearched: left } = result
  const replaced = left === undefined ? {} : { replaced_not_searched: left }
  return { ...frame(result, scanned, 'messages'), ...replaced, hits: result.hits.map(messageHit) }
}

/** A page of hits in summaries as `lcm_grep` answers it. */
export function summaryHits(result: SummarySearchResult) {
  const { summaries, from, to } = result.scanned
  const scanned = {
    summaries,
    from: from === null ? null : summaryRef(from),
    to: to === null ? null : summaryRef(to),
  }
  return { ...frame(result, scanned, 'summaries'), hits: result.hits.map(summaryHit) }
}

function messageHit({ seq, role, at, replaced, offset, summary, terms, repeats, ...hit }: MessageHit) {
  return {
    ref: messageRef(seq),
    role: labelText(role),
    time: timeText(at),
    ...(terms !== undefined && { has: terms }),
    ...(repeats !== undefined && { repeats }),
    ...match(hit),
    offset,
    summary: summary === null ? null : summaryRef(summary),
    ...(replaced && { replaced }),
  }
}

function summaryHit({ number, depth, first, last, at, ...hit }: SummaryHit) {
  return { ref: summaryRef(number), depth, covers: rangeRef(first, last), time: timeText(at), ...match(hit) }
}

function match({
  matches,
  line,
  snippet,
  context,
}: Pick<MessageHit, 'matches' | 'line' | 'snippet' | 'context'>) {
  return { matches, line, snippet, ...(context !== undefined && { context }) }
}

const HINT = {
  messages: 'no message has all of these words; try fewer or others, or lcm_expand_query for a question',
  summaries: 'no summary has all of these words; try fewer or others, or search the messages',
}

const RANKED = 'no message has all of these words; these have some of them, the best first; "has" says which'

/** The answer without its hits: a model has to know it even if it reads no further. */
function frame<Scanned extends object>(
  result: Omit<SearchResult<unknown>, 'scanned'>,
  scanned: Scanned,
  unit: keyof typeof HINT,
) {
  const { complete, next, matched, order, stopped, ignored, split, terms } = result
  return {
    complete,
    next,
    ...(stopped !== undefined && { stopped }),
    matched,
    ...(order !== undefined && { order }),
    ...(ignored !== undefined && { ignored }),
    ...(split !== undefined && { split }),
    ...(terms !== undefined && {
      terms: terms.map((term) => termCount(term, unit)),
      hint: order === undefined ? HINT[unit] : RANKED,
    }),
    scanned,
  }
}

function termCount({ term, count, isAtLeast }: TermCount, unit: string) {
  return { term: labelText(term), [unit]: isAtLeast ? `${count}+` : count }
}
