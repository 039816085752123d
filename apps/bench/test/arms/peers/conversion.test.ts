import { type Message, messageText, toolCallInput, toolCallName, toolCallsOf } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import {
  createLangChainTranscript,
  fromLangChain,
  toLangChain,
} from '../../../src/arms/peers/langchain-transcript.ts'
import { conversations, generated, tokens } from '../conversations.ts'

/** What a model reads of a message. */
const said = (message: Message) => ({
  role: message.role,
  text: messageText(message),
  calls: toolCallsOf(message).map((call) => [call.id, toolCallName(call), JSON.parse(toolCallInput(call))]),
  ...(message.role === 'tool' && { answers: message.tool_call_id }),
})

describe('LangChain messages', () => {
  it('say what they said, there and back', () => {
    for (const conversation of conversations)
      for (const message of conversation)
        expect(said(fromLangChain(toLangChain(message, 'm0')))).toEqual(said(message))
  })

  it('come back as the very messages while LangChain changes nothing, and count the same', () => {
    const { append, read, count } = createLangChainTranscript(tokens)
    const twins = [...append(generated.slice(0, 50)), ...append(generated)]
    expect(twins.map(read).every((message, index) => message === generated[index])).toBe(true)
    expect(count(twins)).toBe(generated.reduce((sum, message) => sum + tokens.countMessage(message), 0))
    expect(new Set(twins.map(({ id }) => id)).size).toBe(generated.length)
  })

  it('say what LangChain made of them when it changed them', () => {
    const { append, read } = createLangChainTranscript(tokens)
    const [system, user] = append(generated.slice(0, 2))
    if (system === undefined || user === undefined) throw new Error('two messages expected')
    user.content = 'something else'
    expect([system, user].map(read)).toEqual([generated[0], { role: 'user', content: 'something else' }])
  })

  it('keep the words of parts', () => {
    const message: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'look at' },
        { type: 'text', text: 'this' },
      ],
    }
    expect(said(fromLangChain(toLangChain(message, 'm0')))).toEqual(said(message))
    const { append, read } = createLangChainTranscript(tokens)
    expect(append([message]).map(read)).toEqual([message])
  })
})
