import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** An order to a sandbox: a program, and an expression behind it whose value is wanted. */
export type SandboxOrder = { readonly program: string; readonly expression: string }

/** The value, as JSON keeps it; or why there is none. */
export type SandboxReport = { readonly value: unknown } | { readonly error: string }

/** The first line of a sandbox that works: what follows is the program's doing. */
export const READY = 'ready'

/** Runs code that a model wrote. Rejects when the sandbox itself does not work. */
export type RunCode = (order: SandboxOrder) => Promise<SandboxReport>

/** Milliseconds after which the process is killed, for what the interpreter's own limit does not stop. */
const LONGEST = 10_000
/** Without files to write, other processes and native code; megabytes of its own heap, beside the interpreter's. */
const FLAGS = ['--permission', '--allow-fs-read=*', '--max-old-space-size=64'] as const

/**
 * Runs code in an interpreter in a process of its own, which is killed when it takes too long. Behind a hole in the
 * interpreter and in WebAssembly is a process with an empty environment that may not write files nor start processes, but may
 * read files and reach the network: Node has no sandbox against that. `longest`: milliseconds. Default 10,000.
 */
export function createRunCode(sandbox: URL, longest = LONGEST): RunCode {
  return async (order) => {
    const child = spawn(process.execPath, [...FLAGS, fileURLToPath(sandbox)], {
      env: {},
      timeout: longest,
      killSignal: 'SIGKILL',
    })
    const ended = new Promise<void>((resolve, reject) =>
      child.on('close', () => resolve()).on('error', reject),
    )
    // A process that ends before it has read everything is told about below.
    child.stdin.on('error', () => {}).end(JSON.stringify(order))
    const [written, failure] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    const [first, report = ''] = written.split('\n')
    if (first !== READY) throw new Error(`the sandbox does not work: ${failure.trim().split('\n').at(-1)}`)
    return report === '' ? { error: 'stopped: it took too much time or memory' } : JSON.parse(report)
  }
}
