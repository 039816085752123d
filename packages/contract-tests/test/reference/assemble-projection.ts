import { type Message, placeSummary } from '@palimpsest/core'
import type { Plan } from './plan-compaction.ts'

/** The new projection: system prompt, head, summary, the request if it stood before the tail, tail. */
export function assembleProjection({ system, head, request, tail }: Plan, summary: string): Message[] {
  return placeSummary({ head: system === undefined ? head : [system, ...head], summary, request, tail })
}
