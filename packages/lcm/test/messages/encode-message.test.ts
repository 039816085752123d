import { createHash } from 'node:crypto'
import type { Message } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeMessage, encodeMessage } from '../../src/messages/encode-message.ts'

const encode = (message: unknown) => encodeMessage(message as Message, 1)
const roundTrip = (message: unknown): string => {
  const { shape, text } = encode(message)
  return decodeMessage(shape, text)
}

describe('encodeMessage', () => {
  it('takes the texts out of the message and leaves the rest', () => {
    const encoded = encode({
      id: 'x1',
      role: 'assistant',
      content: [
        { type: 'text', text: 'first' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        { type: 'refusal', refusal: 'second' },
        { type: 'thinking', text: 'not this', thinking: 'nor this' },
      ],
      refusal: 'third',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a\\nb","n":7}' } },
        { id: 'c2', type: 'custom', custom: { name: 'patch', input: '*** a\\nb' } },
      ],
    })
    expect(encoded.text).toBe('first\nsecond\nthird\nread\n{"path":"a\nb","n":7}\npatch\n*** a\\nb')
    for (const word of ['first', 'second', 'third', 'read', 'path', 'patch']) {
      expect(encoded.shape).not.toContain(word)
    }
    expect(encoded.shape).toContain('not this')
    expect(encoded.shape).toContain('base64')
    expect(encoded).toMatchObject({ role: 'assistant', hostId: 'x1', tokens: 1 })
    expect(encoded.hash).toBe(createHash('sha256').update(encoded.json).digest('hex'))
  })

  it('reads a word behind a newline in arguments as that word, however they were written', () => {
    const value = { text: 'one\nnext ü 漢\u007f 😀', list: [{ deep: 'a"b\\c\td' }], n: 1.5 }
    const ascii = (json: string): string =>
      json.replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
    const compact = JSON.stringify(value)
    const python = '{"text": "one\\nnext ü 漢\u007f 😀", "list": [{"deep": "a\\"b\\\\c\\td"}], "n": 1.5}'
    const pretty = JSON.stringify(value, null, 2)
    for (const arguments_ of [compact, python, ascii(python), ascii(compact), pretty, ascii(pretty)]) {
      const message = { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: arguments_ } }] }
      const { text, shape } = encode(message)
      expect(text).toContain('one\nnext ü 漢\u007f 😀')
      expect(text).toContain('a"b\\c\td')
      expect(shape.length).toBeLessThan(120)
      expect(roundTrip(message)).toBe(JSON.stringify(message))
    }
  })

  it.each([
    ['broken arguments', '{"a":"x\\ny","b":"open \\n'],
    ['escapes that nobody writes', '{"a":"\\/ \\u0041\\n","b":"c\\nd"}'],
    ['a lone surrogate and a NUL, escaped', '{"a":"\\ud800 x\\n","b":"\\u0000y"}'],
    ['a lone surrogate, not escaped', '{"a":"\ud800 x\\n"}'],
    ['no JSON', 'echo "a\\nb" \\ "'],
    ['nothing', ''],
    ['a quotation mark', '"'],
    ['a backslash at the end', '"a\\'],
  ])('gives arguments back: %s', (_, arguments_) => {
    const message = { role: 'assistant', tool_calls: [{ function: { arguments: arguments_, name: 'f' } }] }
    expect(roundTrip(message)).toBe(JSON.stringify(message))
    expect(encode(message).text.isWellFormed()).toBe(true)
  })

  it('keeps what cannot be stored as text in the shape, and a copy for the search', () => {
    const message = { role: 'user', content: 'before \ud800 \0 after' }
    expect(encode(message).text).toBe('before \uFFFD \uFFFD after')
    expect(roundTrip(message)).toBe(JSON.stringify(message))
  })

  it('gives back whatever JSON.stringify makes of a value that is no JSON', () => {
    class Odd {
      content = 'x'
      toJSON(): unknown {
        return { role: 'user', content: 'y', tool_calls: [null, { function: 'f' }] }
      }
    }
    const part = Object.assign(Object.create({ inherited: 1 }), { type: 'text', text: 'z' })
    const values = [
      new Odd(),
      { role: 'user', content: new Date(0) },
      { role: 'user', content: undefined, refusal: Number.NaN },
      { role: 'user', content: [part, undefined, new Odd()] },
      { role: 'tool', content: Object.create(null) },
      { role: 'user', content: 'a', toJSON: () => ({ content: 'b' }) },
    ]
    for (const value of values) expect(roundTrip(value)).toBe(JSON.stringify(value))
  })

  it.each([[null], [undefined], [5], ['text'], [[]], [[{ content: 'x' }]], [{}]])(
    'does not stumble over %j',
    (value) => {
      expect(roundTrip(value)).toBe(JSON.stringify(value) ?? 'null')
    },
  )

  it('names a role whatever it is', () => {
    expect(encode({ role: 5 }).role).toBe('5')
    expect(encode({}).role).toBe('undefined')
    expect(encode({ role: JSON.parse('{"toString":1}') }).role).toBe('{"toString":1}')
  })

  it('gives every JSON value back, byte for byte', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('\\', '"', 'n', '\n', '\ud83d', '\ude00', '\0', '漢', 'u', '0', 'é'),
      }),
      fc.json(),
      fc.json().map((json) => JSON.stringify(JSON.parse(json), null, 1)),
    )
    const value = fc.oneof(text, fc.jsonValue(), fc.constantFrom(0, -1, 3, null))
    const key = fc.constantFrom('name', 'arguments', 'input', 'type', 'text', 'refusal', '__proto__', '1')
    const fields = fc.dictionary(key, value)
    const call = fc.oneof(
      value,
      fc.record({ function: fc.oneof(value, fields), custom: fc.oneof(value, fields) }, { requiredKeys: [] }),
    )
    const part = fc.oneof(
      value,
      fc.record(
        { type: fc.constantFrom('text', 'refusal', 'x'), text: value, refusal: value },
        { requiredKeys: [] },
      ),
    )
    const known = {
      role: fc.oneof(fc.constantFrom('user', 'assistant', 'tool'), value),
      content: fc.oneof(value, fc.array(part)),
      refusal: value,
      tool_calls: fc.oneof(value, fc.array(call)),
      toJSON: value,
    }
    const message = fc
      .tuple(fc.record(known, { requiredKeys: [] }), fc.dictionary(fc.string(), value), fc.boolean(), fields)
      .map(([first, second, swapped, odd]) =>
        swapped ? { ...second, ...first, ...odd } : { ...odd, ...first, ...second },
      )
    let tried = 0
    fc.assert(
      fc.property(fc.oneof(message, fc.object(), fc.jsonValue({ maxDepth: 4 })), (generated) => {
        // Through JSON, as a message comes in: `__proto__` becomes a key like any other.
        const value = JSON.parse(JSON.stringify(generated) ?? 'null')
        const encoded = encode(value)
        expect(encoded.text.isWellFormed() && !encoded.text.includes('\0')).toBe(true)
        expect(decodeMessage(encoded.shape, encoded.text)).toBe(JSON.stringify(value))
        tried++
      }),
      { numRuns: 5000 },
    )
    console.log(`messages given back byte for byte: ${tried}`)
  })
})
