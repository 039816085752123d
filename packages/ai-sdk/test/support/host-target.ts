import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { HostConversation, HostSetup } from '@palimpsest/contract-tests/host'
import {
  generateText,
  isStepCount,
  jsonSchema,
  type ModelMessage,
  streamText,
  tool,
  wrapLanguageModel,
} from 'ai'
import { contextEngine } from '../../src/index.ts'

/** An application of the AI SDK: it keeps its messages in a file and sends them whole each turn. */
export async function openApplication(
  how: 'generateText' | 'streamText',
  { engine, contextLength, sessionId, storage, provider, tools: offered }: HostSetup,
): Promise<HostConversation> {
  const tools = Object.fromEntries(
    offered.map(({ name, description, parameters, run }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema<Record<string, unknown>>({ ...parameters }),
        execute: (input) => run(input),
      }),
    ]),
  )
  const { baseUrl: baseURL, apiKey } = provider
  const suite = createOpenAICompatible({ name: 'suite', baseURL, apiKey, includeUsage: true })
  const context = contextEngine({ engine, contextLength, sessionId, tools })
  const model = wrapLanguageModel({ model: suite(provider.model), middleware: context.middleware })
  const file = join(storage, 'messages.json')
  let messages: ModelMessage[] = JSON.parse(await readFile(file, 'utf8').catch(() => '[]'))

  return {
    async send(text, { signal: abortSignal } = {}) {
      const asked: ModelMessage[] = [...messages, { role: 'user', content: text }]
      const input: Parameters<typeof generateText>[0] = {
        model,
        instructions: 'You answer questions.',
        messages: asked,
        tools: { ...tools, ...context.tools },
        prepareStep: (step) => context.prepareStep(step, { abortSignal }),
        onStepEnd: context.onStepEnd,
        stopWhen: isStepCount(20),
        maxRetries: 0,
        ...(abortSignal && { abortSignal }),
      }
      const result = how === 'generateText' ? await generateText(input) : await streamed(input)
      messages = [...asked, ...result.responseMessages]
      await writeFile(file, JSON.stringify(messages))
      return result.text
    },
    history: async () => JSON.stringify(messages),
    close: () => context.end(),
  }
}

/** The same result, from a stream; rejects where the stream only reports. */
async function streamed(input: Parameters<typeof streamText>[0]) {
  let failure: unknown
  const result = streamText({
    ...input,
    onError: ({ error }) => {
      failure = error
    },
    onAbort: () => {
      failure = input.abortSignal?.reason
    },
  })
  await result.consumeStream()
  if (failure !== undefined) throw failure
  const [text, responseMessages] = await Promise.all([result.text, result.responseMessages])
  return { text, responseMessages }
}
