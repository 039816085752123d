import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { RECORDED_FOLDER } from '../src/bundled-session.ts'
import type { RecordedRun } from '../src/replay/read-recording.ts'
import { runCli } from './run-cli.ts'

it('the demo asks for as many summaries and readings as are recorded', async () => {
  const run: RecordedRun = JSON.parse(readFileSync(new URL('run.json', RECORDED_FOLDER), 'utf8'))
  const { stdout } = await runCli(['demo', '--json'], { cwd: process.cwd() })
  const { warnings, bill, decisions } = JSON.parse(stdout)
  // More requests than are recorded are other warnings; fewer leave a count that differs.
  expect(warnings.map(({ code }: { code: string }) => code)).toEqual(['candidates-refused'])
  expect(bill.summaries.requests).toBe(run.summaries.length)
  expect(decisions.active).toBeGreaterThan(10)
})
