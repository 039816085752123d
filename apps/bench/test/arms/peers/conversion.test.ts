import { getBufferString } from '@langchain/core/messages'
import { type Message, messageText, toolCallInput, toolCallName, toolCallsOf } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { toModelMessages } from '../../../src/arms/peers/ai-sdk-prune.ts'
import {
  createLangChainTranscript,
  fromLangChain,
  toLangChain,
} from '../../../src/arms/peers/langchain-transcript.ts'
import { readBuffer } from '../../../src/arms/peers/summarize-buffer.ts'
import { bundled, conversations, generated, tokens } from '../conversations.ts'

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

describe('readBuffer', () => {
  it('reads messages back from the text that the middleware puts into its prompt', () => {
    for (const conversation of conversations) {
      const { append } = createLangChainTranscript(tokens)
      expect(readBuffer(getBufferString(append(conversation))).map(said)).toEqual(conversation.map(said))
    }
  })

  it('takes a text that only looks like calls for text', () => {
    expect(readBuffer('AI: see [{"id": broken]\nHuman: and?\nmore').map(said)).toEqual([
      { role: 'assistant', text: 'see [{"id": broken]', calls: [] },
      { role: 'user', text: 'and?\nmore', calls: [] },
    ])
  })
})

describe('messages of the AI SDK', () => {
  it('hold every text and call, the results of one message together', () => {
    for (const conversation of conversations) {
      const { messages, read } = toModelMessages(conversation)
      expect(read(messages).every((message, index) => message === conversation[index])).toBe(true)
      const calls: unknown[] = []
      const texts: string[] = []
      for (const { content } of messages) {
        if (typeof content === 'string') texts.push(content)
        else
          for (const part of content) {
            if (part.type === 'tool-call') calls.push([part.toolCallId, part.toolName, part.input])
            if (part.type === 'text') texts.push(part.text)
            if (part.type === 'tool-result' && part.output.type === 'text') texts.push(part.output.value)
          }
      }
      expect(calls).toEqual(conversation.flatMap((message) => said(message).calls))
      expect(texts).toEqual(conversation.map(messageText).filter((text) => text !== ''))
      for (const [index, { role }] of messages.entries())
        if (role === 'tool') expect(messages[index - 1]?.role).toBe('assistant')
    }
  })

  it('keep the text of a message that lost its calls', () => {
    const { messages, read } = toModelMessages(bundled)
    const withoutCalls = messages.map((message) =>
      message.role === 'assistant' && typeof message.content !== 'string'
        ? { ...message, content: message.content.filter(({ type }) => type !== 'tool-call') }
        : message,
    )
    const left = read(withoutCalls.filter(({ role, content }) => role !== 'tool' && content.length > 0))
    expect(left.flatMap(toolCallsOf)).toEqual([])
    expect(left.map(messageText)).toEqual(
      bundled
        .filter(({ role }) => role !== 'tool')
        .map(messageText)
        .filter((text) => text !== ''),
    )
  })
})
