import { oneLine } from '../text/one-line.ts'
import { shorten } from '../text/shorten.ts'
import type { Item } from './item.ts'

/** Where the lines under a heading go. */
export interface HeadingTarget {
  readonly slot: Item['slot']
  /** Put in front of the items under an unknown sub-heading: `Heading: `. */
  readonly prefix: string
  /** True under the heading of an identifier appendix. */
  readonly identifiers?: boolean
}

/** The template's headings and the names that other templates have for the same. */
const NAMES: readonly (readonly [RegExp, HeadingTarget['slot']])[] = [
  [
    /^(?:goals?|objectives?|primary request(?: and intent)?|historical task snapshot|active task|user requests?|all user messages)$/,
    'Goal',
  ],
  [
    /^(?:constraints?(?: (?:and|&) preferences)?|(?:user )?preferences|instructions)$/,
    'Constraints & Preferences',
  ],
  [/^(?:progress|done|completed(?: actions| work| tasks)?|completed|accomplished)$/, 'Done'],
  [/^(?:in progress|current (?:work|state|task)|active state|ongoing)$/, 'In Progress'],
  [/^(?:blocked|blockers?)$/, 'Blocked'],
  [/^(?:(?:key )?decisions)$/, 'Key Decisions'],
  [/^(?:(?:relevant |modified |key )?files(?: and code(?: sections)?)?)$/, 'Relevant Files'],
  [/^(?:errors?(?: (?:and|&) fixes)?|problems? solv(?:ed|ing))$/, 'Errors & Fixes'],
  [/^(?:(?:optional )?next steps?|pending tasks|remaining work|to-?dos?)$/, 'Next Steps'],
  [/^(?:critical context|context|key (?:facts|values)|summary)$/, 'Critical Context'],
]

/** The target of a heading line, or undefined for a line that is none. `current`: the section it stands in. */
export function headingSlot(line: string, current: HeadingTarget): HeadingTarget | undefined {
  const hashes = /^ {0,3}(#{1,6})\s+(\S.{0,200})$/.exec(line)
  const marked =
    hashes ??
    /^ {0,3}()(?:\d{1,2}[.)]\s+)?\*\*([^*]{2,80})\*\*:?\s*$/.exec(line) ??
    /^()(?:\d{1,2}[.)]\s+)?([A-Z][\w &]{2,40}):\s*$/.exec(line)
  if (marked === null) return undefined
  const name = oneLine(marked[2] ?? '')
    .replace(/^\d{1,2}[.)]\s+/, '')
    .replace(/[*_`]/g, '')
    .replace(/:$/, '')
    .trim()
  const key = name.toLowerCase()
  if (key === 'identifiers') return { slot: 'Critical Context', prefix: '', identifiers: true }
  const known = NAMES.find(([pattern]) => pattern.test(key))
  if (known !== undefined) return { slot: known[1], prefix: '' }
  // Only a heading that is marked or numbered can start a section of its own; "Note:" is content.
  if (hashes === null)
    return /^\d{1,2}[.)]\s+[A-Z]/.test(line)
      ? { slot: { heading: shorten(name, 80) }, prefix: '' }
      : undefined
  if ((hashes[1] ?? '').length > 2) return { slot: current.slot, prefix: `${shorten(name, 80)}: ` }
  return { slot: { heading: shorten(name, 80) }, prefix: '' }
}
