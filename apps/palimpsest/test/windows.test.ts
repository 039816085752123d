import compressor from '@palimpsest/compressor'
import {
  ContextOverflowError,
  type ContextSession,
  checkProjection,
  countMessages,
  createContextSession,
  type EngineDefinition,
  findLastUser,
  type Message,
  ModelError,
  type Prepared,
  repairMessages,
  roughTokenCounter as tokens,
  toolTransactions,
} from '@palimpsest/core'
import decisions from '@palimpsest/decisions'
import lcm from '@palimpsest/lcm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const over = (engine: unknown) => ({ compaction: { engine } })
const ENGINES: Readonly<Record<string, { engine: EngineDefinition; options?: Record<string, unknown> }>> = {
  compressor: { engine: compressor as EngineDefinition },
  lcm: { engine: lcm as EngineDefinition },
  decisions: { engine: decisions as EngineDefinition },
  'decisions, profile seed': { engine: decisions as EngineDefinition, options: { profile: 'seed' } },
  'decisions over compressor': { engine: decisions as EngineDefinition, options: over(compressor) },
  'decisions over lcm': { engine: decisions as EngineDefinition, options: over(lcm) },
}

const log = (characters: number) =>
  Array.from(
    { length: Math.ceil(characters / 40) },
    (_, line) => `${line}: src/a${line % 7}.ts took ${line * 37} ms, ok`,
  )
    .join('\n')
    .slice(0, characters)
const user = (content: string): Message => ({ role: 'user', content })
const assistant = (content: string): Message => ({ role: 'assistant', content })
const calling = (content: string | null, ...args: string[]): Message => ({
  role: 'assistant',
  content,
  tool_calls: args.map((text, index) => ({
    id: `c${index}`,
    type: 'function',
    function: { name: 'read_file', arguments: JSON.stringify({ path: 'a.ts', text }) },
  })),
})
const result = (content: string, index = 0): Message => ({ role: 'tool', tool_call_id: `c${index}`, content })

/** The end of a conversation, with a text of so many characters in one place. */
const PLACES: Readonly<Record<string, (size: number) => Message[]>> = {
  'a result': (size) => [user('read'), calling(null, ''), result(log(size))],
  'three results': (size) => [
    user('read'),
    calling(null, '', '', ''),
    ...[0, 1, 2].map((index) => result(log(size / 3), index)),
  ],
  'an old result': (size) => [
    user('read'),
    calling(null, ''),
    result(log(size)),
    assistant('ok'),
    user('and?'),
  ],
  'an answer': (size) => [user('write'), assistant(log(size)), user('and?')],
  'the words of a call': (size) => [user('write'), calling(log(size), ''), result('ok')],
  'the arguments of a call': (size) => [user('write'), calling(null, log(size)), result('ok')],
  'an old question': (size) => [user(log(size)), assistant('ok'), user('and?')],
  'the last question': (size) => [assistant('ok'), user(log(size))],
}

const setting = fc.record({
  place: fc.constantFrom(...Object.keys(PLACES)),
  window: fc.constantFrom(4_000, 8_000, 16_000, 64_000, 200_000),
  share: fc.double({ min: 0.1, max: 2.5, noNaN: true }),
  earlier: fc.integer({ min: 0, max: 12 }),
  prompt: fc.constantFrom(40, 1_200, 12_000),
})
type Setting = typeof setting extends fc.Arbitrary<infer T> ? T : never

function conversation({ place, window, share, earlier, prompt }: Setting): Message[] {
  const turns = Array.from({ length: earlier }, (_, turn) => [
    user(`question ${turn}: use Postgres ${turn} for the table t${turn}`),
    assistant(`answer ${turn}: ${log(window / 20)}`),
  ])
  return [
    { role: 'system', content: log(prompt) },
    ...turns.flat(),
    ...(place === 'the last question' ? [user('hello')] : []),
    ...(PLACES[place]?.(window * 4 * share) ?? []),
  ]
}

/** Tokens of what no engine may cut, with a line for each text of the last transaction and room for a short summary. */
function leastTokens(host: readonly Message[], { tools }: Prepared, room: number): number {
  const last = toolTransactions(host).at(-1)
  const lines = ((last?.end ?? 0) - (last?.start ?? 0)) * 60
  const asked = host[findLastUser(host)]
  const kept = [host[0], asked].filter((message) => message !== undefined)
  return countMessages(tokens, kept) + tokens.countTools(tools) + lines + room * 0.25
}

function expectHeld(
  prepared: Prepared,
  session: ContextSession,
  host: readonly Message[],
  room: number,
): void {
  expect(session.transcript).toEqual(host)
  expect(checkProjection(prepared.messages, host, { before: repairMessages(host).messages })).toEqual([])
  expect(prepared.tokens).toBe(countMessages(tokens, prepared.messages) + tokens.countTools(prepared.tools))
  const named = prepared.warnings.filter(({ code }) => code === 'over-window')
  if (leastTokens(host, prepared, room) <= room) expect(prepared.tokens).toBeLessThanOrEqual(room)
  expect(named).toHaveLength(prepared.tokens <= room ? 0 : 1)
  for (const { message } of named) expect(message).toMatch(NAMED)
}

/** How a prompt that is too large names what it is made of. */
const NAMED = /its largest part is (?:messages\[\d+\], |the tools|a message that the engine wrote)/

describe.each(Object.keys(ENGINES))('%s', (name) => {
  const open = (contextLength: number, maxOutputTokens: number) =>
    createContextSession({
      ...(ENGINES[name] as { engine: EngineDefinition }),
      contextLength,
      maxOutputTokens,
    })

  it('holds the window wherever a large text stands, or names what does not fit', async () => {
    await fc.assert(
      fc.asyncProperty(setting, async (input) => {
        const host = conversation(input)
        const session = open(input.window, input.window / 10)
        const room = input.window - input.window / 10
        expectHeld(await session.prepare(host), session, host, room)
        const answered = [...host, assistant('done'), user('thank you')]
        expectHeld(await session.prepare(answered), session, answered, room)
        await session.end()
      }),
      { numRuns: 20 },
    )
  })

  it('holds a smaller window that a provider reports, or the error names what does not fit', async () => {
    await fc.assert(
      fc.asyncProperty(setting, async (input) => {
        const host = conversation(input)
        const session = open(input.window * 2, 0)
        const first = await session.prepare(host)
        const limit = input.window
        const refusal = new ModelError('context-overflow', 'too long', { contextLength: limit })
        try {
          const again = await session.recover(refusal)
          expectHeld(again, session, host, limit)
          expect(again.tokens).toBeLessThanOrEqual(limit)
        } catch (error) {
          if (!ContextOverflowError.isInstance(error)) throw error
          expect(error.message).toMatch(NAMED)
          // A prompt that fits and in which nothing can be cut cannot be helped either.
          if (error.tokens > limit) expect(leastTokens(host, first, limit)).toBeGreaterThan(limit)
        }
        await session.end()
      }),
      { numRuns: 15 },
    )
  })
})
