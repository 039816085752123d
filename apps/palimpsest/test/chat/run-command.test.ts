import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { toolBench } from './tool-bench.ts'

/** Whether a process runs. One that nobody has collected is dead, too. */
async function runs(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return state !== undefined && !/\) [ZX] /.test(state)
}

async function pidIn(path: string): Promise<number> {
  await vi.waitFor(async () => expect(await readFile(path, 'utf8')).toMatch(/^\d+\n$/), 30_000)
  return Number(await readFile(path, 'utf8'))
}

test('a command runs in the workspace after consent; its output and how it ended are told', async () => {
  const bench = await toolBench({ 'a.txt': '' })
  const { ok, text } = await bench.use('run_command', { command: 'ls; echo oops >&2; exit 3' })
  expect(ok).toBe(false)
  expect(text).toBe('a.txt\noops\n(exit code 3)')
  expect(bench.asked).toEqual([{ kind: 'run', subject: 'ls; echo oops >&2; exit 3' }])
  expect(await bench.use('run_command', { command: 'true' })).toEqual({
    ok: true,
    text: '(it wrote nothing)\n(exit code 0)',
  })
})

test('without consent nothing runs', async () => {
  const { folder, use } = await toolBench({}, { confirm: async () => 'no' })
  expect((await use('run_command', { command: 'touch ran' })).text).toContain('said no')
  expect(existsSync(join(folder, 'ran'))).toBe(false)
})

test('of a long output the beginning and the end are told, without escape sequences', async () => {
  const { use } = await toolBench()
  const script = "process.stdout.write('\\u001b[31mfirst\\n' + 'x'.repeat(2e6) + '\\nlast')"
  const { text } = await use('run_command', { command: `${process.execPath} -e "${script}"` })
  expect(text.length).toBeLessThan(41_000)
  expect(text).toMatch(/^first\nx/)
  expect(text).toMatch(/characters are left out here/)
  expect(text).toMatch(/x\nlast\n\(exit code 0\)$/)
})

test('a command sees no keys, finds its input closed, and its secrets are not told', async () => {
  const environment = {
    PATH: process.env.PATH,
    GEMINI_API_KEY: 'one',
    GITHUB_TOKEN: 'two',
    DB_PASSWORD: 'three',
    KEEP: 'four',
  }
  const { use } = await toolBench({}, { environment })
  const { text } = await use('run_command', { command: 'cat; env; echo AKIAIOSFODNN7EXAMPLQ' })
  expect(text).toContain('KEEP=four')
  expect(text).not.toMatch(/GEMINI|GITHUB|PASSWORD/)
  expect(text).toContain('[REDACTED:')
})

test('at its time limit a command ends with its grandchildren', async () => {
  const { folder, use } = await toolBench()
  const command = '(sleep 60 & echo $! > pid; wait)'
  const { ok, text } = await use('run_command', { command, timeout_seconds: 1 })
  expect(ok).toBe(false)
  expect(text).toContain('ended after 1 seconds')
  expect(await runs(await pidIn(join(folder, 'pid')))).toBe(false)
})

test('stopped by the person, it ends with its grandchildren even if they do not want to', async () => {
  const { folder, use } = await toolBench()
  const stop = new AbortController()
  const command = 'sh -c "trap \'\' TERM; echo begun; echo \\$\\$ > pid; while :; do sleep 0.05; done" & wait'
  const running = use('run_command', { command }, stop.signal)
  const pid = await pidIn(join(folder, 'pid'))
  stop.abort()
  const { text } = await running
  expect(text).toBe('begun\n(stopped by the user)')
  expect(await runs(pid)).toBe(false)
})

test('what a command leaves in the background ends with it and does not hold it', async () => {
  const { folder, use } = await toolBench()
  const { ok, text } = await use('run_command', { command: 'sleep 60 & echo $! > pid; echo done' })
  expect(ok).toBe(true)
  expect(text).toBe('done\n(exit code 0; what it left running in the background was ended)')
  expect(await runs(await pidIn(join(folder, 'pid')))).toBe(false)
})

test('when the chat ends, so does what it runs', async () => {
  const { use, close } = await toolBench()
  const running = use('run_command', { command: 'sleep 60' })
  await sleep(200)
  close()
  expect((await running).text).toContain('ended by SIGKILL')
})
