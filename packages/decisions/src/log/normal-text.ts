import type { Choice, Scope } from './decision-event.ts'

const NORMAL_SLOT = /^[a-z\d:.-]+$/

/** A slot's name for comparison: lower case, words joined by hyphens; a prefix such as `setting:` stays one. */
export function normalSlot(slot: string): string {
  if (NORMAL_SLOT.test(slot)) return slot
  return slot
    .normalize('NFKC')
    .toLowerCase()
    .trim()
    .replace(/[\s_]+/g, '-')
}

/** An area for comparison. */
export function normalArea(area: string): string {
  if (area === '') return area
  return normalValue(area).replace(/^(?:the|our|all)\s/, '')
}

/** A value for comparison: lower case, white space and the marks of quotes and code left out. */
export function normalValue(value: string): string {
  return value
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[`"'“”‘’*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<![.,;:!])[.,;:!]+$/, '')
}

/** Names as code has them, as words: `max retries` for `max_retries`, `max Retries` for `maxRetries`; `iOS` stays. */
export function asWords(text: string): string {
  return text.replace(/([a-z0-9]{2})([A-Z])/g, '$1 $2').replaceAll('_', ' ')
}

/** A subject: only one decision can hold for it, unless its slot takes many. */
export function subjectOf({
  scope,
  slot,
  area,
}: Pick<Choice, 'slot' | 'area'> & { readonly scope: Scope }): string {
  return `${scope}\n${slot}\n${area}`
}
