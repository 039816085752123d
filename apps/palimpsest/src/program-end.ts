import { engineAtWork } from './engines/engine-at-work.ts'
import { stopProgress } from './progress.ts'
import { EXIT_USAGE, firstLine, reportFailure } from './report-failure.ts'
import { UsageError } from './usage-error.ts'

let isOver = false

export function endNow(code: number): never {
  isOver = true
  process.exit(code)
}

export async function endProgram(code: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(written))
  return endNow(code)
}

export function watchForEarlyEnd(): void {
  process.on('beforeExit', () => {
    const engine = engineAtWork()
    const who = engine === undefined ? 'the program' : `the engine "${engine.name}"`
    fail(`${who} never finished: it waits for a promise that nothing can settle any more`)
  })
  process.on('unhandledRejection', (reason) =>
    fail(`${during()}a promise was rejected and not handled: ${firstLine(reason)}`, reason),
  )
  process.on('uncaughtException', (error) =>
    fail(`${during()}an error was thrown that was not caught: ${firstLine(error)}`, error),
  )
  process.on('exit', (code) => {
    if (isOver) return
    process.exitCode = report(`${during()}process.exit(${code}) was called, which ended the program`)
  })
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve())
  })
}

function during(): string {
  const engine = engineAtWork()
  return engine === undefined ? '' : `while the engine "${engine.name}" ${engine.state}, `
}

function fail(text: string, cause?: unknown): never {
  endNow(report(text, cause))
}

function report(text: string, cause?: unknown): number {
  stopProgress()
  // Without an engine it is our own fault, which `reportFailure` prints.
  reportFailure(engineAtWork() === undefined ? new Error(text, { cause }) : new UsageError(text, { cause }))
  return EXIT_USAGE
}
