import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, streamText, tool } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Reply, startMockUpstream } from './mock-upstream.ts'
import type { UpstreamBody } from './sequence-fault.ts'
import { startTestGateway, type TestGateway } from './test-gateway.ts'

const weather = tool({
  description: 'The weather of a place.',
  inputSchema: z.object({ place: z.string() }),
  execute: async ({ place }) => `${place}: rain`,
})

/** Calls an engine's tool and the client's at once, and then says what came back. */
function answer({ messages }: UpstreamBody): Reply {
  const results = messages.filter(({ role }) => role === 'tool')
  if (results.length > 0) return { content: String(results.at(-1)?.content) }
  return {
    content: 'One moment.',
    calls: [
      { name: 'lcm_describe', arguments: {} },
      { name: 'weather', arguments: { place: 'Oslo' } },
    ],
  }
}

function model({ baseUrl }: TestGateway) {
  return createOpenAICompatible({ name: 'gateway', baseURL: baseUrl, apiKey: 'k', includeUsage: true })(
    'mock-large',
  )
}

test('the AI SDK’s loop of tools runs through the gateway, in one piece and as a stream', async () => {
  const upstream = await startMockUpstream({ answer })
  const gateway = await startTestGateway(upstream)
  const common = { model: model(gateway), tools: { weather }, stopWhen: isStepCount(4) }
  const whole = await generateText({ ...common, prompt: 'weather?' })
  const stream = streamText({ ...common, prompt: 'the weather, please' })
  const streamed = { text: await stream.text, steps: await stream.steps }
  for (const { text, steps } of [whole, streamed]) {
    expect(text).toBe('Oslo: rain')
    expect(steps.map(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName))).toEqual([['weather'], []])
  }
  const [first, second] = upstream.requests
  expect(whole.steps[0]?.usage.inputTokens).toBe(first?.promptTokens)
  expect(second?.body.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool'])
  expect(gateway.gateway.loaded).toBe(2)
})
