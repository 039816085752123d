import { findTechnologies } from '../slots/find-technologies.ts'
import { findSlotWords } from '../slots/slot-lookup.ts'
import { asFinding } from './as-finding.ts'
import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { isReport } from './moods.ts'
import { areAlike } from './place.ts'
import { isName, NAME_PATTERN } from './unknown-value.ts'

/** "Alcotest for the tests", "Pico as CSS framework": a name with its role, in a note or a list of them. */
const ROLE = new RegExp(
  String.raw`(?:^|[,;:(–—]\s*|\b(?:and|plus|then|with|use|und|et|y|e|и)\s+)(?:(?:ok|so|then|the|an?)\s+)*(?<name>${NAME_PATTERN})\s+(?:for|as|als|für|comme|pour|como|para|для)\s+(?:(?:the|our|an?|my|its|main|primary|new|all|le|la|les|el|los|o|os|die|der|das|den)\s+)*(?<role>[^,.;:!?]{2,40})`,
  'giu',
)

/** "Redis is for the job queue only". */
const IS_FOR =
  /^\s+(?:is|are|stays|remains|will be|should be|ist|est|es|é)\s+(?:(?:only|just|there|here|meant|reserved|strictly|purely|nur|da)\s+)*(?:for|für|pour|para)\s+(?:(?:the|our|all|die|den|das|le|la|el|o|a)\s+)*(?<role>[^,.;:!?]{2,40})/iu

/** Technologies that are said to be for something. */
export function readPurposes(clause: Clause, known: readonly Finding[]): Finding[] {
  const { shape } = clause
  const [mention] = findTechnologies(shape)
  if (mention === undefined || !mention.sure || known.length > 0 || isReport(shape)) return []
  if (/\p{L}/u.test(shape.slice(0, mention.start).replace(/\b(?:and|also|ok|so|then|the|our)\b/gi, '')))
    return []
  const role = IS_FOR.exec(shape.slice(mention.end))?.groups?.role ?? ''
  const word = findSlotWords(role)[0]
  const [first = ''] = mention.technology.slots
  if (
    word === undefined ||
    word.start > 0 ||
    !(mention.technology.slots.includes(word.slot) || areAlike(word.slot, first))
  )
    return []
  const choice = { slot: word.slot, value: mention.value, area: '', start: 0, end: 0, isChange: false }
  return [asFinding(clause, choice, false)]
}

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
