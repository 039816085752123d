import { join } from 'node:path'
import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from '@openai/agents'
import type { HostConversation, HostSetup } from '@palimpsest/contract-tests/host'
import OpenAI from 'openai'
import { contextEngine } from '../../src/index.ts'
import { fileSession } from './file-session.ts'

setTracingDisabled(true)

/** An agent of the SDK with its own model for Chat Completions and a session in a file. */
export async function openAgent(
  stream: boolean,
  { engine, contextLength, sessionId, storage, provider, tools: offered }: HostSetup,
): Promise<HostConversation> {
  const context = contextEngine({ engine, contextLength, sessionId })
  const client = new OpenAI({ baseURL: provider.baseUrl, apiKey: provider.apiKey, maxRetries: 0 })
  const tools = offered.map(({ name, description, parameters, run: execute }) =>
    tool({
      name,
      description,
      strict: false,
      parameters: { ...parameters, type: 'object', properties: {}, required: [], additionalProperties: true },
      execute: (args) => execute(args as Record<string, unknown>),
    }),
  )
  const agent = new Agent({
    name: 'suite',
    instructions: 'You answer questions.',
    model: context.wrap(new OpenAIChatCompletionsModel(client, provider.model)),
    tools: [...tools, ...context.tools],
  })
  const session = fileSession(sessionId, join(storage, 'items.json'))
  return {
    async send(text, { signal } = {}) {
      const options = { session, ...(signal && { signal }) }
      if (!stream) return String((await run(agent, text, options)).finalOutput)
      const result = await run(agent, text, { ...options, stream: true })
      for await (const _ of result) signal?.throwIfAborted()
      await result.completed
      signal?.throwIfAborted()
      if (result.error) throw result.error
      return String(result.finalOutput)
    },
    history: async () => JSON.stringify(await session.getItems()),
    close: () => context.end(),
  }
}
