import { kindOf } from '../identifiers/extract-identifiers.ts'
import { oneLine } from '../text/one-line.ts'
import { textWindows } from '../text/text-windows.ts'
import type { Fact } from './fact.ts'
import { factQuality } from './fact-quality.ts'

/** Characters before the verb that may name what has the value. */
const MAX_KEY_CHARS = 120
const MAX_KEY_WORDS = 9
const MAX_VALUE_CHARS = 200
/** Facts of one text; more than that is a table, and its first and last entries do not matter more. */
const MAX_FACTS = 200
/** Facts of one text that do not make each other less interesting. */
const FEW = 4

const VERBS = [' is ', ' are ', ' was ', ' equals ', ' became ']
/** Signs of assignment: in what somebody says a statement, in a file one line of code among many. */
const SIGNS = [' = ', ' := ']
/** Words that may stand between the verb and the value. */
const LEAD =
  /^(?:(?:now|set|to|at|on|in|currently|running|listening|located|stored|defined|called|named|exactly|about|at most|at least|still|pinned|bound|by default|port|version|branch|commit|called)\s){1,4}/
const PRONOUN =
  /^(?:it|its|this|that|these|those|there|which|what|who|he|she|they|we|you|i|here|one|where|how|why|if|not|and|or|but|because|everything|nothing|all|now|so|then|when)$/i
