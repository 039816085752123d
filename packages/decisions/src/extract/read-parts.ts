import { amendedValue } from '../slots/amended-value.ts'
import { areAlike, slotsFilledBy } from '../slots/slots.ts'
import { type Amendment, amendmentOf, corrects, onlyLeads, takesBack } from './amendments.ts'
import { type Clause, clausesOf } from './clauses.ts'
import type { Finding } from './finding.ts'
import { isQuestion } from './moods.ts'
import { type Reading, readSentence } from './read-sentence.ts'
import type { Sentence } from './sentences.ts'
import type { Stretch } from './spoken-lines.ts'

/** A message's words on what was said before it. */
export interface Amended extends Amendment, Stretch {
  /** True for words that answer no question: "I take that back", "I meant 60 s". */
  readonly isPlain: boolean
}

/** Words that answer no question. */
const PLAIN = /\b(?:back|scratch|strike|minds?|meant|mean|typo)\b/i
/** Longest quote of a decision with its correction. */
const MAX_QUOTE_CHARS = 400

/** The decisions of a user's message, and what it says of an earlier one. What the message itself takes back is left out. */
export function readParts(
  parts: readonly Sentence[],
  reading: Reading,
  onSentence: () => void,
): { readonly said: readonly Finding[]; readonly amendment?: Amended } {
  const clauses = parts.map((part) => {
    onSentence()
    return clausesOf(part, reading.lexicon)
  })
  const asks = parts.findLastIndex(({ shape }, at) => isQuestion(shape, clauses[at]?.at(-1)?.before))
  /** Of the parts that decide something. */
  const said: Finding[][] = []
  let isBegun = false
  let isCorrection = false
  let amendment: Amended | undefined
  parts.forEach((part, at) => {
    onSentence()
    const { shape, start, end } = part
    const own = clauses[at] ?? []
    // Taking back and correcting may have left none.
    while (said.at(-1)?.length === 0) said.pop()
    const last = said.at(-1)
    const isBack = takesBack(shape, last !== undefined)
    const found = isBack || (at < asks && tellsFact(own)) ? [] : readSentence(part, 'user', reading, own)
    const amends = isBack ? { value: '' } : found.length === 0 ? amendmentOf(shape, isCorrection) : undefined
    if (amends !== undefined && last !== undefined) amend(last, amends, part)
    else if (amends !== undefined && !isBegun)
      amendment = { ...amends, start, end, isPlain: PLAIN.test(shape) }
    isBegun ||= !onlyLeads(shape)
    isCorrection = !isBegun && corrects(shape)
    const isAnew = amendment?.value === ''
    if (last !== undefined && corrects(shape)) said.push(found.map((finding) => correct(last, finding)))
    else said.push(isAnew ? found.map((finding) => ({ ...finding, isChange: true })) : found)
  })
  return { said: mergeFindings(said.flat()), ...(amendment && { amendment }) }
}

/** Takes back the findings of a part, or gives the last one another value. */
function amend(last: Finding[], amends: Amendment, { end }: Stretch): void {
  const old = last.pop()
  if (amends.value === '') last.length = 0
  else if (old !== undefined) {
    const value = amendedValue(old.slot, old.value, amends)
    last.push(value === undefined || end - old.start > MAX_QUOTE_CHARS ? old : { ...old, value, end })
  }
}

/** The finding of a part that corrects another part: in the slot of the finding that it takes the place of. */
function correct(last: Finding[], finding: Finding): Finding {
  const slots = slotsFilledBy(finding.value)
  const at = last.findLastIndex(
    ({ kind, slot, area }) =>
      kind === 'choice' &&
      (slot === finding.slot || slots.includes(slot)) &&
      (area === finding.area || finding.area === ''),
  )
  const [old] = at === -1 ? [] : last.splice(at, 1)
  return old === undefined ? finding : { ...finding, slot: old.slot, area: old.area, isChange: true }
}

/** Whether a sentence has no verb of doing: facts come before a question. */
function tellsFact(clauses: readonly Clause[]): boolean {
  return clauses.every(({ signs }) => !/[sUCRDSAN]/.test(signs))
}

/** Most characters between "drop Redis" and "Memcached it is" as one thought. */
const MAX_GAP = 80

/**
 * The findings of a turn, with what belongs together as one: something that is dropped directly before another thing takes
 * its place is what that replaces. What is said twice is kept once.
 */
function mergeFindings(findings: readonly Finding[]): Finding[] {
  const merged: Finding[] = []
  for (const finding of findings) {
    const last = merged.at(-1)
    if (last !== undefined && isReplacedBy(last, finding)) {
      merged.pop()
      if (merged.at(-1)?.isRefusal && merged.at(-1)?.start === last.start) merged.pop()
      merged.push({ ...finding, replaces: finding.replaces ?? last.value, isChange: true })
    } else if (!merged.some((other) => isSame(other, finding))) merged.push(finding)
  }
  return merged
}

function isReplacedBy(old: Finding, next: Finding): boolean {
  if (old.kind !== 'end' || next.kind !== 'choice' || old.value === '' || next.start - old.end > MAX_GAP)
    return false
  const slots = slotsFilledBy(old.value)
  return slots.includes(next.slot) || areAlike(old.slot, next.slot)
}

function isSame(a: Finding, b: Finding): boolean {
  return a.kind === b.kind && a.slot === b.slot && a.area === b.area && a.value === b.value
}
