import * as z from 'zod'
import type { FoundMemory } from './external-memory.ts'
import { MemoryError } from './memory-error.ts'

const resultSchema = z.object({
  id: z.string(),
  chunk: z.string().optional(),
  memory: z.string().optional(),
  metadata: z
    .object({
      palimpsest: z.string().optional().catch(undefined),
      session: z.string().optional().catch(undefined),
    })
    .nullish()
    .catch(undefined),
})

/**
 * What an answer of Supermemory's search has found; a result without a text is passed over.
 *
 * @throws MemoryError `MEMORY_MALFORMED` when it is no such answer.
 */
export function readSearch(answer: unknown, limit: number): FoundMemory[] {
  const parsed = z.object({ results: z.array(z.unknown()) }).safeParse(answer)
  if (!parsed.success)
    throw new MemoryError(
      'MEMORY_MALFORMED',
      'Supermemory answered a search with something else; check its address',
      {
        cause: parsed.error,
      },
    )
  const found: FoundMemory[] = []
  for (const result of parsed.data.results.slice(0, limit)) {
    const { data } = resultSchema.safeParse(result)
    const text = data?.chunk ?? data?.memory
    if (data === undefined || text === undefined || text === '') continue
    const { palimpsest, session } = data.metadata ?? {}
    found.push({ id: palimpsest ?? data.id, text, ...(session !== undefined && { session }) })
  }
  return found
}
