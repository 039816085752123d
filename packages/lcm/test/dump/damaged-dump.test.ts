import { describe, expect, it } from 'vitest'
import { exportStore } from '../../src/dump/export-store.ts'
import { importStore } from '../../src/dump/import-store.ts'
import { StoreError } from '../../src/errors/store-error.ts'
import { createMemoryStore } from '../../src/memory/create-memory-store.ts'
import { collect, eachOf } from '../../src/store-tests/harness/collect.ts'
import { fillStore } from './filled-store.ts'

async function exported(): Promise<string[]> {
  const store = createMemoryStore()
  await fillStore(store)
  return collect(exportStore(store))
}

/** The error of an import that must be refused. Nothing of it is in the store afterwards. */
async function refusal(lines: readonly string[]): Promise<StoreError> {
  const store = createMemoryStore()
  const outcome = await importStore(store, () => eachOf(lines)).catch((error: unknown) => error)
  expect(await store.list({ limit: 1 })).toEqual([])
  if (!StoreError.isInstance(outcome)) throw new Error(`it was taken: ${JSON.stringify(outcome)}`)
  expect(outcome.code).toBe('INVALID_DUMP')
  return outcome
}

describe('an export that was damaged on its way', () => {
  it('is refused wherever a line was lost, doubled, moved or changed, and nothing of it is written', async () => {
    const lines = await exported()
    let count = 0
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
      for (const list of damaged) {
        await refusal(list)
        count++
      }
    }
    console.log(`${count} damaged exports of ${lines.length} lines were refused`)
  })

  it('is refused with the number of the line and what is wrong in it', async () => {
    const lines = await exported()
    const find = (part: string) => lines.findIndex((line) => line.includes(part))
    const message = find('text 3')
    const edited = lines.map((line) => line.replace('text 3', 'text 9'))
    expect((await refusal(edited)).message).toContain(`line ${message + 1}: `)
    expect((await refusal(edited)).message).toContain('m3 is not what its hash says')
    const summary = find('what m3 to m5 say')
    const rewritten = lines.map((line) => line.replace('what m3 to m5 say', 'nothing'))
    expect((await refusal(rewritten)).message).toContain(`line ${summary + 1}: `)
    expect((await refusal(lines.with(4, '{"type":'))).message).toContain('line 5: ')
    expect((await refusal(lines.with(4, 'null'))).message).toContain('line 5: ')
    expect((await refusal(lines.with(4, '{"type":"message","seq":"3"}'))).message).toContain('line 5: ')
    expect((await refusal(lines.slice(0, -1))).message).toContain(`behind line ${lines.length - 1}`)
    expect((await refusal([...lines, '{}'])).message).toContain(`line ${lines.length + 1}: `)
    expect((await refusal([])).message).toContain('without its last line')
  })

  it('is refused with the advice to update when a newer version wrote it', async () => {
    const lines = await exported()
    const newer = lines.with(0, '{"format":"palimpsest-lcm","version":2}')
    expect((await refusal(newer)).message).toContain('update this package')
    expect((await refusal(['{"hello":1}', ...lines.slice(1)])).message).toContain('no export of a store')
  })
})
