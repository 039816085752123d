import type { Warning } from '../spec/v1/index.ts'

const printed = new Set<string>()
/** Some messages have numbers in them: a process that runs for months must not remember all of them. */
const MOST = 1_000

/** Prints a warning to the console, each message once per process: for hosts without a listener. */
export function printWarning({ message }: Warning): void {
  if (printed.has(message)) return
  if (printed.size >= MOST) printed.clear()
  printed.add(message)
  console.warn(`palimpsest: ${message}`)
}
