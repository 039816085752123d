import {
  countMessages,
  HYGIENE_SHARE,
  isBridge,
  isSummary,
  type Message,
  messageText,
} from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import {
  allText,
  assistant,
  calls,
  createEngine,
  result,
  SUMMARY,
  scripted,
  summaryOf,
  system,
  tokens,
  turns,
  user,
  words,
} from './harness.ts'

/** A text of so many tokens less what a message takes beside its text. */
const text = (size: number, stem: string): string => `${stem} is fine. `.repeat(size).slice(0, (size - 4) * 4)
/** Messages of users and assistants in turn, each of so many tokens. */
const talk = (count: number, size: number): Message[] =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0 ? user(text(size, `u${index}x`)) : assistant(text(size, `a${index}x`)),
  )
const tailOf = (messages: readonly Message[]) =>
  messages.slice(messages.findIndex(isSummary) + 1).filter((message) => !isBridge(message))

describe('results that leave', () => {
  const failing = [
    calls({ id: 'test', name: 'bash', args: { command: 'pnpm test' } }),
    result('test', `${words(80, 'output')}\nlook at src/ledger/round-cents.ts\n3 failed\nexit code: 1`),
  ]
  const short = [calls({ id: 'short' }), result('short', 'all twelve are fine')]
  const messages = [
    system(),
    ...turns(3),
    user('Test it.'),
    ...failing,
    ...short,
    ...turns(60, 400),
    user('Next?'),
  ]

  it('are a line each above 200 characters before a summary is asked for; the end is whole', async () => {
    const model = scripted([SUMMARY])
    const { messages: after } = await createEngine({ profile: 'classic', model }).compress({ messages })
    expect(model.calls).toHaveLength(1)
    const [{ prompt = '' } = {}] = model.calls
    expect(prompt).not.toContain('output40')
    expect(prompt).not.toMatch(/t\d+w\d/)
    expect(prompt).toMatch(/\[cleared: result of `pnpm test`, 4 lines, \d+ characters, it had failed\]/)
    expect(prompt).toContain('all twelve are fine')
    expect(prompt).toContain('Please look at part t2 of the program.')
    const tail = tailOf(after)
    expect(tail).toEqual(messages.slice(-tail.length))
    expect(tail.filter(({ role }) => role === 'tool').length).toBeGreaterThan(3)
  })

  it('leave their identifiers behind the summary, with a model and without', async () => {
    const model = scripted([SUMMARY])
    const { messages: after } = await createEngine({ profile: 'classic', model }).compress({ messages })
    expect(summaryOf(after)).toContain('src/ledger/round-cents.ts')
    const alone = await createEngine({ profile: 'classic' }).compress({ messages })
    expect(summaryOf(alone.messages)).toContain('src/ledger/round-cents.ts')
  })
})

describe('the last messages', () => {
  const compacted = (size: number, options = {}) =>
    createEngine({ profile: 'classic', window: 200_000, model: scripted([SUMMARY]), ...options }).compress({
      messages: [system(), ...talk(40, size)],
    })

  it.each([1_000, 2_000, 3_000, 6_000])('are 20 whatever they take: %i tokens each', async (size) => {
    const { messages, warnings, tokensAfter } = await compacted(size)
    expect(tailOf(messages)).toEqual(talk(40, size).slice(-20))
    expect(warnings.map(({ code }) => code)).toEqual(tokensAfter < 100_000 ? [] : ['above-target'])
  })

  it('are 20 or more in whole groups of calls and results, and nothing in them is shortened', async () => {
    const groups = Array.from({ length: 40 }, (_, index) => [
      calls({ id: `a${index}` }, { id: `b${index}` }),
      result(`a${index}`, text(3_000, `a${index}x`)),
      result(`b${index}`, text(3_000, `b${index}x`)),
    ]).flat()
    const engine = createEngine({ profile: 'classic', window: 200_000 })
    const { messages } = await engine.compress({ messages: [system(), user('Go.'), ...groups] })
    expect(messages.slice(-21)).toEqual(groups.slice(-21))
    expect(messages).not.toContainEqual(groups.at(-22))
  })

  it('are fewer where the window does not hold them, and a warning says so', async () => {
    const { messages, warnings, tokensAfter } = await compacted(12_000)
    expect(tailOf(messages)).toHaveLength(12)
    expect(warnings[0]).toMatchObject({
      code: 'fewer-protected',
      message: expect.stringContaining('the last 12 messages stay instead of 20'),
    })
    expect(tokensAfter).toBeLessThan(HYGIENE_SHARE * 200_000)
  })

  it('are fewer when a host asks for less', async () => {
    const engine = createEngine({ profile: 'classic', window: 200_000, model: scripted([SUMMARY]) })
    const messages = [system(), ...talk(40, 3_000)]
    const { warnings, tokensAfter } = await engine.compress({ messages, force: true, targetTokens: 40_000 })
    expect(tokensAfter).toBeLessThan(40_000)
    expect(warnings.map(({ code }) => code)).toEqual(['fewer-protected'])
    expect(engine.shouldCompress({ promptTokens: 100_000 })).toBe(true)
  })

  it('do not cost a summary for each message where they take more than the threshold', async () => {
    const model = scripted([SUMMARY])
    const engine = createEngine({ profile: 'classic', window: 200_000, model })
    let messages: readonly Message[] = [system(), ...talk(18, 6_000)]
    for (let turn = 0; turn < 40; turn++) {
      messages = [...messages, user(text(1_000, `u${turn}y`)), assistant(text(1_000, `a${turn}y`))]
      const promptTokens = countMessages(tokens, messages)
      expect(promptTokens).toBeLessThan(180_000)
      if (engine.shouldCompress({ promptTokens })) messages = (await engine.compress({ messages })).messages
    }
    expect(model.calls.length).toBeLessThan(5)
  })
})

