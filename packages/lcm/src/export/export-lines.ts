import { lazily, z } from '@palimpsest/core/options'
import { StoreError } from '../errors/store-error.ts'

/** The first line of an export. */
export const EXPORT_HEADER = { format: 'palimpsest-lcm', version: 1 } as const

export const headerSchema = lazily(() =>
  z.object({ format: z.literal(EXPORT_HEADER.format), version: z.int() }),
)

/**
 * A line behind the header. A session is followed by its messages and its summaries, in the order of their numbers; the end
 * proves all lines before it.
 */
export const lineSchema = lazily(() => {
  const count = z.int().min(0)
  const moment = z.number().min(0)
  const hash = z.string().regex(/^[0-9a-f]{64}$/)
  const forgotten = z.object({ at: moment, reason: z.string() }).exactOptional()

  const session = z.object({
    type: z.literal('session'),
    principal: z.string(),
    key: z.string(),
    createdAt: moment,
    nextSeq: count,
    nextSummary: count,
    replaced: z.array(z.object({ first: count, last: count })),
    /** The numbers of the summaries in force, in order. */
    frontier: z.array(count),
  })

  const message = z.object({
    type: z.literal('message'),
    seq: count,
    role: z.string(),
    hostId: z.string().exactOptional(),
    at: moment,
    tokens: z.number().min(0),
    hash,
    /** Empty when the message was forgotten. */
    json: z.string(),
    forgotten,
  })

  const summary = z.object({
    type: z.literal('summary'),
    number: count,
    depth: count,
    first: count,
    last: count,
    messages: count,
    children: z.array(count),
    text: z.string(),
    tokens: z.number().min(0),
    sourceTokens: z.number().min(0),
    writer: z.enum(['model', 'extractive', 'pointer']),
    at: moment,
    from: moment,
    to: moment,
    hash,
    forgotten,
  })

  const end = z.object({
    type: z.literal('end'),
    sessions: count,
    messages: count,
    /** Of all lines before this one in UTF-8, each with its newline. */
    sha256: hash,
  })

  return z.discriminatedUnion('type', [session, message, summary, end])
})

export type ExportLine = z.output<ReturnType<typeof lineSchema>>
export type LineOf<Type extends ExportLine['type']> = Extract<ExportLine, { type: Type }>

/** The error for an export that is incomplete, damaged, or from another version. */
export function invalidExport(reason: string, cause?: unknown): StoreError {
  return new StoreError('INVALID_EXPORT', `the export cannot be read: ${reason}`, { cause })
}
