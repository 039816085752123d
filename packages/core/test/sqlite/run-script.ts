import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** How a process ended, and what it wrote. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
  readonly errors: string
}

/** Runs a script on the sources as a process of its own. */
export function runScript(script: URL, ...values: readonly (string | number)[]): Promise<Ended> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=@palimpsest/source',
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(script),
      ...values.map(String),
    ],
    {
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: join(tmpdir(), 'palimpsest-compile-cache'),
        NODE_OPTIONS: '',
      },
    },
  )
  let output = ''
  let errors = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  child.stderr.on('data', (data) => {
    errors += data
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, output, errors }))
  })
}
