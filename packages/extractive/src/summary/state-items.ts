import { shorten } from '../text/shorten.ts'
import { type Item, quote, turnMark } from './item.ts'
import { runStatus } from './run-status.ts'
import type { Walk } from './walk-messages.ts'

/** Replies from the end whose next steps may still be open. */
const LATEST_REPLIES = 3

/** What was under way and what was said to come next when the messages ended. */
export function stateItems(walk: Walk): Item[] {
  return [...openTurn(walk), ...planItems(walk), ...nextSteps(walk)]
}

function openTurn({ turns, runs, open }: Walk): Item[] {
  if (!open) return []
  const turn = turns.at(-1)
  const run = runs.at(-1)
  const ask =
    turn === undefined || turn.user.ask === ''
      ? ''
      : `user: ${quote(shorten(turn.user.ask, 80))} was not answered yet`
  const last = run === undefined ? '' : `last call ${run.call.label} (${runStatus(run)})`
  if (ask === '' && last === '') return []
  const number = turn?.number ?? run?.turn ?? -1
  return [
    {
      slot: 'In Progress',
      text: turnMark(number) + [ask, last].filter(Boolean).join('; '),
      turn: number,
      weight: 1,
    },
  ]
}

function planItems({ runs }: Walk): Item[] {
  const run = runs.findLast(({ call }) => call.plan.length > 0)
  if (run === undefined) return []
  const { turn } = run
  return run.call.plan.flatMap(({ text, state }): Item[] => {
    if (state === 'done') return []
    const active = state === 'active'
    const line = `${turnMark(turn)}${active ? 'active' : 'open'} in the assistant's plan: ${quote(text)}`
    return [{ slot: active ? 'In Progress' : 'Next Steps', text: line, turn, weight: 0.9 }]
  })
}

function nextSteps({ replies, turns }: Walk): Item[] {
  const items: Item[] = []
  for (const [fromEnd, { turn, assistant }] of replies.slice(-LATEST_REPLIES).reverse().entries()) {
    for (const { text } of assistant.nextSteps)
      items.push({
        slot: 'Next Steps',
        text: `${turnMark(turn)}assistant said: ${quote(text)}`,
        turn,
        weight: 0.9 - 0.25 * fromEnd,
      })
    const answered = (turns.at(-1)?.number ?? turn) > turn
    if (fromEnd === 0 && assistant.proposal !== '' && !answered)
      items.push({
        slot: 'Next Steps',
        text: `${turnMark(turn)}assistant proposed: ${quote(assistant.proposal)}`,
        turn,
        weight: 1,
      })
  }
  return items.reverse()
}
