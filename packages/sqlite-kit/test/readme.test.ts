import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as kit from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

interface Notes {
  add(text: string): Promise<void>
  all(): Promise<{ text: string }[]>
  close(): void
}

it('the example works: notes outlive the connection', async () => {
  const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []
  const program = stripTypeScriptTypes(example)
    .replace(/^import (\{[^}]*\}) from '@palimpsest\/sqlite-kit'$/m, 'const $1 = kit')
    .replace('export function', 'function')
  const openNotes = new Function('kit', `${program}\nreturn openNotes`)(kit) as (path: string) => Notes
  const folder = mkdtempSync(join(tmpdir(), 'notes-'))
  try {
    const first = openNotes(join(folder, 'notes.db'))
    await first.add('Postgres')
    first.close()
    const second = openNotes(join(folder, 'notes.db'))
    expect((await second.all()).map(({ text }) => text)).toEqual(['Postgres'])
    second.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
