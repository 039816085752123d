import { z } from '@palimpsest/core/options'
import { type FoundMemory, type Memory, MemoryError } from './external-memory.ts'

/** The data beside a decision's text by which it is known again. */
export function memoryMetadata({ id, session }: Memory): {
  readonly palimpsest: string
  readonly session: string
} {
  return { palimpsest: id, session: session.toWellFormed() }
}

const metadataSchema = z
  .object({
    palimpsest: z.string().optional().catch(undefined),
    session: z.string().optional().catch(undefined),
  })
  .nullish()
  .catch(undefined)

/** Where a service puts what `readFound` looks for in a result. */
export interface FoundFields {
  /** The list in the answer. */
  readonly list: string
  readonly id: string
  /** The first of these that is there is the text. */
  readonly text: readonly string[]
  /** When it was written last, as an ISO date. */
  readonly at: string
}

/**
 * The finds of a search, the best first; a result without a text is passed over. Of the texts of one decision
 * the newest counts: a service that only adds keeps those that do not hold any more.
 *
 * @throws MemoryError `MEMORY_MALFORMED` when it is no such answer.
 */
export function readFound(answer: unknown, fields: FoundFields, limit: number): FoundMemory[] {
  const found = new Map<string, FoundMemory & { readonly at: string }>()
  for (const item of listIn(answer, fields.list)) {
    const text = fields.text.map((field) => textIn(item, field)).find(isText)
    const own = textIn(item, fields.id)
    if (own === undefined || text === undefined) continue
    const { palimpsest, session } = metadataSchema.parse(record(item)?.metadata) ?? {}
    const [id, at] = [palimpsest ?? own, textIn(item, fields.at) ?? '']
    const known = found.get(id)
    if (known === undefined || at > known.at)
      found.set(id, { id, text, at, ...(session !== undefined && { session }) })
  }
  return [...found.values()].slice(0, limit).map(({ at: _, ...memory }) => memory)
}

/** @throws MemoryError `MEMORY_MALFORMED` */
export function listIn(answer: unknown, key: string): readonly unknown[] {
  const list = record(answer)?.[key]
  if (Array.isArray(list)) return list
  throw new MemoryError(
    'MEMORY_MALFORMED',
    `the memory answered without a list of "${key}"; check its address`,
  )
}

/** @throws MemoryError `MEMORY_MALFORMED` when what was stored has no id. */
export function assertStored(answer: unknown, key: string): void {
  if (isText(record(answer)?.[key])) return
  throw new MemoryError('MEMORY_MALFORMED', `the memory answered without "${key}"; check its address`)
}

/** A text of a result. */
export function textIn(result: unknown, key: string): string | undefined {
  const value = record(result)?.[key]
  return isText(value) ? value : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}
