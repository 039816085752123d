import { ENGLISH } from './lexicon/english.ts'
import { signsOf } from './moods.ts'
import { scan } from './scan.ts'
import type { Sentence } from './sentences.ts'

/** Words that only lead to something. */
const FILLERS =
  'oh|ah|um+|uh+|hm+|argh|ok|okay|k|yes|yeah|well|and|but|so|please|pls|thanks|sorry|then|again|for now|after all'
/** Words with which speakers correct themselves. */
const CUES =
  '(?:or )?rather|no|nope|nah|wait|hold on|actually|oops|whoops|pardon|my bad|my mistake|wrong|typo|correction|just kidding|i misspoke|i mean|i meant(?: to say)?|(?:scratch|strike) that|on second thoughts?|nvm|never ?mind|' +
  "(?:that|this|it)(?:['’]s| is| was) (?:(?:far|way|much|a bit|still) )?(?:too \\p{L}+|not enough)"
const NO_WORD = "[^\\p{L}\\d'’`$€£_]"
const GAP = `${NO_WORD}+`
const LEAD = `^${NO_WORD}*(?:(?:${FILLERS}|${CUES})${GAP})*`
const END = `(?:${GAP}(?:${FILLERS}))*[^\\p{L}\\d]*$`
const MAX_CHARS = 100
const expression = (pattern: string): RegExp => new RegExp(pattern, 'iu')

