import { InvalidOptionError } from '@palimpsest/core'
import { lazily, parseOptions, z } from '@palimpsest/core/options'
import type { DecisionBatch, DecisionSession, ExtractionJob, StoredEvent } from './decision-store.ts'
import {
  countSchema,
  eventSchema,
  hashSchema,
  MAX_EVENT_CHARACTERS,
  nameSchema,
  roleSchema,
  scopeSchema,
  timeSchema,
} from './event-schema.ts'
import { StoreError } from './store-error.ts'

/** A batch as rows. JSON escapes what a database cannot hold: lone surrogates and NUL characters. */
export interface BatchRows {
  /** The session that it is of. */
  readonly session: string
  /** The events that the writer does not know, for `countAfter`: none when there are no scopes. */
  readonly unknown: Parameters<DecisionSession['events']>[0]
  readonly replaceFrom: number | undefined
  /** Messages without a gap. */
  readonly sources: readonly { readonly message: number; readonly json: string }[]
  readonly events: readonly { readonly id: string; readonly scope: string; readonly json: string }[]
  readonly jobs: readonly ExtractionJob[]
  readonly finished: readonly string[]
}

/** The longest text of a message, in characters: as JSON, six times as long at the worst, V8 and SQLite can hold it. */
const MAX_TEXT_CHARACTERS = 2 ** 26

const batchSchema = lazily(() =>
  z.object({
    known: z.object({ scope: scopeSchema(), seq: countSchema() }).optional(),
    replaceFrom: countSchema().optional(),
    sources: z
      .array(
        z.object({
          ...{ message: countSchema(), turn: countSchema(), role: roleSchema() },
          ...{ text: z.string().max(MAX_TEXT_CHARACTERS), hash: hashSchema() },
        }),
      )
      .default([]),
    events: z.array(eventSchema()).default([]),
    jobs: z
      .array(
        z
          .object({
            ...{ id: nameSchema(), from: countSchema(), to: countSchema() },
            ...{ version: countSchema(), attempts: countSchema() },
          })
          .refine(({ from, to }) => from < to, { path: ['to'], error: 'expected a message after `from`' }),
      )
      .default([]),
    finished: z.array(nameSchema()).default([]),
  }),
)

/**
 * Checks a batch before anything of it is written.
 *
 * @throws InvalidOptionError names the first field that is wrong.
 */
export function batchRows(batch: DecisionBatch, session: string, at: number): BatchRows {
  parseOptions(timeSchema(), at, 'at')
  const { known, replaceFrom, sources, events, jobs, finished } = parseOptions(batchSchema(), batch, '')
  sources.forEach(({ message }, index) => {
    if (message !== (sources[0]?.message ?? 0) + index)
      throw wrong(`sources[${index}].message`, 'the next index')
  })
  return {
    session,
    unknown: { scopes: known ? [known.scope] : [], after: known?.seq ?? 0 },
    replaceFrom,
    sources: sources.map((source) => ({ message: source.message, json: JSON.stringify(source) })),
    events: events.map((event, index) => {
      const json = JSON.stringify(event)
      if (json.length > MAX_EVENT_CHARACTERS)
        throw wrong(`events[${index}]`, `at most ${MAX_EVENT_CHARACTERS} characters as JSON`)
      return { id: event.id, scope: event.scope, json }
    }),
    jobs,
    finished,
  }
}

function wrong(path: string, expected: string): InvalidOptionError {
  return new InvalidOptionError(path, `${path}: expected ${expected}`)
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
  const { replaceFrom = count, sources, jobs, session } = rows
  const after = replaceFrom + sources.length
  const first = sources[0]?.message ?? replaceFrom
  const job = jobs.find(({ to }) => to > after)
  const fault = unknown.some(({ event }) => event.type === 'withdrawn' && event.session === session)
    ? 'messages were taken back by another worker'
    : replaceFrom > count
      ? `message ${replaceFrom} is to be replaced`
      : first !== replaceFrom
        ? `message ${first} is written where message ${replaceFrom} comes next`
        : job && `a model is to read until message ${job.to - 1}`
  if (fault === undefined) return after
  throw new StoreError(
    'STORE_CONFLICT',
    `${fault}, but the store has ${count} messages of the session; read it again and write what follows`,
  )
}
