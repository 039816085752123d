import { join } from 'node:path'
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { LibSQLStore } from '@mastra/libsql'
import { Memory } from '@mastra/memory'
import type { HostTarget } from '@palimpsest/contract-tests/host'
import { contextEngine } from '../../src/index.ts'
import { modelAt } from './mastra-agent.ts'

/** An agent of Mastra with a memory on SQLite. Every other question is streamed. */
export const mastraTarget: HostTarget = {
  name: 'Mastra',
  async open({ engine, contextLength, sessionId, storage, provider, tools }) {
    const context = contextEngine({ engine, contextLength })
    const store = new LibSQLStore({ id: 'store', url: `file:${join(storage, 'mastra.db')}` })
    const memory = new Memory({ storage: store, options: { lastMessages: 100_000 } })
    const agent = new Agent({
      id: 'assistant',
      name: 'Assistant',
      instructions: 'You answer questions.',
      model: modelAt(provider.baseUrl),
      memory,
      tools: Object.fromEntries(
        tools.map(({ name, description, parameters, run }) => [
          name,
          createTool({
            id: name,
            description,
            inputSchema: { ...parameters },
            execute: (input) => run(input as Record<string, unknown>),
          }),
        ]),
      ),
      inputProcessors: [context.processor],
      errorProcessors: [context.processor],
      maxProcessorRetries: 1,
    })
    let asked = 0
    return {
      async send(text, { signal } = {}) {
        const options = {
          memory: { thread: sessionId, resource: 'user' },
          maxSteps: 50,
          ...(signal && { abortSignal: signal }),
        }
        const isStreamed = asked++ % 2 === 1
        const output = isStreamed
          ? await (await agent.stream(text, options)).getFullOutput()
          : await agent.generate(text, options)
        signal?.throwIfAborted()
        if (output.error !== undefined) throw output.error
        return output.steps.at(-1)?.text ?? ''
      },
      async history() {
        const { messages } = await memory.recall({ threadId: sessionId, perPage: false })
        return JSON.stringify(messages)
      },
      close: () => context.end(),
    }
  },
}
