import type { TechnologyMention } from '../slots/find-technologies.ts'
import type { Clause } from './clauses.ts'
import type { Token } from './scan.ts'

/** A technology in a list, with what stands around it. */
interface Item {
  readonly mention: TechnologyMention
  /** Words before and behind it that say what it is for. */
  readonly words: readonly Token[]
  /** The one that it takes the place of. */
  readonly old?: TechnologyMention
  /** True when the words around it say that it is chosen: a slot's name before it, a purpose, an old value, or none at all. */
  readonly isPlain: boolean
  /** True when a thing is named before it: "scripts in". */
  readonly isLabelled: boolean
}

export interface List {
  readonly items: readonly Item[]
  /** One behind its last token. */
  readonly end: number
}

const LABEL = /^[dV]*[xKZIlQ]{1,4}(?:[pP][dV]*[xK]{1,2})?(?:[:iptP-]|(?<=K)[sf]*U|(?<=x)U)[dfA]*(?=[TE])/
const PURPOSE = /^(?:[Pp][dVf]*[xKIZTE/]{1,4}|[Pp]y(?=$|[,;.:!?])|[Pp][dV]*[ky][xKZ]?)/
/** "In this project" is no part of one, and no once. */
const OURS = /^(?:project|app|application|repo|repository|monorepo|codebase)$/i
const OLD = /^(?:[,(]*(?:[on]|z|a?n)[dFptPf]*(?=[TE])|,?F(?=[TE]))/
const BEHIND = /^(?:$|[,;.!?:)(awgAkPpbc·"-]|f+(?!i)|[niU][.!]?$|t[dVE]?T)/
const LINK = /^(?:f*[,a]+[fAp]*(?:s?[mMf]*U[fA]*)?|t(?=[dV]*T))/

/** Technologies one after the other, each with what it is for; nothing when they are alternatives. */
export function listAt({ signs, tokens }: Clause, from: number): List {
  const items: Item[] = []
  const isAlone = ALONE.test(signs)
  let end = from
  for (let at = from; at < tokens.length; ) {
    const label = LABEL.exec(signs.slice(at))?.[0] ?? ''
    const isKnown = /[Kl]/.test(label)
    const lead = label !== '' ? label : (/^[dVfA]*/.exec(signs.slice(at))?.[0] ?? '')
    const place = at + lead.length
    const mention = tokens[place]?.mention
    if (mention === undefined) break
    const item = itemAt({ signs, tokens }, place, mention, tokens.slice(at, place))
    if (signs.charAt(item.end) === 'v') return { items: [], end: from }
    // "the npm org" is no npm: another word behind a technology makes it a part of something else.
    if (!BEHIND.test(signs.slice(item.end)) && !/^[wgjGA]/.test(signs.slice(item.end))) break
    if (signs.charAt(place) === 'E' && !isAlone && !isMeant(signs, place)) break
    if (item.isOnce) break
    items.push({ ...item, isPlain: isAlone || isKnown || item.isPlain, isLabelled: label !== '' })
    end = item.end
    const link = LINK.exec(signs.slice(end))?.[0].length ?? 0
    if (link === 0) break
    at = end + link
  }
  return { items, end }
}

/** Technologies alone, one of which is no everyday word: "poetry, ruff and pytest". */
const ALONE = /^(?=[^T]*T)[fA]*(?:[TE][,a]+f*)+[TE][f.!]*$/

/** "use less memory": an everyday word counts when nothing is said around it. */
function isMeant(signs: string, at: number): boolean {
  return /(?:[UtRG:]|^)$/.test(signs.slice(0, at)) && /^(?:$|[,;.!afPwA?o])/.test(signs.slice(at + 1))
}

function itemAt(
  { signs, tokens }: Pick<Clause, 'signs' | 'tokens'>,
  place: number,
  mention: TechnologyMention,
  label: readonly Token[],
) {
  let end = place + 1
  let old: TechnologyMention | undefined
  let isPlain = false
  let isOnce = false
  const words: Token[] = label.filter(({ sign }) => !/[fAt]/.test(sign))
  const take = (pattern: RegExp): readonly Token[] => {
    const length = pattern.exec(signs.slice(end))?.[0].length ?? 0
    end += length
    return tokens.slice(end - length, end)
  }
  words.push(...take(/^(?:K|-[xK])/))
  for (let before = -1; before !== end; ) {
    before = end
    take(/^f+(?=[onPp(,]+(?:[dFtf][dFptPf]*)?[TExKZ])/)
    const purpose = take(PURPOSE)
    const isTime =
      purpose.length > 2 ? purpose.some(({ sign }) => /[ky]/.test(sign)) : purpose[1]?.sign === 'k'
    isOnce ||= isTime && !OURS.test(purpose.at(-1)?.text ?? '')
    isPlain ||= /^P/.test(purpose[0]?.sign ?? '')
    words.push(...purpose)
    if (old === undefined && take(OLD).length > 0) {
      old = tokens[end]?.mention
      end++
      take(/^\)/)
      isPlain = true
    }
  }
  return { mention, words, isPlain, isOnce, end, ...(old !== undefined && { old }) }
}
