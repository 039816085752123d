import { refusalSlot } from '../slots/slots.ts'
import { areaOf } from './area.ts'
import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { listAt } from './list-technologies.ts'
import { ruleText } from './read-rules.ts'
import { finding } from './read-technologies.ts'
import { proseSlot } from './slug.ts'

/** "Let's not use", "please don't use", "we must never use", "use neither", "decided against". */
const REFUSES = /^[fA,]*(?:[^qhezcnoGTED]{0,6}?s)?(?:m[mf]*)?(?:D|U?[nNM][mMfAd]*U|Un)[dfA]*(?=[TE])/
/** An order, a wish or a decision; what only is not so ("we don't use Spark") is none. */
const ORDERS =
  /^(?:you |we )?(?:do not|don't|dont|never|avoid)\b|\b(?:let(?:'s| us) (?:not|use)|(?:don't|do not|dont) want|must not|mustn't|should never|never|refuse to|(?:decided|chose|agreed) (?:against|not to use))\b/
const FACT = /\b(?:can(?:not|'t)?|may|using|need|longer|more)\b|^(?:i|we) (?:don't|do not|dont) use/

/** "Never mind, no Redis", "no, not Redis", "we won't use Redis after all": it ends what may hold, and no more. */
const AGAIN = /^[fA,]*(?:(?:nf*|D(?:y|f)?),[fA,]*)+n[dP]*(?=[TE])/
/** "No Redis please", "no Redis in this project". */
const PLEA = /^[fA,]*n[dP]*(?=[TE])/
const PLEADS = /\b(?:please|pls|plz|in (?:this|the|our) (?:project|repo|codebase|app))\b/i
const OVER = /\b(?:after all|any ?more|in the end)\b/i

/** The technologies that a clause orders not to use: each is over, and not to use them is a rule. */
export function readRefusals(clause: Clause): Finding[] {
  const { signs, shape, tokens, start, end } = clause
  if (!/[nNMD]/.test(signs) || !/[TE]/.test(signs)) return []
  const again = AGAIN.exec(signs)
  const plea = PLEADS.test(shape) ? PLEA.exec(signs) : null
  const length = (again ?? plea ?? REFUSES.exec(signs))?.[0].length ?? 0
  const words = tokens
    .slice(0, length)
    .flatMap(({ sign, text }) => (/[fA,]/.test(sign) ? [] : text.toLowerCase()))
    .join(' ')
  const isOrder = (plea !== null || ORDERS.test(words)) && !FACT.test(words)
  const isOver = again !== null || (signs.slice(0, length).includes('n') && OVER.test(shape))
  if (length === 0 || !(isOrder || isOver)) return []
  const items = []
  let at = length
  for (let next: number | undefined = 0; next !== undefined; ) {
    const list = listAt(clause, at + next)
    items.push(...list.items)
    at = list.end
    next = /^[,a]*n[dP]*(?=[TE])/.exec(signs.slice(at))?.[0].length
  }
  const [first, ...others] = items
  if (first === undefined || /^[,a]*[Pt][TE]/.test(signs.slice(at))) return []
  const value = ruleText(shape)
  const isWhole = items.every((item) => areaOf(item.words) === '')
  const slot = isWhole && others.length === 0 ? refusalSlot(first.mention.value) : `rule:${proseSlot(value)}`
  const rule = { slot, value, area: '', start, end, isChange: false, isRefusal: true }
  const ends = items.map((item) => finding(clause, { ...item, kind: 'end' }))
  return [...(isOver ? [] : [{ kind: 'choice' as const, ...rule }]), ...(isWhole ? ends : [])]
}
