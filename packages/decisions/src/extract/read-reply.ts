import type { Candidate } from '../candidates/candidate.ts'
import { findTechnologies } from '../slots/find-technologies.ts'
import { sameValue } from '../slots/slots.ts'
import type { Finding } from './finding.ts'
import { GO_ON, MOVES_ON, NO, ORDINAL_PICK, ORDINALS, PICK, REVERSED, YES } from './lexicon/reply-words.ts'
import { isQuestion, isReported, isUnsure } from './moods.ts'
import { namedValue } from './named-value.ts'
import { type Offer, offersOf } from './offers.ts'
import { askedSlot, readAnswer } from './read-answers.ts'
import { type Sentence, sentencesOf } from './sentences.ts'
import { toChoice } from './to-choice.ts'

/** What the user answers to. */
export interface Previous {
  readonly index: number
  readonly text: string
}

/** A longer turn is about something of its own; only its first sentence can be an answer. */
const MAX_REPLY_CHARS = 400

/** What a user's answer takes up, and which of the findings in it are better understood as an answer. */
export interface Reply {
  readonly accepted: readonly Candidate[]
  /** Findings of the turn, with the slots of the offers that they take up. */
  readonly findings: readonly Finding[]
}

/** Reads a user's turn against what the assistant's message before held out. */
export function readReply(
  text: string,
  index: number,
  previous: Previous | undefined,
  findings: readonly Finding[],
): Reply {
  const [sentence] = sentencesOf(text.slice(0, 4096))
  if (previous === undefined || typeof previous.text !== 'string' || sentence === undefined)
    return { accepted: [], findings }
  const opening = openingOf(sentence.shape)
  if (isQuestion(opening) || isReported(opening)) return { accepted: [], findings }
  const offers = offersOf(previous.text)
  if (offers.length === 0) {
    const [only, ...others] = findings
    if (only === undefined) return { accepted: [], findings: answered(text, sentence, previous) }
    // "Which license?" "Apache.": the question says what the name is for.
    const asked = text.length < 40 && others.length === 0 ? askedSlot(previous.text) : undefined
    const isOther = asked !== undefined && only.kind === 'choice' && !only.slot.includes(':')
    return { accepted: [], findings: isOther ? [{ ...only, slot: asked }] : findings }
  }
  const { confirmed, rest } = confirmations(findings, offers, text)
  const inSlots = rest
    .filter((finding) => !declines(finding, offers))
    .map((finding) => inSlotOf(finding, offers))
  const short = text.length <= MAX_REPLY_CHARS
  const picked = short ? pickOf(opening, offers) : []
  const open = offers.filter((offer) => !confirmed.includes(offer))
  const named = picked.length > 0 ? [] : namedOf(text, sentence, open, inSlots, short)
  const taken =
    picked.length > 0 ? picked : named.length > 0 || NO.test(opening) ? [] : agreedOf(opening, text, offers)
  const free = taken.filter(
    (offer) =>
      !isRefused(offer.value, text) &&
      !confirmed.includes(offer) &&
      ![...inSlots, ...named].some(
        ({ slot, area, kind }) =>
          kind === 'choice' &&
          slot === offer.slot &&
          (area === offer.area || area === '' || offer.area === ''),
      ),
  )
  const isOpen = findings.length + picked.length + named.length + confirmed.length === 0
  const values = isOpen ? answered(text, sentence, previous) : []
  const agreed = [...confirmed, ...free.filter(({ slot }) => !values.some((value) => value.slot === slot))]
  const accepted = agreed.length === 0 ? [] : [acceptance(index, sentence, previous, agreed)]
  return { accepted, findings: [...inSlots, ...named, ...values] }
}

