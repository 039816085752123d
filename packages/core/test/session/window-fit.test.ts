import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkProjection,
  countMessages,
  createContextSession,
  type EngineParts,
  keptResult,
  type Message,
  messageText,
  type TokenCounter,
  roughTokenCounter as tokens,
} from '../../src/index.ts'
import { deepFreeze } from '../arbitraries.ts'
import { counted } from '../counted.ts'
import { engine, open } from './doubles.ts'
import { assistant, calling, result, system, tool, user } from './talk.ts'

const lines = (characters: number) =>
  'a line of a log, 42 of 99\n'.repeat(characters / 26 + 1).slice(0, characters)
const asking = (args: unknown): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'write', arguments: JSON.stringify(args) } }],
})
const start = [system('Be exact.'), user('read the log')]

/** Conversations with a large text, by its place in them. */
const PLACES: Readonly<Record<string, (text: string) => Message[]>> = {
  'one result': (text) => [...start, calling('a'), result('a', text)],
  'several results': (text) => [
    ...start,
    calling('a', 'b', 'c'),
    ...['a', 'b', 'c'].map((id) => result(id, text)),
  ],
  'an older result': (text) => [...start, calling('a'), result('a', text), assistant('read'), user('and?')],
  'parts of a result': (text) => [
    ...start,
    calling('a'),
    {
      role: 'tool',
      tool_call_id: 'a',
      content: [
        { type: 'text', text },
        { type: 'text', text: 'end' },
      ],
    },
  ],
  'the arguments of a call': (text) => [...start, asking({ path: 'a.ts', text }), result('a')],
  'many arguments': (text) => [...start, asking(text.split('\n')), result('a')],
  'the words before a call': (text) => [...start, { ...calling('a'), content: text } as Message, result('a')],
  reasoning: (text) => [...start, Object.assign({ reasoning: text }, calling('a')), result('a')],
  'an answer': (text) => [...start, assistant(text), user('and?')],
  'an earlier question': (text) => [user(text), assistant('read'), user('and?')],
  'the last question': (text) => [system('Be exact.'), user(text)],
  'the system prompt': (text) => [system(text), user('and?')],
}
/** An engine that makes nothing smaller. */
const KEEPING: Partial<EngineParts> = {
  compress: async ({ messages }) => keptResult('unchanged', 'nothing-to-compact', messages, tokens),
}
/** Places of what is sent as it is. */
const VERBATIM = new Set(['the last question', 'the system prompt'])

