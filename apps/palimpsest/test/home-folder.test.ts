import { existsSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../src/make-folder.ts'
import { runCli } from './run-cli.ts'
import { temporaryFolder } from './serve/temporary-folder.ts'

const NO_MODEL = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', OPENAI_MODEL: '' }

it('makes what is missing, for its user alone, and leaves what is there', async () => {
  const folder = await temporaryFolder()
  makeFolder(join(folder, 'a', 'b', 'c'), 0o700)
  makeFolder(join(folder, 'a', 'b', 'c', 'd'), 0o755)
  const modes = await Promise.all(
    ['a', 'a/b/c', 'a/b/c/d'].map(async (name) => (await stat(join(folder, name))).mode),
  )
  expect(modes.map((mode) => (mode & 0o700).toString(8))).toEqual(['700', '700', '700'])
  expect((modes[0] ?? 0) & 0o077).toBe(0)
  makeFolder('/')
})

it('a home that is a file, or lies below one, is named with what to do', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'a-file')
  await writeFile(file, 'no folder')
  for (const home of [file, join(file, 'deeper')]) {
    const { code, stdout, stderr } = await runCli(['chat', 'hello'], {
      cwd: folder,
      env: { ...NO_MODEL, PALIMPSEST_HOME: home },
    })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(
      `palimpsest: the folder ${join(home, 'locks')} cannot be made (a file is where a folder should be): set PALIMPSEST_HOME to a folder that can be written\n`,
    )
  }
})

it.skipIf(!existsSync('/proc/self'))('a home below /proc ends with one line, and does not hang', async () => {
  const folder = await temporaryFolder()
  const { code, stderr } = await runCli(['chat', 'hello'], {
    cwd: folder,
    env: { ...NO_MODEL, PALIMPSEST_HOME: '/proc/x' },
  })
  expect(code).toBe(2)
  expect(stderr).toBe(
    'palimpsest: the folder /proc/x/locks cannot be made (/proc takes no folders): set PALIMPSEST_HOME to a folder that can be written\n',
  )
  const store = await runCli(['serve', '--port', '0', '--store', '/proc/x/sessions.db'], { cwd: folder })
  expect(store.code).toBe(2)
  expect(store.stderr).toMatch(/^palimpsest: .*\/proc\/x[^\n]*\n$/)
  expect(() => makeFolder('/proc/x/y/z')).toThrow('/proc takes no folders')
})
