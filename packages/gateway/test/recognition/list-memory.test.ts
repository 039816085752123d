import { freezeMessage, type Message } from '@palimpsest/core'
import { expect, test } from 'vitest'
import { createListMemory } from '../../src/recognition/list-memory.ts'

const said = (content: string): Message => freezeMessage({ role: 'user', content })

/** Finds out what was said, and tells how many messages were looked at. */
function createReader() {
  const looked: number[] = []
  const read = createListMemory<readonly unknown[]>(async (messages, known) => {
    const news = messages.slice(known?.messages.length)
    looked.push(news.length)
    return [...(known?.found ?? []), ...news.map((message) => message?.content)]
  })
  return { looked, read }
}

test('a list that goes on from a known one is looked at behind it alone', async () => {
  const { looked, read } = createReader()
  const [a, b, c, d] = [said('a'), said('b'), said('c'), said('d')]
  expect(await read([a, b])).toEqual(['a', 'b'])
  expect(await read([a, b, c, d])).toEqual(['a', 'b', 'c', 'd'])
  expect(await read([a, b, c, d])).toEqual(['a', 'b', 'c', 'd'])
  expect(looked).toEqual([2, 2, 0])
})

test('a list is looked at from its beginning when a message before the known end is another one', async () => {
  const { looked, read } = createReader()
  const [a, b, c] = [said('a'), said('b'), said('c')]
  await read([a, b, c])
  expect(await read([said('z'), b, c])).toEqual(['z', 'b', 'c'])
  expect(await read([b, c])).toEqual(['b', 'c'])
  expect(looked).toEqual([3, 3, 2])
})

test('messages that may change are looked at again', async () => {
  const { looked, read } = createReader()
  const a = { role: 'user' as const, content: 'a' }
  await read([a])
  a.content = 'changed'
  expect(await read([a])).toEqual(['changed'])
  expect(looked).toEqual([1, 1])
})
