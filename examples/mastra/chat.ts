/** A chat that goes on in another process: node chat.ts <thread> [model], one question a line. */
import { createInterface } from 'node:readline'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { Agent } from '@mastra/core/agent'
import { LibSQLStore } from '@mastra/libsql'
import { Memory } from '@mastra/memory'
import lcm from '@palimpsest/lcm'
import { contextEngine } from '@palimpsest/mastra'
import { createSqliteStore } from '@palimpsest/store'

const [thread = 'default', id = 'gpt-5-mini'] = process.argv.slice(2)
const { OPENAI_API_KEY: apiKey = '', OPENAI_BASE_URL: baseURL = 'https://api.openai.com/v1' } = process.env
const model = createOpenAICompatible({ name: 'openai', baseURL, apiKey, includeUsage: true }).chatModel(id)
const context = contextEngine({
  engine: lcm,
  store: createSqliteStore({ path: 'memory.db' }),
  contextLength: 16_000,
  model,
})
context.subscribe((event) => {
  if (event.type === 'compaction') console.error(`[about ${event.result.tokensAfter} tokens are left]`)
  if (event.type === 'warning') console.error(`[${event.warning.message}]`)
})

const agent = new Agent({
  id: 'notes',
  name: 'Notes',
  instructions: 'You keep notes, and answer questions about them.',
  model,
  // Mastra keeps the whole thread here. The engine decides what of it the model sees.
  memory: new Memory({
    storage: new LibSQLStore({ id: 'threads', url: 'file:threads.db' }),
    options: { lastMessages: 100_000 },
  }),
  inputProcessors: [context.processor],
  errorProcessors: [context.processor],
  maxProcessorRetries: 1,
})

for await (const line of createInterface({ input: process.stdin })) {
  const { textStream } = await agent.stream(line, { memory: { thread, resource: 'user' }, maxSteps: 20 })
  for await (const text of textStream) process.stdout.write(text)
  process.stdout.write('\n')
}
await context.end()
