import { type Message, messageText, placeSummary, type SystemMessage } from '@palimpsest/core'
import type { Boundaries } from './find-boundaries.ts'

/** Appended to the system prompt once by the profile `classic`. */
const SYSTEM_NOTE =
  '\n\n[Earlier messages of this conversation were compacted into a summary. Build on it instead of repeating work.]'

export interface AssembleInput {
  readonly boundaries: Boundaries
  /** The tail after it was fitted. */
  readonly tail: readonly Message[]
  /** The text of the new summary. */
  readonly summary: string
  readonly systemNote: boolean
}

/** The new projection: system prompt, head, summary, the request if it stood before the tail, tail. */
export function assembleProjection({ boundaries, tail, summary, systemNote }: AssembleInput): Message[] {
  const { system, head, request } = boundaries
  const prompt = system === undefined ? [] : [systemNote ? withNote(system as SystemMessage) : system]
  return placeSummary({
    head: [...prompt, ...head],
    summary,
    tail: request === undefined ? tail : [request, ...tail],
  })
}

function withNote(system: SystemMessage): SystemMessage {
  if (messageText(system).endsWith(SYSTEM_NOTE.trim())) return system
  if (typeof system.content === 'string') return { ...system, content: system.content + SYSTEM_NOTE }
  return { ...system, content: [...system.content, { type: 'text', text: SYSTEM_NOTE }] }
}
