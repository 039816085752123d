import { InvalidOptionError, redactSecrets, runEngineTool, type ToolSchema } from '@palimpsest/core'
import { lazily, readToolArguments, toolSchema, z } from '@palimpsest/core/options'
import type { OpenedSession } from '../engine/open-session.ts'
import type { Recorder } from '../engine/recorder.ts'
import type { SessionRecord } from '../engine/session-record.ts'
import type { Proven } from '../extract/candidate.ts'
import { findQuote } from '../extract/find-quote.ts'
import { isPasted } from '../extract/pasted.ts'
import { type Decision, decidingSource, isContested } from '../log/decision.ts'
import { CATEGORIES, KINDS, type Statement, standingEvents } from '../log/decision-event.ts'
import { hashText, normalSubject, type Source, type SourceMessage, type Span } from '../log/source.ts'
import { headline, MATCH_THRESHOLD, matchScores } from '../render/entries.ts'
import { lineText } from '../render/line-text.ts'

/** The tools of a conversation: what a model is offered, and what runs when it calls one. */
export interface DecisionsTools {
  readonly schemas: readonly ToolSchema[]
  /**
   * Runs a tool. Returns JSON text of at most 20,000 characters, `{"error": …}` when it cannot do what was asked. Never
   * throws; rejects with `signal.reason` when it is aborted.
   */
  call(name: string, args: unknown, signal?: AbortSignal): Promise<string>
}

export interface DecisionsToolsInput {
  readonly recorder: Recorder
  readonly opened: OpenedSession
  /** A model reads the turns. */
  readonly isRead: boolean
}

/** Characters of an answer at most, and of its lists. */
const ANSWER_CHARACTERS = 20_000
const LIST_CHARACTERS = 15_000
const VALUE_TOKENS = 60
/** Sources, events and earlier values that are explained. */
const MAX_LISTED = 12
const CONTEXT_CHARACTERS = 200
const STATUSES = ['active', 'proposed', 'superseded', 'retracted', 'contested', 'all'] as const

const text = (max: number, description: string) => z.string().trim().min(1).max(max).describe(description)
const idSchema = lazily(() => text(100, 'Such as "d1a2b3c4d5e6", or its beginning.'))

/** Models write numbers as text now and then, and ask for more than there is: both are understood. */
function numberOf(value: unknown): unknown {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' ? Math.min(number, 100) : number
}

const listSchema = lazily(() =>
  z.object({
    query: text(2_000, 'Words of the subject: the best matches first.').optional(),
    subject: text(200, 'One subject, such as "database".').optional(),
    status: z
      .enum(STATUSES)
      .optional()
      .describe('"active": what holds (default). "contested": active ones in doubt.'),
    kind: z.enum(KINDS).optional(),
    category: z.enum(CATEGORIES).optional(),
    limit: z.preprocess(numberOf, z.int().min(1)).optional().describe('1 to 100; default 20.'),
    cursor: z
      .preprocess(
        (value) => (typeof value === 'number' ? String(value) : value),
        z.string().regex(/^\d{1,9}$/),
      )
      .optional()
      .describe('"next" of the previous answer, with the same filters.'),
  }),
)
const explainSchema = lazily(() => z.object({ id: idSchema() }))
const recordSchema = lazily(() =>
  z.object({
    subject: text(100, 'What it is about, in 1 to 4 words: "database", "retry limit".'),
    value: text(600, 'What was decided, as it was said: "MySQL", "30 s"; of a rule, its words.'),
    kind: z.enum(KINDS).optional().describe('Default: choice.'),
    category: z.enum(CATEGORIES).optional(),
    reason: text(300, 'In the words of who decided it.').optional(),
    replaces: text(300, 'The id or the value that it replaces.').optional(),
    quote: text(1_000, "The user's words that decide it, copied exactly.").optional(),
  }),
)
const retractSchema = lazily(() =>
  z.object({
    id: idSchema(),
    reason: text(300, 'Why it no longer holds.'),
    quote: text(
      1_000,
      "The user's words that end it, copied exactly. Needed for what the user stated.",
    ).optional(),
  }),
)

