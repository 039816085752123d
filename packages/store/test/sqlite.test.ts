import { join } from 'node:path'
import { createSqliteStore } from '@palimpsest/store'
import { runStoreCase, type StoreTarget, storeCases } from '@palimpsest/store/suite'
import { describe, expect, it } from 'vitest'

const open = (folder: string) => createSqliteStore({ path: join(folder, 'store.db') })
const targets: readonly StoreTarget[] = [
  { name: 'a file', create: open, reopen: open },
  { name: 'memory', create: () => createSqliteStore({ path: ':memory:' }) },
]

describe.each(targets)('a store in $name', (target) => {
  const cases = storeCases.filter(({ requires }) => requires !== 'reopen' || target.reopen !== undefined)
  it.each(cases)('$id $title', (one) => runStoreCase(one, target))
})

it('finds every part of a long text, whose trigrams are in the index once', async () => {
  const store = createSqliteStore({ path: ':memory:' })
  const session = await store.session({ key: 'a' }, 1)
  const letters = [...'abcdefgh \n', 'é', '日', '本', '😀', '👩', 'Ω']
  let state = 7
  const next = (most: number) => {
    state = (state * 1_103_515_245 + 12_345) >>> 0
    return (state >>> 8) % most
  }
  const characters = Array.from({ length: 150_000 }, () => letters[next(letters.length)] as string)
  const message = { role: 'user', content: `${characters.join('')} kx7` } as const
  await session.append({ nextSeq: 0, at: 1, messages: [{ message, tokens: 1 }] })
  const find = async (text: string) =>
    (await session.candidates('messages', { where: [[{ kind: 'substring', text }]], limit: 9 })).length
  for (let round = 0; round < 300; round++) {
    const start = next(characters.length - 20)
    const text = characters.slice(start, start + 3 + next(12)).join('')
    expect([text, await find(text)]).toEqual([text, 1])
  }
  expect([await find(' kx7'), await find('kx9')]).toEqual([1, 0])
  await store.close()
})
