import { describe, expect, it } from 'vitest'
import { useScript } from '../../../sqlite-kit/test/use-script.ts'
import type { LcmSession } from '../../src/store/lcm-session.ts'
import { useFolders } from './store-folder.ts'

const { open, path: newPath } = useFolders()
const runWriter = useScript(new URL('./fixtures/sharing-writer.ts', import.meta.url))

const PROCESSES = 8
const TURNS = 40

const contents = async (session: LcmSession | null): Promise<string[]> =>
  ((await session?.messages({ limit: 1e9 })) ?? []).map(({ json }) => JSON.parse(json).content)

describe('several processes on one file', () => {
  it(`${PROCESSES} of them make it, write to it and compact it: nothing is lost, nothing is there twice`, async () => {
    const path = newPath()
    const names = Array.from({ length: PROCESSES }, (_, index) => `writer-${index}`)
    // They start at once: each finds no file or an unfinished one.
    const ended = await Promise.all(names.map((name) => runWriter(path, name, TURNS)))
    for (const { code, errors } of ended) expect({ code, errors }).toEqual({ code: 0, errors: '' })
    const store = open(path)
    const common = await store.find({ key: 'common' })
    const written = await contents(common)
    expect(written).toHaveLength(PROCESSES * TURNS)
    for (const name of names) {
      const expected = Array.from({ length: TURNS }, (_, turn) => `${name} ${turn}`)
      expect(await contents(await store.find({ key: name }))).toEqual(expected)
      expect(written.filter((content) => content.startsWith(`${name} `))).toEqual(expected)
    }
    const frontier = await common?.frontier()
    const results = ended.map(({ output }) => JSON.parse(output) as { conflicts: number; commits: number })
    const sum = (key: 'conflicts' | 'commits') => results.reduce((total, result) => total + result[key], 0)
    expect(frontier?.version).toBe(sum('commits'))
    expect(frontier?.nodes.length).toBe(sum('commits'))
    expect(await store.check()).toEqual([])
    console.log(
      `processes ${PROCESSES}, messages ${2 * PROCESSES * TURNS}, compactions ${sum('commits')}, lost races ${sum('conflicts')}`,
    )
  })

  it('two stores in one process do not block each other', async () => {
    const path = newPath()
    const [left, right] = [open(path), open(path)]
    const keys = Array.from({ length: 20 }, (_, index) => String(index))
    await Promise.all(keys.flatMap((key) => [left.session({ key }, 1), right.session({ key }, 1)]))
    expect(await left.list({ limit: 99 })).toHaveLength(20)
  })
})
