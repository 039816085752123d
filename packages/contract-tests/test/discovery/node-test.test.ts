import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { discoveryCases } from '../../src/index.ts'

it('runs as tests of node:test, skipped ones with the reason', async () => {
  const file = fileURLToPath(new URL('./on-node-test.ts', import.meta.url))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const args = ['--conditions=@palimpsest/source', '--test-reporter=tap', file]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  expect(stdout).toContain(`# pass ${discoveryCases.length - 1}\n`)
  expect(stdout).toContain('# skipped 1\n')
  expect(stdout).toMatch(/ok \d+ - D28 .+ \(skipped: waiting is tested elsewhere\) # SKIP/)
})
