import type { MalformedLine, SkippedLines } from './transcript.ts'

export type ReadingLog = ReturnType<typeof createReadingLog>

/** Collects what did not become a message, so that nothing disappears without a trace. */
export function createReadingLog() {
  const malformed: MalformedLine[] = []
  const broken: MalformedLine[] = []
  const counts = new Map<string, number>()
  const skip = (reason: string, count = 1): void => {
    counts.set(reason, (counts.get(reason) ?? 0) + count)
  }
  return {
    malformed,
    broken,
    /** This line cannot be read. */
    reject(line: number, reason: string): void {
      malformed.push({ line, reason })
    },
    /** This is no part of the conversation. */
    skip,
    /** The sequence of messages is broken here; what stands there is left out. */
    breaks(line: number, reason: string): void {
      broken.push({ line, reason })
      skip(reason)
    },
    /** In the order in which the reasons first came up. */
    skipped(): SkippedLines[] {
      return Array.from(counts, ([reason, count]) => ({ reason, count }))
    },
  }
}
