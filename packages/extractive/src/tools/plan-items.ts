import { oneLine } from '../text/one-line.ts'
import { shorten } from '../text/shorten.ts'

/** One entry of a plan or to-do list that an assistant keeps with a tool. */
export interface PlanItem {
  readonly text: string
  readonly state: 'open' | 'active' | 'done'
}

/**
 * The entries of a plan in the arguments of a call: a list of objects that have a status and a text, as the
 * to-do tools of coding agents take it. Empty for every other call.
 */
export function planItems(members: Readonly<Record<string, unknown>>): PlanItem[] {
  for (const value of Object.values(members)) {
    if (!Array.isArray(value) || value.length === 0) continue
    const items = value.slice(0, 50).map(planItem)
    if (items.every((item) => item !== undefined)) return items
  }
  return []
}

function planItem(entry: unknown): PlanItem | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined
  const { status, content, step, title, text, task, description } = entry as Record<string, unknown>
  const name = [content, step, title, text, task, description].find((value) => typeof value === 'string')
  if (typeof status !== 'string' || typeof name !== 'string') return undefined
  const state = /complet|done|finish|cancel/i.test(status)
    ? 'done'
    : /progress|active/i.test(status)
      ? 'active'
      : 'open'
  return { text: shorten(oneLine(name.slice(0, 400)), 160), state }
}
