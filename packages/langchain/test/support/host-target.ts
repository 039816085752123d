import { join } from 'node:path'
import { type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { ChatOpenAI } from '@langchain/openai'
import type { HostSetup, HostTarget } from '@palimpsest/contract-tests/vitest'
import { createDeepAgent } from 'deepagents'
import { createAgent, tool } from 'langchain'
import { contextEngineMiddleware } from '../../src/index.ts'
import NodeDatabase from './node-database.ts'

/** An agent's settings that both ways to create one take. */
function agentOptions({ engine, contextLength, provider, tools, storage }: HostSetup) {
  const database = new NodeDatabase(join(storage, 'checkpoints.db'))
  const context = contextEngineMiddleware(engine, { contextLength })
  const model = new ChatOpenAI({
    model: provider.model,
    apiKey: provider.apiKey,
    configuration: { baseURL: provider.baseUrl },
    maxRetries: 0,
  })
  const options = {
    model,
    systemPrompt: 'You answer questions.',
    tools: tools.map(({ run, name, description, parameters }) =>
      tool((args: unknown) => run(args as Record<string, unknown>), {
        name,
        description,
        schema: { ...parameters },
      }),
    ),
    middleware: [context],
    checkpointer: new SqliteSaver(database as never),
  }
  return { context, options, database }
}

async function stateOf(agent: ReturnType<typeof createAgent>, thread: object) {
  const { values } = await agent.graph.getState(thread)
  return values as { readonly messages: BaseMessage[] }
}

/**
 * A target whose agents are created by this function, and run whole and streamed by turns. A checkpoint is written when a
 * step is done, or at the end of a turn.
 */
function target(
  name: string,
  durability: 'async' | 'exit',
  create: (options: ReturnType<typeof agentOptions>['options']) => ReturnType<typeof createAgent>,
): HostTarget {
  return {
    name,
    async open(setup) {
      const { context, options, database } = agentOptions(setup)
      const agent = create(options)
      let turns = 0
      const thread = { configurable: { thread_id: setup.sessionId }, recursionLimit: 1_000 }
      return {
        async send(text, { signal } = {}) {
          const input = { messages: [new HumanMessage(text)] }
          const settings = { ...thread, durability, ...(signal && { signal }) }
          if (turns++ % 2 === 1)
            for await (const _ of await agent.stream(input, { ...settings, streamMode: 'messages' }));
          else await agent.invoke(input, settings)
          return (await stateOf(agent, thread)).messages.at(-1)?.text ?? ''
        },
        async history() {
          return JSON.stringify(await stateOf(agent, thread))
        },
        async close() {
          await context.end()
          database.close()
        },
      }
    },
  }
}

export const agentTarget = target(
  'createAgent of LangChain',
  'async',
  (options) => createAgent(options) as never,
)
export const deepAgentTarget = target('deepagents', 'exit', (options) => createDeepAgent(options) as never)
