import { readFileSync } from 'node:fs'
import { fixedClock } from '../src/clock.ts'
import type { Draft } from '../src/entry.ts'
import { createLedger, type Ledger } from '../src/ledger.ts'
import { createMemoryStore } from '../src/store/memory-store.ts'

export const clock = fixedClock('2026-04-02T10:00:00.000Z')

export function newLedger(): Ledger {
  return createLedger({ store: createMemoryStore(), clock })
}

export function fixture(name: string): string {
  return readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')
}

export function lunch(changes: Partial<Draft> = {}): Draft {
  return {
    office: 'lisbon',
    postedAt: '2026-03-10T12:30:00.000Z',
    amount: 1_250,
    currency: 'EUR',
    vendor: 'Tasca do Cais',
    category: 'meals',
    note: '',
    ...changes,
  }
}
