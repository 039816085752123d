import { vi } from 'vitest'
import { createProgram } from '../../src/create-program.ts'
import { reportFailure } from '../../src/report-failure.ts'
import type { CliResult } from '../run-cli.ts'

/** Runs the command line in this process: as `main` does, without the second that a new process takes. */
export async function runHere(args: readonly string[], folder: string): Promise<CliResult> {
  const output = { stdout: '', stderr: '' }
  const capture = (name: 'stdout' | 'stderr') =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += String(text)
      return true
    })
  const before = process.cwd()
  const spies = [capture('stdout'), capture('stderr')]
  process.chdir(folder)
  process.exitCode = undefined
  try {
    await createProgram().parseAsync([...args], { from: 'user' })
    return { code: Number(process.exitCode ?? 0), ...output }
  } catch (error) {
    const code = reportFailure(error)
    return { code, ...output }
  } finally {
    process.exitCode = undefined
    process.chdir(before)
    for (const spy of spies) spy.mockRestore()
  }
}
