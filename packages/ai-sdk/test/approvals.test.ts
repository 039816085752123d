import compressor from '@palimpsest/compressor'
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  jsonSchema,
  type ModelMessage,
  streamText,
  tool,
  type UIMessage,
} from 'ai'
import { expect, it } from 'vitest'
import { contextEngine, fromModelMessages } from '../src/index.ts'
import { withoutApprovals } from '../src/messages/tool-messages.ts'
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
  // The engine sees what the tools said. What the user answered is sent where it stands.
  const wire = fromModelMessages(messages.slice(0, -1))
  expect(context.session.transcript.map(({ role, content }) => ({ role, content }))).toEqual(
    wire.map(({ role, content }) => ({ role, content })),
  )
})

it('knows a turn again in which the user approved of calls in a user interface', async () => {
  const context = contextEngine({ engine: compressor, contextLength: 100_000 })
  const events = listen(context)
  const { model, calls } = mockModel(({ prompt }, index) =>
    prompt.at(-1)?.role === 'user' ? [call(`a${index}`, 'remove'), call(`b${index}`, 'remove')] : 'Done.',
  )
  let shown: UIMessage[] = []
  const answer = async () => {
    const result = streamText({
      model,
      messages: await convertToModelMessages(shown),
      tools: { remove },
      toolApproval: { remove: 'user-approval' },
      stopWhen: isStepCount(5),
      prepareStep: context.prepareStep,
      onStepEnd: context.onStepEnd,
    })
    const onEnd = ({ messages }: { messages: UIMessage[] }) => {
      shown = messages
    }
    await result.toUIMessageStreamResponse({ originalMessages: shown, onEnd }).text()
  }
  for (const turn of ['1', '2', '3']) {
    shown.push({ id: turn, role: 'user', parts: [{ type: 'text', text: 'Remove both.' }] })
    await answer()
    shown = shown.map((message) => ({ ...message, parts: message.parts.map(approved) }))
    await answer()
  }
  expect(calls).toHaveLength(6)
  expect(events.filter(({ type }) => type === 'edited' || type === 'warning')).toEqual([])
  // Three turns: the question, two calls, their results, an answer.
  expect(context.session.transcript).toHaveLength(14)
})

/** The answer of the user's click to a waiting call. */
function approved(part: UIMessage['parts'][number]): UIMessage['parts'][number] {
  if (!('state' in part) || part.state !== 'approval-requested') return part
  return { ...part, state: 'approval-responded', approval: { ...part.approval, approved: true } }
}

it.each([true, false])(
  'keeps such an answer with a result that stands beside it (%s)',
  (providerExecuted) => {
    const answer = {
      type: 'tool-approval-response',
      approvalId: 'a',
      approved: true,
      providerExecuted,
    } as const
    const result = {
      type: 'tool-result',
      toolCallId: '1',
      toolName: 'remove',
      output: { type: 'text', value: 'removed' },
    } as const
    const [message] = fromModelMessages([{ role: 'tool', content: [answer, result] }])
    expect(JSON.stringify(message && withoutApprovals(message)).includes('approvalId')).toBe(providerExecuted)
  },
)
