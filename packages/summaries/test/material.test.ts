import type { Message } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { isWork, readMaterial, SUMMARY_BUDGET, summaryBudget } from '../src/index.ts'
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

it('a record takes a fifth of what it replaces, within the bounds of the seed', () => {
  const budget = (replaced: number, contextLength: number) =>
    summaryBudget({ replaced, contextLength, room: contextLength / 2 })
  expect(budget(1_000, 200_000)).toBe(SUMMARY_BUDGET.least)
  expect(budget(30_000, 200_000)).toBe(6_000)
  expect(budget(90_000, 64_000)).toBe(6_400)
  expect(budget(400_000, 1_000_000)).toBe(SUMMARY_BUDGET.most)
  // Where the least is above a tenth of the window, a quarter of the room.
  expect(budget(30_000, 16_000)).toBe(2_000)
  expect(budget(30_000, 8_000)).toBe(1_000)
})
