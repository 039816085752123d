import type { Finding } from './finding.ts'
import type { Sentence } from './sentences.ts'
import { ruleSlot } from './slug.ts'

const MAX_RULE_CHARS = 160

/** "Never push", "we always squash": who is told, then the word that makes it last. */
const ORDER = /^[f,.:"A-]*(?:[pP][dV]*[xK]{1,3},)?(?:s[mMf]*|y?n)?[AN][^,.?!]/
/** "Secrets are never written", "texts always go through", "every endpoint must check". */
const NORM =
  /^[f,]*(?:V[xKTZIEd]{1,3}(?:[pP][dV]*[xK]{1,2})?[if]*[mM]|(?:V[xKTZIEd]{1,3}|[xKTZI]{1,4})(?:p[dV]*[xK]{1,2})?[if]*[mM]?(?:[AN](?!y)|M))/
/** The same of one thing, which needs the stronger word. */
const BAN = /^[f,]*(?:d[xKTZI]{1,4}|s|y)[if]*(?:(?:[mM]f*)?N|M)/
const UNLESS = /^[f,]*[nV][^,y]{1,6}O/
/** "Do not use floating point". */
const AVOID = /^[f,]*s?n(?:[USxCD][xK]{1,4}(?:[pPt][xKd]{1,3})?|[xK]{2,4}(?:[pP][dV]*[xK]{1,3})?)[.!]?$/
/** "Table names are plural, always." */
const LAST = /^[dVf]*[xKZ]{1,3}[iM].*[,.]A[.!]?$/
/** "Keep answers short from now on". */
const HENCE = /^[f,]*(?:s[mMf]*)?[USCRDYxK][^,?:]{2,}A[f.!]*$/
/** "The parser must raise an error", "I want all functions to have tests". */
const DUTY = /^[f,]*(?:d[xKTZI]{1,4}M[xUSCRBDY]|s[mMf]*mV[xK]{1,4}t)/
/** "From now on, talk to me in Spanish". */
const LASTS = /^\W*(?:\w+ )?(?:from (?:now|here) on(?: out)?|going forward|as a rule),(?! *i\b)/i
/** Two words of one sign. */
const ALWAYS_USE = /^\W*(?:(?:please|pls|and|also|but|so) )*(?:(?:we|you|i want you to) )?always use\b/i
/** "Never do that", "we never promised it": said of one thing, or of what was. */
const ONCE =
  /\b(?:can|could) always\b|(?:\bnot|n't) \w+ing\b|^\W*(?:we |i |you |please )*(?:do not|don't|never|always) (?:\w+ (?:it|that|this|them|these|those)\b|\w+ed\b)/i
const NO_RULE = /[qezhk?G]|c(?!.*,.*(?:[AN]|M))/

/** A rule of a sentence that is meant to last, in the user's own words, or undefined. */
export function readRule(sentence: Sentence, signs: string): Finding | undefined {
  const { shape } = sentence
  const said = signs.replace(/^[^,c]*c[^,]*,/, '').replace(/^(f*A),/, LASTS.test(shape) ? '$1' : '$&')
  if (
    shape.length < 8 ||
    ONCE.test(shape) ||
    NO_RULE.test(signs) ||
    /^[^"]*"[^"]*$/.test(shape) ||
    /^\W*I\b/.test(shape)
  )
    return undefined
  if (
    ![ORDER, NORM, UNLESS, AVOID, LAST, HENCE, DUTY].some((form) => form.test(said)) &&
    !(ALWAYS_USE.test(shape) && !/[TE]/.test(signs)) &&
    !isBan(said, shape)
  )
    return undefined
  const value = ruleText(shape)
  if (value.length < 6) return undefined
  const { start, end } = sentence
  const { slot, isAspect } = ruleSlot(value)
  return { kind: 'choice', slot, value, area: '', start, end, isChange: isAspect }
}

/** "You don't need to run the tests any more", "ignore what I said about British spelling". */
const LIFTS = new RegExp(
  `^\\W*(?:(?:and|also|but|so|ok|okay|please|pls|btw|actually)\\W+)*(?:${[
    "(?:(?:you|we) )?(?:don't|do not|dont|no) (?:need|have) to (?<what>\\S+ .{3,120}?) (?:any ?more|any longer)",
    '(?:you|we) no longer (?:need|have) to (?<longer>\\S+ .{3,120})',
    '(?:forget|ignore|disregard) (?:what i said about|the rule (?:about|that|on|to)) (?<said>\\S+ .{3,120})',
  ].join('|')})[.! ]*$`,
  'i',
)

/** The end of a rule that a sentence says in its words. */
export function readLifted({ shape, start, end }: Sentence): Finding | undefined {
  const { what, longer, said } = LIFTS.exec(shape)?.groups ?? {}
  const value = what ?? longer ?? said
  return value === undefined
    ? undefined
    : { kind: 'end', slot: 'rule', value, area: '', start, end, isChange: true }
}

/** "must not", not "must": a thing that must be somewhere is looked for. */
function isBan(signs: string, shape: string): boolean {
  return BAN.test(signs) && /\b(?:not|never|forbidden|prohibited|off-limits|no)\b|n't/i.test(shape)
}

/** The rule without what only leads to it. */
export function ruleText(shape: string): string {
  return shape
    .replace(/\s+/g, ' ')
    .replace(
      /^[\s,.:-]*(?:(?:and|also|but|please|pls|ok|okay|so|note|remember|important|rule|reminder|btw|yes|plus|oh|from now on|going forward|as a rule)\b[,:.]? )?/i,
      '',
    )
    .replace(/(?<![\s.!;,])[\s.!;,]+$/, '')
    .slice(0, MAX_RULE_CHARS)
    .trim()
}
