import { errorText } from '@palimpsest/core'

/** Failures that came up outside of any call. */
export interface StrayErrors {
  /** Those since the last look, each as part of a sentence. */
  take(): string[]
}

/** From now on this process survives what nobody catches, and remembers it. */
export function catchStrayErrors(): StrayErrors {
  let found: string[] = []
  process.on('unhandledRejection', (reason) => {
    found.push(`a rejected promise that nobody handles (${errorText(reason)})`)
  })
  process.on('uncaughtException', (error) => {
    found.push(`an error that nobody catches (${errorText(error)})`)
  })
  return {
    take() {
      const taken = found
      found = []
      return taken
    },
  }
}
