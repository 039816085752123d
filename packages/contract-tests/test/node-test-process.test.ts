import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** Runs a file as `node --test` does with each of its files. */
async function run(name: string): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const file = fileURLToPath(new URL(`./node-test-engines/${name}.ts`, import.meta.url))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, ['--conditions=@palimpsest/source', file], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stderr }))
  })
}

describe('an engine on node:test that', () => {
  it('ends the process does not end it well', async () => {
    const { code, stderr } = await run('ends-the-process')
    expect(code).toBe(1)
    expect(stderr).toMatch(/the engine ended the process in "C\d\d /)
  })

  it('keeps the process alive does not keep it for ever', async () => {
    const { code, stderr } = await run('keeps-the-process')
    expect(code).toBe(1)
    expect(stderr).toContain('something keeps the process alive: see case C56')
  })
})
