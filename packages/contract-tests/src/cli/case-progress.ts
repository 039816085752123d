import type { WriteStream } from 'node:tty'
import type { Reporter } from './reporter.ts'

/** When a case that takes long is told of for the first time where nothing can be written over, in seconds. */
const FIRST_LINE_SECONDS = 10

/**
 * The same reporter, beside which a stream says which case runs: on a terminal on a line that is written over each
 * second and gone in the end, elsewhere with a line for a case that takes long, after 10, 20, 40, 80 … seconds.
 */
export function withProgress(reporter: Reporter, stream: WriteStream): Reporter {
  let cases = 0
  let done = 0
  let timer: NodeJS.Timeout | undefined

  const show = (id: string, seconds: number): void => {
    const text = `${id}  ${done + 1} of ${cases}${seconds > 0 ? `  ${seconds} s` : ''}`
    if (stream.isTTY) stream.write(`\r\u001b[2K${text.slice(0, Math.max(0, stream.columns - 1))}`)
    else if (Number.isInteger(Math.log2(seconds / FIRST_LINE_SECONDS)) && seconds >= FIRST_LINE_SECONDS)
      stream.write(`${text}, still running\n`)
  }
  const clear = (): void => {
    clearInterval(timer)
    if (stream.isTTY && timer !== undefined) stream.write('\r\u001b[2K')
    timer = undefined
  }

  return {
    planned(plan) {
      cases = plan.cases.length
      reporter.planned?.(plan)
    },
    started(id) {
      let seconds = 0
      show(id, seconds)
      // A command that ends for another reason must not wait for it.
      timer = setInterval(() => show(id, ++seconds), 1_000).unref()
    },
    finished(result) {
      clear()
      done++
      reporter.finished?.(result)
    },
    ended(report) {
      clear()
      reporter.ended?.(report)
    },
    interrupted() {
      clear()
      reporter.interrupted?.()
    },
  }
}
