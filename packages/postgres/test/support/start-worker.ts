import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** A process that writes to a store. */
export interface Worker {
  /** What it has said so far, line by line, in words. */
  readonly lines: readonly (readonly string[])[]
  kill(): void
  /** Its end: 0, or null when it was killed; and what it complained of. */
  readonly ended: Promise<{ readonly code: number | null; readonly errors: string }>
}

/** Starts one of the scripts in `reliability/fixtures`. */
export function startWorker(fixture: string, ...args: readonly string[]): Worker {
  const script = join(import.meta.dirname, `../reliability/fixtures/${fixture}.ts`)
  const child = spawn(
    process.execPath,
    ['--conditions=@palimpsest/source', '--no-warnings', script, ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const lines: string[][] = []
  let rest = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const pieces = (rest + text).split('\n')
    rest = pieces.pop() ?? ''
    lines.push(...pieces.map((line) => line.split('\t')))
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  return {
    lines,
    kill: () => child.kill('SIGKILL'),
    ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, errors }))),
  }
}
