import { lazily, z } from '@palimpsest/core/options'
import type { DumpRecord } from '../store/dump-record.ts'

export const DUMP_HEADER = { format: 'palimpsest-lcm', version: 1 } as const

/** The last line of an export: what the lines before it must add up to. */
export interface DumpManifest {
  readonly type: 'manifest'
  readonly sessions: number
  readonly messages: number
  readonly summaries: number
  /** Of all lines before this one in UTF-8, each with its newline, as 64 hexadecimal digits. */
  readonly sha256: string
}

export const dumpLineSchema = lazily((): z.ZodType<DumpRecord | DumpManifest> => {
  const number = z.number().int()
  const count = number.min(0)
  const forgotten = z.object({ at: z.number(), reason: z.string() }).exactOptional()
  const digest = z.string().regex(/^[0-9a-f]{64}$/)

  const session = z.object({
    type: z.literal('session'),
    principal: z.string(),
    key: z.string(),
    createdAt: z.number(),
    parent: z.object({ key: z.string(), seq: count, summary: count }).exactOptional(),
    nextSeq: count,
    nextSummary: count,
    version: count,
    replaced: z.array(z.object({ first: count, last: count })),
  })

  const message = z.object({
    type: z.literal('message'),
    seq: count,
    role: z.string(),
    hostId: z.string().exactOptional(),
    at: z.number(),
    tokens: z.number(),
    hash: digest,
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
    tokens: z.number(),
    sourceTokens: z.number(),
    writer: z.enum(['model', 'extractive', 'pointer']),
    at: z.number(),
    from: z.number(),
    to: z.number(),
    hash: digest,
    forgotten,
  })

  const frontier = z.object({
    type: z.literal('frontier'),
    version: count,
    reason: z.enum(['start', 'compaction', 'edit', 'undo', 'fork', 'forget']),
    nextSeq: count,
    at: z.number(),
    summaries: z.array(count),
  })

  const manifest = z.object({
    type: z.literal('manifest'),
    sessions: count,
    messages: count,
    summaries: count,
    sha256: digest,
  })

  return z.discriminatedUnion('type', [session, message, summary, frontier, manifest])
})

export const dumpHeaderSchema = lazily(() =>
  z.object({ format: z.literal(DUMP_HEADER.format), version: z.int() }),
)