describe('a session whose engine leaves a prompt too large', () => {
  it('holds the window for every place of a large text, or names the message', async () => {
    const setting = fc.record({
      place: fc.constantFrom(...Object.keys(PLACES)),
      window: fc.constantFrom(4_000, 8_000, 32_000, 200_000),
      times: fc.double({ min: 0.2, max: 4, noNaN: true }),
      maxOutputTokens: fc.constantFrom(0, 500),
      tools: fc.integer({ min: 0, max: 5 }),
    })
    await counted(
      'the window is held, or the message named',
      fc.asyncProperty(setting, async ({ place, window, times, maxOutputTokens, tools }) => {
        const host = deepFreeze(PLACES[place]?.(lines(Math.floor(window * 4 * times))) ?? [])
        const { session } = open(KEEPING, { contextLength: window, maxOutputTokens })
        const hostTools = Array.from({ length: tools }, (_, index) => tool(`tool_${index}`))
        const prepared = await session.prepare(host, { tools: hostTools })
        const room = window - maxOutputTokens
        expect(prepared.tokens).toBe(countMessages(tokens, prepared.messages) + tokens.countTools(hostTools))
        expect(checkProjection(prepared.messages, host)).toEqual([])
        expect(session.transcript).toEqual(host)
        const codes = prepared.warnings.map(({ code }) => code)
        const isHeld = prepared.tokens <= room
        if (!VERBATIM.has(place)) expect(isHeld).toBe(true)
        expect(codes.includes('over-window')).toBe(!isHeld)
        if (!isHeld)
          expect(prepared.warnings.at(-1)?.message).toContain(
            `messages[${host.length - 1 - (place === 'the system prompt' ? 1 : 0)}]`,
          )
        const uncut = countMessages(tokens, host) + tokens.countTools(hostTools)
        if (uncut <= room) expect(prepared.messages).toEqual(host)
        // Doing it twice changes nothing.
        const again = await session.prepare(host, { tools: hostTools })
        expect({ ...again, warnings: [] }).toEqual({ ...prepared, warnings: [] })
      }),
      150,
      'prompts',
    )
  })

  it('shows what it cut the same way in every later request', async () => {
    const { session } = open(KEEPING, { contextLength: 4_000 })
    const host = [...start, calling('a'), result('a', lines(60_000))]
    const { messages: first } = await session.prepare(host)
    const next = [...host, calling('b'), result('b', lines(900))]
    const { messages: second } = await session.prepare(next)
    expect(second.slice(0, first.length)).toEqual(first)
    await session.updateModel({ contextLength: 100_000 })
    expect((await session.prepare(next)).messages).toEqual(next)
  })

  it('keeps beginning and end of the newest result, and says how much is left out and where it is', async () => {
    const { session } = open(KEEPING, { contextLength: 4_000 })
    const text = `BEGINNING\n${lines(60_000)}\nEND`
    const { messages, warnings } = await session.prepare([...start, calling('a'), result('a', text)])
    const shown = messageText(messages[3] as Message)
    expect(shown).toMatch(/^BEGINNING\n[\s\S]*END$/)
    const [mark = '', left] = /\n\[… (\d+) characters left out here .* transcript .* …\]\n/.exec(shown) ?? []
    expect(shown.length - mark.length + Number(left)).toBe(text.length)
    expect(warnings.map(({ message }) => message).join()).toContain('messages[3], the result of f (a)')
  })

  it('cuts what the model has answered to before the newest results, and no other message', async () => {
    const { session } = open(KEEPING, { contextLength: 8_000 })
    const host = [...start, calling('a'), result('a', lines(30_000)), calling('b'), result('b', lines(6_000))]
    const { messages } = await session.prepare(host)
    expect(messages.map((message, index) => JSON.stringify(message) !== JSON.stringify(host[index]))).toEqual(
      [false, false, false, true, false, false],
    )
  })

  it('cuts no secret in two', async () => {
    const key = `sk-proj-${'Ab3'.repeat(16)}`
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2_000, max: 20_000 }), async (before) => {
        const { session } = open(KEEPING, { contextLength: 4_000 })
        const text = `${lines(before)}\n${key}\n${lines(40_000)}`
        const args = { text }
        for (const host of [
          [...start, calling('a'), result('a', text)],
          [...start, asking(args), result('a')],
        ]) {
          const sent = JSON.stringify((await session.prepare(host)).messages)
          expect(sent).not.toContain('sk-proj')
          expect(sent).not.toContain('Ab3Ab3')
        }
      }),
      { numRuns: 40 },
    )
  })

  it('keeps what an engine says about the text that it cut itself', async () => {
    const { session } = open(KEEPING, { contextLength: 4_000 })
    const mark =
      '[… 1000 characters are not shown; the whole result is m7: lcm_expand {"id":"m7"} reads it …]'
    const host = [...start, calling('a'), result('a', `${lines(20_000)}\n${mark}\n${lines(9_000)}`)]
    const shown = messageText((await session.prepare(host)).messages[3] as Message)
    const [found = '', left] =
      /\n\[… (\d+) characters are not shown; the whole result is m7: .*\]\n/.exec(shown) ?? []
    expect(shown.length - found.length + Number(left)).toBe(30_000)
  })

  it('sends no reasoning behind a cut that came later', async () => {
    const { session } = open(KEEPING, { contextLength: 4_000, modelName: 'claude-sonnet-5-5' })
    const thinking = Object.assign({ reasoning_content: 'bound to all before' }, assistant('I see.'))
    const host = [...start, calling('a'), result('a', lines(8_000)), thinking, user('go on')]
    expect(JSON.stringify((await session.prepare(host)).messages)).toContain('bound')
    const longer = [...host, calling('b'), result('b', lines(12_000))]
    expect(JSON.stringify((await session.prepare(longer)).messages)).not.toContain('bound')
  })

  it("goes by the provider's own count", async () => {
    const counter: TokenCounter = {
      ...tokens,
      calibration: { observe: () => {}, apply: (count) => count * 1.5 },
    }
    const { session } = open(KEEPING, { contextLength: 4_000, tokens: counter })
    const { messages } = await session.prepare([...start, calling('a'), result('a', lines(13_000))])
    expect(countMessages(tokens, messages) * 1.5).toBeLessThanOrEqual(4_000)
  })

  it('cuts nothing when compaction is switched off, and says that the prompt does not fit', async () => {
    const session = createContextSession({ engine: engine(KEEPING), contextLength: 4_000, enabled: false })
    const host = [...start, calling('a'), result('a', lines(60_000))]
    const { messages, warnings } = await session.prepare(host)
    expect(messages).toEqual(host)
    expect(warnings.map(({ code }) => code)).toEqual(['over-window'])
  })
})
