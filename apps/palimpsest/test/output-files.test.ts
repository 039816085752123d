import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Overwriting, openOutput, writeOutput } from '../src/output-files.ts'

let folder: string
const at = (name: string) => join(folder, name)
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'palimpsest-')))
  await writeFile(at('session.jsonl'), 'input')
})
afterEach(() => rm(folder, { recursive: true }))

const open = (path: string, overwriting: Overwriting = { force: true }) =>
  openOutput(path, [at('store.db')], at('session.jsonl'), overwriting)

describe('openOutput', () => {
  it('refuses the session itself, also through a link', async () => {
    await symlink(at('session.jsonl'), at('link'))
    for (const path of ['session.jsonl', 'link']) {
      await expect(open(at(path))).rejects.toThrow('--html names the session itself')
    }
    expect(await readFile(at('session.jsonl'), 'utf8')).toBe('input')
  })

  it('refuses the files of a store, by another path and before they are there too', async () => {
    await writeFile(at('store.db-wal'), 'log')
    await symlink(at('store.db-wal'), at('link'))
    for (const path of ['store.db', './store.db', 'store.db-wal', 'store.db-shm', 'store.db-journal', 'link'])
      await expect(open(`${folder}/${path}`)).rejects.toThrow('--html names the store itself')
    await expect(open(at('store.db.out'))).resolves.toBeDefined()
  })

  it('refuses a folder, a missing folder and a read-only file', async () => {
    await mkdir(at('folder'))
    await writeFile(at('kept'), 'old')
    await chmod(at('kept'), 0o444)
    await expect(open(at('folder'))).rejects.toThrow('is a folder')
    await expect(open(at('nowhere/out'))).rejects.toThrow('cannot be written')
    await expect(open(at('kept'))).rejects.toThrow('cannot be written')
  })
})

describe('a file that is there', () => {
  it('is overwritten when it is empty, has the mark of the command, or is forced', async () => {
    await writeFile(at('empty'), '')
    await writeFile(at('notes'), 'my notes')
    await writeFile(at('page'), '<html><title>Palimpsest</title>')
    const mark = '<title>Palimpsest'
    for (const name of ['empty', 'page', 'new']) await expect(open(at(name), { mark })).resolves.toBeDefined()
    await expect(open(at('notes'), { mark })).rejects.toThrow(/notes is there already.*--force/)
    await expect(open(at('page'), {})).rejects.toThrow(/--force/)
    await expect(open(at('notes'), { mark, force: true })).resolves.toBeDefined()
  })
})

describe('writeOutput', () => {
  it('follows links, and leaves nothing else behind', async () => {
    await writeFile(at('target'), 'old')
    await symlink(at('target'), at('link'))
    await writeOutput(await open(at('link')), 'new')
    await writeOutput(await open(at('o'.repeat(250))), 'x')
    expect(await readFile(at('target'), 'utf8')).toBe('new')
    expect((await readdir(folder)).sort()).toEqual(['link', 'o'.repeat(250), 'session.jsonl', 'target'])
  })
})
