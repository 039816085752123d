import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runStoreCase, storeCases } from '@palimpsest/store/suite'
import { describe, expect, it } from 'vitest'
import { createPlainStore } from './plain-store.ts'

describe('the store of docs/write-a-store.md', () => {
  const open = (folder: string) => createPlainStore(join(folder, 'plain.db'))
  const target = { name: 'plain', create: open, reopen: open }
  it.each(storeCases)('$id $title', (one) => runStoreCase(one, target))

  it('is in the document as it is', () => {
    const page = readFileSync(new URL('../../../docs/write-a-store.md', import.meta.url), 'utf8')
    const source = readFileSync(new URL('plain-store.ts', import.meta.url), 'utf8')
    const [, shown = ''] = /```ts\n(.*?)```/s.exec(page) ?? []
    expect(shown).toBe(source)
  })
})
