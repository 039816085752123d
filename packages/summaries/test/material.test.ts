import type { Message } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { isWork, readMaterial, recordsBudget } from '../src/index.ts'
import { assistant, call, user, words } from './conversation.ts'

it('a message says who spoke, what was called and what failed; reasoning and media are left out', () => {
  const image: Message = {
    role: 'user',
    content: [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ],
  }
  const texts = readMaterial(
    [
      assistant('<think>secret plan</think>Reading.'),
      ...call('read', { path: 'a.ts' }, 'Error: no such file'),
      image,
    ],
    (index) => `m${index}`,
  )
  expect(texts).toEqual([
    'm0 [assistant] Reading.',
    'm1 [assistant calls read] {"path":"a.ts"}',
    'm2 [tool result, failed] Error: no such file',
    'm3 [user] look\n[image]',
  ])
})

it('a tool result is cut by what it is; words of users and assistants never are', () => {
  const long = words(2_000)
  const read = (path: string) => readMaterial(call('read', { path }, `${long} END`)).at(-1) ?? ''
  const run = (text: string) => readMaterial(call('bash', { command: 'npm test' }, text)).at(-1) ?? ''
  expect(read('src/a.ts').length).toBeLessThan(1_100)
  expect(read('docs/ticket.md')).toContain('word700')
  expect(run(`${long}\n3 failed`)).toContain(words(2_000).slice(-2_500))
  expect(run(`${long} done`).length).toBeLessThan(3_200)
  expect(readMaterial([user(long)])[0]).toBe(`[user] ${long}`)
  const [made = ''] = readMaterial(call('write', { path: 'a.ts', content: long }, 'ok'))
  expect(made.length).toBeLessThan(1_200)
  expect(made).toContain('"path":"a.ts"')
})

it('work and talk are told apart by what the messages are', () => {
  expect(isWork([user('hello'), assistant('hi')])).toBe(false)
  expect(isWork([user('hello')], '## Goal\n- x\n## Progress\n- y')).toBe(true)
  expect(isWork(call('read', { path: 'a' }, 'b'))).toBe(true)
})

it('records take a fifth of the room and 2,000 tokens, at most two fifths of it and 12,000', () => {
  expect([4_000, 8_000, 32_000, 500_000].map(recordsBudget)).toEqual([1_600, 3_200, 8_400, 12_000])
})
