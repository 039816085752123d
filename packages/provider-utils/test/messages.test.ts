import type { Message } from '@palimpsest/core'
import { expect, it } from 'vitest'
import {
  addCallPiece,
  callFields,
  createCallIds,
  providerDataOf,
  type StreamedCall,
  wellFormed,
} from '../src/index.ts'

const called = (id: string): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
})

it('a call keeps its id where that is new, and gets a stable one where it is missing or taken', () => {
  const ids = () =>
    createCallIds({
      prefix: 'mine-',
      responseId: 'r',
      messages: [called('call_0'), { role: 'user', content: 'x' }],
    })
  const calls = [
    { id: 'call_1', name: 'f', args: '{}' },
    { id: 'call_0', name: 'f', args: '{}' },
    { id: '', name: 'f', args: '{}' },
    { name: 'f', args: '{}' },
    { id: 'call_1', name: 'g', args: '{}' },
  ]
  const first = calls.map(ids())
  expect(first[0]).toBe('call_1')
  for (const id of first.slice(1)) expect(id).toMatch(/^mine-[0-9a-f]{16}$/)
  expect(new Set(first).size).toBe(5)
  expect(calls.map(ids())).toEqual(first)
})

it('half a character becomes a whole one, in keys too; everything else stays', () => {
  const half = '\ud83d'
  const value = JSON.parse(`{ "__proto__": { "a": [1, null, true] }, "text": "pair \u{1F600}" }`)
  expect(wellFormed({ ...value, [half]: [`cut ${half}`] })).toEqual({ ...value, '\uFFFD': ['cut \uFFFD'] })
  expect(Object.keys(wellFormed(value))).toContain('__proto__')
})

it('data of a package are found under its own key only', () => {
  const holder = { providerData: { openai: { a: 1 }, gemini: 'broken' } }
  expect(providerDataOf(holder, 'openai')).toEqual({ a: 1 })
  for (const [one, key] of [
    [holder, 'gemini'],
    [holder, 'constructor'],
    [{ providerData: [] }, 'openai'],
    [null, 'openai'],
  ] as const)
    expect(providerDataOf(one, key)).toEqual({})
})

it('pieces of a call belong together by index, by id or by order, and a name may come in pieces', () => {
  const named = (name: string, args: string, more: object = {}) => ({
    ...more,
    type: 'function',
    function: { name, arguments: args },
  })
  const assembled = (...pieces: object[]) => {
    const calls: StreamedCall[] = []
    for (const piece of pieces) addCallPiece(calls, { ...piece })
    return calls.map(({ call }) => callFields(call))
  }
  const tail = { function: { arguments: '"a":1}' } }
  const whole = { name: 'get_weather', input: '{"a":1}' }
  expect(
    assembled(named('get_', '', { index: 0, id: 'x' }), named('weather', '{', { index: 0 }), tail),
  ).toEqual([{ id: 'x', ...whole }])
  expect(assembled(named('get_weather', '{', { id: 'x' }), tail)).toEqual([{ id: 'x', ...whole }])
  // A server that gives no ids sends whole calls.
  expect(assembled(named('a', '{}', { index: 0 }), named('a', '{}', { index: 0 }))).toHaveLength(2)
  // Arguments that are a value, and a custom tool.
  expect(assembled({ id: 'y', function: { name: 'f', arguments: { a: 1 } } })[0]?.input).toBe('{"a":1}')
  expect(assembled({ id: 'z', custom: { name: 'g', input: 'text' } })).toEqual([
    { id: 'z', name: 'g', input: 'text' },
  ])
})
