import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { planContract, runSuite } from '../src/index.ts'
import { notQuiteRight } from './node-test-engines/not-quite-right.ts'

/** Runs a file as `node --test` does with each of its files. */
async function run(name: string, ...args: readonly string[]) {
  const file = fileURLToPath(new URL(`./node-test-engines/${name}.ts`, import.meta.url))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, ['--conditions=@palimpsest/source', ...args, file], { env })
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ])
  return { stdout, stderr, code }
}

it('runs on node:test as it runs without a runner: the same cases pass, fail and are left out', async () => {
  const { stdout } = await run('run-not-quite-right', '--test', '--test-reporter=tap')
  const results = await runSuite(planContract(notQuiteRight))
  const count = (wanted: string) => results.filter(({ status }) => status === wanted).length
  expect(count('failed')).toBe(1)
  expect(stdout).toContain(`# pass ${count('passed')}\n`)
  expect(stdout).toContain(`# fail ${count('failed')}\n`)
  expect(stdout).toContain(`# skipped ${count('skipped')}\n`)
  expect(stdout).toMatch(/ok \d+ - C10 .+ \(skipped: left out here\) # SKIP/)
})

describe('an engine on node:test that', () => {
  it('ends the process does not end it well', async () => {
    const { code, stderr } = await run('ends-the-process')
    expect(stderr).toMatch(/the engine ended the process in "C\d\d /)
    expect(code).toBe(1)
  })

  it('keeps the process alive does not keep it for ever', async () => {
    const { code, stderr } = await run('keeps-the-process')
    expect(stderr).toContain('something keeps the process alive: see case C56')
    expect(code).toBe(1)
  })
})
