import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** A process that works on a store. */
export interface Worker {
  /** What it has said so far, line by line, in words. */
  readonly lines: readonly (readonly string[])[]
  /** Says a line to it. */
  tell(line: string): void
  /** Says that no more is wanted of it. */
  finish(): void
  kill(): void
  /** Its end: 0, or null when it was killed; and what it complained of. */
  readonly ended: Promise<{ readonly code: number | null; readonly errors: string }>
}

/** Starts one of the scripts in `reliability/fixtures`, which ends with the test. */
export function startWorker(fixture: string, ...args: readonly string[]): Worker {
  const script = join(import.meta.dirname, `../reliability/fixtures/${fixture}.ts`)
  const options = ['--conditions=@palimpsest/source', '--no-warnings', script]
  const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'palimpsest-compile-cache') }
  const child = spawn(process.execPath, [...options, ...args], { stdio: ['pipe', 'pipe', 'pipe'], env })
  onTestFinished(() => void child.kill('SIGKILL'))
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
  // It may be killed while it is told something.
  child.stdin.on('error', () => {})
  return {
    lines,
    tell: (line) => child.stdin.write(`${line}\n`),
    finish: () => child.stdin.end(),
    kill: () => child.kill('SIGKILL'),
    ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, errors }))),
  }
}

/** What a worker has said behind some words. */
export function saidBehind({ lines }: Pick<Worker, 'lines'>, ...words: readonly string[]): string[] {
  const found = lines.filter((line) => words.every((word, index) => line[index] === word))
  return found.map((line) => line.slice(words.length).join('\t'))
}

/** Waits until a worker has said some words so many times. */
export async function untilSaid(worker: Worker, times: number, ...words: readonly string[]): Promise<void> {
  let end: string | undefined
  void worker.ended.then(({ code, errors }) => {
    end = `the worker ended with ${code}: ${errors}`
  })
  while (saidBehind(worker, ...words).length < times) {
    if (end !== undefined) throw new Error(end)
    await wait(2)
  }
}
