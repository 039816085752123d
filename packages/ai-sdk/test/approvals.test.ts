import compressor from '@palimpsest/compressor'
import { generateText, isStepCount, jsonSchema, type ModelMessage, tool } from 'ai'
import { expect, it } from 'vitest'
import { contextEngine, fromModelMessages } from '../src/index.ts'
import { listen } from './support/conversation.ts'
import { call, mockModel } from './support/mock-model.ts'

const remove = tool({ inputSchema: jsonSchema({ type: 'object' }), execute: () => 'removed' })

it.each([true, false])('keeps a call and its result together around an approval (%s)', async (approved) => {
  const context = contextEngine({ engine: compressor, contextLength: 100_000 })
  const events = listen(context)
  const { model, calls } = mockModel((_, index) =>
    index === 0 ? [call('1', 'remove'), call('2', 'remove')] : 'Done.',
  )
  const { prepareStep, onStepEnd } = context
  const messages: ModelMessage[] = [{ role: 'user', content: 'Remove both.' }]
  const turn = async () => {
    const { responseMessages } = await generateText({
      model,
      messages,
      tools: { remove },
      toolApproval: { remove: 'user-approval' },
      stopWhen: isStepCount(5),
      prepareStep,
      onStepEnd,
    })
    messages.push(...responseMessages)
  }
  await turn()
  const asked = messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string'
      ? content.flatMap((part) => (part.type === 'tool-approval-request' ? [part.approvalId] : []))
      : [],
  )
  expect(asked).toHaveLength(2)
  messages.push({
    role: 'tool',
    content: asked.map((approvalId) => ({ type: 'tool-approval-response', approvalId, approved })),
  })
  await turn()
  expect(calls).toHaveLength(2)
  expect(calls[1]?.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  expect(calls[1]?.prompt[2]?.content).toMatchObject([
    { toolCallId: '1', output: approved ? { value: 'removed' } : { type: 'execution-denied' } },
    { toolCallId: '2' },
  ])
  messages.push({ role: 'user', content: 'Thanks.' })
  await turn()
  expect(events.filter(({ type }) => type === 'edited' || type === 'warning')).toEqual([])
  expect(context.session.transcript).toEqual(fromModelMessages(messages.slice(0, -1)))
})

it('passes on what the user said to a tool of the provider', async () => {
  const context = contextEngine({ engine: compressor, contextLength: 100_000 })
  const { model, calls } = mockModel(() => 'Done.')
  const approval = {
    type: 'tool-approval-response',
    approvalId: 'a',
    approved: true,
    providerExecuted: true,
  } as const
  const messages: ModelMessage[] = [
    { role: 'user', content: 'Search.' },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: '1', toolName: 'search', input: {}, providerExecuted: true },
        { type: 'tool-approval-request', approvalId: 'a', toolCallId: '1' },
      ],
    },
    { role: 'tool', content: [approval] },
  ]
  await generateText({ model, messages, prepareStep: context.prepareStep })
  expect(calls[0]?.prompt.at(-1)).toMatchObject({
    role: 'tool',
    content: [{ type: 'tool-approval-response', approvalId: 'a' }],
  })
})
