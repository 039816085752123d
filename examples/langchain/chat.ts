/** A chat that goes on in another process: node chat.ts <thread> [model], one question a line. */
import { createInterface } from 'node:readline'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { ChatOpenAI } from '@langchain/openai'
import { contextEngineMiddleware } from '@palimpsest/langchain'
import lcm from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/store'
import { createAgent } from 'langchain'

const [thread = 'default', model = 'gpt-5-mini'] = process.argv.slice(2)
const chat = new ChatOpenAI({ model })
const store = createSqliteStore({ path: 'memory.db' })
const context = contextEngineMiddleware(lcm, { contextLength: 16_000, model: chat, store })
context.subscribe((event) => {
  if (event.type === 'compaction') console.error(`[about ${event.result.tokensAfter} tokens are left]`)
  if (event.type === 'warning') console.error(`[${event.warning.message}]`)
})

const agent = createAgent({
  model: chat,
  systemPrompt: 'You keep notes, and answer questions about them.',
  middleware: [context],
  checkpointer: SqliteSaver.fromConnString('threads.db'),
})

for await (const content of createInterface({ input: process.stdin })) {
  const input = { messages: [{ role: 'user', content }] }
  const stream = await agent.stream(input, { configurable: { thread_id: thread }, streamMode: 'messages' })
  for await (const [chunk] of stream) if (chunk.type === 'ai') process.stdout.write(chunk.text)
  process.stdout.write('\n')
}
await context.end()
await store.close()