/** "Wait, I take that back.", "scratch that", "let's not". */
const TAKES_BACK = expression(
  `${LEAD}(?:${[
    "(?:i(?:'ll| will)? |let me )?take (?:that|it|this) back",
    '(?:scratch|strike|scrap|undo|revert|cancel|forget|disregard|drop) that(?: one| rule| decision)?',
    'undo',
    "let(?:'s| us) not",
    "(?:(?:i|we)(?:'ve| have)? )?changed (?:my|our) minds?",
    '(?:forget|ignore) what i (?:just )?said',
    `on second thoughts?${GAP}(?:no|nope|nah|not)`,
  ].join('|')})${END}`,
)
/** Takes back what was said directly before. */
const DROPS = expression(`${LEAD}(?:never ?mind|nvm|forget (?:it|about it))${END}`)
/** "Wait, no", "actually, don't". */
const DECLINES = expression(
  `${LEAD}(?:no(?: thanks)?|nope|nah|not (?:now|yet|really|that)|don't|do not|neither|none|stop|wait|hold on)${END}`,
)
/** Says nothing by itself. */
const ONLY_LEADS = expression(`^${NO_WORD}*(?:(?:${FILLERS}|${CUES})(?:${GAP}|$))*$`)
const CORRECTS = expression(
  `^[^\\p{L}\\d]*(?:(?:${FILLERS})${GAP})*(?:${CUES}|sorry(?= *[,.:;!…–—-]))(?![\\p{L}\\d])`,
)
/** "I meant", "make it", "raise it to": what stands before another value. */
const AMENDS = expression(
  `${LEAD}(?:(?:it|that)(?:['’]?s| is| should be| must be) |(?:let['’]?s )?(?:use|take|try) |(?<verb>make (?:it|that) |(?:raise|lower|increase|decrease|reduce|bump|change|set|cut|extend|shorten|limit|cap|put|bring|upgrade|update) (?:it|that) (?:up |down |back )?to |upgrade to ))?`,
)
/** "10 s is better": what stands behind another value. */
const PREFERS = /(?:(?: is|'s) (?:better|enough|plenty)(?: then| though)?| instead)\W*$/i
/** A value with the one that it is said to replace, or with what it is for. */
const VALUE =
  /^(?:(?<next>[QI/])(?:,?n(?<old>[QI/])|,?nx|,?[Pp][dV]*[xK]{1,3})?|n(?<not>[QI/]),f*(?<then>[QI/]))[.!f]*$/d

/** Where a correction may begin within a sentence: "use 5.4, no, 5.6". */
const BREAK = /[,;…]+ *|\.{2,} *| [–—-]+ | but (?=i meant )/gi
const BREAKS =
  /(?:(?:hm+|oh|ah|uh|um|argh),? )?(?:i mean(?:t)?\b|or rather\b|make (?:that|it)\b|(?:scratch|strike) that\b|(?:oops|whoops|sorry|pardon|typo)(?:,| i mean)|(?:wait|no|nope|actually)(?:,| (?:wait|no|actually|sorry)\b))/iy
const NAMES_VALUE = /^[fdsmU,]*H?[TEQI/]/

/** A sentence in parts; each but the first begins where its speaker corrects what was said. */
export function partsOf(sentence: Sentence): Sentence[] {
  const { shape, start, end } = sentence
  if (shape.endsWith('?')) return [sentence]
  const parts: Sentence[] = []
  let from = 0
  for (const { 0: mark, index } of shape.matchAll(BREAK)) {
    const next = index + mark.length
    const isBack = from === 0 && takesBack(shape.slice(0, index)) && isAnew(shape, next)
    if (index === 0 || !(isBack || isCorrection(shape, next))) continue
    parts.push({ start: start + from, end: start + index, shape: shape.slice(from, index) })
    from = next
  }
  return from === 0 ? [sentence] : [...parts, { start: start + from, end, shape: shape.slice(from) }]
}

function isCorrection(shape: string, at: number): boolean {
  BREAKS.lastIndex = at
  if (!BREAKS.test(shape)) return false
  const rest = shape.slice(at)
  return takesBack(rest) || NAMES_VALUE.test(signsOf(scan(withoutLead(rest), ENGLISH)))
}

/** Whether words behind "scratch that" are no value without a name and no other subject. */
function isAnew(shape: string, at: number): boolean {
  if (amendmentOf(shape) !== undefined) return false
  return (
    /\bthat (?:rule|decision)\b/i.test(shape.slice(0, at)) ||
    /[TE]/.test(signsOf(scan(shape.slice(at), ENGLISH)))
  )
}

const withoutLead = (shape: string): string => shape.slice(AMENDS.exec(shape)?.[0].length)

/** Whether words do nothing but take back what was said last; what was said just before, by a weaker word too. */
export function takesBack(shape: string, isJustSaid = false): boolean {
  return shape.length <= MAX_CHARS && (TAKES_BACK.test(shape) || (isJustSaid && DROPS.test(shape)))
}

/** Whether words do nothing but decline what was just said yes to. */
export function declines(shape: string): boolean {
  return takesBack(shape, true) || (shape.length <= MAX_CHARS && DECLINES.test(shape))
}

/** Whether words say nothing by themselves: "hmm, wait". */
export function onlyLeads(shape: string): boolean {
  return shape.length <= MAX_CHARS && ONLY_LEADS.test(shape)
}

/** Whether a sentence begins with a word of correction. */
export function corrects(shape: string): boolean {
  return CORRECTS.test(shape)
}

/** A value without a name: "I meant 60 seconds", "make it 64", "not `a_b`, `c_d`". */
export interface Amendment {
  readonly value: string
  /** The value that it replaces, when the words name it. */
  readonly replaces?: string
}

/** The value that words give to what was said last. `isCorrection`: the sentence before said that it is wrong. */
export function amendmentOf(shape: string, isCorrection = false): Amendment | undefined {
  if (shape.length > MAX_CHARS) return undefined
  const lead = AMENDS.exec(shape)
  const isSwap = /^\W*not /i.test(shape)
  const said = shape.replace(PREFERS, '')
  if (!isSwap && !lead?.groups?.verb && said === shape && !isCorrection && !corrects(shape)) return undefined
  const tokens = scan(said.slice(lead?.[0].length), ENGLISH)
  const places = VALUE.exec(signsOf(tokens))?.indices?.groups
  const [value, old] = [places?.next ?? places?.then, places?.old ?? places?.not].map(
    (at) => tokens[at?.[0] ?? -1]?.text,
  )
  if (value === undefined || (isSwap && places?.not === undefined)) return undefined
  return { value, ...(old !== undefined && { replaces: old }) }
}
