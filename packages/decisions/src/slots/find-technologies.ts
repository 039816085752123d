import { lazily } from '@palimpsest/core/options'
import { remembered } from '../remembered.ts'
import { createReject, factOf, wordsIn } from './runs.ts'
import {
  beginningsOf,
  rememberedWord,
  spellingKey,
  type Technology,
  technologies,
  withoutPossessive,
} from './technologies.ts'

/** A technology where it stands in a text. */
export interface TechnologyMention {
  readonly technology: Technology
  /** Canonical spelling with the version that follows: `PostgreSQL 16`. */
  readonly value: string
  readonly start: number
  /** One behind its last character, version included. */
  readonly end: number
  /** False for an everyday word without its capitals. */
  readonly sure: boolean
}

/** A run of letters that are written with spaces between words, with the signs that stand inside of names. */
const WORD =
  /(?:\.(?=[a-z]))?[\w\u00c0-\u024f\u0370-\u052f](?:[\w\u00c0-\u024f\u0370-\u052f+#.@/'’&:-]*[\w\u00c0-\u024f\u0370-\u052f+#])?/gi
const VERSION =
  /^\s?v?(\d{1,4}(?:\.\d{1,4}){0,3}(?:\.x)?\+?)(?![\w%])(?!\s?(?:times|x\b|workers?|replicas?|threads?|instances?|nodes?|seconds?|minutes?|ms|days?|hours?|files?|tests?|%))/i
const beginnings = lazily(() => beginningsOf(technologies().keys()))

/** Whether no technology is named by a word, by one with a version behind it, or by a name that it begins. */
const namesNone = rememberedWord((word) => {
  const key = spellingKey(word)
  return !technologies().has(key) && !beginnings().has(key) && !/\d$/.test(word)
})
/** A word of several pieces, or with a possessive. */
const JOINED = /[/:'’-]/

const namesNoTechnology = createReject(WORD, (key, word) => {
  if (technologies().has(key) || /\d$/.test(word) || JOINED.test(word)) return 'names'
  return beginnings().has(key) ? 'begins' : 'nothing'
})
/** Longest name in words: "node's built-in test runner" is four. */
const MAX_WORDS = 4

/** Clauses that were read last: the readers of a clause ask for the same one. */
const MAX_KNOWN = 32
const MAX_KNOWN_CHARS = 400

/** The technologies that a text names, in order; the longest name wins. Linear. */
export const findTechnologies: (text: string) => readonly TechnologyMention[] = remembered(
  mentionsIn,
  MAX_KNOWN,
  MAX_KNOWN_CHARS,
)

function mentionsIn(text: string): TechnologyMention[] {
  if (namesNoTechnology(text)) return []
  const words = wordsIn(text, piecesOf)
  const found: TechnologyMention[] = []
  for (let i = 0; i < words.length; i++) {
    const taken = longest(text, words, i)
    if (taken === undefined) continue
    found.push(taken.mention)
    i += taken.words - 1
  }
  return found
}

interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
  /** True when neither it nor a name that it begins is a technology's. */
  readonly isNone: boolean
}

const piecesOf = factOf((run) => {
  const words: Word[] = []
  for (const match of run.matchAll(WORD)) {
    const [word] = match
    const isWhole = (namesNone(word) && !JOINED.test(word)) || technologies().has(spellingKey(word))
    let start = match.index
    for (const piece of isWhole || !/[/:-]/.test(word) ? [word] : word.split(/([/:-])/)) {
      const bare = withoutPossessive(piece)
      if (!/^[/:-]?$/.test(bare))
        words.push({ text: bare, start, end: start + bare.length, isNone: namesNone(bare) })
      start += piece.length
    }
  }
  return words
})

function longest(text: string, words: readonly Word[], at: number) {
  const first = words[at]
  if (first === undefined || first.isNone) return undefined
  const counts = [1]
  let key = spellingKey(first.text)
  for (let count = 1; count < MAX_WORDS && beginnings().has(key); ) {
    const [word, next] = [words[at + count - 1], words[at + count]]
    if (word === undefined || next === undefined || !isNext(text, word, next)) break
    key = spellingKey(text.slice(first.start, next.end))
    count++
    if (technologies().has(key)) counts.push(count)
  }
  for (const count of counts.reverse()) {
    const end = words[at + count - 1]?.end ?? first.end
    const mention = mentionOf(text, text.slice(first.start, end), first.start, end)
    if (mention !== undefined) return { mention, words: count }
  }
  return undefined
}

function isNext(text: string, word: Word, next: Word): boolean {
  return /^(?:['’]s)?[ \t]{1,2}$/.test(text.slice(word.end, next.start))
}

function mentionOf(text: string, written: string, start: number, end: number): TechnologyMention | undefined {
  const technology = technologies().get(spellingKey(written))
  // "c" is the third of some options; "mit" is a word of German.
  if (/^[a-z]$/.test(written) || (written === 'mit' && /^\s+\p{L}/u.test(text.slice(end, end + 8))))
    return undefined
  if (technology !== undefined) {
    // "GitHub-hosted" says how something is.
    if (/^-\p{Ll}{3}/u.test(text.slice(end, end + 5))) return undefined
    const version = VERSION.exec(text.slice(end, end + 40))
    const capitals = written.length > 1 && written === written.toUpperCase()
    const sure =
      !technology.everyday || capitals || (/^\p{Lu}/u.test(written) && !startsSentence(text, start))
    return version === null
      ? { technology, value: technology.name, start, end, sure }
      : {
          technology,
          value: `${technology.name} ${version[1]}`,
          start,
          end: end + version[0].length,
          sure: true,
        }
  }
  if (!'0123456789'.includes(written.at(-1) ?? '.')) return undefined
  const glued = /^([a-z+#.]+)[-@:]?v?(\d{1,4}(?:\.\d{1,3}){0,2})$/i.exec(written)
  const bare = glued === null ? undefined : technologies().get(spellingKey(glued[1] ?? ''))
  if (bare === undefined || glued === null) return undefined
  return { technology: bare, value: `${bare.name} ${glued[2]}`, start, end, sure: true }
}

function startsSentence(text: string, start: number): boolean {
  return /(?:^|[.!?:]\s+|\n\s*)$/.test(text.slice(Math.max(0, start - 4), start))
}
