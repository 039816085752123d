import { createInterface } from 'node:readline/promises'
import { Agent, OpenAIChatCompletionsModel, run } from '@openai/agents'
import lcm from '@palimpsest/lcm'
import { contextEngine } from '@palimpsest/openai-agents'
import { createSqliteStore } from '@palimpsest/store'
import OpenAI from 'openai'
import { fileSession } from './file-session.ts'

const { MODEL = 'gpt-5.6', CONTEXT_LENGTH = '400000' } = process.env

const context = contextEngine({
  engine: lcm,
  store: createSqliteStore({ path: 'chat.db' }),
  contextLength: Number(CONTEXT_LENGTH),
  sessionId: 'chat',
})
context.session.subscribe((event) => {
  if (event.type === 'compaction')
    console.error(`(${event.result.reason}: ${event.result.tokensAfter} tokens are left)`)
})
const agent = new Agent({
  name: 'Assistant',
  instructions: 'You answer in one sentence.',
  model: context.wrap(new OpenAIChatCompletionsModel(new OpenAI(), MODEL)),
  tools: context.tools,
})
const session = fileSession('chat.json')

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue
  const { finalOutput } = await run(agent, line, { session })
  console.log(finalOutput)
}
await context.end()
