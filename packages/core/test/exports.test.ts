import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8')
const wordsOf = (text: string) => text.match(/\w+/g) ?? []
const exclude = ['**/node_modules', '**/dist', 'packages/core/{src,test}', '{packages,apps}/*/test']

/** What other packages import from core, and every word of the documents. */
const used = new Set([
  ...globSync('{packages,apps,examples}/**/*.{ts,tsx}', { cwd: root, exclude }).flatMap((path) =>
    [...read(path).matchAll(/\{([^{}]*)\} from '@palimpsest\/core/g)].flatMap(([, list = '']) =>
      wordsOf(list),
    ),
  ),
  ...globSync('{packages,examples,docs}/**/*.md', { cwd: root, exclude }).flatMap((path) =>
    wordsOf(read(path)),
  ),
])

/** The names that an entry exports. Those of `spec/v1` are the contract: its types are there whoever uses them. */
function names(entry: string): string[] {
  const source = read(`packages/core/src/${entry}`)
  const lists = source.match(/export (?:type )?\{[^}]*\}/g) ?? []
  return lists.flatMap((list) => list.match(/\w+(?=,|\s*\}|\s+\})/g) ?? [])
}

describe.each(['index.ts', 'options.ts'])('%s', (entry) => {
  it('exports names one by one, except for the contract', () => {
    const source = read(`packages/core/src/${entry}`)
    const whole = source.match(/export (?:type )?\* from '.*'/g) ?? []
    expect(whole).toEqual(entry === 'index.ts' ? ["export type * from './spec/v1/index.ts'"] : [])
    expect(names(entry).length).toBeGreaterThan(4)
  })

  it('exports nothing that neither another package nor a document uses', () => {
    expect(names(entry).filter((name) => !used.has(name))).toEqual([])
  })
})
