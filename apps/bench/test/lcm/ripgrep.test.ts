import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { findRipgrep } from '../../src/lcm/ripgrep.ts'
import { FAKE_RIPGREP } from './fake-ripgrep.ts'

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-rg-'))
afterAll(() => rmSync(folder, { recursive: true }))

const install = (text: string, mode = 0o755) => {
  writeFileSync(join(folder, 'rg'), text)
  chmodSync(join(folder, 'rg'), mode)
  return findRipgrep(['/nowhere', '', folder].join(delimiter))
}

describe('findRipgrep', () => {
  it('finds nothing where there is none, or none that can be run', async () => {
    expect(await findRipgrep('/nowhere')).toBeUndefined()
    expect(await install('text', 0o644)).toBeUndefined()
  })

  it('counts the lines that match, upper and lower case alike, and 0 where none does', async () => {
    const ripgrep = await install(FAKE_RIPGREP)
    expect(ripgrep?.version).toBe("ripgrep 0.0.0 (a test's)")
    const file = join(folder, 'text')
    writeFileSync(file, 'one 1\nOne 2\ntwo 3\n')
    expect(await ripgrep?.countLines('one \\d', file)).toBe(2)
    expect(await ripgrep?.countLines('three', file)).toBe(0)
  })

  it('does not take a failure for an absent word', async () => {
    const ripgrep = await install('#!/bin/sh\n[ "$1" = --version ] && exit 0\nexit 2\n')
    await expect(ripgrep?.countLines('one', folder)).rejects.toThrow()
  })
})
