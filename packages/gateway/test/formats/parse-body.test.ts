import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBody } from '../../src/formats/parse-body.ts'

/** Above this many characters the list is parsed item by item. */
const LARGE = 'x'.repeat(500_001)

const item = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.constant('"\\'), fc.constant('}],['))

test('a large body is what it is as a small one, whatever stands in it', async () => {
  let items = 0
  await fc.assert(
    fc.asyncProperty(fc.array(item), fc.jsonValue(), fc.nat(8), async (messages, rest, indent) => {
      items += messages.length
      const body = { model: 'm', rest, messages: [...messages, LARGE], behind: [rest] }
      const text = JSON.stringify(body, undefined, indent)
      expect(await parseBody(text, 'messages')).toEqual(JSON.parse(text))
    }),
    { numRuns: 200 },
  )
  console.log(`${items} items of 200 large bodies were read as JSON.parse reads them`)
})

test.each([
  ['a list that does not end', (text: string) => text.slice(0, -3)],
  ['a comma too many', (text: string) => text.replace('"a",', '"a",,')],
  ['a comma at the end', (text: string) => text.replace('"]', '",]')],
  ['something behind it', (text: string) => `${text}}`],
  ['no comma', (text: string) => text.replace('"a",', '"a"')],
])('a large body with %s is refused', async (_, broken) => {
  const text = broken(JSON.stringify({ messages: ['a', LARGE] }))
  expect(() => JSON.parse(text)).toThrow()
  await expect(parseBody(text, 'messages')).rejects.toMatchObject({ status: 400, code: 'invalid_json' })
})

test('of two lists of one name the last counts', async () => {
  const text = `{"messages":["${LARGE}"],"messages":["b"]}`
  expect(await parseBody(text, 'messages')).toEqual({ messages: ['b'] })
})
