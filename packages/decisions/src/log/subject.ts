import type { Choice, Scope } from './decision-event.ts'

/** A subject: only one decision can hold for it, unless its slot takes many. */
export function subjectOf({
  scope,
  slot,
  area,
}: Pick<Choice, 'slot' | 'area'> & { readonly scope: Scope }): string {
  return `${scope}\n${slot}\n${area}`
}
