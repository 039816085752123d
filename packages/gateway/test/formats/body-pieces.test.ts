import type { Loose } from '@palimpsest/core'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createBodyMemory } from '../../src/formats/body-memory.ts'
import { bodyPieces } from '../../src/formats/body-pieces.ts'
import { parseBody } from '../../src/formats/parse-body.ts'
import { received, textOf } from './received.ts'

const item = fc.record({ role: fc.constant('user'), content: fc.string({ unit: 'grapheme' }) })
const spaced = (value: unknown) => JSON.stringify(value, null, 1)

it('a body that is written in pieces says what JSON would, whatever was left out, put in or changed', async () => {
  const memory = createBodyMemory()
  const place = fc.tuple(fc.nat({ max: 12 }), fc.constantFrom('kept', 'dropped', 'changed', 'added'))
  const edits = fc.array(place, { maxLength: 12 })
  const rest = fc.dictionary(fc.constantFrom('model', 'stream', 'messages2'), fc.jsonValue())
  await fc.assert(
    fc.asyncProperty(
      rest,
      fc.array(item, { maxLength: 12 }),
      rest,
      edits,
      async (first, list, last, changes) => {
        const came = received(spaced({ ...first, messages: list, ...last }), 'messages', { memory })
        const body = await parseBody(came)
        const messages = [...((body.messages as Loose[] | undefined) ?? [])]
        for (const [at, change] of changes)
          if (change === 'dropped') messages.splice(at, 1)
          else if (change === 'added') messages.splice(at, 0, { role: 'user', content: 'added' })
          else if (change === 'changed' && messages[at]) messages[at] = { ...messages[at], more: 1 }
        const sent = { ...body, messages, tools: [] }
        expect(JSON.parse(textOf(await bodyPieces(sent, came)))).toEqual(JSON.parse(JSON.stringify(sent)))
      },
    ),
    { numRuns: 300 },
  )
})

it('what stays as it was goes out byte for byte, and is not copied', async () => {
  const text =
    '{"messages": [ {"role":"user","content":"\\u0041"} , {"content": "b", "role":"user"}],"model":"m"}'
  const came = received(text, 'messages')
  const body = await parseBody(came)
  const pieces = await bodyPieces({ ...body, model: 'n' }, came)
  expect(textOf(pieces)).toBe(
    '{"messages":[{"role":"user","content":"\\u0041"} , {"content": "b", "role":"user"}],"model":"n"}',
  )
  expect(pieces.some((piece) => typeof piece !== 'string' && piece.buffer === came.tail.buffer)).toBe(true)
})
