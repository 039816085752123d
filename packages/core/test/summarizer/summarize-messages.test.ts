import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CompletionCall,
  type CompletionModel,
  type Message,
  ModelError,
  roughTokenCounter,
} from '../../src/index.ts'
import { serializeMessage, summarizeMessages } from '../../src/summarizer.ts'

type SummarizeInput = Parameters<typeof summarizeMessages>[0]

import { counted } from '../counted.ts'

const tokens = roughTokenCounter
const SYSTEM = 'You write the record of a conversation. '.repeat(10)
const prompt: SummarizeInput['prompt'] = ({ conversation, previousSummary, maxTokens }) =>
  `${previousSummary ? `<record>\n${previousSummary}\n</record>\n` : ''}<conversation>\n${conversation}\n</conversation>\nAim at no more than ${maxTokens} tokens. ${'Use these headings. '.repeat(60)}`
const FRAME = tokens.countText(SYSTEM + prompt({ conversation: '', previousSummary: '…', maxTokens: 12_000 }))

/** A model that writes as much as it may, and a quarter more. Each of its records says which it is. */
function longWinded(contextLength: number) {
  const calls: CompletionCall[] = []
  const model: CompletionModel = {
    name: 'long-winded',
    contextLength,
    async complete(call) {
      calls.push(call)
      return {
        text: `## Goal\n- record ${calls.length}\n${'- a step\n'.repeat(answerTokens(call) / 2)}`,
        finishReason: 'stop',
      }
    },
  }
  return { model, calls }
}

/** What an answer may take that is a quarter longer than asked. */
const answerTokens = (call: CompletionCall): number =>
  Math.floor(Number(/no more than (\d+) tokens/.exec(call.prompt)?.[1]) * 1.25)
const conversationOf = (call: CompletionCall): string =>
  /<conversation>\n([\s\S]*)\n<\/conversation>/.exec(call.prompt)?.[1] ?? ''
const recordOf = (call: CompletionCall): string =>
  /<record>\n([\s\S]*)\n<\/record>/.exec(call.prompt)?.[1] ?? ''

/** The conversation as it was before it was cut into chunks. */
const joined = (calls: readonly CompletionCall[]): string =>
  calls
    .map(conversationOf)
    .reduce((text, chunk) =>
      chunk.startsWith('[continued] ') ? text + chunk.slice('[continued] '.length) : `${text}\n${chunk}`,
    )

const run = (messages: readonly Message[], window: number, more: Partial<SummarizeInput> = {}) => {
  const { model, calls } = longWinded(window)
  const input = { model, messages, tokens, system: SYSTEM, prompt, isFailed: () => false, signal: undefined }
  const done = summarizeMessages({ ...input, previousSummary: undefined, maxTokens: 10_000, ...more })
  return { calls, done }
}

const TEXT = 'The quick brown fox jumps over the lazy dog; 敏捷的棕色狐狸跳过了懒狗。🦊 '
const text = (characters: number, wide: boolean): string => {
  const unit = wide ? '敏捷的棕色狐狸跳过了懒狗。🦊' : TEXT.slice(0, 46)
  return unit
    .repeat(Math.ceil(characters / unit.length))
    .slice(0, characters)
    .toWellFormed()
}
const message = (characters: number, wide: boolean, index: number): Message => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `${index} ${text(characters, wide)}`,
})

/** Middles of about `total` characters, by the sizes of their messages. */
const middle = (total: number): fc.Arbitrary<readonly Message[]> =>
  fc.oneof(
    fc.constant([message(total, false, 0)]),
    fc.constant([message(total / 4, true, 0)]),
    fc.constant(Array.from({ length: Math.min(4_000, total / 8) }, (_, index) => message(2, false, index))),
    fc
      .array(fc.record({ share: fc.nat(1_000), wide: fc.boolean() }), { minLength: 2, maxLength: 60 })
      .map((list) => {
        const sum = list.reduce((all, { share }) => all + share, 1)
        return list.map(({ share, wide }, index) =>
          message(Math.floor((total * share) / sum / (wide ? 4 : 1)), wide, index),
        )
      }),
  )
