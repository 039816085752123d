import { isWord, type QueryTerm } from './parse-query.ts'

const FILLER_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after again all also am an and any are as at be because been before being between but by can could did do ' +
    'does doing done during each ever for from had has have having he her here him his how i if in into is it its just me ' +
    'more most my no not of off on once only or other our out over own please same she should so some such tell than ' +
    'that the their them then there these they this those through to too under until up us use used very was we were ' +
    'what when where which while who whom whose why will with would you your'
  ).split(' '),
)

const COMMON_WORDS: ReadonlySet<string> = new Set(
  (
    'actually already always amazing another around away awesome back best better come cool couldn definitely didn doesn done ' +
    'even everyone everything excited feel feeling find first getting give glad goes going gone good gonna great guess happy ' +
    'hear hello help here hope hoping isn keep kind know last later left life like little long look looking lots love ' +
    'made make makes making many maybe mean much need never next nice nothing okay part people pretty probably put quite ' +
    'ready really right said saying seems seen shares since someone something soon sounds special start started still stuff ' +
    'super sure take taking talk thank thanks thing things think thought time today together told took totally true trying ' +
    'user want wanted wasn week well went without wonderful won work wow yeah year years yesterday'
  ).split(' '),
)

export function isTelling(word: string): boolean {
  return !FILLER_WORDS.has(word) && !COMMON_WORDS.has(word)
}

const MAX_TERMS = 12
const BEFORE = /^[^\p{L}\p{N}_/.~@#$-]+/u
const AFTER = /(?<![^\p{L}\p{N}_/])[^\p{L}\p{N}_/]+$/u
const POSSESSIVE = /['’]s?$/
const JOINED = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+$/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+/gu

/**
 * The search terms of a question: its words, paths and names, and pairs of characters in scripts without spaces.
 * Question words are left out unless there are no others.
 */
export function questionTerms(question: string): readonly QueryTerm[] {
  const all = question.split(/\s+/).flatMap((token) => tokenTerms(token))
  const telling = all.filter(
    ({ kind, text }) => kind === 'substring' || (text.length > 1 && !FILLER_WORDS.has(text)),
  )
  const terms = telling.length > 0 ? telling : all
  return [...new Map(terms.map((term) => [term.text, term])).values()].slice(0, MAX_TERMS)
}

function tokenTerms(token: string): QueryTerm[] {
  const runs = [...token.matchAll(UNSPACED)].flatMap(([run]) => pairs(run))
  const rest = token.replace(UNSPACED, ' ').split(' ')
  const words = rest
    .map((part) => part.replace(AFTER, '').replace(BEFORE, '').replace(POSSESSIVE, '').toLowerCase())
    .flatMap((part) => (JOINED.test(part) ? [part, ...part.split('-')] : [part]))
    .filter((part) => part !== '')
  return [...runs, ...words].map((text) => ({ kind: isWord(text) ? 'word' : 'substring', text }))
}

function pairs(run: string): string[] {
  const characters = [...run]
  if (characters.length < 2) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}