const toolSchemas = lazily((): readonly ToolSchema[] => [
  toolSchema(
    'decisions_list',
    'Lists what is on record, also what the list at the top leaves out. "next" is the cursor for more.',
    listSchema(),
  ),
  toolSchema(
    'decisions_explain',
    'Why something is on record: the words, who said them in which turn, what it replaced and what replaced it.',
    explainSchema(),
  ),
  toolSchema(
    'decisions_record',
    'Records a choice, value, rule, date or fact that later work rests on, as soon as the user decides it. With a quote of the ' +
      'user it counts as decided; without one it is your proposal.',
    recordSchema(),
  ),
  toolSchema(
    'decisions_retract',
    'Takes back a decision that nothing replaces. For a new value use decisions_record with "replaces".',
    retractSchema(),
  ),
])

/** The `decisions_*` tools over the record of an engine. */
export function createDecisionsTools(input: DecisionsToolsInput): DecisionsTools {
  const handlers = new Map<string, (args: unknown, record: SessionRecord) => object | Promise<object>>([
    ['decisions_list', (args, record) => list(readArguments(listSchema(), args), record, input.isRead)],
    ['decisions_explain', (args, record) => explain(readArguments(explainSchema(), args), record, input)],
    ['decisions_record', (args, record) => recordOne(readArguments(recordSchema(), args), record, input)],
    ['decisions_retract', (args, record) => retract(readArguments(retractSchema(), args), record, input)],
  ])
  return {
    get schemas() {
      return toolSchemas()
    },
    call: (name, args, signal) =>
      runEngineTool({
        ...{ name, handlers, signal, maxCharacters: ANSWER_CHARACTERS },
        run: async (handler) => JSON.stringify(await handler(args, await input.recorder.load())),
      }),
  }
}

/** With secrets hidden: what a tool is given gets into the log and into the prompt. */
function readArguments<Schema extends z.ZodObject>(schema: Schema, args: unknown): z.output<Schema> {
  const isObject = typeof args === 'object' && args !== null && !Array.isArray(args)
  const hide = (value: unknown) =>
    typeof value === 'string' && value.length <= 10_000 ? redactSecrets(value) : value
  const hidden =
    isObject && Object.fromEntries(Object.entries(args).map(([key, value]) => [key, hide(value)]))
  return readToolArguments(schema, hidden || args)
}

function list(
  {
    query,
    subject,
    status = 'active',
    kind,
    category,
    limit = 20,
    cursor = '0',
  }: z.output<ReturnType<typeof listSchema>>,
  { ledger, session }: SessionRecord,
  isRead: boolean,
): object {
  const fitting = ledger.all.filter(
    (decision) =>
      (subject === undefined || normalSubject(decision.subject) === normalSubject(subject)) &&
      (kind === undefined || decision.kind === kind) &&
      (category === undefined || decision.category === category) &&
      (status === 'all' || (status === 'contested' ? isContested(decision) : decision.status === status)),
  )
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

/** As many items from the beginning of a list as `characters` of JSON hold. */
function fitItems<Item>(items: readonly Item[], characters: number): readonly Item[] {
  let left = characters
  const over = items.findIndex((item) => {
    left -= JSON.stringify(item).length + 1
    return left < 0
  })
  return over === -1 ? items : items.slice(0, over)
}

function facts(decision: Decision, session: string) {
  const { id, kind, category, subject, value, status, authority, contestedBy } = decision
  const source = decidingSource(decision)
  return {
    ...{
      id,
      kind,
      category,
      subject: lineText(subject, 30),
      value: lineText(value, kind === 'rule' ? 200 : VALUE_TOKENS),
    },
    ...{ status, authority, turn: source.turn },
    ...(source.session !== session && { session: lineText(source.session, VALUE_TOKENS) }),
    l0: headline(decision),
    ...(contestedBy.length > 0 && { contested_by: contestedBy.slice(0, 5) }),
  }
}

async function explain(
  { id }: { readonly id: string },
  { ledger, session }: SessionRecord,
  { opened }: DecisionsToolsInput,
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
    ...(ended !== undefined && { ended: await sourceFacts(ended.source, session, opened) }),
    chain: [...before, decision, ...after].map((each) => ({
      ...{
        id: each.id,
        value: lineText(each.value, VALUE_TOKENS),
        status: each.status,
        turn: decidingSource(each).turn,
      },
      ...(each.ended && { until_turn: each.ended.source.turn }),
      ...(each.ended?.reason !== undefined && { reason: lineText(each.ended.reason, 40) }),
    })),
    sources: fitItems(
      await Promise.all(shown.map((source) => sourceFacts(source, session, opened))),
      LIST_CHARACTERS / 2,
    ),
    events: events.slice(-MAX_LISTED).map(({ type, at, authority, by, source }) => ({
      ...{ type, at: new Date(at).toISOString(), authority, by, turn: source.turn },
    })),
  }
}

