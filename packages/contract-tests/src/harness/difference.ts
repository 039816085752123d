import { isDeepStrictEqual } from 'node:util'

const AROUND = { before: 40, behind: 120 }

export function difference(actual: unknown, expected: unknown): string | undefined {
  if (isDeepStrictEqual(actual, expected)) return undefined
  const [found, wanted] = [jsonOf(actual), jsonOf(expected)]
  let at = 0
  while (at < found.length && found[at] === wanted[at]) at++
  const excerpt = (text: string) => text.slice(Math.max(0, at - AROUND.before), at + AROUND.behind)
  return `from character ${at} of its JSON on it is …${excerpt(found)}… instead of …${excerpt(wanted)}…`
}

export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const found = difference(actual, expected)
  if (found !== undefined) throw new Error(`${what}: ${found}`)
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}
