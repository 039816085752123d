import type { Candidate } from '../candidates/candidate.ts'
import { amendedValue } from '../slots/amended-value.ts'
import { sameValue } from '../slots/slots.ts'
import { declines } from './amendments.ts'
import { type Clause, clausesOf } from './clauses.ts'
import type { Finding } from './finding.ts'
import { phraseStart } from './lexicon/compiled.ts'
import { ENGLISH } from './lexicon/english.ts'
import { isQuestion, isReported } from './moods.ts'
import { offersOf } from './offers.ts'
import { READING } from './read-sentence.ts'
import { scan } from './scan.ts'
import type { Sentence } from './sentences.ts'
import { toChoice } from './to-choice.ts'

/** The assistant's message that the user answers. */
export interface Previous {
  readonly index: number
  readonly text: string
}

/** The offers that a user's answer takes up, and the other findings in it. */
export interface Reply {
  readonly accepted: readonly Candidate[]
  /** Findings of the turn, with the slots of the offers that they take up. */
  readonly findings: readonly Finding[]
}

/** A longer turn is about something of its own; only its first sentence can be an answer. */
const MAX_REPLY_CHARS = 400

/** Reads a user's turn, a text with its sentences, against what the assistant's message before held out. */
export function readReply(
  text: string,
  sentences: readonly Sentence[],
  index: number,
  previous: Previous | undefined,
  said: readonly Finding[],
  reading = READING,
): Reply {
  const [opening] = sentences
  if (previous === undefined || typeof previous.text !== 'string' || opening === undefined)
    return { accepted: [], findings: said }
  const offers = offersOf(previous.text, reading)
  const agreed = sentences.slice(1, 3).some(({ shape }) => declines(shape)) ? [] : agreedOf(opening, offers)
  const takesUp = offers.length > 0 && (!isOpen(opening) || agreed.length > 0)
  if (!takesUp) return { accepted: [], findings: said }
  const clauses = (text.length <= MAX_REPLY_CHARS ? sentences.slice(0, 3) : [opening]).flatMap((sentence) =>
    clausesOf(sentence, reading.lexicon),
  )
  const own = [...said, ...clauses.flatMap((clause) => otherwise(clause, offers))]
    .filter(
      ({ kind, value, slot }) =>
        kind === 'choice' || !offers.some((offer) => sameValue(slot, offer.value, value)),
    )
    .map((finding) => inSlotOf(finding, offers))
  const taken = agreed.filter(
    ({ slot, area, value }) =>
      !isRefused(clauses, value) &&
      !own.some(
        (finding) => finding.slot === slot && (finding.area === area || finding.area === '' || area === ''),
      ),
  )
  const accepted = taken.length === 0 ? [] : [acceptance(index, opening, previous, taken)]
  return { accepted, findings: own }
}

/** Whether a sentence asks, or is hearsay. */
function isOpen({ shape }: Sentence): boolean {
  return isQuestion(shape) || isReported(shape)
}

/** A value that was offered goes where the offer put it. */
function inSlotOf(finding: Finding, offers: readonly Finding[]): Finding {
  const same = offers.filter(({ slot, value }) => sameValue(slot, value, finding.value))
  const [offer] = same
  return finding.kind === 'end' || offer === undefined || same.some(({ slot }) => slot === finding.slot)
    ? finding
    : { ...finding, slot: offer.slot, area: finding.area || offer.area }
}

/** "ok, but with pnpm", "yes but 9000": the offers that can have that value, with it. */
function otherwise({ signs, before, tokens, start, end }: Clause, offers: readonly Finding[]): Finding[] {
  const at = /(?<=b)[ptfd]*(?<next>[TQ])[f.!]*$/d.exec(before)?.indices?.groups?.next?.[0] ?? -1
  const said = tokens[at - before.length + signs.length]
  if (said === undefined) return []
  const found = offers.flatMap((offer) => {
    const value = said.mention?.technology.slots.includes(offer.slot)
      ? said.mention.value
      : amendedValue(offer.slot, offer.value, { value: said.text })
    return value === undefined ? [] : [{ ...offer, value, start, end, isChange: true }]
  })
  return found.every(({ slot }) => slot === found[0]?.slot) ? found : []
}

/** "yes to Vitest, no to Biome". */
function isRefused(clauses: readonly Clause[], value: string): boolean {
  return clauses.some(({ tokens, signs }) =>
    tokens.some(({ mention }, at) => mention?.value === value && /[nDo][dtPp]*$/.test(signs.slice(0, at))),
  )
}

const WEAK = /^(?:ok|okay|k|great|perfect|nice|cool|good|right|alright|fine|well|wonderful)$/i

/** A plain yes takes up what was proposed; of several values for the same thing it takes none. */
function agreedOf({ shape }: Sentence, offers: readonly Finding[]): Finding[] {
  if (offers.length === 0) return []
  let said = shape.replace(/^[\s,.!"'-]+/, '')
  let yes = ''
  for (let length = phraseStart(said, ENGLISH.yes); length > 0; length = phraseStart(said, ENGLISH.yes)) {
    yes = WEAK.test(yes) || yes === '' ? said.slice(0, length) : yes
    said = said
      .slice(length)
      .replace(/^[\s,.!…:)-]+/, () => (/^ (?=\p{Lu}\p{Ll})/u.test(said.slice(length)) ? '.' : ''))
  }
  if (said.includes('?') || phraseStart(shape, ENGLISH.no) > 0) return []
  if (yes === '') return offers.filter(({ value }) => isNamedWithYes(shape, value))
  if (declines(said)) return []
  const isOver = said === '' || said.startsWith('.')
  const signs = clausesOf({ shape: said, start: 0, end: said.length }).at(-1)?.before ?? ''
  if (!isOver && (/[hco]/.test(signs) || (WEAK.test(yes) && said.split(/\s+/).length > 3))) return []
  return offers.filter(
    ({ slot, value }) => !offers.some((other) => other.slot === slot && !sameValue(slot, other.value, value)),
  )
}

const YES = /^(?:yes|yep|yeah|yup|sure|ok|okay)$/i

/** "Vitest yes, Biome no", "Vitest: yes". */
function isNamedWithYes(shape: string, value: string): boolean {
  const tokens = scan(shape, ENGLISH).filter(({ sign }) => sign !== ':')
  return tokens.some(({ mention }, at) => mention?.value === value && YES.test(tokens[at + 1]?.text ?? ''))
}

function acceptance(
  index: number,
  sentence: Sentence,
  previous: Previous,
  offers: readonly Finding[],
): Candidate {
  return {
    kind: 'accept',
    span: { message: index, start: sentence.start, end: sentence.end },
    choices: offers.map((offer) => toChoice(offer, previous.text.slice(offer.start, offer.end))),
    proposals: offers.map(({ start, end }) => ({ message: previous.index, start, end })),
    isChange: offers.some(({ isChange }) => isChange),
  }
}
