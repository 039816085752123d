import { countMessages, messageText, toolCallsOf } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { fitTail } from '../src/fit-tail.ts'
import { COMPRESSOR_PROFILES } from '../src/options.ts'
import { assistant, calls, result, tokens, user, words } from './harness.ts'

const { classic, lean } = COMPRESSOR_PROFILES
const rounds = (count: number, size: number) =>
  Array.from({ length: count }, (_, index) => [
    calls({ id: `c${index}` }),
    result(`c${index}`, words(size, `r${index}x`)),
  ]).flat()

describe('fitTail', () => {
  it('leaves a tail alone that fits', () => {
    const tail = [user('go on'), ...rounds(3, 50)]
    const fitted = fitTail(tail, { max: 100_000, newest: 100_000 }, classic, tokens)
    expect(fitted.messages).toEqual(tail)
    expect(fitted.spilled).toEqual([])
  })

  it('keeps the newest of identical tool results', () => {
    const text = words(100)
    const tail = [calls({ id: 'a' }), result('a', text), calls({ id: 'b' }), result('b', text)]
    const { messages, spilled } = fitTail(tail, { max: 100_000, newest: 100_000 }, classic, tokens)
    expect(messageText(messages[1] as never)).toMatch(/^\[cut: result of read src\/a\.ts/)
    expect(messages[3]).toEqual(tail[3])
    expect(spilled).toEqual(tail.slice(0, 2))
  })

  it('does not compare results that are lists of parts', () => {
    const part = { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: words(100) }] } as const
    const tail = [calls({ id: 'a' }), part, calls({ id: 'b' }), { ...part, tool_call_id: 'b' }] as never
    expect(fitTail(tail, { max: 100_000, newest: 100_000 }, classic, tokens).messages).toEqual(tail)
  })

  it('clears long results that are older than six rounds in the profile lean, and none in classic', () => {
    const tail = rounds(8, 1_000)
    const cleared = (profile: typeof lean) =>
      fitTail(tail, { max: 100_000, newest: 100_000 }, profile, tokens).messages.filter((message) =>
        messageText(message).startsWith('[cut: '),
      )
    expect(cleared(lean)).toHaveLength(2)
    expect(cleared(classic)).toHaveLength(0)
  })

  it('says what a cleared result was about and whether it had failed', () => {
    const tail = [
      calls({ id: 'a', name: 'bash', args: { command: 'npm test -- --watch=false' } }),
      {
        ...result('a', `${words(1_000)}\nIt did not work.`),
        providerData: { transcript: { isError: true } },
      },
      ...rounds(6, 400),
    ]
    const [, stub] = fitTail(tail, { max: 100_000, newest: 100_000 }, lean, tokens).messages
    expect(messageText(stub as never)).toMatch(
      /^\[cut: result of `npm test -- --watch=false`, 2 lines, \d+ characters, it had failed; summarised above\]$/,
    )
  })

  it('shortens the oldest results first, as many as it takes', () => {
    const tail = rounds(6, 400)
    const { messages } = fitTail(tail, { max: 2_400, newest: 2_400 }, classic, tokens)
    const cut = messages
      .filter(({ role }) => role === 'tool')
      .map((message) => messageText(message).startsWith('[cut: '))
    expect(cut).toEqual([true, true, true, false, false, false])
  })

  it('never reduces results to a line that the model has not seen yet, parallel ones included', () => {
    const newest = [
      calls({ id: 'a' }, { id: 'b' }),
      result('a', words(900, 'a')),
      result('b', words(900, 'b')),
    ]
    const { messages } = fitTail(
      [...rounds(3, 400), ...newest],
      { max: 500, newest: 10_000 },
      classic,
      tokens,
    )
    expect(messages.slice(-3)).toEqual(newest)
  })

  it('at last shortens what is newest to its beginning and its end', () => {
    const tail = rounds(4, 1000)
    const { messages } = fitTail(tail, { max: 1_500, newest: 1_500 }, classic, tokens)
    const newest = messageText(messages.at(-1) as never)
    expect(countMessages(tokens, messages)).toBeLessThanOrEqual(1_500)
    expect(newest).toMatch(/^r3x0 r3x1/)
    expect(newest).toMatch(/characters left out here/)
    expect(newest).toMatch(/r3x999$/)
  })

  it('shortens parallel results alike, the longest first', () => {
    const tail = [
      calls({ id: 'a' }, { id: 'b' }, { id: 'c' }),
      result('a', words(2000, 'a')),
      result('b', words(2000, 'b')),
      result('c', words(20, 'c')),
    ]
    const { messages } = fitTail(tail, { max: 1_000, newest: 1_000 }, classic, tokens)
    expect(countMessages(tokens, messages)).toBeLessThanOrEqual(1_000)
    expect(messages.at(-1)).toEqual(tail.at(-1))
  })

  it('reads the calls of one message as often for many results as for a few', () => {
    const looks = (count: number) => {
      let sum = 0
      const ids = Array.from({ length: count }, (_, index) => ({ id: `p${index}` }))
      const made = calls(...ids)
      const list = made.tool_calls
      Object.defineProperty(made, 'tool_calls', { get: () => (++sum > 0 ? list : []), enumerable: true })
      const results = ids.map(({ id }) => result(id, `exit code 1\n${words(200, id)}`))
      const tail = [made, ...results, ...rounds(1, 10)]
      const { messages } = fitTail(tail, { max: 100, newest: 100_000 }, lean, tokens)
      expect(messages.filter((message) => /^\[cut: result of/.test(messageText(message)))).toHaveLength(count)
      return sum
    }
    expect(looks(60)).toBe(looks(6))
  })

  it('reads each of many parallel results as often as each of a few', () => {
    const reads = (count: number) => {
      let sum = 0
      const ids = Array.from({ length: count }, (_, index) => ({ id: `p${index}` }))
      const results = ids.map(({ id }) =>
        Object.defineProperty(result(id, ''), 'content', {
          get() {
            sum++
            return words(200, id)
          },
          enumerable: true,
        }),
      )
      const { messages } = fitTail([calls(...ids), ...results], { max: 100, newest: 100 }, lean, tokens)
      expect(messages.filter((message) => /left out here/.test(messageText(message)))).toHaveLength(count)
      return sum / count
    }
    expect(reads(60)).toBeLessThan(2 * reads(6))
  })

  it('cuts long arguments inside their JSON and keeps them valid', () => {
    const content = `${'漢字🙂'.repeat(300)}end`
    const tail = [
      calls({ id: 'a', name: 'write', args: { path: 'src/a.ts', content, lines: [1, null, true] } }),
      result('a', 'written'),
    ]
    const { messages } = fitTail(tail, { max: 100, newest: 100 }, classic, tokens)
    const [call] = toolCallsOf(messages[0] as never)
    const args = JSON.parse(call?.type === 'function' ? call.function.arguments : '')
    expect(args.path).toBe('src/a.ts')
    expect(args.lines).toEqual([1, null, true])
    expect(args.content.length).toBeLessThan(content.length)
    expect(args.content.isWellFormed()).toBe(true)
    expect(args.content).toMatch(/end$/)
  })

  it('leaves arguments alone that are not JSON', () => {
    const call = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: `{${words(500)}` } }],
    } as never
    expect(fitTail([call, result('a', 'ok')], { max: 100, newest: 100 }, classic, tokens).messages[0]).toBe(
      call,
    )
  })

  it('gives the newest results, which the model has not seen, the room that is left', () => {
    const tail = rounds(4, 1000)
    const { messages } = fitTail(tail, { max: 1_500, newest: 3_000 }, classic, tokens)
    expect(messages.at(-1)).toEqual(tail.at(-1))
    expect(messages.slice(0, -1).some((message) => messageText(message).startsWith('[cut: '))).toBe(true)
  })

  it('never touches what users and assistants said', () => {
    const tail = [user(words(3000)), assistant(words(3000))]
    expect(fitTail(tail, { max: 100, newest: 100 }, lean, tokens).messages).toEqual(tail)
  })

  it('does nothing the second time', () => {
    for (const limit of [200, 1_000, 3_000, 10_000]) {
      const first = fitTail(rounds(9, 700), { max: limit, newest: limit }, lean, tokens)
      const second = fitTail(first.messages, { max: limit, newest: limit }, lean, tokens)
      expect(second.messages).toEqual(first.messages)
      expect(second.spilled).toEqual([])
    }
  })

  it('copes with odd arguments and results', () => {
    const odd = [null, 42, 'text', [], { path: 7 }, { command: ['ls', '-l'] }, { path: '\ud800' }]
    const tail = odd.flatMap((args, index) => [
      calls({ id: `o${index}`, args }),
      result(`o${index}`, words(300, `o${index}`)),
    ])
    expect(() => fitTail(tail, { max: 10, newest: 10 }, lean, tokens)).not.toThrow()
  })
})
