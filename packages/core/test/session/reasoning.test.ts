import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AssistantMessage,
  type CompressCall,
  compactedResult,
  hasReasoning,
  keptResult,
  type Message,
  messageText,
  stripReasoning,
  roughTokenCounter as tokens,
} from '../../src/index.ts'
import { counted } from '../counted.ts'
import { open } from './doubles.ts'
import { system, texts, user } from './talk.ts'

const thought = (content: string): AssistantMessage => ({
  role: 'assistant',
  content,
  providerData: { anthropic: { reasoning: [{ type: 'thinking', thinking: content, signature: content }] } },
})
const reasons = (messages: readonly Message[]) => texts(messages.filter(hasReasoning))

const HOST = [
  system('s'),
  user('a'),
  thought('A'),
  user('b'),
  thought('B'),
  user('c'),
  thought('C'),
  user('d'),
]

describe('reasoning behind an edit of the host, of a model that binds it', () => {
  it('goes, and what stands before the edit keeps its own', async () => {
    const { session } = open({}, { modelName: 'claude-sonnet-5-5' })
    expect(reasons((await session.prepare(HOST)).messages)).toEqual(['A', 'B', 'C'])
    const edited = HOST.with(3, user('another'))
    const { messages } = await session.prepare(edited)
    expect(reasons(messages)).toEqual(['A'])
    expect(texts(messages)).toEqual(texts(edited))
    expect(reasons(session.transcript)).toEqual(['A', 'B', 'C'])
  })

  it('goes by the model that a request is for', async () => {
    const { session } = open()
    await session.prepare(HOST, { modelName: 'kimi-k2' })
    const edited = HOST.with(3, user('another'))
    const { messages } = await session.prepare(edited, { modelName: 'claude-sonnet-5-5' })
    expect(reasons(messages)).toEqual(['A'])
  })

  it('stays where messages were only appended or taken back', async () => {
    const { session } = open({}, { modelName: 'claude-sonnet-5-5' })
    await session.prepare(HOST)
    expect(reasons((await session.prepare([...HOST, thought('D')])).messages)).toEqual(['A', 'B', 'C', 'D'])
    expect(reasons((await session.prepare(HOST.slice(0, 6))).messages)).toEqual(['A', 'B'])
    const branch = [...HOST.slice(0, 6), thought('other')]
    expect(reasons((await session.prepare(branch)).messages)).toEqual(['A', 'B', 'other'])
    // The answer as it came in the end, where a part of it stood.
    const ended = [...branch.with(6, thought('the other one')), user('e')]
    expect(reasons((await session.prepare(ended)).messages)).toEqual(['A', 'B', 'the other one'])
  })

  it('is never sent behind another beginning than the one that it was given behind', async () => {
    const step = fc.record({ at: fc.nat(30), kind: fc.constantFrom('change', 'remove', 'append', 'rewind') })
    await counted(
      'reasoning and its beginning, edited histories',
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { session } = open({}, { modelName: 'claude-sonnet-5-5' })
        /** The text in front of which each answer was given: without reasoning, as that is what edits compare. */
        const givenBehind = new Map<string, string>()
        let host: Message[] = [user('begin')]
        for (const [index, { at, kind }] of steps.entries()) {
          const place = at % host.length
          if (kind === 'change' && host[place]?.role === 'user')
            host = host.with(place, user(`edit ${index}`))
          if (kind === 'remove' && host.length > 3) host = host.toSpliced(place - (place % 2), 2)
          if (kind === 'rewind') host = host.slice(0, place - (place % 2) + 1)
          const { messages } = await session.prepare(host)
          for (const [position, message] of messages.entries())
            if (hasReasoning(message))
              expect(givenBehind.get(messageText(message))).toBe(beginning(messages, position))
          const answer = thought(`answer ${index}`)
          givenBehind.set(messageText(answer), beginning(messages, messages.length))
          host = [...host, answer, user(`question ${index}`)]
        }
      }),
      300,
    )
  })
})

/** Replaces all but the first question and the last two turns. */
const compress = async ({ messages }: CompressCall) => {
  if (messages.length < 7) return keptResult('unchanged', 'short', messages, tokens)
  const summary: Message = { role: 'assistant', content: 'SUMMARY' }
  const after = [...messages.slice(0, 2), summary, ...messages.slice(-3)]
  return compactedResult({ before: messages, after, tokens, reason: 'summarised' })
}

