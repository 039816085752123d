import { endNow } from './program-end.ts'

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

export function watchSignals() {
  const abort = new AbortController()
  const onSignal = (signal: NodeJS.Signals) => {
    if (abort.signal.aborted) endNow(EXIT_STOPPED)
    abort.abort(new Error(`stopped by ${signal}`))
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return {
    signal: abort.signal,
    close() {
      for (const signal of SIGNALS) process.off(signal, onSignal)
    },
  }
}
