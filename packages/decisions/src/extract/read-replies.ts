import type { Candidate } from '../candidates/candidate.ts'
import { sameValue } from '../slots/slots.ts'
import { type Clause, clausesOf } from './clauses.ts'
import type { Finding } from './finding.ts'
import { lexiconOf, phraseStart } from './lexicon/compiled.ts'
import { isQuestion, isReported } from './moods.ts'
import { type Offer, offersOf } from './offers.ts'
import { READING } from './read-sentence.ts'
import { readSettings } from './read-settings.ts'
import { type Sentence, sentencesOf } from './sentences.ts'
import { settingSlot } from './slug.ts'
import { toChoice } from './to-choice.ts'

/** What the user answers to. */
export interface Previous {
  readonly index: number
  readonly text: string
}

/** What a user's answer takes up, and which of the findings in it are better understood as an answer. */
export interface Reply {
  readonly accepted: readonly Candidate[]
  /** Findings of the turn, with the slots of the offers that they take up. */
  readonly findings: readonly Finding[]
}

/** A longer turn is about something of its own; only its first sentence can be an answer. */
const MAX_REPLY_CHARS = 400
const MAX_ANSWER_CHARS = 40

/** Reads a user's turn against what the assistant's message before held out. */
export function readReply(
  text: string,
  index: number,
  previous: Previous | undefined,
  said: readonly Finding[],
  reading = READING,
): Reply {
  const sentences = sentencesOf(text.slice(0, 4096))
  const [opening] = sentences
  if (previous === undefined || typeof previous.text !== 'string' || opening === undefined)
    return { accepted: [], findings: said }
  const offers = offersOf(previous.text, reading)
  if ((isQuestion(opening.shape) || isReported(opening.shape)) && agreedOf(opening, offers).length === 0)
    return { accepted: [], findings: said }
  const clauses = (text.length <= MAX_REPLY_CHARS ? sentences.slice(0, 3) : [opening]).flatMap((sentence) =>
    clausesOf(sentence, reading.lexicons),
  )
  const own = said
    .filter(
      ({ kind, value, slot }) =>
        kind === 'choice' || !offers.some((offer) => sameValue(slot, offer.value, value)),
    )
    .map((finding) => inSlotOf(finding, offers))
  const picked = text.length <= MAX_REPLY_CHARS ? pickedOf(opening, offers) : []
  const named = picked.length > 0 ? [] : namedOf(clauses, offers, own)
  const values =
    picked.length + named.length + own.length > 0 ? [] : answersOf(clauses, text, previous, offers)
  const stated = [...own, ...named, ...values]
  const yes = picked.length > 0 ? picked : agreedOf(opening, offers)
  const taken = yes.filter(
    ({ slot, area, value }) =>
      !isRefused(clauses, value) &&
      !stated.some(
        (finding) => finding.slot === slot && (finding.area === area || finding.area === '' || area === ''),
      ),
  )
  const accepted = taken.length === 0 ? [] : [acceptance(index, opening, previous, taken)]
  return { accepted, findings: stated }
}

/** A value that was offered goes where the offer put it. */
function inSlotOf(finding: Finding, offers: readonly Offer[]): Finding {
  const same = offers.filter(({ slot, value }) => sameValue(slot, value, finding.value))
  const [offer] = same
  return finding.kind === 'end' || offer === undefined || same.some(({ slot }) => slot === finding.slot)
    ? finding
    : { ...finding, slot: offer.slot, area: finding.area || offer.area }
}