/** The decisions that follow from one by links, without it. */
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

/** A source as it was said: the quote with the words around it, and whether the stored message still has it. */
async function sourceFacts(source: Source, session: string, opened: OpenedSession): Promise<object> {
  const { start, end, hash, role, turn, message, quote } = source
  const { principal } = await opened.open()
  const stored = await (await opened.openStore()).find({ principal, key: source.session })
  const [found] = (await stored?.sources({ from: message, to: message + 1 })) ?? []
  const isVerified = found !== undefined && hashText(found.text.slice(start, end)) === hash
  return {
    ...{
      role,
      turn,
      message,
      ...(source.session !== session && { session: lineText(source.session, VALUE_TOKENS) }),
    },
    quote: quote.slice(0, 800).toWellFormed(),
    ...(isVerified && {
      context: found.text
        .slice(Math.max(0, start - CONTEXT_CHARACTERS), end + CONTEXT_CHARACTERS)
        .slice(0, 1_200)
        .toWellFormed(),
    }),
    check: found === undefined ? 'missing' : isVerified ? 'verified' : 'changed',
  }
}

/** By its id or the beginning of it. @throws InvalidOptionError when there is none, or more than one. */
function findDecision(all: readonly Decision[], given: string): Decision {
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

/** Where words were said last; the user's before the assistant's. */
async function findWords(quote: string, opened: OpenedSession): Promise<Span | undefined> {
  const messages = await (await opened.open()).sources()
  const last = (role: SourceMessage['role']) => {
    for (const message of messages.toReversed()) {
      const span = message.role === role ? findQuote(message, quote) : undefined
      if (span !== undefined) return span
    }
    return undefined
  }
  return last('user') ?? last('assistant')
}

/** The last words of the conversation: where a call without a quote comes from. */
async function lastWords({ messages }: SessionRecord, opened: OpenedSession): Promise<Span | undefined> {
  const recent = await (await opened.open()).sources({ from: Math.max(0, messages.length - 50) })
  const message = recent.findLast((each) => each.text.trim() !== '')
  return message && { message, start: 0, end: Math.min(message.text.length, 1_000) }
}

async function recordOne(
  {
    quote,
    replaces,
    kind = 'choice',
    category = 'decisions',
    subject,
    value,
    reason,
  }: z.output<ReturnType<typeof recordSchema>>,
  record: SessionRecord,
  { recorder, opened }: DecisionsToolsInput,
): Promise<object> {
  const found = quote === undefined ? undefined : await findWords(quote, opened)
  const isUsers = found?.message.role === 'user' && !isPasted(found.message.text, found)
  const span = isUsers
    ? found
    : ((found?.message.role === 'assistant' ? found : undefined) ?? (await lastWords(record, opened)))
  if (span === undefined)
    throw new InvalidOptionError(
      'quote',
      'nothing was said in this session yet; record it after the next message',
    )
  const statement: Statement = {
    ...{ kind, category, subject, value, l0: kind === 'rule' ? value : `${subject}: ${value}` },
    ...(reason !== undefined && { reason }),
  }
  const old =
    replaces === undefined
      ? undefined
      : record.ledger.all.find(({ id }) => id === replaces.replace(/^\[|\]$/g, ''))
  const candidate: Proven = {
    ...{ action: 'create', statement, span, authority: isUsers ? 'stated' : 'proposed' },
    ...(replaces !== undefined && { replaces: old?.id ?? replaces }),
  }
  const events = await recorder.resolve([candidate], { by: 'agent' })
  const { ledger, session } = await recorder.load()
  const begun = events.find(({ type }) => type !== 'superseded')
  const known =
    ledger.ofSubject(subject).find((each) => each.value === value) ?? ledger.ofSubject(subject).at(-1)
  const decision = begun === undefined ? known : ledger.get(begun.decision)
  if (decision === undefined)
    throw new InvalidOptionError(
      'value',
      'nothing was recorded: these words were on record before, and are over',
    )
  const note = isUsers ? undefined : noteOf(quote, found)
  return {
    recorded: events.length > 0,
    decided: decision.status === 'active',
    ...(events.length === 0 && { hint: 'it was on record already' }),
    ...(isContested(decision) && {
      hint: 'another value holds too: ask the user, and record the answer with "replaces"',
    }),
    ...(note !== undefined && { note }),
    superseded: events.flatMap((event) => (event.type === 'superseded' ? [event.decision] : [])),
    decision: facts(decision, session),
  }
}

/** Why something is only a proposal. */
function noteOf(quote: string | undefined, found: Span | undefined): string {
  const why =
    quote === undefined
      ? 'give the words of the user that decide it as "quote"'
      : found === undefined
        ? 'no message contains the quote; copy the words of the user exactly'
        : found.message.role === 'user'
          ? 'the user pasted or quotes that, and does not say it'
          : 'the quote is yours, not the words of the user'
  return `kept as a proposal: ${why}`
}

async function retract(
  { id, reason, quote }: z.output<ReturnType<typeof retractSchema>>,
  record: SessionRecord,
  { recorder, opened }: DecisionsToolsInput,
): Promise<object> {
  const decision = findDecision(record.ledger.all, id)
  if (decision.status === 'superseded' || decision.status === 'retracted')
    throw new InvalidOptionError('id', `${decision.id} is ${decision.status} already`)
  const found = quote === undefined ? undefined : await findWords(quote, opened)
  const own = found?.message.role === 'user' && !isPasted(found.message.text, found) ? found : undefined
  const isSaidBy = decision.sources.some(
    ({ session, message, start }) =>
      own !== undefined &&
      session === record.session &&
      message === own.message.message &&
      start === own.start,
  )
  if (decision.authority !== 'proposed' && (own === undefined || isSaidBy))
    throw new InvalidOptionError(
      'quote',
      `the user ${decision.authority} ${decision.id}: ask the user, and give the words that end it as "quote", copied exactly`,
    )
  const span = own ?? (await lastWords(record, opened))
  if (span === undefined) throw new InvalidOptionError('id', 'nothing was said in this session yet')
  const { kind, category, subject, value, l0 } = decision
  const statement = { kind, category, subject, value, l0, reason }
  const authority = own === undefined ? ('proposed' as const) : ('stated' as const)
  const candidate = { action: 'retract' as const, statement, span, authority, target: decision.id }
  await recorder.resolve([candidate], { by: 'agent' })
  const after = (await recorder.load()).ledger.get(decision.id) ?? decision
  if (after.status !== 'retracted')
    throw new InvalidOptionError(
      'id',
      `${decision.id} was not taken back: it was said again after these words`,
    )
  return { retracted: true, decision: facts(after, record.session) }
}
