import type { Clock } from './clock.ts'

const levels = ['debug', 'info', 'warn', 'error'] as const
export type Level = (typeof levels)[number]

export function isLevel(text: string): text is Level {
  return (levels as readonly string[]).includes(text)
}

export type Fields = Readonly<Record<string, string | number | boolean>>
export type Log = (level: Level, event: string, fields?: Fields) => void

/** One line an event: time, level, event and `key=value` fields. */
export function createLog(options: {
  readonly clock: Clock
  readonly level: Level
  readonly write: (line: string) => void
}): Log {
  const { clock, level: lowest, write } = options
  return (level, event, fields = {}) => {
    if (levels.indexOf(level) < levels.indexOf(lowest)) return
    const pairs = Object.entries(fields).map(([key, value]) => `${key}=${value}`)
    write([clock.now().toISOString(), level.padEnd(5), event, ...pairs].join(' '))
  }
}
