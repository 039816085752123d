import { type ConversationLog, InvalidOptionError } from '@palimpsest/core'
import type { z } from '@palimpsest/core/options'
import { wordsOf } from '../engine/conversation.ts'
import type { SessionRecord } from '../engine/recorder.ts'
import { type Decision, decidingSource, isContested } from '../log/decision.ts'
import { standingEvents } from '../log/decision-event.ts'
import { normalSubject, type Source } from '../log/source.ts'
import { headline, MATCH_THRESHOLD, matchScores } from '../render/entries.ts'
import { lineText } from '../render/line-text.ts'
import type { explainSchema, listSchema } from './tool-schemas.ts'

export interface ReadingInput {
  readonly log: ConversationLog
  readonly isRead: boolean
}

const LIST_CHARACTERS = 15_000
const VALUE_TOKENS = 60
const MAX_LISTED = 12
const CONTEXT_CHARACTERS = 200

export function list(
  { query, limit = 20, cursor = '0', ...filters }: z.output<ReturnType<typeof listSchema>>,
  { ledger, session }: SessionRecord,
  { isRead }: ReadingInput,
): object {
  const fitting = ledger.all.filter((decision) => isFitting(decision, filters))
  const scores = query === undefined ? undefined : matchScores(query, fitting)
  const found =
    scores === undefined
      ? fitting
      : fitting
          .filter(({ id }) => (scores.get(id) ?? 0) > MATCH_THRESHOLD / 10)
          .sort((a, b) => (scores.get(b.id) ?? 0) - (scores.get(a.id) ?? 0))
  const from = Number(cursor)
  const shown = fitItems(
    found.slice(from, from + limit).map((decision) => facts(decision, session)),
    LIST_CHARACTERS,
  )
  const end = from + shown.length
  return {
    total: found.length,
    next: end < found.length ? String(end) : null,
    ...(found.length === 0 && {
      on_record: ledger.all.length,
      hint: 'nothing fits; try status "all" or fewer filters',
    }),
    ...(!isRead && {
      note: 'no model reads this conversation: only what was recorded with decisions_record is on record',
    }),
    decisions: shown,
  }
}

type Filters = Pick<z.output<ReturnType<typeof listSchema>>, 'subject' | 'status' | 'kind' | 'category'>

function isFitting(decision: Decision, { subject, status = 'active', kind, category }: Filters): boolean {
  return (
    (subject === undefined || normalSubject(decision.subject) === normalSubject(subject)) &&
    (kind === undefined || decision.kind === kind) &&
    (category === undefined || decision.category === category) &&
    (status === 'all' || (status === 'contested' ? isContested(decision) : decision.status === status))
  )
}

function fitItems<Item>(items: readonly Item[], characters: number): readonly Item[] {
  let left = characters
  const over = items.findIndex((item) => {
    left -= JSON.stringify(item).length + 1
    return left < 0
  })
  return over === -1 ? items : items.slice(0, over)
}

export function facts(decision: Decision, session: string) {
  const { id, kind, category, subject, value, status, authority, contestedBy } = decision
  const source = decidingSource(decision)
  return {
    id,
    kind,
    category,
    subject: lineText(subject, 30),
    value: lineText(value, kind === 'rule' ? 200 : VALUE_TOKENS),
    status,
    authority,
    turn: source.turn,
    ...(source.session !== session && { session: lineText(source.session, VALUE_TOKENS) }),
    l0: headline(decision),
    ...(contestedBy.length > 0 && { contested_by: contestedBy.slice(0, 5) }),
  }
}

