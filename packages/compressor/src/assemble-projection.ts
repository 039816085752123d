import { type Message, messageText, placeSummary, type SystemMessage } from '@palimpsest/core'
import type { CompressorProfile } from './options.ts'
import type { CompactionPlan } from './plan-compaction.ts'

/** Appended to the system prompt once by the profile `classic`. */
const SYSTEM_NOTE =
  '\n\n[Earlier messages of this conversation were compacted into a summary. Build on it instead of repeating work.]'

/** The new projection: system prompt, head, summary, the request if it stood before the tail, tail. */
export function assembleProjection(
  { boundaries, tail: { messages: tail } }: Pick<CompactionPlan, 'boundaries' | 'tail'>,
  { systemNote }: CompressorProfile,
  summary = '',
): Message[] {
  const { system, head, request } = boundaries
  const prompt = system === undefined ? [] : [systemNote ? withNote(system as SystemMessage) : system]
  return placeSummary({ head: [...prompt, ...head], summary, request, tail })
}

function withNote(system: SystemMessage): SystemMessage {
  if (messageText(system).endsWith(SYSTEM_NOTE.trim())) return system
  if (typeof system.content === 'string') return { ...system, content: system.content + SYSTEM_NOTE }
  return { ...system, content: [...system.content, { type: 'text', text: SYSTEM_NOTE }] }
}
