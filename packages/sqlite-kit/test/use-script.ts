import { spawn } from 'node:child_process'
import { useBundle } from './use-bundle.ts'

/** How a process ended, and what it wrote. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
  readonly errors: string
}

/** Lets the tests of a file run a script on the sources as a process of its own, as often as they like. */
export function useScript(script: URL): (...values: readonly (string | number)[]) => Promise<Ended> {
  const bundle = useBundle(script)
  return (...values) => run([bundle(), ...values.map(String)])
}

function run(values: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...values], {
    env: { ...process.env, NODE_OPTIONS: '' },
  })
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