const setup = fc.constantFrom(8_000, 32_000, 200_000).chain((main) =>
  fc.record({
    messages: middle(main * 4 * 0.7),
    maxTokens: fc.constant(Math.floor(Math.min(main * 0.06, 12_000))),
    previous: fc
      .constantFrom(0, 50, 1_000, 15_000)
      .map((count) => (count === 0 ? undefined : `## Goal\n${'- done\n'.repeat(count / 2)}`)),
    window: fc.oneof(
      fc.constantFrom(4_000, 8_000, 16_000, 26_000, 64_000, 200_000),
      fc.integer({ min: 2_000, max: 210_000 }),
    ),
  }),
)

describe('a summariser with a smaller window', () => {
  it('reads everything, in order, in as few calls as its window allows, and never more than fits', async () => {
    let chunked = 0
    await counted(
      'chunks for a summariser',
      fc.asyncProperty(setup, async ({ messages, maxTokens, previous, window }) => {
        const { calls, done } = run(messages, window, { maxTokens, previousSummary: previous })
        await done
        if (calls.length > 1) chunked++
        const whole = messages.map((one) => serializeMessage(one)).join('\n')
        const shown = recordOf(calls[0] as CompletionCall) + joined(calls)
        expect(shown.endsWith(whole)).toBe(true)
        expect(shown).toContain(previous?.trim() ?? '')
        for (const call of calls)
          expect(
            tokens.countText(call.prompt) + tokens.countText(call.system ?? '') + answerTokens(call),
          ).toBeLessThanOrEqual(window)
        const answer = answerTokens(calls[0] as CompletionCall)
        const room = window - FRAME - 2 * answer
        expect(room).toBeGreaterThanOrEqual((window - FRAME) / 2)
        if (answer > 256 * 1.25) expect(room).toBeGreaterThanOrEqual(((window - FRAME) * 11) / 16 - 1)
        const toRead = tokens.countText(whole) + tokens.countText(previous ?? '')
        expect(calls.length).toBeLessThanOrEqual(Math.ceil(toRead / room) + 1)
      }),
      150,
      'middles',
    )
    expect(chunked).toBeGreaterThan(50)
  })

  it.each([
    [200_000, 1],
    [64_000, 4],
    [26_000, 9],
    [16_000, 14],
    [8_000, 28],
    [4_000, 60],
  ])('of %i tokens reads 137,000 tokens in %i calls', async (window, expected) => {
    const messages = Array.from({ length: 700 }, (_, index) => message(770, false, index))
    const { calls, done } = run(messages, window)
    await done
    expect(calls).toHaveLength(expected)
  })

  it('brings the record up to date with each part', async () => {
    const { calls, done } = run([message(80_000, false, 0)], 16_000, {
      previousSummary: '## Goal\n- record 0',
    })
    expect(await done).toContain(`- record ${calls.length}`)
    for (const [index, call] of calls.entries()) expect(recordOf(call)).toContain(`- record ${index}`)
    expect(calls.slice(1).every((call) => conversationOf(call).startsWith('[continued] '))).toBe(true)
  })

  it('reads an earlier record in pieces that is too long to stand beside a part', async () => {
    const previousSummary = `## Goal\n${'- an old step\n'.repeat(2_000)}- the last old step`
    const { calls, done } = run([message(4_000, false, 0)], 8_000, { previousSummary })
    await done
    expect(recordOf(calls[0] as CompletionCall)).toBe('')
    expect(joined(calls)).toMatch(
      /^\[system\] The record of what came before:\n## Goal\n[\s\S]*- the last old step\n\[user\] 0 /,
    )
  })

  it('is not asked when its window is too small for anything, and the error says which one would do', async () => {
    const { calls, done } = run([message(4_000, false, 0)], 1_000)
    const error = await done.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toMatchObject({ kind: 'invalid-request' })
    expect(calls).toHaveLength(0)
    const least = Number(/takes one of (\d+)/.exec((error as Error).message)?.[1])
    const enough = run([message(4_000, false, 0)], least)
    await enough.done
    expect(enough.calls.length).toBeGreaterThan(0)
    await expect(run([message(4_000, false, 0)], least - 1).done).rejects.toThrow(`takes one of ${least}`)
  })

  it('gets smaller parts when its window turns out to be smaller than it says', async () => {
    const { model, calls } = longWinded(64_000)
    const limited: CompletionModel = {
      ...model,
      async complete(call) {
        if (tokens.countText(call.prompt) > 9_000) throw new ModelError('context-overflow', 'too long')
        return model.complete(call)
      },
    }
    const { done } = run([message(160_000, false, 0)], 64_000, { model: limited })
    await done
    expect(joined(calls)).toBe(serializeMessage(message(160_000, false, 0)))
  })
})
