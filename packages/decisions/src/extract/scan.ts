import { remembered } from '../remembered.ts'
import { findTechnologies, type TechnologyMention } from '../slots/find-technologies.ts'
import { factOf, type Run, runsOf } from '../slots/runs.ts'
import { findSlotWords } from '../slots/slot-lookup.ts'
import { type Compiled, compiled } from './lexicon/compiled.ts'
import type { Lexicon } from './lexicon/lexicon.ts'

/** A piece of a sentence with the sign for what it does. */
export interface Token {
  /**
   * A sign of `CUES`; `T` for a technology, `E` for one that is an everyday word as well, `K` for the word of a slot, `Q` for a
   * number with its unit, `I` for a name as code has them, `/` for a path, `x` for any other word; a mark of punctuation is its own.
   */
  readonly sign: string
  readonly start: number
  readonly end: number
  readonly text: string
  readonly mention?: TechnologyMention
  readonly slot?: string
}

const WORD = /(?:--?(?=\p{L}))?[\p{L}\p{N}\p{M}_'][\p{L}\p{N}\p{M}_'./+#@$~-]*/uy
const MARK = /[.…]/
/** The first character of a number, or one that another case may turn into a letter of it. */
const COUNTS = /[-+$\d]|[^ -~]/
const IDENTIFIER = /^(?:--?)?(?=.*(?:[a-z][A-Z]|\w[_.]\w|_))[\w$.-]*\w$|^\w+\(\)$|^[a-z]+-?\d+\w*$/
const PATH =
  /^(?!\/\w+$)(?:[~.]{0,2}\/)?(?:[\w.@*-]+\/)+(?!\d+$)[\w.@*-]*$|^[\w-]+(?:\.[\w-]+)*\.[a-z]\w{1,4}$/
/** One of these is in every name and path of code. */
const SIGNS_OF_CODE = /[A-Z_.()\d/]/
/** Longest phrase of a lexicon, in words. */
const MAX_WORDS = 5

/** Sentences that were scanned last, by language: their readers ask for the same one. */
const MAX_KNOWN = 32

/** The readers of one language's sentences. */
interface Scanner {
  readonly scan: (shape: string) => readonly Token[]
  readonly mayPropose: (shape: string) => boolean
}

const scanners = new WeakMap<Lexicon, Scanner>()

function scannerOf(lexicon: Lexicon): Scanner {
  const found = scanners.get(lexicon) ?? createScanner(compiled(lexicon))
  scanners.set(lexicon, found)
  return found
}

function createScanner(words: Compiled): Scanner {
  const plain = factOf((run) => plainRun(run, words))
  const proposing = factOf((run) => proposingRun(run, words))
  return {
    scan: remembered((text) => scanWith(text, words, plain), MAX_KNOWN),
    mayPropose: (shape) => mayProposeWith(shape, words, proposing),
  }
}

/** The tokens of a sentence. Linear: each place is looked at once, with phrases of at most five words. */
export function scan(shape: string, lexicon: Lexicon): readonly Token[] {
  return scannerOf(lexicon).scan(shape)
}

/** False when a sentence has neither a technology nor a quantity nor a cue of a new name: it proposes nothing. */
export function mayPropose(shape: string, lexicon: Lexicon): boolean {
  return scannerOf(lexicon).mayPropose(shape)
}

type Proposing = 'yes' | 'number' | 'no'

function mayProposeWith(shape: string, { quantity }: Compiled, proposing: (run: Run) => Proposing): boolean {
  if (findTechnologies(shape).length > 0) return true
  let start = 0
  for (const run of runsOf(shape)) {
    const found = run.text === '' ? 'no' : proposing(run)
    if (found === 'yes') return true
    quantity.lastIndex = start
    if (found === 'number' && quantity.test(shape)) return true
    start += run.text.length + 1
  }
  return false
}

/** A word of letters with nothing but marks of a sentence behind it; what else may be in a run is not asked. */
const PLAIN_WORD = /^([a-z]+)[,.;:!?)]{0,2}$/i

function proposingRun(run: string, { numbers, naming }: Compiled): Proposing {
  const word = PLAIN_WORD.exec(run)?.[1]?.toLowerCase()
  if (word === undefined || naming.has(word)) return 'yes'
  return numbers.has(word) ? 'number' : 'no'
}

