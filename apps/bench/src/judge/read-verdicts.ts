import { withoutThinking } from '@palimpsest/core/summarizer'
import { isVerdict, type Verdict } from './verdict.ts'

/**
 * A judge's verdicts, one for each of `count` facts. Undefined when a fact is missing, is there twice, or has a verdict that
 * there is not: a judge that cannot count is not believed in part.
 */
export function readVerdicts(text: string, count: number): Verdict[] | undefined {
  const list = readList(withoutThinking(text))
  if (list?.length !== count) return undefined
  const verdicts = new Map<number, Verdict>()
  for (const entry of list) {
    const verdict = member(entry, 'verdict')
    const fact = Number(member(entry, 'fact'))
    if (isVerdict(verdict)) verdicts.set(fact, verdict)
  }
  const inOrder = Array.from({ length: count }, (_, index) => verdicts.get(index + 1))
  return inOrder.every((verdict) => verdict !== undefined) ? inOrder : undefined
}

/** The list may stand in a fence, between sentences, or alone. */
function readList(text: string): readonly unknown[] | undefined {
  const start = text.search(/[{[]/)
  if (start < 0) return undefined
  const end = text.lastIndexOf(text[start] === '{' ? '}' : ']')
  try {
    const value: unknown = JSON.parse(text.slice(start, end + 1))
    const list = Array.isArray(value) ? value : member(value, 'verdicts')
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined
  }
}

function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([name]) => name === key)?.[1]
}
