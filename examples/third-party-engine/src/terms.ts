import {
  type Message,
  messageText,
  redactSecrets,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'

/** The words, identifiers and parts of identifiers in a text: by their lower case, how often and how spelt. */
export type Terms = ReadonlyMap<string, { readonly count: number; readonly spelling: string }>

/** Characters of a message that are looked at: enough to tell what it is about. */
const MAX_CHARACTERS = 20_000
/** A longer run of letters is data, not a word. */
const MAX_TERM_CHARACTERS = 80

/** Letters of scripts that put no space between words, and of Korean, which puts endings on them. */
const UNSPACED = String.raw`[[\p{L}\p{M}]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}]]`
const LETTER = String.raw`[[\p{L}\p{M}\p{N}_$]--${UNSPACED}]`
/** A run of the former, or a word, a path, a name with dots and dashes. */
const RUN = new RegExp(String.raw`(${UNSPACED}+)|${LETTER}+(?:[.\/:@\-]+${LETTER}+)*`, 'gv')
/** Where a path, a `kebab-case` or a `camelCase` name has its parts. */
const SEAM = /[._/:@$-]+|(?<=\p{Ll})(?=\p{Lu})/u

const memo = new WeakMap<Message, Terms>()

/** The terms of a frozen message and of its calls, found once in its life. No part of a secret becomes one. */
export function messageTerms(message: Message): Terms {
  const known = memo.get(message)
  if (known !== undefined) return known
  const calls = toolCallsOf(message).map((call) => `${toolCallName(call)} ${toolCallInput(call)}`)
  const text = redactSecrets([messageText(message), ...calls].join('\n'))
  const terms = textTerms(text.slice(0, MAX_CHARACTERS).replace(/\[REDACTED:[a-z-]+\]|\\[nrt]/g, ' '))
  memo.set(message, terms)
  return terms
}

/** The terms of a text. Scripts without spaces give pairs of characters. */
export function textTerms(text: string): Terms {
  const words: string[] = []
  for (const [run, unspaced] of text.matchAll(RUN)) {
    const characters = unspaced === undefined ? [] : [...unspaced]
    for (let at = 1; at < characters.length; at++) words.push(`${characters[at - 1]}${characters[at]}`)
    if (unspaced !== undefined) continue
    const parts = run.split(SEAM)
    words.push(run, ...(parts.length > 1 ? parts : []))
  }
  const isTerm = ({ length }: string) => length > 1 && length <= MAX_TERM_CHARACTERS
  return countTerms(words.filter(isTerm).map((spelling) => [spelling.toLowerCase(), { count: 1, spelling }]))
}

/** Equal terms as one. */
export function countTerms(entries: Iterable<[string, { count: number; spelling: string }]>): Terms {
  const terms = new Map<string, { count: number; spelling: string }>()
  for (const [term, { count, spelling }] of entries) {
    const known = terms.get(term)
    if (known === undefined) terms.set(term, { count, spelling })
    else known.count += count
  }
  return terms
}
