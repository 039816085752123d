import type { Sentence } from './sentences.ts'
import type { Stretch } from './spoken-lines.ts'

/** A part of a sentence that can decide something by itself. */
export interface Clause extends Stretch {
  /** As long as the stretch: the reason and what is in quotes are blanks, so offsets stay. */
  readonly shape: string
  /** The shape of the whole sentence, for what bears on all of its parts. */
  readonly sentence: string
  /** True when the name of a part of the project and a colon stood before the sentence. */
  readonly isLabelled: boolean
  /** Why, in the clause's own words. */
  readonly reason?: string
}

const MAX_REASON_CHARS = 200

/** Where a sentence turns to something else. */
const TURN =
  /(?:,\s*|\s+)(?:but|however|although|though|whereas|aber|sondern|pero|но|sino)\s+|,\s*(?:mais|mas|а)\s+|,\s*(?:so|then|therefore|and so|also|plus|et puis|luego|então|поэтому)\s+|,\s+(?=(?:nous|wir|we|let's|vamos|on (?:garde|abandonne|passe|prend|utilise|reste|va|part|met|enlève|vire)) ?\p{L})|,\s+(?=(?:\S+ ){1,2}(?:is enough|is fine|it is|wins|will do)\b)|[，,]?(?:但是|不过|でも|ですが|하지만)[，,、]?/giu

const BECAUSE =
  /[,(]?\s*\b(?:because(?: of)?|since (?!(?:v?\d|last|yesterday|monday|the (?:start|beginning)))|so that|so (?=(?:we|it|they|i|you|users?|everything|everyone|the \w+) (?:can|could|don'?t|doesn'?t|won'?t|will|is|are|get|gets|has|have|stays?)\b)|due to|thanks to|given(?: that)?|in order to|(?:mainly |mostly |simply |just )?to (?=(?:avoid|reduce|save|keep|prevent|make|simplify|match|comply|stay|improve|minimi[sz]e|ensure|limit|get|have|speed|cut|lower|support)\b)|as (?=(?:we|it|they|i|that|this|it's|there|our|everyone|the (?:team|ops|client|customer|infra))\b)|for (?=(?:(?:its|their) (?:[\w-]+ ){0,2}(?:speed|performance|simplicity|safety|ecosystem|maturity|community|tooling|reliability|stability|support|concurrency|flexibility|ergonomics|ease|throughput|latency|docs|documentation|plugins|features|guarantees|size|footprint|typing|types|consistency|scalability|popularity)|better|faster|simplicity|performance|consistency|compliance|speed|safety|security|readability|compatibility|cost|legal|licensing|budget|historical|the sake)\b)|reason(?:s|ing)?(?: is| being)?:|weil|denn|damit|wegen|parce qu\w*|car|afin de|puisqu\w*|porque|ya que|debido a|para que|pois|já que|devido a)\b\s*|(?:^|[\s,])(?:потому что|так как|поскольку|из-за|чтобы|ведь)\s+|[，,、]?(?:因为|由于|以便)|(?:なので|だから|ので|から、|ため、|ために、)|(?:때문에|이므로|니까)/iu

const FIRST_BECAUSE =
  /^(?:since|because(?: of)?|given(?: that)?|due to|as|da|weil|comme|puisque|como|так как|поскольку|因为|由于)(?:(?<=[а-я因为由于])|(?=\s))\s*([^,，]{3,160})[,，]\s*/iu

/** The clauses of a sentence, in order. Most sentences are one. */
export function clausesOf(sentence: Sentence): Clause[] {
  const clauses: Clause[] = []
  let from = 0
  const take = (to: number): void => {
    const clause = clauseAt(sentence, from, to)
    if (clause !== undefined) clauses.push(clause)
  }
  for (const turn of sentence.shape.matchAll(TURN)) {
    if (turn.index <= from) continue
    take(turn.index)
    from = turn.index + turn[0].length
  }
  take(sentence.shape.length)
  return clauses
}

function clauseAt(
  { shape, start, isLabelled = false }: Sentence,
  begin: number,
  to: number,
): Clause | undefined {
  let [first, last] = [begin, to]
  while (first < last && /[\s,]/.test(shape.charAt(first))) first++
  while (last > first && /[\s,]/.test(shape.charAt(last - 1))) last--
  if (last - first < 2) return undefined
  const said = shape.slice(first, last)
  const place = { start: start + first, end: start + last, sentence: shape, isLabelled }
  const opening = FIRST_BECAUSE.exec(said)
  if (opening !== null)
    return { ...place, shape: blank(said, 0, opening[0].length), reason: tidy(opening[1] ?? '') }
  const closing = BECAUSE.exec(said)
  if (closing === null || closing.index < 2) return { ...place, shape: said }
  const from = closing.index + closing[0].length
  // What a colon leads to is no reason any more.
  const colon = said.slice(from).search(/:\s/)
  const until = colon === -1 ? said.length : from + colon
  const reason = tidy(said.slice(from, until))
  return {
    ...place,
    shape: blank(said, closing.index, until),
    ...(reason.length > 2 && { reason }),
  }
}

function blank(text: string, from: number, to: number): string {
  return text.slice(0, from) + ' '.repeat(to - from) + text.slice(to)
}

function tidy(reason: string): string {
  return reason
    .replace(/\s+/g, ' ')
    .replace(/^[\s:,]+|[\s.,;!)]+$/g, '')
    .slice(0, MAX_REASON_CHARS)
}
