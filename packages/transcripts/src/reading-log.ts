import type { MalformedLine, SkippedLines } from './transcript.ts'

/** Collects what did not become a message, so that nothing disappears without a trace. */
export interface ReadingLog {
  readonly malformed: MalformedLine[]
  /** This line cannot be read. */
  reject(line: number, reason: string): void
  /** This is no part of the conversation. */
  skip(reason: string, count?: number): void
  /** The sequence of messages is broken here; what stands there is left out. */
  readonly broken: MalformedLine[]
  breaks(line: number, reason: string): void
  /** In the order in which the reasons first came up. */
  skipped(): SkippedLines[]
}

export function createReadingLog(): ReadingLog {
  const malformed: MalformedLine[] = []
  const broken: MalformedLine[] = []
  const counts = new Map<string, number>()
  const skip = (reason: string, count = 1): void => {
    counts.set(reason, (counts.get(reason) ?? 0) + count)
  }
  return {
    malformed,
    broken,
    reject(line, reason) {
      malformed.push({ line, reason })
    },
    skip,
    breaks(line, reason) {
      broken.push({ line, reason })
      skip(reason)
    },
    skipped() {
      return Array.from(counts, ([reason, count]) => ({ reason, count }))
    },
  }
}
