import { AssertionError } from 'node:assert'
import { errorText } from '@palimpsest/core'

/** Frames of a stack that are not the author's: Node, the suite, core, the runner. */
const OURS =
  /node:|contract-tests\/|(?:@palimpsest|packages)\/core\/|fast-check|node_modules\/(?:\.pnpm\/)?(?:@?vitest)/

/** What a failure says, with the first place in the author's own code when it was thrown there. */
export function failureText(error: unknown): string {
  const text = errorText(error)
  const place = error instanceof AssertionError ? undefined : firstPlace(error)
  if (place === undefined) return text
  // Behind the first line: what follows may be a long value.
  const [first = '', ...rest] = text.split('\n')
  return [`${first} (at ${place})`, ...rest].join('\n')
}

function firstPlace(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const frame = frames.find((line) => !OURS.test(line))
  // A property wraps what its claim threw.
  return frame?.match(/\(?((?:file:\/\/|\/|[A-Za-z]:\\)[^()]+:\d+:\d+)\)?$/)?.[1] ?? firstPlace(error.cause)
}
