import { join } from 'node:path'
import type { Message, StoredProjection } from '@palimpsest/core'
import { z } from '@palimpsest/core/options'
import { UsageError } from '../../usage-error.ts'

/** The first line of a record. */
const headerSchema = z.object({
  type: z.literal('chat'),
  format: z.literal(1),
  id: z.string().min(1),
  /** The folder that it began in. */
  workspace: z.string(),
  /** Milliseconds since the epoch, as all times of a record. */
  created: z.number(),
  engine: z.string(),
  /** As `provider:model`, or `offline`. */
  model: z.string(),
})

const at = z.number()

const eventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), at, message: z.looseObject({ role: z.string() }) }),
  /** Everything behind the first `keep` messages was taken back. */
  z.object({ type: z.literal('undo'), at, keep: z.int().min(0) }),
  /** The conversation was forgotten and went on from nothing. */
  z.object({ type: z.literal('reset'), at }),
  z.object({ type: z.literal('engine'), at, engine: z.string() }),
  /** What the session keeps of its last compaction, for the engine that made it. */
  z.object({ type: z.literal('projection'), at, projection: z.looseObject({}).nullable() }),
])

export type RecordHeader = z.output<typeof headerSchema>

/** One line of a record. */
export type RecordEvent =
  | { readonly type: 'message'; readonly at: number; readonly message: Message }
  | { readonly type: 'undo'; readonly at: number; readonly keep: number }
  | { readonly type: 'reset'; readonly at: number }
  | { readonly type: 'engine'; readonly at: number; readonly engine: string }
  | { readonly type: 'projection'; readonly at: number; readonly projection: StoredProjection | null }

/** Undefined for what is no such line. */
export function readHeader(line: string): RecordHeader | undefined {
  return headerSchema.safeParse(parseJson(line)).data
}

/** Undefined for what is no such line. */
export function readEvent(line: string): RecordEvent | undefined {
  const value = parseJson(line)
  if (!eventSchema.safeParse(value).success) return undefined
  // A message or a projection is kept as it was written: what it is made of is the session's to judge.
  return value as RecordEvent
}

export function toLine(entry: RecordHeader | RecordEvent): string {
  return `${JSON.stringify(entry)}\n`
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Ids are names of files: nothing that leads elsewhere. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** Where everything of one chat lies. */
interface RecordPaths {
  readonly record: string
  readonly lock: string
  /** Engines put theirs beside it. */
  readonly store: string
}

/** @throws UsageError for an id that no chat has. */
export function recordPaths(home: string, id: string): RecordPaths {
  if (!ID.test(id))
    throw new UsageError(`"${id}" is not the id of a session; palimpsest chat --list shows them`)
  return {
    record: join(chatsFolder(home), `${id}.jsonl`),
    lock: join(home, 'locks', id),
    store: join(home, 'stores', id),
  }
}

export function chatsFolder(home: string): string {
  return join(home, 'chats')
}
