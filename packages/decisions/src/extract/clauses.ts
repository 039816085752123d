import { compiled } from './lexicon/compiled.ts'
import { ENGLISH } from './lexicon/english.ts'
import type { Lexicon } from './lexicon/lexicon.ts'
import { signsOf } from './moods.ts'
import { scan, type Token } from './scan.ts'
import type { Sentence } from './sentences.ts'
import type { Stretch } from './spoken-lines.ts'

/** A part of a sentence that can decide something by itself. */
export interface Clause extends Stretch {
  /** As long as the stretch. */
  readonly shape: string
  /** Without the reason; places are of the shape. */
  readonly tokens: readonly Token[]
  /** The signs of the tokens, one letter each. */
  readonly signs: string
  /** The signs of the sentence up to the end of the clause. */
  readonly before: string
  readonly isFirst: boolean
  /** True when the sentence says that it takes something back or changes it. */
  readonly isChange: boolean
  /** Why, in the clause's own words. */
  readonly reason?: string
}

const MAX_REASON_CHARS = 200
/** Behind a comma or an "and": another subject, another order, or a technology of which something is said. */
const NEXT = /^(?:[,a][fA,]*(?:[sDRCUYlq]|n?[TE]f?[wgr])|:[f]*[TE]f?[wgr])/
/** The signs that a clause may end before. */
const MAY_END: ReadonlySet<string> = new Set('b;:,a')
/** Words before the first comma that only say what the rest is about; so does "do not, under any circumstances". */
const FRONT = /^[f,A]*(?:[Ppo]|F|K)[^,]*$|^f*n,[^,]*$/

/** The clauses of a sentence, in order. */
export function clausesOf(sentence: Sentence, lexicon: Lexicon = ENGLISH): Clause[] {
  const tokens = scan(sentence.shape, lexicon)
  const signs = signsOf(tokens)
  const isChange = compiled(lexicon).corrects.test(sentence.shape)
  const clauses: Clause[] = []
  let from = 0
  for (let at = 1; at <= tokens.length; at++) {
    const sign = signs.charAt(at)
    if (at < tokens.length && !MAY_END.has(sign)) continue
    const isEnd =
      at === tokens.length ||
      ((sign === 'b' || sign === ';') && !/[no]Q,?$/.test(signs.slice(from, at))) ||
      (sign === ':' && !/^[fA,]*[dV]*(?:l.{0,4}|.{1,3})$/.test(signs.slice(from, at))) ||
      (NEXT.test(signs.slice(at)) && !FRONT.test(signs.slice(from, at)))
    if (!isEnd) continue
    const clause = clauseOf(sentence, tokens.slice(from, at), { before: signs.slice(0, at), isChange })
    if (clause !== undefined)
      clauses.push({ ...clause, isFirst: from === 0 || signs.charAt(from - 1) === ':' })
    from = at + 1
  }
  return clauses
}

function clauseOf(
  { start, shape }: Sentence,
  tokens: readonly Token[],
  { before, isChange }: { before: string; isChange: boolean },
): Omit<Clause, 'isFirst'> | undefined {
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const signs = before.slice(before.length - tokens.length)
  const why = signs.indexOf('u', 1)
  const said = why === -1 ? tokens : tokens.slice(0, why)
  const reason = why === -1 ? '' : reasonOf(shape.slice(tokens[why]?.end ?? last.end, last.end))
  return {
    start: start + first.start,
    end: start + last.end,
    shape: shape.slice(first.start, last.end),
    tokens: said,
    signs: why === -1 ? signs : signs.slice(0, why),
    before,
    isChange,
    ...(reason !== '' && { reason }),
  }
}

function reasonOf(text: string): string {
  return text
    .replace(/(?<![\s.,!;])[\s.,!;]+$/, '')
    .replace(/^[\s,]+/, '')
    .slice(0, MAX_REASON_CHARS)
}