describe('reasoning behind a compaction', () => {
  const compacted = async (modelName: string) => {
    const { session } = open({ compress }, { modelName })
    await session.prepare(HOST)
    await session.compact()
    return { session, messages: (await session.prepare(HOST)).messages }
  }

  it.each([
    ['kimi-k2-thinking', ['C']],
    ['claude-sonnet-4-5', ['C']],
    ['a model that nobody knows', ['C']],
    ['claude-sonnet-5-5', []],
    ['claude-fable-5', []],
  ])('%s is shown that of %j', async (modelName, expected) => {
    const { messages } = await compacted(modelName)
    expect(texts(messages)).toContain('SUMMARY')
    expect(reasons(messages)).toEqual(expected)
  })

  it('is left out, and shown again, as a provider asks for it', async () => {
    const { session } = await compacted('kimi-k2-thinking')
    const refused = { status: 400, message: 'messages.3.content.0: Invalid `signature` in `thinking` block' }
    const bare = await session.recover(refused)
    expect(reasons(bare.messages)).toEqual([])
    expect(bare.warnings.map(({ code }) => code)).toEqual(['reasoning-refused'])
    await session.observe({ message: thought('D') })
    const next = [...HOST, thought('D'), user('e')]
    expect(reasons((await session.prepare(next)).messages)).toEqual(['D'])
    const missed = {
      status: 400,
      message: 'thinking is enabled but reasoning_content is missing in message 2',
    }
    expect(reasons((await session.recover(missed)).messages)).toEqual(['C', 'D'])
    await expect(session.recover(new Error('no credit'))).rejects.toThrow('no credit')
  })

  it('is as it was before when leaving it out helps nobody', async () => {
    const { session } = await compacted('kimi-k2-thinking')
    const refused = { status: 400, message: 'thinking.budget_tokens must be below max_tokens' }
    expect(reasons((await session.recover(refused)).messages)).toEqual([])
    await expect(session.recover(refused)).rejects.toBe(refused)
    expect(reasons((await session.prepare(HOST)).messages)).toEqual(['C'])
  })

  it('is whole or the prefix is as it was, for every rule, however histories grow', async () => {
    await counted(
      'reasoning of kept calls, compacted conversations',
      fc.asyncProperty(
        fc.constantFrom('kimi-k2-thinking', 'claude-opus-5'),
        fc.array(fc.boolean(), { minLength: 3, maxLength: 14 }),
        async (modelName, steps) => {
          const { session } = open({ compress }, { modelName })
          const givenBehind = new Map<string, string>()
          const host: Message[] = [system('s'), user('begin')]
          for (const [index, compacts] of steps.entries()) {
            await session.prepare(host)
            if (compacts) await session.compact()
            const { messages } = await session.prepare(host)
            for (const [place, message] of messages.entries()) {
              if (message.role !== 'assistant' || messageText(message) === 'SUMMARY') continue
              // A strict upstream: one provider misses reasoning, the other refuses it behind another beginning.
              if (modelName.startsWith('kimi')) expect(hasReasoning(message)).toBe(true)
              else if (hasReasoning(message))
                expect(givenBehind.get(messageText(message))).toBe(beginning(messages, place))
            }
            const answer = thought(`answer ${index}`)
            givenBehind.set(messageText(answer), beginning(messages, messages.length))
            await session.observe({ message: answer })
            host.push(answer, user(`question ${index}`))
          }
        },
      ),
      200,
    )
  })
})

function beginning(messages: readonly Message[], end: number): string {
  return JSON.stringify(messages.slice(0, end).map(stripReasoning))
}

describe('a request that is shown whole', () => {
  it('has all that was said, and changes nothing of what is shown next', async () => {
    const { session } = open({ compress }, { modelName: 'kimi-k2' })
    await session.prepare(HOST)
    await session.compact()
    const { messages } = await session.prepare(HOST)
    const whole = await session.prepare(HOST, { whole: 'if-it-fits' })
    expect(whole.messages).toEqual(HOST)
    expect(whole.origins).toEqual(HOST.map((_, index) => ({ from: 'transcript', index, whole: true })))
    expect((await session.prepare(HOST)).messages).toEqual(messages)
  })

  it('has no reasoning that a model might have given behind a summary and binds', async () => {
    const { session } = open({ compress }, { modelName: 'claude-sonnet-5-5' })
    await session.prepare(HOST)
    expect(reasons((await session.prepare(HOST, { whole: 'if-it-fits' })).messages)).toEqual(['A', 'B', 'C'])
    await session.compact()
    const { messages } = await session.prepare(HOST, { whole: 'if-it-fits' })
    expect([texts(messages), reasons(messages)]).toEqual([texts(HOST), []])
  })
})
