import { findTechnologies } from '../slots/find-technologies.ts'
import { findSlotWords } from '../slots/slot-lookup.ts'
import { asFinding } from './as-finding.ts'
import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { isReport } from './moods.ts'
import { isName, NAME_PATTERN } from './unknown-value.ts'

/** "Alcotest for the tests", "Pico as CSS framework": a name with its role, in a note or a list of them. */
const ROLE = new RegExp(
  String.raw`(?:^|[,;:(–—]\s*|\b(?:and|plus|then|with|use|und|et|y|e|и)\s+)(?:(?:ok|so|then|the|an?)\s+)*(?<name>${NAME_PATTERN})\s+(?:for|as|als|für|comme|pour|como|para|для)\s+(?:(?:the|our|an?|my|its|main|primary|new|all|le|la|les|el|los|o|os|die|der|das|den)\s+)*(?<role>[^,.;:!?]{2,40})`,
  'giu',
)

/** Names that no dictionary has, where a word for what they do stands behind them. */
export function readRoles(clause: Clause, known: readonly Finding[]): Finding[] {
  const { shape } = clause
  if (isReport(shape)) return []
  const found: Finding[] = []
  for (const { groups } of shape.matchAll(ROLE)) {
    const { name: value = '', role = '' } = groups ?? {}
    const word = findSlotWords(role)[0]
    if (word === undefined || word.start > 0 || !/^\p{Lu}|[\d_@/-]/u.test(value) || !isName(value)) continue
    if (findTechnologies(value).length > 0 || [...known, ...found].some((other) => other.value === value))
      continue
    found.push(
      asFinding(clause, { slot: word.slot, value, area: '', start: 0, end: 0, isChange: false }, false),
    )
  }
  return found
}
