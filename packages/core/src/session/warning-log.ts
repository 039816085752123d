import type { Warning } from '../spec/v1/warning.ts'
import type { EventHub } from './event-hub.ts'

/** Says each warning once, so that a condition that lasts is not repeated every turn. */
export interface WarningLog {
  say(...warnings: readonly Warning[]): void
  /** The warnings since the last call. */
  take(): Warning[]
  /** From now on everything may be said again. */
  clear(): void
}

export function createWarningLog({ emit }: EventHub): WarningLog {
  const said = new Set<string>()
  let untaken: Warning[] = []
  return {
    say(...warnings) {
      for (const warning of warnings) {
        const key = `${warning.code}\n${warning.message}`
        if (said.has(key)) continue
        said.add(key)
        untaken.push(warning)
        emit({ type: 'warning', warning })
      }
    },
    take() {
      const taken = untaken
      untaken = []
      return taken
    },
    clear() {
      said.clear()
    },
  }
}
