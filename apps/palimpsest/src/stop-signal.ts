import { endNow } from './program-end.ts'

/** The first signal that asks the process to stop. A second one ends it at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      process.off('SIGTERM', stop).off('SIGINT', stop)
      resolve(signal)
    }
    process.on('SIGTERM', stop).on('SIGINT', stop)
  })
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
export const EXIT_STOPPED = 1

/** Lets what runs end well when the process is asked to end; asked again, it ends at once. */
export function watchSignals() {
  const abort = new AbortController()
  const onSignal = (signal: NodeJS.Signals) => {
    if (abort.signal.aborted) endNow(EXIT_STOPPED)
    abort.abort(new Error(`stopped by ${signal}`))
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return {
    /** Aborted by the first signal that asks the process to end. */
    signal: abort.signal,
    close() {
      for (const signal of SIGNALS) process.off(signal, onSignal)
    },
  }
}
