import compressor from '@palimpsest/compressor'
import lcm from '@palimpsest/lcm'
import {
  convertToModelMessages,
  generateText,
  type InferAgentUIMessage,
  isStepCount,
  type ModelMessage,
  streamText,
  ToolLoopAgent,
  type UIMessage,
  wrapLanguageModel,
} from 'ai'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { contextEngine, fromModelMessages } from '../src/index.ts'
import { compactions, listen, read, summariser } from './support/conversation.ts'
import { call, mockModel, promptTokens } from './support/mock-model.ts'

describe('ToolLoopAgent', () => {
  it('takes what contextEngine returns, with the types of its own tools', async () => {
    const context = contextEngine({
      engine: lcm,
      contextLength: 8_000,
      model: summariser,
      tools: { read },
    })
    const events = listen(context)
    const { model, calls } = mockModel((_, index) =>
      index < 20 ? [call(`read-${index}`, 'read', { path: `${index}` })] : 'Cents.',
    )
    const agent = new ToolLoopAgent({
      model: wrapLanguageModel({ model, middleware: context.middleware }),
      instructions: 'You are a coding agent.',
      tools: { ...context.tools, read },
      prepareStep: context.prepareStep,
      onStepEnd: context.onStepEnd,
      stopWhen: isStepCount(50),
    })
    const { text, steps } = await agent.generate({ prompt: 'Read everything.' })
    expect(text).toBe('Cents.')
    expect(compactions(events)).toBeGreaterThan(0)
    expect(Math.max(...calls.map(promptTokens))).toBeLessThan(8_000)
    expect(context.session.engine.lastPromptTokens).toBe(steps.at(-1)?.usage.inputTokens)
    expectTypeOf<InferAgentUIMessage<typeof agent>>().toExtend<UIMessage>()
    await context.end()
  })
})

it('knows a turn again that went through the messages of a user interface', async () => {
  const context = contextEngine({ engine: compressor, contextLength: 100_000 })
  const events = listen(context)
  const { model } = mockModel((_, index) =>
    index === 0
      ? [call('1', 'read', { path: 'b', also: 1, after: 2 }), call('2', 'read', { path: 'a' })]
      : 'Cents.',
  )
  const question: UIMessage = { id: '1', role: 'user', parts: [{ type: 'text', text: 'In what?' }] }
  const answered: UIMessage[] = [question]
  const messages = await convertToModelMessages([question])
  const { prepareStep, onStepEnd } = context
  const result = streamText({
    model,
    messages,
    tools: { read },
    prepareStep,
    onStepEnd,
    stopWhen: isStepCount(5),
  })
  await result
    .toUIMessageStreamResponse({
      originalMessages: answered,
      onEnd: (end) => void answered.push(end.responseMessage),
    })
    .text()
  // As a database gives it back, with keys in an order of its own.
  const stored: UIMessage[] = JSON.parse(JSON.stringify(answered), (_, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? 1 : -1)))
      : value,
  )
  const next: ModelMessage[] = [
    ...(await convertToModelMessages(stored)),
    { role: 'user', content: 'And in whole?' },
  ]
  expect(next).toHaveLength(5)
  await generateText({ model, messages: next, prepareStep, onStepEnd })
  expect(events.filter(({ type }) => type === 'edited')).toEqual([])
  expect(context.session.transcript).toEqual(fromModelMessages(next))
})
