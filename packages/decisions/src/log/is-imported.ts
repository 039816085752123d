import type { SaidEvent } from './decision-event.ts'

/** True for an event whose text is elsewhere: of a record that was read, or of an export of another store. */
export function isImported({ by, imported }: Pick<SaidEvent, 'by' | 'imported'>): boolean {
  return by === 'import' || imported === true
}
