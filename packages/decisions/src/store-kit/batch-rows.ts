import { InvalidOptionError } from '@palimpsest/core'
import { lazily, parseOptions, z } from '@palimpsest/core/options'
import { StoreError } from '../errors/store-error.ts'
import type { DecisionBatch, DecisionSession, StoredEvent } from '../store/decision-store.ts'
import {
  countSchema,
  encodeEvent,
  eventSchema,
  hashSchema,
  MAX_EVENT_CHARACTERS,
  nameSchema,
  scopeSchema,
  timeSchema,
} from '../store/event-schema.ts'

/** A batch as rows. JSON escapes what a database cannot hold: lone surrogates and NUL characters. */
export interface BatchRows {
  /** The session that it is of. */
  readonly session: string
  /** The events that the writer does not know, which `countAfter` takes: none when there are no scopes. */
  readonly unknown: Parameters<DecisionSession['events']>[0]
  readonly replaceFrom: number | undefined
  /** Messages without a gap. */
  readonly sources: readonly { readonly message: number; readonly json: string }[]
  readonly events: readonly { readonly id: string; readonly scope: string; readonly json: string }[]
  readonly artifacts: readonly { readonly message: number; readonly call: number; readonly json: string }[]
  readonly jobs: readonly {
    readonly id: string
    readonly from: number
    readonly to: number
    readonly version: number
    readonly attempts: number
  }[]
  readonly finished: readonly string[]
  /** Undefined: it stays what it was. */
  readonly summary: { readonly messages: number; readonly json: string } | null | undefined
}

/**
 * The longest text of a message or a summary, in characters. As JSON it is six times as long at the worst, which is
 * still less than a string of V8 (2^29) and a row of SQLite (10^9 bytes) can hold.
 */
const MAX_TEXT_CHARACTERS = 2 ** 26

const textSchema = lazily(() => z.string().max(MAX_TEXT_CHARACTERS))

const batchSchema = lazily(() =>
  z.object({
    known: z.object({ scope: scopeSchema(), seq: countSchema() }).optional(),
    replaceFrom: countSchema().optional(),
    sources: z.array(z.unknown()).optional(),
    events: z.array(z.unknown()).optional(),
    artifacts: z.array(z.unknown()).optional(),
    jobs: z.array(z.unknown()).optional(),
    finished: z.array(nameSchema()).optional(),
    summary: z
      .object({ messages: countSchema(), prefixHash: nameSchema(), text: textSchema() })
      .nullable()
      .optional(),
  }),
)

const messageSchema = lazily(() =>
  z.object({
    message: countSchema(),
    turn: countSchema(),
    role: nameSchema(),
    text: textSchema(),
    hash: hashSchema(),
  }),
)

const touchSchema = lazily(() =>
  z.object({
    message: countSchema(),
    call: countSchema(),
    turn: countSchema(),
    path: z.string().max(10_000),
    operation: z.enum(['read', 'edited', 'created', 'deleted', 'searched']),
    failed: z.boolean(),
  }),
)

const jobSchema = lazily(() =>
  z
    .object({
      id: nameSchema(),
      from: countSchema(),
      to: countSchema(),
      version: countSchema(),
      attempts: countSchema(),
    })
    .refine(({ from, to }) => from < to, { path: ['to'], error: 'expected a message behind `from`' }),
)

/**
 * Checks a batch before anything of it is written.
 *
 * @throws InvalidOptionError names the first field that is wrong.
 */
export function batchRows(batch: DecisionBatch, session: string, at: number): BatchRows {
  parseOptions(timeSchema(), at, 'at')
  const { known, replaceFrom, finished = [], summary } = parseOptions(batchSchema(), batch, '')
  const { sources = [], events = [], artifacts = [], jobs = [] } = batch
  return {
    session,
    unknown: { scopes: known ? [known.scope] : [], after: known?.seq ?? 0 },
    replaceFrom,
    sources: sources.map((source, index) => {
      const path = `sources[${index}]`
      const row = parseOptions(messageSchema(), source, path)
      if (row.message !== (sources[0]?.message ?? 0) + index)
        throw new InvalidOptionError(
          `${path}.message`,
          `${path}.message: expected the index after the one before`,
        )
      return { message: row.message, json: JSON.stringify(row) }
    }),
    events: events.map((event, index) => {
      const path = `events[${index}]`
      parseOptions(eventSchema(), event, path)
      const json = encodeEvent(event)
      if (json === undefined)
        throw new InvalidOptionError(
          path,
          `${path}: expected at most ${MAX_EVENT_CHARACTERS} characters as JSON`,
        )
      return { id: event.id, scope: event.scope, json }
    }),
    artifacts: artifacts.map((touch, index) => {
      const row = parseOptions(touchSchema(), touch, `artifacts[${index}]`)
      return { message: row.message, call: row.call, json: JSON.stringify(row) }
    }),
    jobs: jobs.map((job, index) => parseOptions(jobSchema(), job, `jobs[${index}]`)),
    finished,
    summary: summary && { messages: summary.messages, json: JSON.stringify(summary) },
  }
}

/**
 * Number of messages after a batch.
 *
 * @param count Their number before it.
 * @param unknown The events of `rows.unknown`.
 * @throws StoreError `STORE_CONFLICT` when the batch does not follow on them, or when another worker took some of them
 * back and the writer does not know it.
 */
export function countAfter(count: number, rows: BatchRows, unknown: readonly StoredEvent[]): number {
  if (unknown.some(({ event }) => event.type === 'withdrawn' && event.session === rows.session))
    throw conflict('messages were taken back by another worker', count)
  const { replaceFrom = count, sources, artifacts, jobs, summary } = rows
  if (replaceFrom > count) throw conflict(`message ${replaceFrom} is to be replaced`, count)
  const [first] = sources
  if (first !== undefined && first.message !== replaceFrom)
    throw conflict(`message ${first.message} is written where message ${replaceFrom} comes next`, count)
  const after = replaceFrom + sources.length
  const touch = artifacts.find(({ message }) => message >= after)
  if (touch !== undefined) throw conflict(`a file was touched in message ${touch.message}`, count)
  const job = jobs.find(({ to }) => to > after)
  if (job !== undefined) throw conflict(`a model is to read until message ${job.to - 1}`, count)
  if (summary && summary.messages > after)
    throw conflict(`a summary stands for ${summary.messages} messages`, count)
  return after
}

function conflict(what: string, count: number): StoreError {
  return new StoreError(
    'STORE_CONFLICT',
    `${what}, but the store has ${count} messages of the session; read it again and write what follows`,
  )
}
