import { constraintStrength } from '../cues/constraint-cues.ts'
import { hasIdentifier } from '../identifiers/extract-identifiers.ts'
import { shorten, shortenMiddle } from '../text/shorten.ts'
import { type Item, quote, turnMark } from './item.ts'
import type { Turn, Walk } from './walk-messages.ts'

/** Characters of an ask: the first and the latest tell what the work is about, the others what it went through. */
const FIRST_ASK_CHARS = 700
const LATEST_ASK_CHARS = 500
const ASK_CHARS = 240

/** What users asked for, ruled and chose, and which proposals they accepted. */
export function turnItems({ turns }: Walk): Item[] {
  const items: Item[] = []
  for (const [index, turn] of turns.entries()) {
    const fromEnd = turns.length - 1 - index
    const rules = ruleItems(turn)
    items.push(...rules)
    const goal = goalItem(turn, index === 0 || items.length === 0, fromEnd)
    // A turn that is nothing but a rule is kept as a rule.
    if (goal !== undefined && !rules.some((rule) => rule.text.length > 0.85 * goal.text.length))
      items.push(goal)
  }
  return items
}

function goalItem({ number, user }: Turn, first: boolean, fromEnd: number): Item | undefined {
  const { ask } = user
  if (ask === '' || (isTrivial(ask) && fromEnd > 0)) return undefined
  const room = first ? FIRST_ASK_CHARS : fromEnd < 2 ? LATEST_ASK_CHARS : ASK_CHARS
  const age = Math.max(user.accepts ? 0.15 : 0.4, 0.95 - 0.1 * fromEnd)
  const weight = fromEnd === 0 ? 1 : age * askWorth(ask)
  const text = `${turnMark(number)}user: ${quote(shortenMiddle(ask, room))}`
  return { slot: 'Goal', text, turn: number, weight }
}

/** What an ask is worth when it is over, by whether it named anything: small talk is done with. */
export function askWorth(line: string): number {
  const ask = line.replace(/^(?:t\d+ )?user: /, '')
  return hasIdentifier(ask) || /\d/.test(ask) ? 1 : 0.5
}

function isTrivial(ask: string): boolean {
  return (
    /^\/\w*$|^\[[^\]]{1,80}\]$/.test(ask) ||
    (ask.length < 12 && !/\d/.test(ask) && /^[\p{ASCII}]*$/u.test(ask))
  )
}

function ruleItems({ number, user, proposal }: Turn): Item[] {
  const items: Item[] = []
  const said = (text: string): string => `${turnMark(number)}user: ${quote(text)}`
  for (const { text, weight } of user.constraints)
    items.push({
      slot: 'Constraints & Preferences',
      text: said(text),
      turn: number,
      weight: weight === 2 ? 1 : 0.55,
      lasting: weight === 2,
    })
  for (const { text } of user.decisions)
    items.push({ slot: 'Key Decisions', text: said(text), turn: number, weight: 1, lasting: true })
  if (user.accepts && proposal !== '') {
    const text = `${turnMark(number)}user accepted (${quote(shorten(user.ask, 60))}) what the assistant had proposed: ${quote(proposal)}`
    items.push({ slot: 'Key Decisions', text, turn: number, weight: 0.8, lasting: true })
  }
  return items
}

/** Whether an item of an earlier summary states a rule that is meant to last. */
export function isLastingRule(text: string): boolean {
  return constraintStrength(text.replace(/^t\d+ user: "?/, '')) === 2
}
