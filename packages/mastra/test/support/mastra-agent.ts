import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { Agent } from '@mastra/core/agent'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import { Memory } from '@mastra/memory'
import type { CompletionModel, SessionEvent } from '@palimpsest/core'
import type { MastraContext } from '../../src/index.ts'

/** Mastra's own model class for an OpenAI-compatible service. */
export function modelAt(baseUrl: string) {
  return createOpenAICompatible({
    name: 'local',
    baseURL: baseUrl,
    apiKey: 'x',
    includeUsage: true,
  }).chatModel('m')
}

/** A tool with results that fill a window soon. */
export const read = createTool({
  id: 'read',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  execute: async (input) => {
    const { path } = input as { path: string }
    return { path, lines: `the ledger counts in cents, says ${path}. `.repeat(60) }
  },
})

export const summariser: CompletionModel = {
  name: 'summariser',
  complete: async () => ({ text: '## Goal\nKeep the ledger. It counts in cents.', finishReason: 'stop' }),
}

export function agentWith(context: MastraContext, baseUrl: string, storage = new InMemoryStore()) {
  const memory = new Memory({ storage, options: { lastMessages: 100_000 } })
  const agent = new Agent({
    id: 'assistant',
    name: 'Assistant',
    instructions: 'You are a coding agent.',
    model: modelAt(baseUrl),
    memory,
    tools: { read },
    inputProcessors: [context.processor],
    errorProcessors: [context.processor],
    maxProcessorRetries: 1,
  })
  return { agent, memory, storage }
}

/** The options of a call in a thread. */
export function inThread(thread: string) {
  return { memory: { thread, resource: 'user' }, maxSteps: 50 }
}

export function listen(context: MastraContext) {
  const events: (SessionEvent & { readonly thread: string })[] = []
  context.subscribe((event, session) => events.push({ ...event, thread: session.id }))
  return events
}

export function compactions(events: readonly SessionEvent[]): number {
  return events.filter((event) => event.type === 'compaction' && event.committed).length
}
