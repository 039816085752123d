import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBodyMemory } from '../../src/formats/body-memory.ts'
import { bodyPieces } from '../../src/formats/body-pieces.ts'
import { parseBody } from '../../src/formats/parse-body.ts'
import { received, textOf } from './received.ts'

const read = (text: string, memory = createBodyMemory()) => parseBody(received(text, 'messages', { memory }))

const item = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"\\', '}],[', { role: 'user', content: '\\"' }, []),
  // So large that bodies are held in two pieces.
  fc.constantFrom(
    { role: 'tool', content: 'é'.repeat(20_000) },
    { role: 'tool', content: 'x'.repeat(70_000) },
  ),
)
/** The next body of a client: it goes on, edits what it said, or is another conversation. */
const step = fc.record({
  back: fc.constantFrom(0, 0, 0, 1, 3, 99),
  said: fc.array(item, { maxLength: 4 }),
  chunk: fc.constantFrom(7, 100, 65_536, 1_000_000),
})

test('bodies are what JSON.parse says, whatever stands in them, and what they have in common is the same', async () => {
  const count = { bodies: 0, items: 0, same: 0, inTwoPieces: 0 }
  const play = async (
    steps: readonly { back: number; said: unknown[]; chunk: number }[],
    rest: unknown,
    indent: number,
  ) => {
    const memory = createBodyMemory()
    const write = (messages: unknown) =>
      JSON.stringify({ model: 'm', rest, messages, behind: [rest] }, undefined, indent)
    let before: unknown[] = []
    let list: unknown[] = []
    for (const { back, said, chunk } of steps) {
      const kept = Math.max(0, list.length - back)
      list = [...list.slice(0, kept), ...said]
      const came = received(write(list), 'messages', { memory, step: chunk })
      const body = await parseBody(came)
      expect(body).toEqual(JSON.parse(write(list)))
      expect(JSON.parse(textOf(await bodyPieces(body, came)))).toEqual(JSON.parse(write(list)))
      if (came.head.length > 0) count.inTwoPieces++
      const items = body.messages as unknown[]
      // Items that may be written anew are not looked for one by one.
      if (back <= 1)
        for (const [index, one] of before.slice(0, kept).entries()) expect(items[index]).toBe(one)
      count.bodies++
      count.items += items.length
      count.same += items.filter((one, index) => typeof one === 'object' && one === before[index]).length
      before = items
    }
  }
  const steps = fc.array(step, { minLength: 1, maxLength: 6 })
  await fc.assert(fc.asyncProperty(steps, fc.jsonValue(), fc.nat(8), play), { numRuns: 500 })
  console.log(`bodies: ${JSON.stringify(count)}`)
  expect(count.same).toBeGreaterThan(100)
  expect(count.inTwoPieces).toBeGreaterThan(100)
})

test.each([
  ['a list that does not end', (text: string) => text.slice(0, -3)],
  ['a comma too many', (text: string) => text.replace('"a",', '"a",,')],
  ['a comma at the end', (text: string) => text.replace('"]', '",]')],
  ['something behind it', (text: string) => `${text}}`],
  ['no comma', (text: string) => text.replace('"a",', '"a"')],
  ['no list', () => '[]'],
  ['nothing', () => ''],
])('a body with %s is refused, also behind one that is known', async (_, broken) => {
  const whole = JSON.stringify({ messages: ['a', 'b'] })
  const memory = createBodyMemory()
  await read(whole, memory)
  for (const known of [memory, createBodyMemory()])
    await expect(read(broken(whole), known)).rejects.toMatchObject({ status: 400, code: 'invalid_json' })
})

test('of two lists of one name the last counts', async () => {
  expect(await read('{"messages":["a"],"messages":["b"]}')).toEqual({ messages: ['b'] })
})

test('items of a text that is shared only in part are parsed again', async () => {
  const memory = createBodyMemory()
  const [first, second] = [
    { role: 'user', content: 'one' },
    { role: 'user', content: 'two' },
  ]
  const before = await read(JSON.stringify({ user: 'ann', messages: [first, second] }), memory)
  const after = await read(JSON.stringify({ user: 'bob', messages: [first, second] }), memory)
  expect(after.messages).toEqual(before.messages)
  expect((after.messages as object[])[0]).not.toBe((before.messages as object[])[0])
})