const KEY_BREAK = /[\n\r.!?;:,([{|"“”'`—]\s|\n|\r|["“”({[|=<>;\\]/g
const UNIT_AFTER =
  /^ ((?:milli|micro|nano)?seconds?|ms|s|minutes?|hours?|days?|weeks?|bytes?|[KMGT]i?B|kB|percent|px|[KMG]?Hz|tokens?|retries|rows?|workers?|threads?|connections?|requests?|items?|attempts?|lines?|files?|users?|characters?)(?![\w-])/
const ENVIRONMENT = /^[ \t]*(?:export )?([A-Z][A-Z0-9_]{2,60})=([^\s"'`;$][^\s"'`;]{0,199})$/gm

/**
 * The statements of a text that give a name its value, in order. Looks at a bounded surrounding of every
 * verb, so the work is linear; a text of more than 512 Ki characters is represented by its two ends.
 * `said`: the text is what a person or a model said, not a file or the output of a tool.
 */
export function extractFacts(text: string, said: boolean): Fact[] {
  const statements: Statement[] = []
  for (const window of textWindows(text)) {
    const found: Statement[] = []
    for (const verb of said ? [...VERBS, ...SIGNS] : VERBS) {
      for (let at = window.indexOf(verb); at !== -1; at = window.indexOf(verb, at + 2)) {
        const statement = statementAround(window, at, verb)
        if (statement !== undefined) found.push(statement)
      }
    }
    for (const { 0: line, 1: name = '', 2: value = '', index } of window.matchAll(ENVIRONMENT)) {
      // "sk-..." in an example is a place for a value.
      if (!value.includes('...'))
        found.push({ at: index, key: name, value, text: line.trim().replace(/^export /, '') })
    }
    statements.push(...found.sort((a, b) => a.at - b.at))
  }
  return weighed(statements)
}

interface Statement {
  /** Position in its window. */
  readonly at: number
  readonly key: string
  readonly value: string
  readonly text: string
}

/** Facts by key, the last statement of each; the weight falls with the number of facts that are as good. */
function weighed(statements: readonly Statement[]): Fact[] {
  const facts = new Map<string, Fact>()
  for (const { key, value, text } of statements) {
    const name = normalKey(key)
    facts.delete(name)
    facts.set(name, { key: name, value, text, weight: factQuality(key, value) })
  }
  const best = [...facts.values()].sort((a, b) => b.weight - a.weight).slice(0, MAX_FACTS)
  const ranks = new Map(best.map((fact, rank) => [fact, rank]))
  return [...facts.values()].flatMap((fact) => {
    const rank = ranks.get(fact)
    return rank === undefined ? [] : [{ ...fact, weight: fact.weight / (1 + Math.log(1 + rank / FEW)) }]
  })
}

function statementAround(text: string, at: number, verb: string): Statement | undefined {
  // The value is checked first: most verbs are followed by a plain word.
  const valueStart = at + verb.length
  const rest = text.slice(valueStart, valueStart + MAX_VALUE_CHARS)
  const lead = LEAD.exec(rest)?.[0] ?? ''
  const value = valueAt(rest.slice(lead.length))
  if (value === '') return undefined
  const key = keyBefore(text.slice(Math.max(0, at - MAX_KEY_CHARS), at), verb.includes('='))
  if (key === '') return undefined
  return { at, key, value, text: oneLine(`${key}${verb}${lead}${value}`) }
}

function valueAt(text: string): string {
  const quoted = /^(["'`“])([^"'`”\n]{1,100})["'`”]/.exec(text)
  if (quoted !== null) return /[\w]/.test(quoted[2] ?? '') ? quoted[0] : ''
  const first = text.charCodeAt(0)
  // Most words are plain: a cheap look at the token decides before it is classified.
  const token = /^[^\s,;)\]}"'`<>|]{1,200}/.exec(text)?.[0].replace(/[.:!?]+$/, '') ?? ''
  if (token === '' || token === '-') return ''
  const unit = UNIT_AFTER.exec(text.slice(token.length, token.length + 16))?.[0] ?? ''
  if (first >= 48 && first <= 57) return /^[\d.,_]+$/.test(token) ? token + unit : kindOf(token) ? token : ''
  if (/^[a-z]+$/i.test(token) && !/^E[A-Z]+$/.test(token)) return ''
  const kind = kindOf(token)
  // "is one-time" says what something is like, not what its value is.
  return kind === undefined || (kind === 'symbol' && /^[\p{L}-]+$/u.test(token) && token.includes('-'))
    ? ''
    : token
}

function keyBefore(before: string, assignment: boolean): string {
  let start = 0
  for (const match of before.matchAll(KEY_BREAK)) start = match.index + match[0].length
  const clause = afterEarlierStatement(before.slice(start))
  if (/[})]\s*$/.test(clause)) return ''
  // In text without punctuation a sentence may still begin with a capital article.
  const article = clause.lastIndexOf(' The ')
  const words = (article === -1 ? clause : clause.slice(article + 5)).trim().split(/\s+/)
  const kept = words.slice(-MAX_KEY_WORDS).filter((word) => /[\p{L}\d]/u.test(word))
  while (
    kept.length > 0 &&
    /^(?:the|a|an|and|but|so|that|because|note|also|of|to|in|on|for|our|my|your|[-*•#>/\d.]+)$/i.test(
      kept[0] ?? '',
    )
  )
    kept.shift()
  const key = kept.join(' ')
  if (kept.length === 0 || key.length < 2 || PRONOUN.test(kept.at(-1) ?? '') || PRONOUN.test(kept[0] ?? ''))
    return ''
  // `x = 5` in code is an assignment like thousands of others; in prose more than one word stands before it.
  if (
    assignment &&
    (kept.length < 2 ||
      /^(?:const|let|var|def|type|local|val|final|static|public|private|export|return|if|set|self|this)\b/.test(
        key,
      ))
  )
    return ''
  return /\p{L}/u.test(key) ? key : ''
}

/** "the limit is 42 and the port": only what follows the conjunction names what has the value. */
function afterEarlierStatement(clause: string): string {
  const earlier = Math.max(...VERBS.map((verb) => clause.lastIndexOf(verb)))
  if (earlier === -1) return clause
  const rest = /\s(?:and|but|while|whereas|then)\s(.*)$/.exec(clause.slice(earlier))
  return rest?.[1] ?? ''
}

/** A key as it is compared: lower case, without articles and marks. */
export function normalKey(key: string): string {
  return oneLine(key)
    .toLowerCase()
    .replace(/\b(?:the|a|an|our|current|new)\s/g, '')
    .replace(/[*_`"']/g, '')
    .trim()
}
