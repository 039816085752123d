import { describe, expect, it } from 'vitest'
import { StoreError } from '../../src/errors/store-error.ts'
import { copyBeginning, importStore } from '../../src/export/import-store.ts'
import type { LcmStore } from '../../src/store/lcm-store.ts'
import {
  AT,
  compactTo,
  condenseAll,
  contents,
  edit,
  encode,
  hostileMessages,
  say,
  talk,
  texts,
} from '../../src/store-tests/harness.ts'
import { verifyStore } from '../../src/verify/verify-session.ts'
import { memoryStore } from '../memory-store.ts'
import { eachOf, endingAfter, exportLines } from './lines.ts'

/** A store with everything that it can hold: two principals, edits, summaries, forgotten messages, hostile texts. */
async function filledStore(): Promise<LcmStore> {
  const store = memoryStore()
  const session = await talk(store, 'talk', ...texts(208))
  await compactTo(session, 2)
  await compactTo(session, 5)
  await condenseAll(session)
  await edit(session, 207, [3], 'instead of 207')
  await edit(session, 206, [3], 'instead of 206')
  await session.forget({ first: 1, last: 1, reason: 'asked', at: AT + 9 })
  await say(session, 'at last')
  const other = await store.session({ principal: 'somebody else', key: 'talk' }, AT)
  const small = Object.values(hostileMessages()).filter((message) => JSON.stringify(message).length < 10_000)
  await other.append({ nextSeq: 0, messages: small.map(encode), at: AT })
  await store.session({ key: 'empty' }, AT)
  return store
}

/** All of a session but its earlier frontiers. */
async function contentOf(store: LcmStore, principal: string): Promise<unknown> {
  const session = await store.find({ principal, key: 'talk' })
  if (session === null) throw new Error('there is no session')
  const { version: _, ...head } = await session.head()
  const messages = await session.messages({ limit: 999, includeReplaced: true })
  const summaries = await session.summaries([...Array(head.nextSummary).keys()])
  return { head, nodes: (await session.frontier()).nodes, messages, summaries }
}

