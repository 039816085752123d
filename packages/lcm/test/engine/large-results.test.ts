import { messageText } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { showMessage } from '../../src/engine/large-results.ts'
import {
  assistant,
  calls,
  createChat,
  expand,
  result,
  scripted,
  system,
  tokens,
  turns,
  user,
  words,
} from './harness.ts'

const windowMessage = (content: string) => {
  const message = result('a', content)
  return { seq: 7, message, tokens: tokens.countMessage(message), at: 0 }
}

describe('a large tool result', () => {
  const big = result('big', `first line\n${words(6_000)}\nlast line`)
  const told = [system(), user('read the log'), calls('big'), big]

  it('is shown as its beginning, its end and its id from the first request on, and stays as it was shown', async () => {
    const chat = createChat({ window: 100_000, large_result_tokens: 1_000 })
    const { messages, compactions } = await chat.prepare(told)
    expect(compactions.map(({ reason }) => reason)).toEqual(['tool-results-pruned'])
    const text = messageText(messages[3] ?? user(''))
    expect(text).toMatch(/^first line\nword0 /)
    expect(text).toMatch(/last line$/)
    expect(text).toContain('lcm_expand {"id":"m3"}')
    expect(tokens.countText(text)).toBeLessThan(1_200)
    const next = await chat.prepare([...told, assistant('Read.'), user('and?')])
    expect(next.messages.slice(0, 4)).toEqual(messages)
    expect(await expand(chat.engine, 3)).toBe(JSON.stringify(big))
  })

  it('is shown without the names of tools, like every summary, in a request that offers none', async () => {
    const chat = createChat({ window: 8_000, large_result_tokens: 500, model: scripted() })
    const list = [...turns(90), user('read the log'), calls('big'), big]
    const { messages, tools } = await chat.prepare(list)
    const text = messages.map(messageText).join('\n')
    expect(text).toMatch(/Nothing is lost: .*whole result is m\d+: lcm_expand/s)
    const plain = await chat.prepare(list, { offersTools: false })
    expect(plain.messages.map(messageText).join('\n')).not.toContain('lcm_')
    expect([tools.length > 0, plain.tools, plain.warnings]).toEqual([true, [], []])
    expect(plain.messages).toHaveLength(messages.length)
    expect((await chat.prepare(list)).messages).toEqual(messages)
  })

  it('is shown in part behind a compaction, and is whole in the store', async () => {
    const chat = createChat({ window: 8_000 })
    const list = [...turns(9), user('read the log'), calls('big'), big]
    const { messages } = await chat.prepare(list)
    expect(messageText(messages.at(-1) ?? user(''))).toContain('the whole result is m38')
    expect(await expand(chat.engine, 38)).toBe(JSON.stringify(big))
    await chat.prepare([...list, assistant('Read.'), ...turns(20, 100, 'u')])
    expect(await expand(chat.engine, 38)).toBe(JSON.stringify(big))
  })

  it('does not show a secret, not even a part of one', async () => {
    const key = `sk-proj-${'aB3xY9kQ'.repeat(6)}`
    for (let at = 0; at < 120; at += 7) {
      const content = `${'x '.repeat(30 + at)}OPENAI_API_KEY=${key} ${words(900)} ${key}${' y'.repeat(at)}`
      const text = messageText(showMessage(windowMessage(content), 60))
      for (let length = 12; length < key.length; length += 9) expect(text).not.toContain(key.slice(0, length))
    }
  })

  it('is never cut inside a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 400, maxLength: 900 }),
        fc.integer({ min: 20, max: 200 }),
        (text, size) => {
          const shown = messageText(
            showMessage(windowMessage(`${'😀'.repeat(200)}${text}${'👩‍👩‍👧‍👦'.repeat(60)}`), size),
          )
          expect(shown.isWellFormed()).toBe(true)
        },
      ),
      { numRuns: 200 },
    )
  })
})
