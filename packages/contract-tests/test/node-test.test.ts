import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { planContract, runSuite } from '../src/index.ts'
import { onNodeTest } from './on-node-test-target.ts'

it('runs on node:test as it runs without a runner: the same cases pass, fail and are left out', async () => {
  const file = fileURLToPath(new URL('./on-node-test.ts', import.meta.url))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const args = ['--conditions=@palimpsest/source', '--test', '--test-reporter=tap', file]
  // It exits with 1, because one case fails.
  const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch((error) => error)
  const results = await runSuite(planContract(onNodeTest))
  const count = (wanted: string) => results.filter(({ status }) => status === wanted).length
  expect(count('failed')).toBe(1)
  expect(stdout).toContain(`# pass ${count('passed')}\n`)
  expect(stdout).toContain(`# fail ${count('failed')}\n`)
  expect(stdout).toContain(`# skipped ${count('skipped')}\n`)
  expect(stdout).toMatch(/ok \d+ - C10 .+ \(skipped: left out here\) # SKIP/)
})