describe('target_ratio', () => {
  const ratios = [0.1, 0.3, 0.5, 0.8]
  const windows = [16_000, 64_000, 200_000]
  const cases = windows.flatMap((window) => ratios.map((ratio) => [window, ratio] as const))

  it.each(cases)(
    'sizes the end to a message in a window of %i tokens: %d of the threshold',
    async (window, ratio) => {
      for (const profile of ['classic', 'lean'] as const) {
        const size = window / 400
        const engine = createEngine({
          profile,
          window,
          threshold: 0.5,
          target_ratio: ratio,
          model: scripted([SUMMARY]),
        })
        const { messages, tokensAfter, warnings } = await engine.compress({
          messages: [system(), ...talk(600, size)],
        })
        const tail = countMessages(tokens, tailOf(messages))
        const wanted = (window / 2) * ratio
        expect([profile, Math.abs(tail - wanted) <= size * 1.5]).toEqual([profile, true])
        expect(tokensAfter).toBeLessThan(window / 2)
        expect(warnings).toEqual([])
      }
    },
  )

  it('leaves room for a long summary, a long head and a list of identifiers', async () => {
    const endless = ['## Goal', '## Progress', '## Next Steps'].map(
      (heading) => `${heading}\n${'- a line of it\n'.repeat(9_000)}`,
    )
    for (const window of windows) {
      const engine = createEngine({
        profile: 'classic',
        window,
        target_ratio: 0.8,
        model: scripted([endless.join('\n')]),
      })
      const head = [user(text(window * 0.04, 'h')), assistant('I will.')]
      const files = turns(10, 20).map((message) =>
        message.role === 'tool'
          ? {
              ...message,
              content: Array.from(
                { length: window / 100 },
                (_, index) => `src/${message.tool_call_id}/part-${index}.ts`,
              ).join('\n'),
            }
          : message,
      )
      const { messages, tokensAfter } = await engine.compress({
        messages: [system(), ...head, ...files, ...talk(600, window / 400)],
      })
      expect(messages.slice(1, 3)).toEqual(head)
      expect(tokensAfter).toBeLessThan(window / 2)
    }
  })
})

describe('the first exchange', () => {
  const compacted = async (size: number) => {
    const model = scripted([SUMMARY])
    const opening = [user(text(size, 'first')), assistant('I will.')]
    const { messages } = await createEngine({ profile: 'classic', window: 200_000, model }).compress({
      messages: [system(), ...opening, ...turns(200, 400), user('Next?')],
    })
    return { opening, messages, prompt: model.calls[0]?.prompt ?? '' }
  }

  it.each([100, 6_000, 9_500])('stays whole: %i tokens in a window of 200,000', async (size) => {
    const { opening, messages } = await compacted(size)
    expect(messages.slice(1, 3)).toEqual(opening)
  })

  it('is told by the summary where it takes more than a tenth of the room below the threshold', async () => {
    const { opening, messages, prompt } = await compacted(11_000)
    expect(isSummary(messages[1] as Message)).toBe(true)
    expect(prompt).toContain(messageText(opening[0] as Message))
  })
})

describe('the summary', () => {
  const asked = async (window: number, middle: number): Promise<number> => {
    const model = scripted([SUMMARY])
    const messages = [system(), ...talk(Math.ceil(middle / 500), 500), ...talk(20, (window * 0.1) / 20)]
    await createEngine({ profile: 'classic', window, model }).compress({ messages, force: true })
    const prompt = model.calls[0]?.prompt ?? ''
    expect(prompt.match(/^## .+$/gm)).toEqual([
      '## Goal',
      '## Constraints & Preferences',
      '## Progress',
      '## Key Decisions',
      '## Relevant Files',
      '## Errors & Fixes',
      '## Next Steps',
      '## Critical Context',
    ])
    return Number(/no more than (\d+) tokens/.exec(prompt)?.[1])
  }

  it('is a fifth of what it replaces, from 2,000 tokens to 5 % of the window and 12,000', async () => {
    expect(await asked(200_000, 5_000)).toBe(2_000)
    const fifth = await asked(200_000, 30_000)
    expect(fifth).toBeGreaterThan(5_500)
    expect(fifth).toBeLessThan(6_500)
    expect(await asked(200_000, 90_000)).toBe(10_000)
    expect(await asked(1_000_000, 90_000)).toBe(12_000)
  })

  it('takes the one before along, and what it says is brought up to date', async () => {
    const model = scripted([SUMMARY, `${SUMMARY}\n- More.`])
    const engine = createEngine({ profile: 'classic', model })
    const first = await engine.compress({ messages: [system(), ...turns(60, 200), user('Next?')] })
    const second = await engine.compress({
      messages: [...first.messages, ...turns(60, 200, 'n'), user('And?')],
    })
    expect(model.calls[1]?.prompt).toContain(`<previous_summary>\n${SUMMARY}`)
    expect(allText(second.messages).match(/The user wanted the program looked at/g)).toHaveLength(1)
  })
})
