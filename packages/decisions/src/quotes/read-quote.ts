import type { SourceMessage } from '../candidates/source-message.ts'
import { type Clause, clausesOf } from '../extract/clauses.ts'
import { isPast, isQuestion, isReported, isUnsure } from '../extract/moods.ts'
import { readSentence } from '../extract/read-sentence.ts'
import { type Sentence, sentencesOf } from '../extract/sentences.ts'
import type { Stretch } from '../extract/spoken-lines.ts'
import type { Choice } from '../log/decision-event.ts'
import { CANDIDATE_BOUNDS } from '../resolve/bounds.ts'
import { escapePattern, mentionsOf } from './mentions.ts'
import { turnsDown } from './refusals.ts'

/**
 * The meaning of the words around a quote:
 * - `stated`: their speaker says so.
 * - `open`: a question, a guess, a condition.
 * - `foreign`: not the speaker's own word: code, a paste, a quotation, hearsay, the past.
 * - `refused`: they turn the choice down.
 * - `unnamed`: they do not name the choice.
 */
export type Saying = 'stated' | 'open' | 'foreign' | 'refused' | 'unnamed'

type Said = Pick<SourceMessage, 'text'>
type Named = Pick<Choice, 'slot' | 'choice'>

/** A quote with the whole clause that it was taken from. */
export interface ReadQuote extends Stretch {
  readonly text: string
  readonly saying: Saying
}

/**
 * Reads a quote where it stands, by the tests that the rules have for sentences: a few words cut out of a question or a refusal
 * say something else than the whole. Where a text has the quote several times, the last place counts at which it is stated or
 * refused. Undefined when the text does not have it. Linear.
 */
export function readQuote(message: Said, quote: string, choice?: Named): ReadQuote | undefined {
  const read = quotePlaces(message.text, quote)
    .reverse()
    .map((place) => readPlace(message, place, choice))
  return read.find(settles) ?? read.find(({ saying }) => saying === 'open') ?? read[0]
}

/** Whether a quote tells what its speaker wants. */
export function settles({ saying }: ReadQuote): boolean {
  return saying === 'stated' || saying === 'refused'
}

function readPlace(message: Said, place: Stretch, choice: Named | undefined): ReadQuote {
  const { text } = message
  const found = (stretch: Stretch, saying: Saying): ReadQuote => ({
    start: stretch.start,
    end: stretch.end,
    text: text.slice(stretch.start, stretch.end),
    saying,
  })
  const sentences = sentencesIn(message).filter((sentence) => overlap(sentence, place))
  const clauses = sentences.flatMap((sentence) =>
    clausesOf(sentence).flatMap((clause) => (overlap(clause, place) ? [{ clause, sentence }] : [])),
  )
  const [first, last] = [clauses[0]?.clause, clauses.at(-1)?.clause]
  if (first === undefined || last === undefined || isLeftOut(text, place, sentences))
    return found(
      place,
      choice && mentionsOf(text.slice(place.start, place.end), choice).places.length === 0
        ? 'unnamed'
        : 'foreign',
    )
  const whole = { start: first.start, end: last.end }
  // A quote of more than a source may hold proves nothing as a whole.
  if (whole.end - whole.start > CANDIDATE_BOUNDS.quote) return found(place, 'foreign')
  return found(whole, sayingOf(text, whole, place, clauses, choice))
}

function sayingOf(
  text: string,
  whole: Stretch,
  place: Stretch,
  clauses: readonly { readonly clause: Clause; readonly sentence: Sentence }[],
  choice: Named | undefined,
): Saying {
  const said = text.slice(whole.start, whole.end)
  if (choice !== undefined) {
    const { flat, places } = mentionsOf(said, choice)
    if (places.length === 0) return 'unnamed'
    if (places.some((mention) => turnsDown(flat, mention))) return 'refused'
  }
  const sentences = clauses.map(({ sentence }) => sentence)
  if (sentences.some((sentence) => isQuoted(text, sentence, place, choice))) return 'foreign'
  if (sentences.some(({ shape }) => isReported(shape)) || clauses.some(({ clause }) => isPast(clause.shape)))
    return 'foreign'
  const isOpen = sentences.some(({ shape }) => isQuestion(shape)) || clauses.some(isGuess)
  return isOpen ? 'open' : 'stated'
}

/** Whether a clause is a guess, or what its sentence says before it. A rule with a condition is none. */
function isGuess({ clause, sentence }: { readonly clause: Clause; readonly sentence: Sentence }): boolean {
  const isOpen = clausesOf(sentence).some(({ start, shape }) => start <= clause.start && isUnsure(shape))
  return (
    isOpen &&
    !readSentence(sentence, 'user').some(
      (finding) => finding.slot.startsWith('rule:') && overlap(finding, clause),
    )
  )
}

/** Whether all of a quote, or the value in it, stands in quotation marks. */
function isQuoted(
  text: string,
  { start, end, shape }: Sentence,
  place: Stretch,
  choice: Named | undefined,
): boolean {
  if (!shape.includes(HIDDEN)) return false
  const from = Math.max(start, place.start)
  const visible = shape.slice(from - start, Math.min(end, place.end) - start)
  if (!/[\p{L}\p{N}]/u.test(visible)) return true
  if (choice === undefined) return false
  const isNamed = (words: string): boolean => mentionsOf(words, choice).places.length > 0
  return (
    !isNamed(shape.replaceAll(HIDDEN, ' ')) &&
    [...shape.matchAll(/\u00b7+/g)].some(({ index, 0: hidden }) =>
      isNamed(text.slice(start + index, start + index + hidden.length)),
    )
  )
}

/** The mark of a shape for words in quotation marks. */
const HIDDEN = '\u00b7'

/** Whether words of a quote are in none of the sentences that are said: they are code, a paste or a quotation. */
function isLeftOut(text: string, { start, end }: Stretch, sentences: readonly Stretch[]): boolean {
  let from = start
  for (const sentence of [...sentences, { start: end, end }]) {
    if (/\p{L}/u.test(text.slice(from, Math.max(from, sentence.start)))) return true
    from = Math.max(from, sentence.end)
  }
  return false
}

function overlap(a: Stretch, b: Stretch): boolean {
  return a.start < b.end && b.start < a.end
}

const known = new WeakMap<Said, readonly Sentence[]>()

/** The sentences of a message; one message is read once, because quotes come in numbers. */
function sentencesIn(message: Said): readonly Sentence[] {
  const sentences = known.get(message) ?? sentencesOf(message.text)
  known.set(message, sentences)
  return sentences
}

/** Places that are looked at, the last ones: what is said more often than that is no quote. */
const MAX_PLACES = 16

/** The places of a quote in a text: word for word, but for white space and the case of letters. In order. */
function quotePlaces(text: string, quote: string): Stretch[] {
  const trimmed = quote.trim()
  if (trimmed === '') return []
  const pattern = new RegExp(trimmed.split(/\s+/).map(escapePattern).join('\\s+'), 'giu')
  const places: Stretch[] = []
  for (const { index, 0: found } of text.matchAll(pattern)) {
    places.push({ start: index, end: index + found.length })
    if (places.length > MAX_PLACES) places.shift()
  }
  return places
}