export async function explain(
  { id }: z.output<ReturnType<typeof explainSchema>>,
  { ledger, session }: SessionRecord,
  { log }: ReadingInput,
): Promise<object> {
  const decision = findDecision(ledger.all, id)
  const { sources, reason, l1, merged, ended } = decision
  const shown =
    sources.length <= MAX_LISTED ? sources : [...sources.slice(0, 1), ...sources.slice(1 - MAX_LISTED)]
  const events = standingEvents(ledger.events).filter(
    (event) =>
      event.decision === decision.id || ('supersededBy' in event && event.supersededBy === decision.id),
  )
  const before = chain(decision, ({ supersedes }) => supersedes, ledger.get).reverse()
  const after = chain(
    decision,
    ({ supersededBy }) => (supersededBy === undefined ? [] : [supersededBy]),
    ledger.get,
  )
  return {
    ...facts(decision, session),
    scope: lineText(decision.scope, VALUE_TOKENS),
    found_by: decision.by,
    ...(reason !== undefined && { reason: lineText(reason, 80) }),
    ...(l1 !== undefined && { l1: l1.slice(0, 1_500) }),
    ...(merged.length > 0 && { details: merged.slice(-MAX_LISTED).map((each) => lineText(each.text, 80)) }),
    ...(ended !== undefined && { ended: await sourceFacts(ended.source, log) }),
    chain: [...before, decision, ...after].map((each) => ({
      id: each.id,
      value: lineText(each.value, VALUE_TOKENS),
      status: each.status,
      turn: decidingSource(each).turn,
      ...(each.ended && { until_turn: each.ended.source.turn }),
      ...(each.ended?.reason !== undefined && { reason: lineText(each.ended.reason, 40) }),
    })),
    sources: fitItems(
      await Promise.all(shown.map((source) => sourceFacts(source, log))),
      LIST_CHARACTERS / 2,
    ),
    events: events.slice(-MAX_LISTED).map(({ type, at, authority, by, source }) => ({
      type,
      at: new Date(at).toISOString(),
      authority,
      by,
      turn: source.turn,
    })),
  }
}

function chain(
  start: Decision,
  next: (decision: Decision) => readonly string[],
  get: (id: string) => Decision | undefined,
): Decision[] {
  const found: Decision[] = []
  const seen = new Set([start.id])
  for (let waiting = next(start); waiting.length > 0 && found.length < MAX_LISTED; ) {
    const step = waiting.filter((id) => !seen.has(id)).flatMap((id) => get(id) ?? [])
    for (const { id } of step) seen.add(id)
    found.push(...step)
    waiting = step.flatMap(next)
  }
  return found
}

async function sourceFacts({ session, seq, turn, role, start, end, quote }: Source, log: ConversationLog) {
  const stored = await log.open()
  const isOwn = session === stored.key
  const [found] = isOwn ? await stored.messages({ first: seq, last: seq, includeReplaced: true }) : []
  const text = found?.message ? wordsOf(found.message) : ''
  const isThere = text.slice(start, end) === quote
  return {
    role,
    turn,
    message: `m${seq}`,
    ...(!isOwn && { session: lineText(session, VALUE_TOKENS) }),
    quote: quote.slice(0, 800).toWellFormed(),
    ...(isOwn && { check: isThere ? 'verified' : 'missing' }),
    ...(isThere && {
      context: text
        .slice(Math.max(0, start - CONTEXT_CHARACTERS), end + CONTEXT_CHARACTERS)
        .slice(0, 1_200)
        .toWellFormed(),
    }),
  }
}

/** @throws InvalidOptionError if no decision or more than one has an id with this beginning. */
export function findDecision(all: readonly Decision[], given: string): Decision {
  const id = given.replace(/^\[|\]$/g, '').toLowerCase()
  const fitting = all.filter(
    (decision) => decision.id === id || (id.length > 4 && decision.id.startsWith(id)),
  )
  const [first, second] = fitting
  if (first === undefined)
    throw new InvalidOptionError(
      'id',
      `there is no decision "${lineText(given, 15)}"; decisions_list gives their ids`,
    )
  if (second === undefined || first.id === id) return first
  throw new InvalidOptionError('id', `"${lineText(given, 15)}" begins ${fitting.length} ids; give more of it`)
}
