import { slotOfWord } from '../slots/slot-lookup.ts'
import { slotOfValue } from '../slots/slots.ts'
import { asFinding } from './as-finding.ts'
import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { areAlike } from './place.ts'

const PATH = String.raw`(?:[~.]{0,2}\/)?(?:[\w@.-]+\/)*[\w@.-]+(?:\/|\.[a-z]\w{0,9})`
const FOLDER = String.raw`(?:[~.]{0,2}\/)?(?:[\w@.-]+\/)+[\w@.-]*`
const THING = String.raw`(?:(?:all|the|our|new|every|any|each|all the|all of the)\s+)*(?<thing>[\p{L}][\p{L}-]*(?:\s+[\p{L}][\p{L}-]*){0,2})`

const PATTERNS: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<path>${FOLDER}|${PATH})\s+is (?:where|the (?:place|home|folder|directory) (?:for|of))\s+${THING}`,
    'giu',
  ),
  new RegExp(
    String.raw`(?:^|[,;:]\s*|\b(?:and|so|that|please|always|should|must|we|i'd|i'll|i would|i will|i suggest to|we'll|let's|then|will|i want to|to)\s+)(?:put|place|keep|store|save|write|move|persist|stick|have|hold)\s+${THING}\s+(?:in|into|under|to|inside|at|within)\s+(?:the\s+|a\s+(?:file|folder|directory)\s+(?:called|named)\s+)?(?<path>${FOLDER}|${PATH})`,
    'giu',
  ),
  new RegExp(
    String.raw`(?:^|[,;:]\s*|\band\s+)${THING}\s+(?:(?:should|must|will|shall|need to|have to|always|all|now)\s+)*(?:lives?|goes?|go|belongs?|sits?|stays?|are stored|is stored|be stored|are kept|is kept|be kept|are saved|be saved|are persisted|be persisted|(?:is|are|be) (?:read|loaded|taken|written|generated|served|picked up)|be placed|are placed|be put|end up|be|are|is located)\s+(?:in|into|under|inside|at|to|within|from)\s+(?:the\s+)?(?<path>${FOLDER}|${PATH})`,
    'giu',
  ),
]

/** A thing that is one file, or none in particular; a place for it is a request, not a rule of the project. */
const ONE_OFF =
  /^(?:it|this|that|them|these|those|something|everything|the|a|an|one|here|there|what|you|we|i)\b|^(?:files?|changes?|code|results?|output|test|error|bug|lines?|path|user|issue|problem)(?:$|\s(?!data\b|fixtures\b|files\b|cases\b|snapshots\b|messages\b|pages\b|uploads\b|reports\b))/i

/** "Sessions in the database": what one slot is kept in is another one. */
const KEPT =
  /^\s*(?:(?:and|also|ok|so|then|the|our|keep|store|put|all)\s+)*(?<thing>\p{L}[\p{L} -]{2,30}?)\s+(?:(?:go|live|stay|belong|are kept|are stored|will be)\s+)?(?:in|into|inside|on|through)\s+(?:the|our)\s+(?<holder>\p{L}[\p{L} -]{2,30}?)\s*[.!]?$/iu

/** What is kept in a thing that is known by what it does. */
export function readKept(clause: Clause): Finding[] {
  const { thing = '', holder = '' } = KEPT.exec(clause.shape)?.groups ?? {}
  const [slot, other] = [slotOfWord(thing), slotOfWord(holder)]
  if (slot === undefined || other === undefined || slot === other || !areAlike(slot, other)) return []
  const value = holder.toLowerCase()
  return [asFinding(clause, { slot, value, area: '', start: 0, end: 0, isChange: false }, false)]
}

/** Where things are kept: "sessions live in sessions.db", "put migrations under db/migrations". */
export function readLocations(clause: Clause): Finding[] {
  const found: Finding[] = []
  for (const pattern of PATTERNS)
    for (const { groups } of clause.shape.matchAll(pattern)) {
      const thing = (groups?.thing ?? '').trim().toLowerCase()
      const path = (groups?.path ?? '').replace(/[.,]$/, '')
      if (slotOfValue(path) !== undefined) continue
      if (ONE_OFF.test(thing) || path.length < 4 || /^(?:e\.g|i\.e|v?\d+\.\d+)/.test(path)) continue
      if (found.some(({ slot }) => slot === `location:${thing.replaceAll(' ', '-')}`)) continue
      found.push({
        kind: 'choice',
        slot: `location:${thing.replace(/\s+/g, '-')}`,
        value: path,
        area: '',
        start: clause.start,
        end: clause.end,
        isChange: /\b(?:no longer|instead|move|now|from now on)\b/i.test(clause.sentence),
        ...(clause.reason !== undefined && { reason: clause.reason }),
      })
    }
  return found
}
