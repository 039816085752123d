/** A chat that goes on in another process: node chat.ts <thread> [model], one question a line. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { contextEngine } from '@palimpsest/ai-sdk'
import lcm from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/store'
import { generateText, isStepCount, type ModelMessage } from 'ai'

const [thread = 'default', id = 'gpt-5-mini'] = process.argv.slice(2)
const { OPENAI_API_KEY: apiKey = '', OPENAI_BASE_URL: baseURL = 'https://api.openai.com/v1' } = process.env
const model = createOpenAICompatible({ name: 'openai', baseURL, apiKey }).chatModel(id)
const context = contextEngine({
  engine: lcm,
  store: createSqliteStore({ path: 'memory.db' }),
  contextLength: 16_000,
  model,
  sessionId: thread,
})
const { tools, prepareStep, onStepEnd } = context
context.session.subscribe((event) => {
  if (event.type === 'compaction') console.error(`[about ${event.result.tokensAfter} tokens are left]`)
  if (event.type === 'warning') console.error(`[${event.warning.message}]`)
})

// The whole conversation is kept here. The engine decides what of it the model sees.
const file = `${thread}.json`
const messages: ModelMessage[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
for await (const content of createInterface({ input: process.stdin })) {
  messages.push({ role: 'user', content })
  const { text, responseMessages } = await generateText({
    model,
    instructions: 'You keep notes, and answer questions about them.',
    messages,
    tools,
    prepareStep,
    onStepEnd,
    stopWhen: isStepCount(20),
  })
  messages.push(...responseMessages)
  writeFileSync(file, JSON.stringify(messages))
  console.log(text)
}
await context.end()