/** "the second one", "option 2", "B". */
function pickedOf({ shape }: Sentence, offers: readonly Offer[]): Offer[] {
  const options = offers.filter(({ option }) => option !== undefined)
  const lexicon = lexiconOf(shape)
  const said = withoutOpening(shape, lexicon)
  const label = said
    .slice(phraseStart(said, lexicon.option))
    .match(
      /^\s?[(#]?([a-h]|\d{1,2})\)?(?=\s*(?:[.,!;:–—]|$)|\s(?:please|it is|then|because|looks|sounds|is))/i,
    )?.[1]
    ?.toLowerCase()
  const ordinals = lexicon.ordinals.split('|')
  const ordinal = ordinals.findIndex((list) => phraseStart(said, list) > 0)
  const last = Math.max(...options.map(({ option = 0 }) => option))
  const wanted =
    label !== undefined
      ? /\d/.test(label)
        ? Number(label)
        : label.charCodeAt(0) - 96
      : ordinal === -1
        ? 0
        : ordinal === ordinals.length - 1
          ? last
          : ordinal + 1
  const isWhole = label !== undefined || said.length < 60
  return options.length < 2 || !isWhole ? [] : options.filter(({ option }) => option === wanted)
}

/** Without "ok, let's take the". */
function withoutOpening(shape: string, lexicon: ReturnType<typeof lexiconOf>): string {
  const { filler = '', speaker = '', choose = '', determiner = '', yes } = lexicon
  let said = shape.replace(/^[\s,.!"'-]+/, '')
  for (let length = 1; length > 0; said = said.slice(length).replace(/^[\s,.!]+/, ''))
    length = Math.max(
      ...[filler, speaker, choose, determiner, yes].map((list) =>
        phraseStart(said, list.replace(/(?:^|;) ?(?:first|second)(?=;|$)/g, '')),
      ),
    )
  return said
}

/** What may stand around a value that is taken up by its name. */
const AROUND = /^[fsmMUiwAdVa,.:!PpKB"-]*x?[fsmMUiwAdVa,.:!PpKB"-]*x?[fiwAm,.!]*$/

/** "sessions.db, please", "parquet is fine": the user says the value, the offer says what it is for. */
function namedOf(clauses: readonly Clause[], offers: readonly Offer[], own: readonly Finding[]): Finding[] {
  return clauses.flatMap((clause) => {
    const { signs, shape, start, end } = clause
    if (/[qhzecC?]/.test(signs)) return []
    const named = offers.filter(
      ({ slot, value }) =>
        nameAt(clause, slot, value) !== undefined &&
        ![...own].some((finding) =>
          [finding.value, finding.replaces ?? finding.value].some((other) => sameValue(slot, other, value)),
        ),
    )
    const [offer] = named
    if (offer === undefined || new Set(named.map(({ value }) => value.toLowerCase())).size > 1) return []
    const at = nameAt(clause, offer.slot, offer.value)
    const around = at === undefined ? shape : signs.slice(0, at[0]) + signs.slice(at[1])
    if (!AROUND.test(around)) return []
    return [
      {
        kind: 'choice' as const,
        slot: offer.slot,
        value: offer.value,
        area: offer.area,
        start,
        end,
        isChange: false,
      },
    ]
  })
}

/** The tokens of a clause that name a value: from and to. */
function nameAt(
  { tokens, shape, start }: Clause,
  slot: string,
  value: string,
): readonly [number, number] | undefined {
  const known = tokens.findIndex(
    ({ mention }) => mention !== undefined && sameValue(slot, mention.value, value),
  )
  if (known !== -1) return [known, known + 1]
  const first = tokens[0]?.start ?? 0
  const at = shape.toLowerCase().indexOf(value.toLowerCase())
  const isWord =
    at !== -1 &&
    !/[\p{L}\p{N}]/u.test(shape.charAt(at - 1)) &&
    !/[\p{L}\p{N}]/u.test(shape.charAt(at + value.length))
  if (!isWord || value.length < 2 || start < 0) return undefined
  const inside = tokens.flatMap((token, index) =>
    token.start - first >= at && token.end - first <= at + value.length ? [index] : [],
  )
  const [from] = inside
  return from === undefined ? undefined : [from, (inside.at(-1) ?? from) + 1]
}

/** "yes to Vitest, no to Biome". */
function isRefused(clauses: readonly Clause[], value: string): boolean {
  return clauses.some(({ tokens, signs }) =>
    tokens.some(({ mention }, at) => mention?.value === value && /[nDo][dtPp]*$/.test(signs.slice(0, at))),
  )
}

const WEAK =
  /^(?:ok|okay|k|great|perfect|nice|cool|good|right|alright|fine|well|wonderful|gut|bon|vale|хорошо|好)$/i
const ALL = /\b(?:all|both|everything|beide|alles|todos|tous)\b|都|全部|両方|оба|все/iu

/** A plain yes takes up what was proposed; of several options it takes none, unless it says all. */
function agreedOf({ shape }: Sentence, offers: readonly Offer[]): Offer[] {
  const lexicon = lexiconOf(shape)
  let said = shape.replace(/^[\s,.!"'-]+/, '')
  let yes = ''
  for (let length = phraseStart(said, lexicon.yes); length > 0; length = phraseStart(said, lexicon.yes)) {
    yes = WEAK.test(yes) || yes === '' ? said.slice(0, length) : yes
    said = said
      .slice(length)
      .replace(/^[\s,.!…:)-]+/, (gap) =>
        /^ (?=\p{Lu}\p{Ll})/u.test(said.slice(length)) ? '.' : gap.includes(',') ? '' : '',
      )
  }
  if (yes === '' || said.includes('?') || phraseStart(shape, lexicon.no) > 0) return []
  const isOver = said === '' || said.startsWith('.')
  const signs = clausesOf({ shape: said, start: 0, end: said.length }).at(-1)?.before ?? ''
  if (!isOver && (/[hco]/.test(signs) || (WEAK.test(yes) && said.split(/\s+/).length > 3))) return []
  return offers.filter(({ option, isVague }) => isVague !== true && (option === undefined || ALL.test(shape)))
}

/** A value that answers the question that the assistant asked. */
function answersOf(
  clauses: readonly Clause[],
  text: string,
  previous: Previous,
  offers: readonly Offer[],
): Finding[] {
  const [clause, ...others] = clauses.filter(({ signs }) => /[QTExI/]/.test(signs))
  if (
    clause === undefined ||
    others.length > 0 ||
    text.length > MAX_ANSWER_CHARS ||
    /[qhzecD?]/.test(clause.signs)
  )
    return []
  const { signs, tokens, start, end } = clause
  const base = { kind: 'choice' as const, area: '', start, end, isChange: clause.isChange || /C/.test(signs) }
  const question = sentencesOf(previous.text.slice(-600)).at(-1)
  const asked =
    question === undefined || !question.shape.includes('?')
      ? []
      : clausesOf(question).flatMap((each) => each.tokens)
  const value = tokens.find(({ sign }) => sign === 'Q')
  if (value !== undefined) {
    const known = [
      ...offers,
      ...sentencesOf(previous.text.slice(-4000)).flatMap((said) =>
        clausesOf(said).flatMap((each) => readSettings(each, 'user')),
      ),
    ]
    const noun = asked.findLastIndex(({ sign }) => sign === 'Z')
    const name =
      noun === -1
        ? ''
        : settingSlot(
            asked
              .slice(Math.max(0, noun - (asked[noun - 1]?.sign === 'x' ? 1 : 0)), noun + 1)
              .map((token) => token.text)
              .join(' '),
          )
    const slot =
      known.findLast((offer) => offer.slot.startsWith('setting:'))?.slot ??
      (name === '' ? undefined : `setting:${name}`)
    return slot === undefined || !/^[fsmMUCGAdV,.ytib!]*Q[fAw.!,]*$/.test(signs)
      ? []
      : [{ ...base, slot, value: value.text }]
  }
  // A name and nothing else, or "no, Bloc.": the offer says what it is for, or the name itself.
  const bare = /^[fsmAn,.]*(?<name>[TE])[fAw.!,]*$/d.exec(signs)?.indices?.groups?.name
  const mention = tokens[bare?.[0] ?? -1]?.mention
  if (mention !== undefined) {
    const { slots } = mention.technology
    const isAsked = asked.some(({ sign }) => sign === 'q')
    const wanted =
      offers.find((offer) => slots.includes(offer.slot))?.slot ??
      asked.find((token) => token.slot !== undefined && (isAsked || slots.includes(token.slot)))?.slot
    // "C" alone is the third of some options.
    const slot = wanted ?? (mention.value.length > 1 ? slots[0] : undefined)
    return slot === undefined ? [] : [{ ...base, slot, value: mention.value }]
  }
  const slot = asked.some(({ sign }) => sign === 'q')
    ? asked.find((token) => token.slot !== undefined)?.slot
    : undefined
  const named = /^[fsmMUGAdV,.tp]*(?<what>[xI/]{1,2})[fAwi.!,]*$/d.exec(signs)?.indices?.groups?.what
  if (slot === undefined || named === undefined) return []
  const words = tokens.slice(named[0], named[1])
  return [{ ...base, slot, value: words.map((token) => token.text).join(' ') }]
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