function scanWith(shape: string, known: Compiled, plain: (run: Run) => PlainRun): Token[] {
  const mentions = byStart(findTechnologies(shape))
  const slots = byStart(findSlotWords(shape))
  const isNamed = (start: number, end: number) => {
    if (mentions.size + slots.size === 0) return false
    for (let at = start; at < end; at++) if (mentions.has(at) || slots.has(at)) return true
    return false
  }
  const tokens: Token[] = []
  const push = (sign: string, start: number, end: number, more: Partial<Token> = {}): number => {
    tokens.push({ sign, start, end, text: shape.slice(start, end), ...more })
    return end
  }
  const readToken = (at: number): number => {
    const end = wordEnd(shape, at)
    const phrase = phraseAt(shape, at, end, known)
    const mention = mentions.get(at)
    const slot = slots.get(at)
    const quantity = mention === undefined ? quantityAt(shape, at, end, known) : undefined
    const written = mention === undefined && slot !== undefined ? shape.slice(at, end) : ''
    const isCue = phrase !== undefined && phrase.end >= (slot?.end ?? 0)
    if (mention !== undefined && (mention.sure || phrase === undefined || phrase.end < mention.end))
      return push(mention.sure ? 'T' : 'E', at, mention.end, { mention })
    if (quantity !== undefined && (phrase === undefined || quantity > phrase.end))
      return push('Q', at, quantity)
    if (PATH.test(written)) return push('/', at, at + written.length)
    if (isCue) return push(phrase.sign, at, phrase.end, slot === undefined ? {} : { slot: slot.slot })
    if (slot !== undefined) return push('K', at, slot.end, { slot: slot.slot })
    return pushWord(shape, at, end, push)
  }
  const runs = runsOf(shape)
  let at = 0
  let start = 0
  for (let index = 0; index < runs.length; index++) {
    const run = runs[index] ?? NO_RUN
    const end = start + run.text.length
    if (at <= start && !isNamed(start, end) && isPlain(run, runs[index + 1], plain)) {
      for (const { sign, start: from, end: to, text } of plain(run).tokens)
        tokens.push({ sign, start: start + from, end: start + to, text })
      at = end
    }
    for (at = Math.max(at, start); at < end; ) at = readToken(at)
    start = end + 1
  }
  return tokens.map((token, at) => {
    if (!VERBS.has(token.sign)) return token
    const sign = nounOr(token, tokens[at - 1]?.sign ?? '', tokens[at + 1]?.sign ?? '', known)
    return sign === token.sign ? token : { ...token, sign }
  })
}

const NO_RUN: Run = { text: '', facts: [] }

function isPlain(run: Run, next: Run | undefined, plain: (run: Run) => PlainRun): boolean {
  const { tokens, goesOn } = plain(run)
  if (goesOn === undefined || next === undefined) return tokens.length > 0
  return tokens.length > 0 && next.text !== '' && !goesOn.has(plain(next).first)
}

const NOTHING: ReadonlyMap<number, never> = new Map<number, never>()

function byStart<Place extends { readonly start: number }>(
  places: readonly Place[],
): ReadonlyMap<number, Place> {
  return places.length === 0 ? NOTHING : new Map(places.map((place) => [place.start, place]))
}

/** The part that a run plays in each sentence that names nothing there. */
interface PlainRun {
  /** Empty when that depends on what follows. */
  readonly tokens: readonly Token[]
  /** Words that make a phrase of several words of the run and the next one. */
  readonly goesOn: ReadonlySet<string> | undefined
  /** The first word of the run, in lower case. */
  readonly first: string
}

