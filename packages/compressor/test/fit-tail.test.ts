import { countMessages, messageText, toolCallsOf } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { fitTail } from '../src/fit-tail.ts'
import { assistant, calls, result, tokens, user, words } from './harness.ts'

const rounds = (count: number, size: number) =>
  Array.from({ length: count }, (_, index) => [
    calls({ id: `c${index}` }),
    result(`c${index}`, words(size, `r${index}x`)),
  ]).flat()

describe('fitTail', () => {
  it('leaves a tail alone that fits', () => {
    const tail = [user('go on'), ...rounds(3, 50)]
    const fitted = fitTail(tail, { max: 100_000, newest: 100_000 }, tokens)
    expect(fitted.messages).toEqual(tail)
    expect(fitted.spilled).toEqual([])
  })

  it('shortens a result to its beginning and its end', () => {
    const tail = rounds(1, 4_000)
    const { messages } = fitTail(tail, { max: 1_500, newest: 1_500 }, tokens)
    const newest = messageText(messages.at(-1) as never)
    expect(countMessages(tokens, messages)).toBeLessThanOrEqual(1_500)
    expect(newest).toMatch(/^r0x0 r0x1/)
    expect(newest).toMatch(/characters left out/)
    expect(newest).toMatch(/r0x3999$/)
  })

  it('shortens parallel results alike, the longest first', () => {
    const tail = [
      calls({ id: 'a' }, { id: 'b' }, { id: 'c' }),
      result('a', words(2000, 'a')),
      result('b', words(2000, 'b')),
      result('c', words(20, 'c')),
    ]
    const { messages } = fitTail(tail, { max: 1_000, newest: 1_000 }, tokens)
    expect(countMessages(tokens, messages)).toBeLessThanOrEqual(1_000)
    expect(messages.at(-1)).toEqual(tail.at(-1))
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
      const { messages } = fitTail([calls(...ids), ...results], { max: 100, newest: 100 }, tokens)
      expect(messages.filter((message) => /left out/.test(messageText(message)))).toHaveLength(count)
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
    const { messages } = fitTail(tail, { max: 100, newest: 100 }, tokens)
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
    expect(fitTail([call, result('a', 'ok')], { max: 100, newest: 100 }, tokens).messages[0]).toBe(call)
  })

  it('never touches what users and assistants said', () => {
    const tail = [user(words(3000)), assistant(words(3000))]
    expect(fitTail(tail, { max: 100, newest: 100 }, tokens).messages).toEqual(tail)
  })

  it('does nothing the second time', () => {
    for (const limit of [200, 1_000, 3_000, 10_000]) {
      const first = fitTail(rounds(9, 700), { max: limit, newest: limit }, tokens)
      const second = fitTail(first.messages, { max: limit, newest: limit }, tokens)
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
    expect(() => fitTail(tail, { max: 10, newest: 10 }, tokens)).not.toThrow()
  })
})