describe('an import', () => {
  it('gives back all that was exported, and changes nothing the second time', async () => {
    const store = await filledStore()
    const lines = await exportLines(store)
    const copy = memoryStore()
    expect(await importStore(copy, eachOf(lines))).toMatchObject({ sessions: 3 })
    for (const principal of ['local', 'somebody else'])
      expect(await contentOf(copy, principal)).toEqual(await contentOf(store, principal))
    expect(await exportLines(copy)).toEqual(lines)
    expect(await verifyStore(copy)).toEqual([])
    expect(await importStore(copy, eachOf(lines))).toEqual({ sessions: 3, messages: 0 })
    expect(await exportLines(copy)).toEqual(lines)
  })

  it('continues after a stop at any write, and after the session went on at either end', async () => {
    const store = await filledStore()
    const lines = await exportLines(store)
    let stops = 0
    for (let writes = 0; ; writes++) {
      const copy = memoryStore()
      const stopped = await importStore(endingAfter(copy, writes), eachOf(lines)).then(
        () => false,
        () => true,
      )
      await importStore(copy, eachOf(lines))
      expect(await exportLines(copy)).toEqual(lines)
      if (!stopped) break
      stops++
    }
    expect(stops).toBeGreaterThan(5)
    const copy = memoryStore()
    await importStore(copy, eachOf(lines))
    const session = await talk(store, 'talk', 'goes on')
    const grown = await exportLines(store)
    expect(await importStore(copy, eachOf(grown))).toEqual({ sessions: 3, messages: 1 })
    await compactTo(session, 9)
    await importStore(copy, eachOf(lines))
    expect(await exportLines(copy)).toEqual(grown)
  })

  it('leaves another session of that name as it is', async () => {
    const lines = await exportLines(await filledStore())
    const copy = memoryStore()
    const session = await talk(copy, 'talk', 'something else')
    await expect(importStore(copy, eachOf(lines))).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
    expect(await contents(session)).toEqual(['something else'])
  })

  it('takes some sessions, and says when there is none of a name', async () => {
    const store = await filledStore()
    const sessions = [{ principal: 'somebody else', key: 'talk' }]
    const copy = memoryStore()
    await importStore(copy, eachOf(await exportLines(store, { sessions })))
    expect((await copy.list({ limit: 9 })).map(({ principal }) => principal)).toEqual(['somebody else'])
    const missing = exportLines(store, { sessions: [{ principal: 'local', key: 'no' }] })
    await expect(missing).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('an export that was damaged on its way', () => {
  it('is refused wherever a line was lost, doubled, moved or changed', async () => {
    const store = memoryStore()
    const session = await talk(store, 'talk', ...texts(6))
    for (const last of [1, 3]) await compactTo(session, last)
    const lines = await exportLines(store)
    for (const [index, line] of lines.entries()) {
      const middle = Math.floor(line.length / 2)
      const other = line[middle] === '1' ? '2' : '1'
      const damaged = [
        lines.toSpliced(index, 1),
        lines.toSpliced(index, 0, line),
        lines.slice(0, index),
        lines.with(index, `${line} `),
        lines.with(index, line.slice(0, -1)),
        lines.with(index, line.slice(0, middle) + other + line.slice(middle + 1)),
        lines.with(index, ''),
      ]
      const next = lines[index + 1]
      if (next !== undefined) damaged.push(lines.with(index, next).with(index + 1, line))
      for (const list of damaged.filter((each) => each.join() !== `${lines.join()} `)) {
        const refusal = await importStore(memoryStore(), eachOf(list)).catch((error: unknown) => error)
        expect(StoreError.isInstance(refusal), list[index]).toBe(true)
      }
    }
  })

  it('is refused with the number of the line and what is wrong in it', async () => {
    const lines = await exportLines(await filledStore())
    const refusal = async (list: readonly string[]): Promise<string> => {
      const error = await importStore(memoryStore(), eachOf(list)).catch((error: unknown) => error)
      expect(error).toMatchObject({ code: 'INVALID_EXPORT' })
      return (error as Error).message
    }
    const replacing = (part: string, by: string) => lines.map((line) => line.replace(part, by))
    const lineOf = (part: string) => lines.findIndex((line) => line.includes(part)) + 1
    const message = await refusal(replacing('text 13', 'text 31'))
    expect(message).toMatch(new RegExp(`^line ${lineOf('text 13')}: .*m13 is not what its hash says`))
    expect(await refusal(replacing('what m3 to m5 say', 'nothing'))).toContain('s2 is not what its hash says')
    expect(await refusal(lines.with(4, '{"type":'))).toContain('line 5: ')
    expect(await refusal(lines.with(4, '{"type":"message","seq":"3"}'))).toContain('line 5: ')
    expect(await refusal(lines.slice(0, -1))).toContain(`behind line ${lines.length - 1}`)
    expect(await refusal([...lines, '{}'])).toContain(`line ${lines.length + 1}: `)
    expect(await refusal([])).toContain('without its last line')
    expect(await refusal(lines.with(0, '{"format":"palimpsest-lcm","version":2}'))).toContain('update this')
    expect(await refusal(['{"hello":1}', ...lines.slice(1)])).toContain('no export of a store')
  })
})

describe('copyBeginning', () => {
  it('copies what is before a message, with the summaries of it, and completes a copy that was stopped', async () => {
    const store = memoryStore()
    const session = await talk(store, 'a', ...texts(10))
    for (const last of [1, 3]) await compactTo(session, last)
    await condenseAll(session)
    await compactTo(session, 5)
    await edit(session, 8, [3, 4], 'new 8', 'new 9')
    for (const seq of [0, 1, 3, 5, 6, 9, 11, 12]) {
      const copy = await copyBeginning(store, session, { key: `copy ${seq}`, seq, at: AT })
      const before = { limit: 99, includeReplaced: true }
      const expected = await session.messages({ ...before, last: seq - 1 })
      const isGone = ({ seq: own }: { readonly seq: number }) => own >= 8 && own <= 9 && seq > own
      expect(await copy.messages(before)).toEqual(
        expected.map((message) => ({ ...message, replaced: isGone(message) })),
      )
      expect((await copy.frontier()).nodes.every(({ last }) => last < seq)).toBe(true)
      expect(await copyBeginning(store, session, { key: `copy ${seq}`, seq, at: AT })).toMatchObject({
        key: `copy ${seq}`,
      })
    }
    const whole = await store.find({ key: 'copy 12' })
    expect((await whole?.frontier())?.nodes.map(({ number, children }) => [number, children])).toEqual([
      [3, [1, 2]],
      [4, []],
    ])
    expect(await verifyStore(store)).toEqual([])
    await expect(copyBeginning(store, session, { key: 'copy 5', seq: 12, at: AT })).resolves.toBeDefined()
    const other = await talk(store, 'other', 'another conversation')
    await expect(copyBeginning(store, session, { key: 'other', seq: 5, at: AT })).rejects.toMatchObject({
      code: 'STORE_CONFLICT',
    })
    expect(await contents(other)).toEqual(['another conversation'])
  })
})
