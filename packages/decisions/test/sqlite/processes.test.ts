import { describe, expect, it } from 'vitest'
import { useScript } from '../../../sqlite-kit/test/use-script.ts'
import { messages, PROJECT } from '../../src/store-tests/talk.ts'
import { useFolders } from './store-folder.ts'

const { open, path: newPath } = useFolders()
const runWriter = useScript(new URL('./fixtures/sharing-writer.ts', import.meta.url))

const PROCESSES = 8
const TURNS = 30
/** Files that all of them make. */
const FILES = 60

interface Result {
  readonly conflicts: number
  readonly taken: number
  readonly order: readonly number[]
}

describe('several processes on one file', () => {
  it(`${PROCESSES} of them make it and append to it: no event is lost or doubled, and all see one order`, async () => {
    const path = newPath()
    const names = Array.from({ length: PROCESSES }, (_, index) => `writer-${index}`)
    // They start at once: each finds no file or an unfinished one.
    const ended = await Promise.all(names.map((name) => runWriter(path, name, TURNS, FILES)))
    for (const { code, errors } of ended) expect({ code, errors }).toEqual({ code: 0, errors: '' })
    const store = open(path)
    const log = await store.events({ scopes: [PROJECT] })
    const texts = log.map(({ event }) => (event.type === 'withdrawn' ? '' : event.source.quote))
    const of = (start: string) => texts.filter((text) => text.startsWith(start))
    const turns = Array.from({ length: TURNS }, (_, turn) => turn)
    // Each turn: once in the session of its own and once in the common one.
    for (const name of names)
      expect(of(`${name} `)).toEqual(turns.flatMap((turn) => [`${name} ${turn}`, `${name} ${turn}`]))
    expect(of('everybody ')).toHaveLength(TURNS)
    expect(log).toHaveLength(2 * PROCESSES * TURNS + TURNS)
    expect(new Set(log.map(({ event }) => event.id)).size).toBe(log.length)

    const common = await store.find({ key: 'common' })
    expect(await common?.count()).toBe(PROCESSES * TURNS)
    for (const name of names) {
      const own = await store.find({ key: name })
      expect(await own?.sources()).toEqual(messages(0, ...turns.map((turn) => `${name} ${turn}`)))
    }
    const results = ended.map(({ output }) => JSON.parse(output) as Result)
    const seqs = log.map(({ seq }) => seq)
    // Who asks for what is new misses nothing and gets nothing twice.
    for (const { order } of results) expect(order).toEqual(seqs.slice(0, order.length))
    const sum = (key: 'conflicts' | 'taken') => results.reduce((total, result) => total + result[key], 0)
    expect(sum('taken')).toBe((PROCESSES * TURNS) / 2)
    const listed = await store.list()
    expect(listed.reduce((total, { events }) => total + events, 0)).toBe(log.length)
    console.log(
      `processes ${PROCESSES}, events ${log.length}, jobs ${sum('taken')}, lost races ${sum('conflicts')}`,
    )
  })
})
