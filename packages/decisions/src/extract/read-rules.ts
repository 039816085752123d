import type { Finding } from './finding.ts'
import type { Sentence } from './sentences.ts'
import { proseSlot } from './slug.ts'

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
/** "The parser must raise an error", "I want all functions to have tests". */
const DUTY = /^[f,]*(?:d[xKTZI]{1,4}M[xUSCRBDY]|s[mMf]*mV[xK]{1,4}t)/
/** "Never do that", "we never promised it": said of one thing, or of what was. */
const ONCE =
  /\b(?:can|could) always\b|(?:\bnot|n't) \w+ing\b|^\W*(?:we |i |you |please )*(?:do not|don't|never|always) (?:\w+ (?:it|that|this|them|these|those)\b|\w+ed\b)/i
const NO_RULE = /[qezhk?G]|c(?!.*,.*(?:[AN]|M))/

/** A rule of a sentence that is meant to last, in the user's own words, or undefined. */
export function readRule(sentence: Sentence, signs: string): Finding | undefined {
  const { shape } = sentence
  const said = signs.replace(/^[^,c]*c[^,]*,/, '')
  if (
    shape.length < 8 ||
    ONCE.test(shape) ||
    NO_RULE.test(signs) ||
    /^[^"]*"[^"]*$/.test(shape) ||
    /^\W*I\b/.test(shape)
  )
    return undefined
  if (![ORDER, NORM, UNLESS, AVOID, LAST, DUTY].some((form) => form.test(said)) && !isBan(said, shape))
    return undefined
  const value = ruleText(shape)
  if (value.length < 6) return undefined
  const { start, end } = sentence
  return { kind: 'choice', slot: `rule:${proseSlot(value)}`, value, area: '', start, end, isChange: false }
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
