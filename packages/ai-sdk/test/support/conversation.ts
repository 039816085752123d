import type { CompletionModel, SessionEvent } from '@palimpsest/core'
import { jsonSchema, type ModelMessage, tool } from 'ai'
import type { AiSdkContext } from '../../src/index.ts'

/** A tool with results that fill a window soon. */
export const read = tool({
  description: 'Reads a file.',
  inputSchema: jsonSchema<{ path: string }>({
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
  }),
  execute: ({ path }) => ({ path, lines: `the ledger counts in cents, says ${path}. `.repeat(60) }),
})

/** The events of a session, by type. */
export function listen({ session }: AiSdkContext): SessionEvent[] {
  const events: SessionEvent[] = []
  session.subscribe((event) => events.push(event))
  return events
}

/** The number of real compactions of the conversation. */
export function compactions(events: readonly SessionEvent[]): number {
  return events.filter((event) => event.type === 'compaction' && event.committed).length
}

/** A long conversation without tools. */
export function chatter(turns: number): ModelMessage[] {
  return Array.from({ length: turns }, (_, turn): ModelMessage[] => [
    { role: 'user', content: `Note ${turn}: ${'the ledger counts in cents. '.repeat(20)}` },
    { role: 'assistant', content: [{ type: 'text', text: `Noted, that is number ${turn}.` }] },
  ]).flat()
}

/** Writes the same summary every time. */
export const summariser: CompletionModel = {
  name: 'summariser',
  complete: async () => ({ text: '## Goal\nKeep the ledger. It counts in cents.', finishReason: 'stop' }),
}
