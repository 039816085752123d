import type { MalformedLine, SkippedLines } from './transcript.ts'

/** Collects what did not become a message, so that nothing disappears without a trace. */
export interface ReadingLog {
  readonly malformed: MalformedLine[]
  /** This line cannot be read. */
  reject(line: number, reason: string): void
  /** This is no part of the conversation. */
  skip(reason: string, count?: number): void
  /** In the order in which the reasons first came up. */
  skipped(): SkippedLines[]
}

export function createReadingLog(): ReadingLog {
  const malformed: MalformedLine[] = []
  const counts = new Map<string, number>()
  return {
    malformed,
    reject(line, reason) {
      malformed.push({ line, reason })
    },
    skip(reason, count = 1) {
      counts.set(reason, (counts.get(reason) ?? 0) + count)
    },
    skipped() {
      return Array.from(counts, ([reason, count]) => ({ reason, count }))
    },
  }
}
