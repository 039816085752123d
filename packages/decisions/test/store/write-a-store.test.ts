import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runStoreCase, storeCasesFor } from '../../src/store-tests.ts'
import { createJsonLinesStore } from './json-lines-store.ts'

const open = (folder: string) => createJsonLinesStore(join(folder, 'decisions.jsonl'))
const target = { name: 'json lines', create: open, reopen: open }

describe('the store of docs/write-a-store.md', () => {
  for (const storeCase of storeCasesFor(target))
    it(`${storeCase.id} ${storeCase.title}`, () => runStoreCase(storeCase, target))

  it('stands in the document as it is', () => {
    const page = readFileSync(new URL('../../../../docs/write-a-store.md', import.meta.url), 'utf8')
    const source = readFileSync(new URL('json-lines-store.ts', import.meta.url), 'utf8')
    const [, shown = ''] = /```ts\n(.*?)```/s.exec(page) ?? []
    expect(shown.length).toBeGreaterThan(500)
    expect(source).toContain(shown.trim())
    expect(page.split(/\s+/).length).toBeLessThanOrEqual(1_200)
  })
})
