import { isDeepStrictEqual } from 'node:util'

/** Characters before and behind the place where two values begin to differ. */
const AROUND = { before: 40, behind: 120 }

/** Where two values begin to differ, as a line for a person; undefined when they are equal. */
export function difference(actual: unknown, expected: unknown): string | undefined {
  if (isDeepStrictEqual(actual, expected)) return undefined
  const [found, wanted] = [jsonOf(actual), jsonOf(expected)]
  let at = 0
  while (at < found.length && found[at] === wanted[at]) at++
  const excerpt = (text: string) => text.slice(Math.max(0, at - AROUND.before), at + AROUND.behind)
  return `from character ${at} of its JSON on it is …${excerpt(found)}… instead of …${excerpt(wanted)}…`
}

/** Fails with `what` and the first difference when two values are not equal. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const found = difference(actual, expected)
  if (found !== undefined) throw new Error(`${what}: ${found}`)
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}