/** "ok Show me the diff first": the answer ends where a capital begins another sentence. */
const UNSTOPPED =
  /^\W*(?:ok|okay|yes|yeah|yep|yup|sure|agreed|good|fine|great|perfect|approved|deal|sounds good|go ahead|do it|ja|oui|sí|sim|да)(?=\s+\p{Lu}\p{Ll}+(?:'\p{Ll}+)?\s)/iu

function openingOf(shape: string): string {
  const opening = UNSTOPPED.exec(shape)?.[0]
  if (opening === undefined || !/^\s+\p{Lu}/u.test(shape.slice(opening.length))) return shape
  // "ok Redis then" goes on.
  const next = /\p{L}+/u.exec(shape.slice(opening.length))?.[0] ?? ''
  return findTechnologies(next).length > 0 ? shape : opening
}

/** A value or a phrase that answers the question. */
function answered(text: string, sentence: Sentence, previous: Previous): Finding[] {
  const values = namedValue(sentence, previous.text)
  if (values.length > 0 || YES.test(sentence.shape) || NO.test(sentence.shape)) return values
  return readAnswer(sentence, text, previous.text)
}

/** "yes to Vitest, no to Biome". */
function isRefused(value: string, text: string): boolean {
  const said = text.slice(0, MAX_REPLY_CHARS).toLowerCase()
  const at = said.indexOf(value.toLowerCase())
  return (
    at > 0 &&
    /\b(?:no|not|without|except|skip|minus|kein\w*|sans|sin|sem|без)\s+(?:to\s+|for\s+|the\s+)*$/.test(
      said.slice(0, at),
    )
  )
}

/** "skip Optuna", of what was only offered: it never held. */
function declines({ kind, value, slot }: Finding, offers: readonly Offer[]): boolean {
  return kind === 'end' && value !== '' && offers.some((offer) => sameValue(slot, offer.value, value))
}

/** A value that was offered goes where the offer put it. */
function inSlotOf(finding: Finding, offers: readonly Offer[]): Finding {
  if (finding.kind !== 'choice') return finding
  const offer =
    offers.find(
      (other) => sameValue(other.slot, other.value, finding.value) && other.slot !== finding.slot,
    ) ??
    offers.find(
      (other) =>
        other.slot.startsWith('setting:') &&
        finding.slot.startsWith('setting:') &&
        other.slot.endsWith(`-${finding.slot.slice(8)}`),
    )
  const isSure = offers.some((other) => other.slot === finding.slot)
  return offer === undefined || isSure
    ? finding
    : { ...finding, slot: offer.slot, area: finding.area || offer.area }
}

/** "parquet is fine", "Biome: yes": the user says yes to one of the offers by its name. */
const CONFIRMS =
  /^\s*(?:[:,–—-]\s*)?(?:yes|ok|okay|sure|fine|good|is (?:fine|ok|okay|good|great|perfect)|sounds (?:good|great|fine)|works(?: for (?:me|us))?|ja|oui|sí|sim|да)(?=[\s.,;!]|$)/i

function confirmations(findings: readonly Finding[], offers: readonly Offer[], text: string) {
  const confirmed: Offer[] = []
  for (const offer of offers) {
    const at = text.slice(0, 2000).toLowerCase().indexOf(offer.value.toLowerCase())
    if (at !== -1 && CONFIRMS.test(text.slice(at + offer.value.length, at + offer.value.length + 40)))
      confirmed.push(offer)
  }
  const rest = findings.filter(
    ({ value, kind }) =>
      kind !== 'choice' || !confirmed.some((offer) => sameValue(offer.slot, offer.value, value)),
  )
  return { confirmed, rest }
}

function pickOf(opening: string, offers: readonly Offer[]): Offer[] {
  const options = offers.filter(({ option }) => option !== undefined)
  if (options.length < 2 || isUnsure(opening)) return []
  const { named, bare } = PICK.exec(opening)?.groups ?? {}
  const label = (named ?? bare)?.toLowerCase()
  const last = Math.max(...options.map(({ option = 0 }) => option))
  let wanted: number | undefined
  if (label !== undefined) wanted = /^\d+$/.test(label) ? Number(label) : label.charCodeAt(0) - 96
  else if (ORDINAL_PICK.test(opening)) wanted = ORDINALS.find(([word]) => word.test(opening))?.[1]
  return options.filter(({ option }) => option === (wanted === -1 ? last : wanted))
}

/** "sessions.db, please": the user says the value, the offer says what it is for. */
function namedOf(
  text: string,
  sentence: Sentence,
  offers: readonly Offer[],
  findings: readonly Finding[],
  short: boolean,
): Finding[] {
  if (!short || isUnsure(sentence.shape) || NO.test(sentence.shape)) return []
  const said = sentence.shape.toLowerCase()
  const offer = offers.find(({ value, slot }) => {
    if (value.length < 2 || findings.some((finding) => isAbout(finding, slot, value))) return false
    return wordsIn(said, value.toLowerCase()) || spelledIn(sentence.shape, slot, value)
  })
  if (offer === undefined || !ANSWERS.test(text.slice(sentence.start, sentence.end).replace(/[`"'“”]/g, '')))
    return []
  // Two of them named: which one is meant stays open.
  const others = offers.filter(({ value }) => value !== offer.value && wordsIn(said, value.toLowerCase()))
  if (others.length > 0) return []
  return [
    {
      kind: 'choice',
      slot: offer.slot,
      value: offer.value,
      area: offer.area,
      start: sentence.start,
      end: sentence.end,
      isChange: false,
    },
  ]
}

/** Whether a finding chooses a value or gives it up. */
function isAbout(finding: Finding, slot: string, value: string): boolean {
  const { replaces } = finding
  return sameValue(slot, finding.value, value) || (replaces !== undefined && sameValue(slot, replaces, value))
}

const ANSWERS =
  /^\W*(?:(?:ok|okay|yes|yeah|sure|then|hmm+|well|alright|right|i think|i'd say|definitely|probably)[,.]?\s+)*(?:(?:let's|let us|i'll|i'd|we'll|i|we|please)\s+)?(?:(?:rather|prefer|like|want|to|go|going|do|use|take|pick|choose|with|for|vote|keep|have|the|a|an|make it|stick)\s+)*[\p{L}\d][\p{L}\p{N}_.+#/@-]*(?:\s+[\p{L}\p{N}_.+#/@-]+){0,2}?(?:\s+(?:please|it is|then|sounds (?:good|great|fine)|is (?:fine|good|better|best|ok|perfect)|works(?: for me)?|wins|instead|for (?:now|this|that|sure|me)|thanks|one|option|approach))*\s*(?:[.,!:;–—]|$|\b(?:because|since|as|so|but|and|it's|for|with)\b)/iu

function wordsIn(text: string, value: string): boolean {
  const at = text.indexOf(value)
  return (
    at !== -1 &&
    !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)) &&
    !/[\p{L}\p{N}]/u.test(text.charAt(at + value.length))
  )
}

function spelledIn(shape: string, slot: string, value: string): boolean {
  return shape.split(/[\s,.;:!?]+/, 12).some((word) => word.length > 1 && sameValue(slot, word, value))
}

/** A plain yes takes up what was proposed; of several options it takes none, unless it says all. */
function agreedOf(opening: string, text: string, offers: readonly Offer[]): Offer[] {
  if (!(YES.test(opening) || GO_ON.test(opening)) || REVERSED.test(opening) || isUnsure(opening)) return []
  if (
    (MOVES_ON.test(opening) && text.length > 40 && !/\b(?:first|before that|beforehand)\b/i.test(opening)) ||
    opening.includes('?')
  )
    return []
  const isAll = /\b(?:all|both|everything|each)\b|都|全部|両方|둘 다|оба|все|beide|todos|tous|ambos/iu.test(
    opening,
  )
  return offers.filter(({ option }) => option === undefined || isAll)
}

function acceptance(
  index: number,
  sentence: Sentence,
  previous: Previous,
  offers: readonly Offer[],
): Candidate {
  return {
    kind: 'accept',
    span: { message: index, start: sentence.start, end: sentence.end },
    choices: offers.map((offer) => toChoice(offer, previous.text.slice(offer.start, offer.end))),
    proposals: offers.map(({ start, end }) => ({ message: previous.index, start, end })),
    isChange: offers.some(({ isChange }) => isChange),
  }
}
