import { errorText } from '@palimpsest/core'

/** Failures that came up outside of any call. */
export interface StrayErrors {
  /** Those since the last look, each as part of a sentence and once, however often it came. */
  take(): string[]
}

/** From now on this process survives uncaught failures, and remembers them. */
export function catchStrayErrors(): StrayErrors {
  let found = new Map<string, number>()
  const add = (text: string) => void found.set(text, (found.get(text) ?? 0) + 1)
  process.on('unhandledRejection', (reason) => {
    add(`an unhandled rejection (${errorText(reason)})`)
  })
  process.on('uncaughtException', (error) => {
    add(`an uncaught error (${errorText(error)})`)
  })
  return {
    take() {
      const taken = found
      found = new Map()
      return Array.from(taken, ([text, count]) => (count === 1 ? text : `${text}, ${count} times`))
    },
  }
}
