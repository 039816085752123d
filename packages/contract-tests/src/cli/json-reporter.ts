import type { Reporter, Write } from './reporter.ts'

/** One JSON object, when all is over. */
export function createJsonReporter(write: Write): Reporter {
  return { ended: (report) => write(`${JSON.stringify(report, undefined, 2)}\n`) }
}
