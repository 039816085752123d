import { freezeMessage, type Message } from '@palimpsest/core'
import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { countText } from '../src/count-text.ts'
import { createTokenCounter, memoizeByText } from '../src/create-token-counter.ts'

const user = (content: string): Message => ({ role: 'user', content })

describe('createTokenCounter', () => {
  it('counts text as the tokenizer does', () => {
    expect(createTokenCounter().countText('hello world')).toBe(2)
    expect(createTokenCounter().countText('')).toBe(0)
  })

  it('takes a number for a frozen message', () => {
    const counter = createTokenCounter()
    const message = freezeMessage(user('hello world'))
    counter.remember?.(message, 1_000)
    expect(counter.countMessage(message)).toBe(1_000)
  })

  it('counts a text by its pieces to the number that the tokenizer gives for the whole', () => {
    const part = fc.oneof(
      fc.constantFrom(
        "don't",
        ' the',
        '  ',
        '\n\n',
        '\t',
        '…',
        '日本語',
        '👩‍👩‍👧',
        '\ud800',
        '12345',
        '<|endoftext|>',
        '/*',
        'x'.repeat(80),
      ),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.lorem({ maxCount: 3 }),
    )
    const text = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (each) => {
        const counted = countText(each)
        expect(counted).toBe(countTokens(each, { disallowedSpecial: new Set() }))
        // Now its pieces are known.
        expect(countText(each)).toBe(counted)
      }),
      { numRuns: 300 },
    )
    const long = 'We use Postgres, not MySQL. '.repeat(5_000)
    expect(countText(long)).toBe(countTokens(long))
  })

  it('adds calls, images and fields that it does not know', () => {
    const tokens = createTokenCounter()
    const plain = tokens.countMessage(user('look'))
    const image: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(100_000)}` } },
      ],
    }
    expect(tokens.countMessage(image)).toBe(plain + 1500)
    const call: Message = {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"src/index.ts"}' } },
      ],
    }
    expect(tokens.countMessage(call)).toBeGreaterThan(10)
    const reasoning = {
      role: 'assistant',
      content: 'yes',
      reasoning_content: 'because of this and that',
    } as Message
    expect(tokens.countMessage(reasoning)).toBeGreaterThan(
      tokens.countMessage({ role: 'assistant', content: 'yes' }) + 3,
    )
  })

  it('counts tool schemas, and none as nothing', () => {
    const tokens = createTokenCounter()
    expect(tokens.countTools([])).toBe(0)
    expect(
      tokens.countTools([{ type: 'function', function: { name: 'read', description: 'Reads a file' } }]),
    ).toBeGreaterThan(10)
  })

  it('takes control tokens in a text for plain text', () => {
    expect(createTokenCounter().countText('<|endoftext|>')).toBeGreaterThan(1)
  })

  it('sees a change of a message that is not frozen', () => {
    const tokens = createTokenCounter()
    const message = { role: 'user' as const, content: 'short' }
    const before = tokens.countMessage(message)
    message.content = 'something that is a good deal longer than before'
    expect(tokens.countMessage(message)).toBeGreaterThan(before)
    expect(tokens.countMessage(freezeMessage({ ...message }))).toBe(tokens.countMessage(message))
  })

  it.each([
    ['letters', 'a'.repeat(50_000)],
    ['spaces', ' '.repeat(50_000)],
    ['emoji', '🙂'.repeat(5_000)],
    ['CJK', '漢字'.repeat(5_000)],
    ['base64', Buffer.from('palimpsest'.repeat(5_000)).toString('base64')],
  ])('counts a long run of %s close to what its pieces cost', (_, text) => {
    const pieces = text.match(/[\s\S]{1,512}/gu) ?? []
    const expected = pieces.reduce((sum, piece) => sum + countText(piece), 0)
    expect(Math.abs(countText(text) - expected)).toBeLessThanOrEqual(pieces.length)
  })
})

describe('memoizeByText', () => {
  it('computes each text once', () => {
    const computed: string[] = []
    const count = memoizeByText((text) => {
      computed.push(text)
      return text.length
    })
    expect([count('one'), count('two'), count('one')]).toEqual([3, 3, 3])
    expect(computed).toEqual(['one', 'two'])
  })

  it('forgets the text that was not used for the longest time when it holds too much', () => {
    let computed = 0
    const count = memoizeByText((text) => {
      computed++
      return text.length
    })
    const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(600_000))
    for (const text of texts) count(text)
    expect(computed).toBe(4)
    count(texts[3] as string)
    expect(computed).toBe(4)
    count(texts[0] as string)
    expect(computed).toBe(5)
  })

  it('counts what a short text takes beside its characters', () => {
    let computed = 0
    const count = memoizeByText(() => ++computed)
    for (let text = 0; text < 100_000; text++) count(`${text}`)
    count('99999')
    expect(computed).toBe(100_000)
    count('0')
    expect(computed).toBe(100_001)
  })
})

it('estimates a text of over a million characters, closely', () => {
  const words = [
    'const',
    ' value',
    ' = await',
    ' fetch(',
    'url',
    ')',
    '\n',
    ' 日本',
    ' 12345',
    ' naïve',
    '\t// done',
  ]
  let state = 7
  const word = () => {
    state = (state * 1_103_515_245 + 12_345) >>> 0
    return words[(state >>> 8) % words.length] ?? ''
  }
  const text = Array.from({ length: 400_000 }, word).join('')
  expect(text.length).toBeGreaterThan(1_000_000)
  const half = Math.floor(text.length / 4)
  const parts = [0, 1, 2, 3].map((part) =>
    countText(text.slice(part * half, part === 3 ? undefined : (part + 1) * half)),
  )
  const exact = parts.reduce((sum, count) => sum + count, 0)
  expect(Math.abs(countText(text) - exact) / exact).toBeLessThan(0.01)
})
