import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import {
  freezeMessage,
  hasReasoning,
  type Message,
  roughTokenCounter,
  stripReasoning,
} from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromLangChainMessages, toLangChainMessages } from '../src/index.ts'
import { anyMessages } from './support/any-messages.ts'

/** The parts of a message that a provider's client reads. */
function read(message: BaseMessage): unknown {
  const { type, id, name, content, additional_kwargs, response_metadata } = message
  const { role, tool_calls, invalid_tool_calls, tool_call_id, status } = message as BaseMessage &
    Record<string, unknown>
  return {
    ...{
      type,
      id,
      name,
      content,
      additional_kwargs,
      role,
      tool_calls,
      invalid_tool_calls,
      tool_call_id,
      status,
    },
    version: response_metadata.output_version,
  }
}

/** Runs a property and prints how many lists it ran with. */
function counted<Values>(claim: string, property: fc.IPropertyWithHooks<Values>, numRuns: number): void {
  fc.assert(property, { numRuns })
  process.stdout.write(`${claim}: ${numRuns} lists, 0 violations\n`)
}

describe("LangChain's messages", () => {
  it('come back as they were, whatever they hold', () => {
    const property = fc.property(anyMessages, (messages) => {
      const before = JSON.stringify(messages)
      const there = fromLangChainMessages(messages)
      expect(there).toHaveLength(messages.length)
      expect(toLangChainMessages(there).map(read)).toEqual(messages.map(read))
      expect(JSON.stringify(messages)).toBe(before)
    })
    counted('BaseMessage round trip', property, 400)
  })

  it('come back after the transcript was stored as JSON, also when it is frozen', () => {
    const property = fc.property(anyMessages, (messages) => {
      const stored: Message[] = JSON.parse(JSON.stringify(fromLangChainMessages(messages)))
      stored.forEach(freezeMessage)
      expect(fromLangChainMessages(toLangChainMessages(stored))).toEqual(stored)
    })
    counted('BaseMessage round trip through JSON', property, 150)
  })

  it('lose their reasoning in the way of the core, wherever it stands, and nothing else', () => {
    const isThought = ({ type }: { readonly type: string }) => /reasoning|thinking/.test(type)
    const property = fc.property(anyMessages, (messages) => {
      const stripped = toLangChainMessages(fromLangChainMessages(messages).map((one) => stripReasoning(one)))
      const expected = messages.map((message) => {
        if (!AIMessage.isInstance(message)) return message
        const { reasoning: _, reasoning_content: __, ...additional_kwargs } = message.additional_kwargs
        const { content } = message
        const kept = Array.isArray(content) ? content.filter((block) => !isThought(block)) : content
        const wasEmptied = kept.length === 0 && content.length > 0
        return new AIMessage({ ...message, content: wasEmptied ? '' : kept, additional_kwargs } as never)
      })
      expect(stripped.map(read)).toEqual(expected.map(read))
    })
    counted('stripped reasoning', property, 200)
  })
})

describe('a message of Palimpsest', () => {
  it('says the same to LangChain, and comes back', () => {
    const messages: Message[] = [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: 'Look.', id: 'm1', name: 'ada' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
          { id: 'b', type: 'function', function: { name: 'read', arguments: 'not JSON' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'text' },
      { role: 'assistant', content: '', refusal: 'No.' },
    ]
    const twins = toLangChainMessages(messages)
    expect(twins.map(({ type, text }) => [type, text])).toEqual([
      ['system', 'Be brief.'],
      ['human', 'Look.'],
      ['ai', ''],
      ['tool', 'text'],
      ['ai', ''],
    ])
    expect((twins[2] as AIMessage).tool_calls?.map(({ args }) => args)).toEqual([
      { path: 'a' },
      { input: 'not JSON' },
    ])
    const back = fromLangChainMessages(twins)
    expect(back[1]).toEqual(messages[1])
    expect([back[0], back[3], back[4]]).toEqual(
      [messages[0], messages[3], messages[4]].map((one) => ({ ...one })),
    )
  })
})

describe('what an engine sees', () => {
  const count = (message: BaseMessage) => {
    const [wire] = fromLangChainMessages([message])
    if (wire === undefined) throw new Error('one message expected')
    return { wire, tokens: roughTokenCounter.countMessage(wire) }
  }

  it('is an image that is counted as one, in every form', () => {
    const data = 'A'.repeat(400_000)
    const blocks = [
      { type: 'image', data, mimeType: 'image/png' },
      { type: 'image', source_type: 'base64', data, mime_type: 'image/png' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
      { type: 'image', data: Buffer.from(data, 'base64'), mimeType: 'image/png' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
    ]
    for (const block of blocks)
      expect(count(new HumanMessage({ content: [block] } as never)).tokens).toBeLessThan(1_700)
  })

  it('is a call that is counted once, although Anthropic’s client repeats it among the blocks', () => {
    const args = { text: 'the ledger counts in cents. '.repeat(500) }
    const calls = [{ type: 'tool_call' as const, id: 'a', name: 'write', args }]
    const once = count(new AIMessage({ content: '', tool_calls: calls })).tokens
    const content = [{ type: 'tool_use', id: 'a', name: 'write', input: args }]
    expect(count(new AIMessage({ content, tool_calls: calls } as never)).tokens).toBeLessThan(once + 50)
  })

  it('is reasoning that DeepSeek and OpenAI keep beside the content', () => {
    for (const additional_kwargs of [{ reasoning_content: 'Hm.' }, { reasoning: { encrypted_content: 'x' } }])
      expect(hasReasoning(count(new AIMessage({ content: 'Yes.', additional_kwargs })).wire)).toBe(true)
  })
})
