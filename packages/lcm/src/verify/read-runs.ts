import { readOrReport } from './read-or-report.ts'

/** Numbers, both ends inclusive, and what was read of them. */
interface Run<T> {
  readonly first: number
  readonly last: number
  readonly found: T
}

/**
 * Reads numbered rows in runs of a page at most. A run that cannot be read is halved until the row is found that is
 * to blame; that one is reported, and the others are read.
 */
export async function* readRuns<T>(
  { first, last, page }: { readonly first: number; readonly last: number; readonly page: number },
  read: (first: number, last: number) => Promise<T>,
  report: (number: number, reason: string) => void,
): AsyncGenerator<Run<T>> {
  for (let start = first; start <= last; start += page) {
    const end = Math.min(start + page - 1, last)
    let reason = ''
    const found = await readOrReport(
      () => read(start, end),
      (text) => {
        reason = text
      },
    )
    if (found !== undefined) yield { first: start, last: end, found }
    else if (start === end) report(start, reason)
    else yield* readRuns({ first: start, last: end, page: Math.ceil((end - start + 1) / 2) }, read, report)
  }
}
