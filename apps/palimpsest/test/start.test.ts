import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCli } from './run-cli.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-start-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('keeps compiled code in the cache folder of the user, and works where there can be none', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  for (const [cache, isKept] of [
    [folder, true],
    [file, false],
  ] as const) {
    const env = { NODE_COMPILE_CACHE: '', XDG_CACHE_HOME: cache }
    const { code, stderr } = await runCli(['--help'], { env })
    expect([cache, code, stderr]).toEqual([cache, 0, ''])
    expect(existsSync(join(cache, 'palimpsest'))).toBe(isKept)
  }
})