function plainRun(run: string, known: Compiled): PlainRun {
  const firstEnd = wordEnd(run, 0)
  const first = run.slice(0, Math.max(firstEnd, 1)).toLowerCase()
  const goesOn = firstEnd === run.length ? known.seconds.get(first) : undefined
  const none = { tokens: [], goesOn, first }
  if (!/^[!-~]+$/.test(run)) return none
  const tokens: Token[] = []
  const push = (sign: string, start: number, end: number): number => {
    tokens.push({ sign, start, end, text: run.slice(start, end) })
    return end
  }
  for (let at = 0; at < run.length; ) {
    const end = wordEnd(run, at)
    const word = run.slice(at, Math.max(end, at + 1)).toLowerCase()
    const sign = known.signs.get(word)
    const isWhole = end === run.length && at === 0
    if (mayCount(run, at, end, known) || (sign !== undefined && !isWhole)) return none
    at = sign ? push(sign, at, at + word.length) : pushWord(run, at, end, push)
  }
  return { tokens, goesOn, first }
}

/** The sign of a word that is a verb or a noun by what stands around it: "cache it", "the cache", "a limit". */
function nounOr({ sign, slot, text }: Token, before: string, after: string, { nouns }: Compiled): string {
  if (sign !== 'w' && nouns.has(text.toLowerCase()) && /[dxKHVpIZ]/.test(before)) return 'Z'
  if (sign === 'S' && slot === undefined && (after === 'Z' || /[dVxKZ]/.test(before))) return 'x'
  if (slot === undefined || !/[SYw]/.test(sign)) return sign
  const isVerb =
    sign === 'w'
      ? before === 'T'
      : sign === 'S' && (/[smMqhG]/.test(before) || (/^[,af.]?$/.test(before) && /[dy]/.test(after)))
  return isVerb ? sign : 'K'
}

/** Signs of words that may be verbs. */
const VERBS: ReadonlySet<string> = new Set('CUSYHsw')

type Push = (sign: string, start: number, end: number) => number

function pushWord(shape: string, at: number, end: number, push: Push): number {
  if (end === at) {
    const mark = String.fromCodePoint(shape.codePointAt(at) ?? 0)
    return push(mark.length > 1 ? 'f' : mark, at, at + mark.length)
  }
  const word = shape.slice(at, end)
  if (!SIGNS_OF_CODE.test(word)) return push('x', at, end)
  return push(PATH.test(word) ? '/' : IDENTIFIER.test(word) ? 'I' : 'x', at, end)
}

/** One behind a word, without the marks that end a sentence. */
function wordEnd(shape: string, at: number): number {
  WORD.lastIndex = at
  let end = WORD.test(shape) ? WORD.lastIndex : at
  while (end > at + 1 && "./'~-".includes(shape.charAt(end - 1))) end--
  return end === at && /^\/|^\.{0,2}\/\w/.test(shape.slice(at, at + 4)) ? pathEnd(shape, at) : end
}

function pathEnd(shape: string, at: number): number {
  let end = at
  while (end < shape.length && /[\w./@*-]/.test(shape.charAt(end))) end++
  while (end > at && MARK.test(shape.charAt(end - 1))) end--
  return end
}

function phraseAt(
  shape: string,
  at: number,
  wordEndsAt: number,
  known: Compiled,
): { sign: string; end: number } | undefined {
  let found: { sign: string; end: number } | undefined
  let phrase = ''
  let end = at
  for (let count = 0; count < MAX_WORDS && end < shape.length; count++) {
    const start = end
    while (shape.charAt(end) === ' ' && end - start < 3) end++
    const next = count === 0 ? wordEndsAt : wordEnd(shape, end)
    const to = next === end ? end + 1 : next
    phrase += (end > start ? ' ' : '') + shape.slice(end, to).toLowerCase()
    const sign = known.signs.get(phrase)
    if (sign === undefined) break
    if (sign !== '') found = { sign, end: to }
    end = to
  }
  return found
}

function quantityAt(shape: string, at: number, wordEndsAt: number, known: Compiled): number | undefined {
  if (!mayCount(shape, at, wordEndsAt, known)) return undefined
  const { quantity } = known
  quantity.lastIndex = at
  if (!quantity.test(shape) || (at > 0 && /[\p{L}\p{N}_.#@-]/u.test(shape.charAt(at - 1)))) return undefined
  return at + shape.slice(at, quantity.lastIndex).trimEnd().length
}

/** Whether a number may begin at a place. */
function mayCount(shape: string, at: number, wordEndsAt: number, { numbers }: Compiled): boolean {
  return COUNTS.test(shape.charAt(at)) || numbers.has(shape.slice(at, wordEndsAt).toLowerCase())
}
