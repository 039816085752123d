import type { TechnologyMention } from '../slots/find-technologies.ts'
import { corrects } from './amendments.ts'
import { areaOf, placeOf } from './area.ts'
import type { Clause } from './clauses.ts'
import type { Finding, Voice } from './finding.ts'
import { type List, listAt } from './list-technologies.ts'
import type { Token } from './scan.ts'

const OPENING = /^(?:[fA,.:"·!-]|[nv]f*,|D,|a(?!$)|l[^:T]{0,4}:)*/
const FRONT = /^(?:[PpFo][dVfyxKTEIZ]{1,6}[,:]?(?=[fA,]*[smUSCRDGKM])|[dV]*K[,:i]?(?=[fA]*[smUSG]))/
/** Whose choice it is; unknown words before "we" change nothing. */
const OWN = /^(?:[^qhezcnoGTED]{0,12}?[sm](?=[smMfA,]*[USCRD]))?[smMfA,]*/
/** Words that have their speaker within: "I'd like", "always use". */
const WANTED = /\b(?:i'd|we'd|always use)\b/i
const OFFERED = /^(?:[^ezcno]{0,16}?[sqhG](?=[smMfAhqG,:]*[USCRDTE]))?[smMfAqhG,:dV]*/
/** A verb that no list has, with a preposition: "reports get generated with". */
const PLACED =
  /^[fA,]*(?:[^qhezcnoGDv.y]{0,6}?s[mMf]*x|[dV]*[xKZ]{1,3}(?:[pP][dV]*[xK]{1,2})?[if]*x)[dV]*[xKi]{0,3}[pt][dV]*(?=T)/
/** A thing, with what it is made of or has to be made of. */
const THING =
  /^[fA,]*[dV]*[xKIZTE]{1,4}(?:[pP][dV]*[xKZ]{1,3})?[mMfA]*(?:(?<=[mMxK][fA]*)U|(?<=K[mMfA]*)i)[dfAt]*(?=[TE])/
/** "CI moves to", "alerts go to", "login is via". */
const GOES = /^[fA,]*[dV]*K{1,2}[mMf]*(?:Ct|E[pt]|ip)[dVf]*(?=[TE])/
/** "write the app in", "store it in". */
const BUILT = /^S[dVfy]*(?:[xKZIE]{1,4}f*)?[tp][dV]*(?=[TE])/

/** The technologies that a clause says are used, replaced or dropped. */
export function readTechnologies(clause: Clause, voice: Voice): Finding[] {
  const { signs } = clause
  if (!/[TE]/.test(signs)) return []
  for (let from = 0; from !== -1; ) {
    const found = readFrom(clause, from + (OPENING.exec(signs.slice(from))?.[0].length ?? 0), voice)
    const next = signs.indexOf(',', from) + 1
    // "turn-based strategy, engine is Bevy": words without a verb may stand before it.
    if (found.length > 0) return found
    if (next === 0 || /[sUCRDSqinTE]/.test(signs.slice(from, next))) break
    from = next
  }
  return []
}

function readFrom(clause: Clause, opening: number, voice: Voice): Finding[] {
  const { signs } = clause
  const front = FRONT.exec(signs.slice(opening))?.[0].length ?? 0
  const fronted = clause.tokens.slice(opening, opening + front)
  const from = opening + front
  const at = from + ((voice === 'user' ? OWN : OFFERED).exec(signs.slice(from))?.[0].length ?? 0)
  const verb = signs.charAt(at)
  const isOffer = voice === 'assistant' && /[Gq]/.test(signs.slice(from, at))
  const before = clause.tokens.slice(opening, at).flatMap(({ mention }) => mention ?? [])[0]
  if (verb === 'D') return ended(clause, at + 1)
  if (verb === 'R' || verb === 'C') return changed(clause, at + 1, verb, fronted)
  const cue = cueAt(clause, at, opening, verb, isOffer, voice)
  if (cue !== undefined) return chosen(clause, listAt(clause, cue), fronted, before)
  return uncued(clause, opening, fronted, voice)
}

/** Where the list behind a cue of choosing begins. */
function cueAt(
  clause: Clause,
  at: number,
  opening: number,
  verb: string,
  isOffer: boolean,
  voice: Voice,
): number | undefined {
  const { signs } = clause
  const isWanted =
    /s[mMfdV]*m[fdV]*$/.test(signs.slice(0, at)) ||
    (/^[fA,]*m[fdV]*$/.test(signs.slice(0, at)) && WANTED.test(textOf(clause.tokens.slice(0, at))))
  if (isWanted && /[TE]/.test(verb)) return at
  if (verb === 'U') return at + 1
  if (verb === 'p' && /s[mMf]*$/.test(signs.slice(0, at)) && voice === 'user') return at + 1
  if (isOffer) return at + (/^[xU][dV]*(?=T)/.exec(signs.slice(at))?.[0].length ?? 0)
  const built = BUILT.exec(signs.slice(at))?.[0].length
  if (built !== undefined) return at + built
  if (voice === 'assistant') return undefined
  if (THING.test(signs.slice(opening))) return opening
  const goes = goesTo(clause, opening)
  if (goes !== undefined) return goes
  const placed = PLACED.exec(signs.slice(opening))?.[0].length
  return placed === undefined || /[yk]/.test(signs) ? undefined : opening + placed
}

function goesTo({ signs, tokens }: Clause, opening: number): number | undefined {
  const found = GOES.exec(signs.slice(opening))
  if (found === null) return undefined
  const at = opening + found[0].length
  const words = textOf(tokens.slice(opening, at))
  return /\b(?:moves?|migrates?|go(?:es)?|is|are) (?:over )?(?:to|on|onto|via|with|through)\b/i.test(words)
    ? at
    : undefined
}

/** "A in favor of B", "A and for B". */
const FAVORS = /^[dVf]*(?<old>[TE])f*(?:t|[,a]+P)[dt]*(?<next>[TE])/d

function ended(clause: Clause, at: number): Finding[] {
  const { old, next } = FAVORS.exec(clause.signs.slice(at))?.indices?.groups ?? {}
  const mention = clause.tokens[at + (old?.[0] ?? 0)]?.mention
  const favor = clause.tokens[at + (next?.[0] ?? 0) - 1]?.text ?? ''
  if (next !== undefined && mention !== undefined && /fav|^for$/i.test(favor))
    return chosen(clause, listAt(clause, at + next[0]), [], mention)
  const { items } = listAt(clause, at)
  return items.map(({ mention, words }) => finding(clause, { kind: 'end', mention, words }))
}

const INTO = /^[^TEto]{0,5}[to][dVf]*(?=[TE])/
const OUT_OF = /^[^TEto]{0,5}(?:F)[dVf]*(?=[TE])/

/** "switch from A to B", "move the cache to B", "replace A with B". */
function changed(clause: Clause, at: number, verb: string, fronted: readonly Token[]): Finding[] {
  const { signs, tokens } = clause
  const out = OUT_OF.exec(signs.slice(at)) ?? /^[dVKf]*(?=[TE])/.exec(signs.slice(at))
  const oldAt = out === null ? undefined : at + out[0].length
  const old = oldAt === undefined ? undefined : tokens[oldAt]?.mention
  const next = oldAt === undefined ? at : oldAt + 1
  const into = INTO.exec(signs.slice(next))
  if (into === null) return old === undefined ? [] : upgraded(clause, next, old, fronted)
  const list = listAt(clause, next + into[0].length)
  if (verb === 'R' && old === undefined) return []
  const about = tokens
    .slice(at, next + into[0].length)
    .filter(({ sign, mention }) => mention === undefined && !/[tFo]/.test(sign))
  return list.items.slice(0, 1).map(({ mention, words, old: other }) => {
    const replaced = old ?? other
    return finding(clause, {
      mention,
      words: [...words, ...about.filter(({ sign }) => sign === 'K'), ...fronted],
      isChange: true,
      ...(replaced && { old: replaced }),
    })
  })
}

/** "Upgrade A to 16". */
function upgraded(
  clause: Clause,
  at: number,
  { technology, ...mention }: TechnologyMention,
  words: readonly Token[],
): Finding[] {
  const version = /^tf?Q[f.!]*$/.test(clause.signs.slice(at)) ? clause.tokens[at + 1]?.text : undefined
  if (version === undefined || !/^v?\d+(?:\.\d+)*$/.test(version)) return []
  const next = { ...mention, technology, value: `${technology.name} ${version.replace('v', '')}` }
  return [finding(clause, { mention: next, words, isChange: true })]
}

function chosen(
  clause: Clause,
  { items }: List,
  fronted: readonly Token[],
  before?: TechnologyMention,
): Finding[] {
  return items.map(({ mention, words, old }, index) => {
    const replaced = old ?? (index === 0 && before !== mention ? before : undefined)
    return finding(clause, {
      mention,
      words: areaOf(words) === '' ? [...words, ...fronted] : words,
      ...(replaced && { old: replaced }),
    })
  })
}

const textOf = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join(' ')

/** "Not A, B". */
const SWAPPED = /^[fA,]*n[df]*(?<old>[TE])[,;f]*(?:U[df]*)?(?<next>[TE])[f.!]*$/d

/** Choices without a verb of choosing: "B replaces A", "A it is", "A is gone", "cache: A", "A instead of B". */
function uncued(clause: Clause, opening: number, fronted: readonly Token[], voice: Voice): Finding[] {
  const { signs, tokens } = clause
  const list = listAt(clause, opening)
  const [first, ...others] = list.items
  if (first === undefined) {
    // "I misspoke, it's B", "no, on B".
    if (
      /^(?:it'?s|on|in|with|to|at|via)$/i.test(tokens[opening]?.text ?? '') &&
      corrects(textOf(tokens.slice(0, opening)))
    )
      return chosen(clause, listAt(clause, opening + 1), [])
    const { old, next } = SWAPPED.exec(signs)?.indices?.groups ?? {}
    const mention = tokens[old?.[0] ?? 0]?.mention
    return next === undefined || mention === undefined
      ? []
      : chosen(clause, listAt(clause, next[0]), [], mention)
  }
  const rest = signs.slice(list.end)
  if (/^[fi]*g/.test(rest))
    return others.length > 0
      ? []
      : [finding(clause, { kind: 'end', mention: first.mention, words: first.words })]
  const isSettled =
    /^[fA,]*[w][fA.!k]*(?:$|[,PpM])/.test(rest) ||
    /^[f,]*A/.test(rest) ||
    (/^[f,]*G/.test(rest) && voice === 'assistant')
  const isWhole = /^[fA.!)"?k]*(?:$|[,;.:(])/.test(rest)
  if (!isSettled && !(isWhole && isFragment(clause, list, opening, voice))) return []
  return chosen(clause, list, fronted)
}

function isFragment(
  { signs, isFirst, tokens }: Clause,
  { items }: List,
  opening: number,
  voice: Voice,
): boolean {
  const [first] = items
  if (items.some((item) => item.isLabelled && !item.isPlain) && items.length < 2) return false
  const isBare =
    /^(?:[fA,]|nf*,)*T(?:[pP][dV]*[xK]{1,2})?(?:f+|[,a][fd]*T[^sUiqhSCRDG]*|[,.][^sUiqhSCRDG]*)$/.test(signs)
  const isPlain =
    isBare ||
    (isFirst && corrects(textOf(tokens.slice(0, opening)))) ||
    items.some((item) => item.isPlain) ||
    items.every((item) => item.isLabelled)
  if (voice === 'assistant') return /\?/.test(signs) && isPlain
  const isLabelled =
    /l[^T]{0,4}:[fd]*$/.test(signs.slice(0, opening)) ||
    (/:[fd]*$/.test(signs.slice(0, opening)) && items.length > 1) ||
    (/^[dV]*[xKZI]{1,4}:/.test(signs.slice(opening)) && items.length > 1)
  return (isFirst || first?.old !== undefined) && (isPlain || isLabelled)
}

interface Said {
  readonly mention: TechnologyMention
  readonly words: readonly Token[]
  readonly old?: TechnologyMention
  readonly kind?: Finding['kind']
  readonly isChange?: boolean
}

export function finding(
  clause: Clause,
  { mention, words, old, kind = 'choice', isChange = false }: Said,
): Finding {
  const own = placeOf(mention.technology, words)
  const shared = old?.technology.slots.find((slot) => mention.technology.slots.includes(slot))
  const isNamed = words.some(({ slot }) => slot === own.slot)
  const slot = isNamed ? own.slot : (shared ?? own.slot)
  return {
    kind,
    slot,
    value: mention.value,
    area: kind === 'end' ? '' : own.area,
    start: clause.start,
    end: clause.end,
    isChange: isChange || old !== undefined || kind === 'end' || clause.isChange,
    ...(old === undefined ? { isUsualSlot: !isNamed } : { replaces: old.value }),
    ...(clause.reason !== undefined && { reason: clause.reason }),
  }
}
