import type { SummaryNode } from '../store/summary-node.ts'
import { labelText, timeText } from './refs.ts'

export function forgottenText({ at, reason }: { readonly at: number; readonly reason: string }): string {
  return `[deleted on request at ${timeText(at)}: ${labelText(reason)}]`
}

/** The text of a summary, or why there is none. */
export function summaryText({ text, forgotten }: Pick<SummaryNode, 'text' | 'forgotten'>): string {
  return forgotten === undefined ? text : forgottenText(forgotten)
}

/** When and why a content was deleted, as a field of an answer. */
export function forgottenFields(forgotten: { readonly at: number; readonly reason: string } | undefined) {
  if (forgotten === undefined) return {}
  return { forgotten: { time: timeText(forgotten.at), reason: labelText(forgotten.reason) } }
}
