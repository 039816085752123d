import { createHash } from 'node:crypto'
import type { Message } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeMessage } from '../../src/messages/encode-message.ts'

const encode = (message: unknown) => encodeMessage(message as Message, 1)
const called = (args: string) => ({
  role: 'assistant',
  tool_calls: [{ function: { name: 'f', arguments: args } }],
})

describe('encodeMessage', () => {
  it('takes the texts that a search reads, and leaves reasoning and media', () => {
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
    expect(encoded).toMatchObject({ role: 'assistant', hostId: 'x1', tokens: 1 })
    expect(encoded.hash).toBe(createHash('sha256').update(encoded.json).digest('hex'))
  })

  it('reads a word behind a newline in arguments as that word, however they were written', () => {
    const value = { text: 'one\nnext ü 漢\u007f 😀', list: [{ deep: 'a"b\\c\td' }], n: 1.5 }
    const ascii = (json: string): string =>
      json.replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
    const [compact, pretty] = [JSON.stringify(value), JSON.stringify(value, null, 2)]
    for (const args of [compact, ascii(compact), pretty, ascii(pretty)]) {
      const { text } = encode(called(args))
      expect(text).toContain('one\nnext ü 漢\u007f 😀')
      expect(text).toContain('a"b\\c\td')
    }
    expect(encode(called('{"a":"x\\ny","b":"open \\n')).text).toBe('f\n{"a":"x\ny","b":"open \\n')
    expect(encode(called('echo "a\\nb" \\ "')).text).toBe('f\necho "a\nb" \\ "')
  })

  it('holds whatever JSON.stringify makes of a value', () => {
    class Odd {
      content = 'x'
      toJSON(): unknown {
        return { role: 'user', content: 'y', tool_calls: [null, { function: 'f' }] }
      }
    }
    expect(encode(new Odd())).toMatchObject({ json: JSON.stringify(new Odd()), text: 'y' })
    for (const value of [null, undefined, 5, 'text', [], [{ content: 'x' }], {}])
      expect(encode(value)).toMatchObject({ json: JSON.stringify(value) ?? 'null', text: '' })
  })

  it.each([
    [{ role: 5 }, '5'],
    [{}, 'undefined'],
    [{ role: JSON.parse('{"toString":1}') }, '{"toString":1}'],
  ])('names the role of %j', (message, role) => {
    expect(encode(message).role).toBe(role)
  })

  it('gives a text that can be stored, whatever is in the message', () => {
    const text = fc.string({ unit: fc.constantFrom('\\', '"', 'n', '\ud83d', '\ude00', '\0', '漢', '\n') })
    const value = fc.oneof(text, fc.jsonValue())
    const call = fc.record({ function: fc.record({ name: value, arguments: value }), custom: value })
    const message = fc.record({
      role: value,
      content: fc.oneof(value, fc.array(fc.record({ type: fc.constantFrom('text', 'x'), text: value }))),
      tool_calls: fc.oneof(value, fc.array(call)),
    })
    fc.assert(
      fc.property(fc.oneof(message, fc.object()), (generated) => {
        const { text, json } = encode(generated)
        expect(text.isWellFormed() && !text.includes('\0')).toBe(true)
        expect(json.isWellFormed() && !json.includes('\0')).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })
})
