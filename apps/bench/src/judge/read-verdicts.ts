import { member, readList } from './read-list.ts'
import { isVerdict, type Verdict } from './verdict.ts'

/**
 * A judge's verdicts, one for each of `count` facts. Undefined when a fact is missing, is there twice, or has a verdict that
 * there is not: a judge that cannot count is not believed in part.
 */
export function readVerdicts(text: string, count: number): Verdict[] | undefined {
  const list = readList(text, 'verdicts')
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
