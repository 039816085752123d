import compressor from '@palimpsest/compressor'
import type { ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { contextEngine } from '../src/index.ts'
import { listen } from './support/conversation.ts'

const said = (content: string): ModelMessage => ({ role: 'user', content })
const answered = (content: string): ModelMessage => ({ role: 'assistant', content })
const usage = { inputTokens: undefined }

/** The AI SDK's input at the first three steps; `changed` edits the result of `prepareStep`. */
function* loop(changed: (message: ModelMessage) => ModelMessage) {
  const initialMessages = [said('In what do we count?')]
  const responses = [answered('Let me look.'), answered('And there.')]
  for (let stepNumber = 0; stepNumber <= responses.length; stepNumber++) {
    const responseMessages = responses.slice(0, stepNumber)
    yield {
      stepNumber,
      steps: responseMessages.map((message) => ({ usage, response: { messages: [message] } })),
      messages:
        stepNumber === 0
          ? initialMessages
          : [
              ...[...initialMessages, ...responseMessages.slice(0, -1)].map(changed),
              ...responseMessages.slice(-1),
            ],
      initialMessages,
      responseMessages,
      instructions: undefined,
    }
  }
}

describe('the conversation at each step of a loop', () => {
  it.each<[string, (message: ModelMessage) => ModelMessage]>([
    ['the messages come back', (message) => message],
    ['other code changed them', (message) => ({ ...message, providerOptions: { a: { b: 1 } } })],
  ])('is what was said, each message once (%s)', async (_name, changed) => {
    const context = contextEngine({ engine: compressor, contextLength: 100_000 })
    const events = listen(context)
    const lengths: number[] = []
    for (const step of loop(changed)) {
      await context.prepareStep(step)
      lengths.push(context.session.transcript.length)
    }
    expect(lengths).toEqual([1, 2, 3])
    expect(events.filter(({ type }) => type === 'edited')).toEqual([])
    expect(context.session.transcript.map(({ content }) => content)).toEqual([
      'In what do we count?',
      'Let me look.',
      'And there.',
    ])
  })
})
