import { reportFailure } from './report-failure.ts'

export function endNow(code: number): never {
  process.exit(code)
}

export async function endProgram(code: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(written))
  return endNow(code)
}

/** Prints an error that a plug-in throws outside every call as one line, not as a stack. */
export function watchForFailures(): void {
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error) => endNow(reportFailure(error)))
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve())
  })
}
